package main

import (
	"errors"
	"strings"
	"testing"
)

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }

func TestTrimmed(t *testing.T) {
	var out strings.Builder
	w := &trimmed{w: &out}
	for _, piece := range []string{"a ", "  \nb c", " ", "\n", "   \n\tend\t \n", "rest  "} {
		if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Errorf("Write = %d, %v", n, err)
		}
	}
	if err := w.flush(); err != nil {
		t.Error(err)
	}
	if got, want := out.String(), "a\nb c\n\n\tend\t\nrest"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	bad := &trimmed{w: failing{}}
	_, _ = bad.Write([]byte("a\n")) // As one who does not look.
	_, _ = bad.Write([]byte("b\n"))
	if err := bad.flush(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("flush = %v", err)
	}
}

// What could not be shown is part of the outcome, whatever else went wrong.
func TestUnseen(t *testing.T) {
	lost := errors.New("no space")
	usual := &failure{codeAgentEnded, errors.New("it ended"), "a hint"}
	for name, test := range map[string]struct {
		err, lost error
		code      int
		text      string
	}{
		"all well":     {nil, nil, 0, ""},
		"lost":         {nil, lost, codeFailed, "extui: not everything could be shown: no space\n"},
		"both":         {usual, lost, codeAgentEnded, "extui: it ended; not everything could be shown: no space\nhint: a hint\n"},
		"same":         {&failure{codeFailed, lost, ""}, lost, codeFailed, "extui: no space\n"},
		"by signal":    {&failure{code: codeInterrupted}, lost, codeInterrupted, "extui: not everything could be shown: no space\n"},
		"nothing lost": {usual, nil, codeAgentEnded, "extui: it ended\nhint: a hint\n"},
	} {
		var out strings.Builder
		if code := report(&out, unseen(test.err, test.lost)); code != test.code || out.String() != test.text {
			t.Errorf("%s: code %d and %q", name, code, out.String())
		}
	}
}
