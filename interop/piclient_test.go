package interop_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"extui/client"
	"extui/interop"
	"extui/protocol"
)

// A piClient is a client whose agent is the real pi, and the person at it.
type piClient struct {
	*client.Client
	t      *testing.T
	person *person
	early  []*question    // put to the person before the test asked for them
	work   sync.WaitGroup // prompts under way

	mu     sync.Mutex
	events []client.Event
	notes  []client.Diagnostic
}

func (c *piClient) options() *client.Options {
	return &client.Options{
		Frontend: c.person,
		Grace:    patience,
		Subscribe: func(record []byte) {
			e, err := client.DecodeEvent(record)
			if err != nil {
				c.t.Errorf("decode %s: %v", record, err)
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			c.events = append(c.events, e)
		},
		OnDiagnostic: func(d client.Diagnostic) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.notes = append(c.notes, d)
		},
	}
}

// runPi has the client start pi.
func runPi(t *testing.T, pi interop.Command) *piClient {
	t.Helper()
	c := &piClient{t: t, person: newPerson()}
	started, err := client.Start(context.Background(), client.Command{Path: pi.Path, Args: pi.Args, Env: pi.Env, Dir: pi.Dir}, c.options())
	if err != nil {
		t.Fatal(err)
	}
	c.Client = started
	t.Cleanup(c.close)
	return c
}

// close ends the client if the test has not, and then waits for what it began.
func (c *piClient) close() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := c.Close(ctx); err != nil {
		c.t.Errorf("close: %v", err)
	}
	c.work.Wait()
}

// prompted is the outcome of a prompt.
type prompted struct {
	what client.Disposition
	err  error
}

// prompt sends a prompt, and returns at once.
func (c *piClient) prompt(text string) <-chan prompted {
	out := make(chan prompted, 1)
	c.work.Go(func() {
		what, err := c.Prompt(c.t.Context(), text)
		out <- prompted{what, err}
	})
	return out
}

// handled requires that an extension has handled the prompt.
func (c *piClient) handled(p <-chan prompted) {
	c.t.Helper()
	if got := wait(c, p); got.err != nil || got.what != client.Handled {
		c.t.Errorf("prompt: %q, %v, want it handled", got.what, got.err)
	}
}

// wait receives, but not for ever.
func wait[T any](c *piClient, from <-chan T) T {
	c.t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		c.t.Fatalf("nothing happened for %v; the mirror shows %+v", patience, c.Mirror().Snapshot())
		panic("unreachable")
	}
}

// asked waits for the next dialog and requires its method and title.
func (c *piClient) asked(method protocol.Method, title string) *question {
	c.t.Helper()
	fits := func(q *question) bool { return q.dialog.Method() == method && q.dialog.DialogTitle() == title }
	if i := slices.IndexFunc(c.early, fits); i >= 0 {
		q := c.early[i]
		c.early = slices.Delete(c.early, i, i+1)
		return q
	}
	// Two that are open at once are put to a front end in any order.
	for len(c.early) < 2 {
		q := wait(c, c.person.questions)
		if fits(q) {
			return q
		}
		c.early = append(c.early, q)
	}
	c.t.Fatalf("asked %+v and %+v, want a %s titled %q", c.early[0].dialog, c.early[1].dialog, method, title)
	return nil
}

// notified waits for the next update and requires that it is this notification.
func (c *piClient) notified(message string) {
	c.t.Helper()
	u := wait(c, c.person.updates)
	if n, ok := u.(*protocol.Notify); !ok || n.Message != message {
		c.t.Errorf("shown %+v, want a notification %q", u, message)
	}
}

// diagnosed requires the kinds of all diagnostics so far.
func (c *piClient) diagnosed(want ...client.DiagnosticKind) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var got []client.DiagnosticKind
	for _, d := range c.notes {
		got = append(got, d.Kind)
	}
	if !slices.Equal(got, want) {
		c.t.Errorf("diagnostics %v, want %v", c.notes, want)
	}
}

// ended requires that the dialog's context has ended for that reason.
func (c *piClient) ended(q *question, want error) {
	c.t.Helper()
	wait(c, q.ctx.Done())
	if why := context.Cause(q.ctx); !errors.Is(why, want) {
		c.t.Errorf("the dialog ended with %v, want %v", why, want)
	}
}

// A tapped writer passes on to pi what the client writes, and keeps it.
type tapped struct {
	io.WriteCloser
	mu  sync.Mutex
	all bytes.Buffer
}

func (w *tapped) Write(b []byte) (int, error) {
	w.mu.Lock()
	w.all.Write(b)
	w.mu.Unlock()
	return w.WriteCloser.Write(b)
}

// records are those of one type that were written so far.
func (w *tapped) records(typ string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var found []string
	for line := range strings.Lines(w.all.String()) {
		if isType([]byte(line), typ) {
			found = append(found, strings.TrimSuffix(line, "\n"))
		}
	}
	return found
}

// attachPi starts pi for the client and listens to what the client writes.
// Cleaning up requires that pi exits with code 0.
func attachPi(t *testing.T, extensions ...string) (*piClient, *tapped) {
	t.Helper()
	// Not the test's context: it ends before the cleanup.
	cmd := interop.Pi(t, extensions...).Exec(context.Background())
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c, tap := &piClient{t: t, person: newPerson()}, &tapped{WriteCloser: stdin}
	c.Client = client.Attach(stdout, tap, c.options())
	t.Cleanup(func() {
		c.close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("pi: %v", err)
		}
	})
	return c, tap
}
