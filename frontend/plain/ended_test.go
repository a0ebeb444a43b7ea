package plain

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"extui/protocol"
)

// The end of a pipe is noticed though nobody wants a line, but not before all lines are taken.
func TestEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, typing := io.Pipe()
		f := New(in, io.Discard, &Options{Mode: Pipe})
		defer f.Close()
		over := func() bool {
			synctest.Wait()
			select {
			case <-f.Ended():
				return true
			default:
				return false
			}
		}
		if _, err := io.WriteString(typing, "y\n"); err != nil {
			t.Fatal(err)
		}
		typing.Close()
		if over() {
			t.Error("the input has ended though a line is left")
		}
		if a, err := f.Ask(t.Context(), approve); a != protocol.Confirmed(true) || err != nil {
			t.Errorf("Ask = %v, %v", a, err)
		}
		if !over() {
			t.Error("the input has not ended")
		}
	})
}

// Who is told that nobody can answer any more is not told that somebody has cancelled.
func TestUnattended(t *testing.T) {
	left := errors.New("left")
	f := New(strings.NewReader("/cancel\n"), io.Discard, &Options{Mode: Pipe, Unattended: left})
	defer f.Close()
	if a, err := f.Ask(t.Context(), approve); a != (protocol.Cancelled{}) || err != nil {
		t.Errorf("a line that cancels: %v, %v", a, err)
	}
	if a, err := f.Ask(t.Context(), approve); a != nil || !errors.Is(err, left) {
		t.Errorf("the end: %v, %v", a, err)
	}
}

type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// Nothing more is sent to the agent once nobody can see what becomes of it.
func TestReadPromptAfterWriteError(t *testing.T) {
	f := New(strings.NewReader("a\nb\n"), full{}, &Options{Mode: Pipe})
	if text, err := f.ReadPrompt(t.Context()); text != "a" || err != nil {
		t.Errorf("ReadPrompt = %q, %v", text, err)
	}
	if text, err := f.ReadPrompt(t.Context()); !errors.Is(err, errFull) {
		t.Errorf("ReadPrompt = %q, %v", text, err)
	}
	if err := f.Close(); !errors.Is(err, errFull) {
		t.Errorf("Close = %v", err)
	}
}
