//go:build unix

package scenario

import (
	"context"
	"io"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// starts are the ways to start a process with an Out.
var starts = map[string]func(ctx context.Context, argv []string, stderr io.Writer) (*Peer, error){
	"process": func(ctx context.Context, argv []string, stderr io.Writer) (*Peer, error) {
		return StartProcess(ctx, argv, nil, stderr)
	},
	"group": func(ctx context.Context, argv []string, stderr io.Writer) (*Peer, error) {
		return StartGroup(ctx, argv, nil, nil, stderr)
	},
	"apart": func(ctx context.Context, argv []string, stderr io.Writer) (*Peer, error) {
		return StartApart(ctx, argv, nil, stderr)
	},
}

// patient is how long a test waits for what takes two seconds at most.
const patient = 15 * time.Second

// A process that has left another one behind is over although that holds its output and
// its standard error, and what it has written itself is not lost.
func TestProcessLeavesAnotherBehind(t *testing.T) {
	for name, start := range starts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stderr strings.Builder
			began := time.Now()
			peer, err := start(t.Context(), []string{"sh", "-c", "sleep 60 & echo $!; echo warning >&2; exit 3"}, &stderr)
			if err != nil {
				t.Fatal(err)
			}
			out, err := io.ReadAll(peer.Out)
			exit := peer.Wait()
			if err != nil || exit.Code != 3 || !exit.Held || stderr.String() != "warning\n" {
				t.Errorf("%q, %v; %+v; standard error %q", out, err, exit, stderr.String())
			}
			if took := time.Since(began); took > patient {
				t.Errorf("it took %v", took)
			}
			left, err := strconv.Atoi(strings.TrimSpace(string(out)))
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(left, syscall.SIGKILL); err != nil && name != "group" {
				t.Errorf("what it has left behind is gone: %v", err)
			}
		})
	}
}

// Output of what is left behind, however much there is, does not keep up a group.
func TestGroupWithAnotherThatWrites(t *testing.T) {
	t.Parallel()
	began := time.Now()
	peer, err := StartGroup(t.Context(), []string{"sh", "-c", "while :; do echo '{}'; sleep 0.05; done & exit 0"}, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, peer.Out); err != nil {
		t.Error(err)
	}
	if exit := peer.Wait(); exit.Code != 0 || time.Since(began) > patient {
		t.Errorf("%+v after %v", exit, time.Since(began))
	}
}

// All that was written before the exit is read, however late somebody reads it.
func TestOutputIsReadLate(t *testing.T) {
	for _, name := range []string{"process", "apart"} {
		peer, err := starts[name](t.Context(), []string{"sh", "-c", "echo one; echo two"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		out := peer.Out.(*output)
		<-out.exited
		if err := out.file.SetReadDeadline(time.Now()); err != nil {
			t.Fatal(err)
		}
		if all, err := io.ReadAll(peer.Out); string(all) != "one\ntwo\n" || err != nil {
			t.Errorf("%s: %q, %v", name, all, err)
		}
		peer.Wait()
	}
}

// The signal that ended a process is known, however it was started.
func TestProcessEndsBySignal(t *testing.T) {
	for name, start := range starts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer, err := start(t.Context(), []string{"sh", "-c", "kill -TERM $$"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, peer.Out); err != nil {
				t.Error(err)
			}
			if exit := peer.Wait(); exit.Code != 143 || exit.Signal != "TERM" || exit.Held {
				t.Errorf("it ended with %+v", exit)
			}
		})
	}
}

// An agent that says nothing more, and stays, has not ended: no kill of ours passes for
// its exit.
func TestAnAgentThatStays(t *testing.T) {
	for name, start := range starts {
		for _, test := range []struct {
			script, steps string
			line          int
			why           string // "": it passes
		}{
			{"exec >&-; trap '' TERM; exec sleep 60", "  - wait: 1ms\n", 0, "did not end within 300ms, and was stopped"},
			{"exec sleep 60 >&-", "  - agent: {exit: 0}\n", 3, "did not end within 300ms, and was stopped"},
			{"exec sleep 60 >&-", "  - agent: {exit: 137}\n", 3, "did not end within 300ms, and was stopped"},
			{"exec sleep 60 >&-", "  - agent: close\n", 3, "did not end within 300ms, and was stopped"},
			{"exec sleep 60 >&-", "  - client: {kill: KILL}\n  - agent: {exit: 137}\n", 0, ""},
			{"exec >&-; cat >/dev/null", "  - wait: 1ms\n", 0, ""},
			// What it has left behind is another matter.
			{"sleep 5 >&- & exec >&-; exit 3", "  - agent: {exit: 3}\n", 0, ""},
		} {
			t.Run(name+" "+test.script+test.steps, func(t *testing.T) {
				t.Parallel()
				peer, err := start(t.Context(), []string{"sh", "-c", test.script}, io.Discard)
				if err != nil {
					t.Fatal(err)
				}
				r := mustParse(t, "within: 300ms\nsteps:\n"+test.steps).TestAgent(t.Context(), peer, nil)
				if test.why == "" {
					passes(t, r)
					return
				}
				fails(t, r, test.line, test.why)
				if f := r.Failure(); strings.Contains(f.Message, "signal") || len(f.Differ) > 0 {
					t.Errorf("it tells of our own signal: %+v", f)
				}
			})
		}
	}
}

// Stop ends a process that does not listen, and what holds its output.
func TestStopProcess(t *testing.T) {
	for name, start := range starts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			peer, err := start(t.Context(), []string{"sh", "-c", "trap '' TERM INT; sleep 20 & wait"}, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			peer.Stop()
			peer.Stop()
			if _, err := io.Copy(io.Discard, peer.Out); err != nil {
				t.Error(err)
			}
			if exit := peer.Wait(); exit.Signal != "KILL" || time.Since(began) > patient {
				t.Errorf("%+v after %v", exit, time.Since(began))
			}
		})
	}
}

func TestStartNothing(t *testing.T) {
	for name, start := range starts {
		if peer, err := start(t.Context(), []string{"./no-such-program"}, io.Discard); err == nil || peer != nil {
			t.Errorf("%s: %v, %v", name, peer, err)
		}
	}
}
