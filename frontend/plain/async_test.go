package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"extui/client"
	"extui/protocol"
)

// paper is an output that can be read while it is written.
type paper struct {
	mu  sync.Mutex
	buf strings.Builder
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.buf.Write(b)
}

// take returns what was written since the last call.
func (p *paper) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.buf.Reset()
	return p.buf.String()
}

// desk is a front end in a synctest bubble, with an input that is typed by the test.
type desk struct {
	*Frontend
	t     *testing.T
	typed io.Writer
	paper *paper
}

func bubble(t *testing.T, mode Mode, fn func(d *desk)) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		d := &desk{t: t, typed: w, paper: &paper{}}
		d.Frontend = New(r, d.paper, &Options{Mode: mode})
		fn(d)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
}

// pass lets time pass on the bubble's clock.
func (d *desk) pass(t time.Duration) {
	<-time.After(t)
	synctest.Wait()
}

type asked struct {
	answer protocol.Answer
	err    error
}

func (d *desk) ask(ctx context.Context, q protocol.Dialog) <-chan asked {
	got := make(chan asked, 1)
	go func() {
		a, err := d.Ask(ctx, q)
		got <- asked{a, err}
	}()
	synctest.Wait()
	return got
}

func (d *desk) write(s string) {
	if _, err := io.WriteString(d.typed, s); err != nil {
		d.t.Error(err)
	}
	synctest.Wait()
}

func (d *desk) printed(want string) {
	d.t.Helper()
	synctest.Wait()
	if got := d.paper.take(); got != want {
		d.t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}

func (d *desk) answered(got <-chan asked, want protocol.Answer, err error) {
	d.t.Helper()
	synctest.Wait()
	select {
	case a := <-got:
		if a.answer != want || !errors.Is(a.err, err) {
			d.t.Errorf("Ask = %#v, %v, want %#v, %v", a.answer, a.err, want, err)
		}
	default:
		d.t.Error("Ask has not returned")
	}
}

// Contract, client: the front end's context ends when the deadline passes, and when the agent
// exits every dialog ends with the reason. Each reason is told in its own words.
func TestContractClient_EndsWithItsReason(t *testing.T) {
	for _, c := range []struct {
		why  error
		want string
	}{
		{client.ErrExpired, "its time is up"},
		{client.ErrTakenBack, "the agent took it back"},
		{&client.TakenBackError{Reason: "aborted\x1b"}, "the agent took it back (aborted␛)"},
		{client.ErrReplaced, "the agent asks something else in its place"},
		{client.ErrAnsweredElsewhere, "it was answered elsewhere"},
		{fmt.Errorf("a rule has\x1b: %w", client.ErrAnsweredElsewhere), "a rule has␛: answered elsewhere"},
		{fmt.Errorf("%w: exit code 1", client.ErrAgentGone), "the agent has ended"},
		{client.ErrStopped, "the program is stopping"},
		{errors.New("of\nanother kind"), "of␊another kind"},
	} {
		bubble(t, Pipe, func(d *desk) {
			ctx, cancel := context.WithCancelCause(d.t.Context())
			got := d.ask(ctx, askName)
			d.paper.take()
			cancel(c.why)
			d.printed("closed: Name: " + c.want + "\n")
			d.answered(got, nil, c.why)
		})
	}
}

// Contract, client: several dialogs open are queued with a count.
func TestContractClient_SeveralDialogsAreQueuedWithACount(t *testing.T) {
	bubble(t, Pipe, func(d *desk) {
		ctx, cancel := context.WithCancelCause(d.t.Context())
		first := d.ask(d.t.Context(), &protocol.Confirm{Title: "One?"})
		d.paper.take()
		second := d.ask(ctx, &protocol.Confirm{Title: "Two?"})
		d.printed("1 more question is waiting\n")
		third := d.ask(d.t.Context(), &protocol.Confirm{Title: "Three?"})
		fourth := d.ask(d.t.Context(), &protocol.Confirm{Title: "Four?"})
		d.printed("") // not more than a line a second
		d.pass(rate)
		d.printed("3 more questions are waiting\n")
		cancel(client.ErrTakenBack)
		d.printed("closed: Two?: the agent took it back\n")
		d.answered(second, nil, client.ErrTakenBack)
		d.write("y\n")
		d.answered(first, protocol.Confirmed(true), nil)
		d.printed("y/n> y\n\nconfirm: Three?\n1 more question is waiting\n" +
			"y or yes confirms, n or no declines, /cancel cancels\n")
		d.write("second's\nn\n/cancel\n")
		d.answered(third, protocol.Confirmed(false), nil)
		d.answered(fourth, protocol.Cancelled{}, nil)
		d.printed("not sent, for its question is over: second's\ny/n> n\n\nconfirm: Four?\ny or yes confirms, n or no declines, /cancel cancels\ny/n> /cancel\ncancelled\n")
	})
}

// Contract, client: an answer chosen after the end is dropped, the front end is told, and a typed
// text stays visible to copy.
func TestContractClient_LateAnswerStaysVisible(t *testing.T) {
	bubble(t, Pipe, func(d *desk) {
		d.Dropped(askName, protocol.Value("my\x07 text\nof two lines"), client.ErrExpired)
		d.printed("closed: Name: its time is up\nnot sent: my␇ text\n  | of two lines\n")
		d.Dropped(approve, protocol.Confirmed(true), client.ErrAgentGone)
		d.printed("closed: Allow dangerous command?: the agent has ended\nnot sent: yes\n")
		ctx, cancel := context.WithCancelCause(d.t.Context())
		got := d.ask(ctx, editText)
		d.write("one\ntwo\n")
		d.paper.take()
		cancel(client.ErrExpired)
		d.answered(got, nil, client.ErrExpired)
		d.printed("closed: Edit the message: its time is up\nnot sent: one\n  | two\n")
		d.write(".\n")
		d.printed("") // nobody has asked for a line
		ctx, cancel = context.WithCancelCause(d.t.Context())
		got = d.ask(ctx, storage())
		d.write("1\nBlue\n")
		if got := d.paper.take(); !strings.Contains(got, "\nnot sent, for its question is over: .\nanswer 1> 1\n") {
			t.Errorf("printed %q", got)
		}
		cancel(client.ErrReplaced)
		d.answered(got, nil, client.ErrReplaced)
		d.printed("closed: Which storage should runs use?: the agent asks something else in its place\nnot sent: Storage: SQLite\nnot sent: Colour: Blue\n")
	})
}

func TestTimeLeft(t *testing.T) {
	bubble(t, Pipe, func(d *desk) {
		ctx, cancel := context.WithTimeoutCause(d.t.Context(), time.Minute, client.ErrExpired)
		defer cancel()
		got := d.ask(ctx, &protocol.Confirm{Title: "Quick?", Timeout: timeout(time.Minute)})
		d.printed("\nconfirm: Quick?\ntime left: 1 min\ny or yes confirms, n or no declines, /cancel cancels\n")
		d.pass(29 * time.Second)
		d.printed("")
		d.pass(time.Second)
		d.printed("time left: 30 s\n")
		d.pass(20 * time.Second)
		d.printed("time left: 10 s\n")
		d.pass(10 * time.Second)
		d.printed("closed: Quick?: its time is up\n")
		d.answered(got, nil, client.ErrExpired)

		got = d.ask(d.t.Context(), &protocol.Confirm{Title: "Answered?", Timeout: timeout(time.Minute)})
		d.write("too late\ny\n")
		d.answered(got, protocol.Confirmed(true), nil)
		d.paper.take()
		d.pass(time.Hour)
		d.printed("") // no reminder of what is over
	})
}

func TestTimeInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "none", 0: "none", time.Millisecond: "1 s", 59 * time.Second: "59 s", time.Minute: "1 min",
		61500 * time.Millisecond: "1 min 2 s", time.Hour + 59*time.Second: "1 h 0 min", 49 * time.Hour: "2 days",
	} {
		if got := span1(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestUpdates(t *testing.T) {
	bubble(t, Pipe, func(d *desk) {
		for _, c := range []struct {
			u    protocol.Update
			want string
		}{
			{&protocol.Notify{Message: "hello\nworld"}, "info: hello\n  | world\n"},
			{&protocol.Notify{Message: "\x1b[31mred\x1b[0m\x1b[2J", Type: "warning"}, "warning: red␛[2J\n"},
			{&protocol.Notify{Message: "x", Type: "error"}, "error: x\n"},
			{&protocol.Notify{Message: "x", Type: "shout"}, "info: x\n"},
			{&protocol.SetStatus{Key: "nothing"}, ""},
			{&protocol.SetStatus{Key: "my-ext", Text: new("a\nb")}, "status my-ext: a␊b\n"},
			{&protocol.SetWidget{Key: "w"}, ""},
			{&protocol.SetWidget{Key: "w", Lines: []string{"one", "two\nhalves"}}, "widget w:\n  | one\n  | two\n  | halves\n"},
			{&protocol.SetTitle{Title: "pi"}, "title: pi\n"},
			{&protocol.SetEditorText{Text: "a\nb"}, "editor text: a\n  | b\n"},
			{&protocol.OpenURL{URL: "https://example.com/a b", LaunchURL: "https://e.x", Instructions: "log in"}, "open: https://example.com/a%20b\n  short: https://e.x\n  | log in\n"},
			{&protocol.Unknown{Name: "beep"}, "the agent used beep, which this program does not know\n"},
			{&protocol.Unknown{Name: "beep"}, ""},
			{&protocol.Cancel{}, ""},
		} {
			d.Show(c.u)
			d.printed(c.want)
		}
	})
}

// A spinner prints a line a second, the last value is never lost, and nothing is said twice.
func TestStatusDoesNotFlood(t *testing.T) {
	status := func(s string) *protocol.SetStatus { return &protocol.SetStatus{Key: "k", Text: &s} }
	bubble(t, Pipe, func(d *desk) {
		for i := range 25 {
			d.Show(status(fmt.Sprint(i)))
			d.pass(95 * time.Millisecond)
		}
		d.printed("status k: 0\nstatus k: 10\nstatus k: 21\n")
		d.pass(time.Second)
		d.printed("status k: 24\n")
		d.pass(time.Minute)
		d.Show(status("24"))
		d.printed("")
		d.Show(status("a"))
		d.Show(&protocol.SetStatus{Key: "k"})
		d.Show(status("a"))
		d.printed("status k: a\n")
		d.pass(time.Second)
		d.printed("")
		d.Show(&protocol.SetStatus{Key: "k"})
		d.printed("status k cleared\n")
		d.Show(&protocol.SetStatus{Key: "k"})
		d.Show(status("end"))
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		d.printed("status k: end\n")
	})
}

// A value that is held back is printed before anything else is, in the order in which values came.
func TestUpdatesKeepTheirOrder(t *testing.T) {
	bubble(t, Pipe, func(d *desk) {
		status := func(key, text string) { d.Show(&protocol.SetStatus{Key: key, Text: &text}) }
		status("a", "1")
		status("b", "1")
		d.Show(&protocol.SetTitle{Title: "t1"})
		d.printed("status a: 1\nstatus b: 1\ntitle: t1\n")
		status("a", "2")
		d.Show(&protocol.SetTitle{Title: "t2"})
		status("b", "2")
		status("a", "3") // newer than the others now
		d.printed("")
		d.Line("a line")
		d.printed("title: t2\nstatus b: 2\nstatus a: 3\na line\n")
		status("a", "4")
		d.Show(&protocol.Notify{Message: "n"})
		status("a", "5")
		d.Text("text")
		status("a", "6") // does not cut the line
		d.Text(" goes on\n")
		d.Text("more\n")
		d.printed("status a: 4\ninfo: n\nstatus a: 5\ntext goes on\nstatus a: 6\nmore\n")
		d.Show(&protocol.SetWidget{Key: "w", Lines: []string{"x"}})
		d.Show(&protocol.SetWidget{Key: "w"})
		got := d.ask(d.t.Context(), sure)
		d.printed("widget w:\n  | x\nwidget w cleared\n\nconfirm: Sure?\ny or yes confirms, n or no declines, /cancel cancels\n")
		status("a", "7")
		d.write("n\n")
		d.answered(got, protocol.Confirmed(false), nil)
		status("a", "8")
		read := d.prompt(d.t.Context())
		d.write("hello\n")
		d.answered(read, protocol.Value("hello"), nil)
		d.printed("status a: 7\ny/n> n\nstatus a: 8\n> hello\n")
		// Several spinners at once are a line a second each.
		d.pass(rate)
		for i := range 30 {
			status("a", fmt.Sprint("a", i))
			status("b", fmt.Sprint("b", i))
			d.pass(rate / 10)
		}
		if n := strings.Count(d.paper.take(), "status"); n < 6 || n > 10 {
			t.Errorf("%d lines in three seconds", n)
		}
	})
}

func TestTextAndLines(t *testing.T) {
	bubble(t, Pipe, func(d *desk) {
		for _, s := range []string{"Hel", "lo \xe2\x82", "\xac\x1b", "[31m!\nsecond"} {
			d.Text(s)
		}
		d.printed("Hello €!\nsecond")
		d.Line("a line\x07")
		d.printed("\na line␇\n")
		d.Text("more")
		got := d.ask(d.t.Context(), &protocol.Confirm{Title: "Sure?"})
		d.printed("more\n\nconfirm: Sure?\ny or yes confirms, n or no declines, /cancel cancels\n")
		if !d.CancelDialog() {
			t.Error("CancelDialog found none")
		}
		d.answered(got, protocol.Cancelled{}, nil)
		d.printed("cancelled\n")
	})
}

// On a terminal with whole lines, what was typed before a dialog stood for a moment is no answer,
// what was typed before it is for the agent, and a line that is no answer is explained. Where a
// line that was begun before cannot be thrown away, as here, the first one is not taken.
func TestLinesMode(t *testing.T) {
	bubble(t, Lines, func(d *desk) {
		d.write("typed ahead\n")
		got := d.ask(d.t.Context(), &protocol.Confirm{Title: "Sure?"})
		d.write("y\n")
		d.printed("\nconfirm: Sure?\ny or yes confirms, n or no declines, /cancel cancels\n" +
			"not taken, for it was typed before the question: y\n")
		d.write("yes, b")
		d.pass(defaultDelay)
		d.printed("y/n> ")
		d.write("ut\n")
		d.printed("not taken, for it was typed before the question: yes, but\n")
		d.write("y\n")
		d.printed("not taken, for it may have been begun before the question; type it again: y\n")
		d.pass(quietTime)
		d.printed("y/n> ")
		d.write("\n")
		d.printed("an empty line decides nothing: type y or n\ny/n> ")
		d.write("y\n")
		d.answered(got, protocol.Confirmed(true), nil)
		d.printed("")
		if line, err := d.ReadPrompt(d.t.Context()); line != "typed ahead" || err != nil {
			t.Errorf("ReadPrompt = %q, %v", line, err)
		}
		d.printed("> typed ahead\n")
		ctx, cancel := context.WithTimeout(d.t.Context(), time.Second)
		defer cancel()
		if _, err := d.ReadPrompt(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ReadPrompt gave %v", err)
		}
		d.printed("> \n")
	})
}

// gate is an output that stands still once it is shut, like a terminal after Ctrl-S, until it is
// opened.
type gate struct {
	shut          atomic.Bool
	reached, open chan struct{}
}

func (g *gate) Write(b []byte) (int, error) {
	if g.shut.Load() {
		select {
		case g.reached <- struct{}{}:
		case <-g.open:
		}
		<-g.open
	}
	return len(b), nil
}

// Typing counts once the dialog is on the terminal, and not once it is on its way there.
func TestLinesStandingTerminal(t *testing.T) {
	r, w := io.Pipe()
	g := &gate{reached: make(chan struct{}), open: make(chan struct{})}
	f := New(r, g, &Options{Mode: Lines, MinDelay: -1})
	go func() { _, _ = io.WriteString(w, "hello\n") }()
	if s, err := f.ReadPrompt(t.Context()); s != "hello" || err != nil {
		t.Errorf("ReadPrompt = %q, %v", s, err)
	}
	g.shut.Store(true)
	got := make(chan asked, 1)
	go func() {
		a, err := f.Ask(t.Context(), approve)
		got <- asked{a, err}
	}()
	<-g.reached
	if _, err := io.WriteString(w, "y\ny\ny\n"); err != nil { // returns once it is read
		t.Fatal(err)
	}
	<-time.After(20 * time.Millisecond) // the reader looks at the clock
	close(g.open)
	if _, err := io.WriteString(w, "n\n"); err != nil { // the first that may be an answer is refused here
		t.Fatal(err)
	}
	f.CancelDialog()
	if a := <-got; a.answer != (protocol.Cancelled{}) || a.err != nil {
		t.Errorf("Ask = %v, %v", a.answer, a.err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// Close ends a read that blocks, whatever it reads, and what waits for it.
func TestCloseEndsReading(t *testing.T) {
	ioR, _ := io.Pipe()
	osR, osW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	netR, netW := net.Pipe()
	for name, in := range map[string]io.Reader{"io.Pipe": ioR, "os.Pipe": osR, "net.Conn": netR} {
		f := New(in, io.Discard, nil)
		ended := make(chan error)
		go func() {
			_, err := f.Ask(t.Context(), approve)
			ended <- err
		}()
		go func() {
			_, err := f.ReadPrompt(t.Context())
			ended <- err
		}()
		if err := f.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for range 2 {
			if err := <-ended; !errors.Is(err, ErrClosed) {
				t.Errorf("%s: ended with %v", name, err)
			}
		}
	}
	// Files and connections are let go unharmed.
	if _, err := osW.WriteString("z"); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 1)
	if n, err := osR.Read(b); n != 1 || err != nil {
		t.Errorf("the pipe reads %d, %v after Close", n, err)
	}
	go func() { _, _ = netW.Write([]byte("z")) }()
	if n, err := netR.Read(b); n != 1 || err != nil {
		t.Errorf("the connection reads %d, %v after Close", n, err)
	}
	for _, c := range []io.Closer{osR, osW, netR, netW} {
		_ = c.Close()
	}
}

// Many dialogs at once, answered in the order in which they are shown, none lost or crossed.
func TestManyAtOnce(t *testing.T) {
	const n = 300
	r, w := io.Pipe()
	f := New(r, io.Discard, nil)
	go func() {
		for range n {
			_, _ = io.WriteString(w, "1\n")
		}
	}()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			want := fmt.Sprint(i)
			a, err := f.Ask(t.Context(), &protocol.Select{Title: want, Options: protocol.Options(want)})
			if a != protocol.Value(want) || err != nil {
				t.Errorf("dialog %d: %v, %v", i, a, err)
			}
			f.Show(&protocol.SetStatus{Key: want, Text: &want})
			f.Text(want)
		})
	}
	wg.Wait()
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// Only blanks and tabs around an answer are none of it.
func TestBlanksAroundAnAnswer(t *testing.T) {
	for _, c := range []struct {
		d    protocol.Dialog
		line string
		want protocol.Answer
	}{
		{approve, " YES\t", protocol.Confirmed(true)},
		{approve, "y\u00a0", protocol.Cancelled{}},
		{approve, "\u2003yes", protocol.Cancelled{}},
		{approve, "ye\u017f", protocol.Cancelled{}},
		{choose3, " 1 ", protocol.Value("SQLite")},
		{choose3, "1\u00a0", protocol.Cancelled{}},
		{choose3, "#1\u3000", protocol.Cancelled{}},
	} {
		bubble(t, Pipe, func(d *desk) {
			got := d.ask(d.t.Context(), c.d)
			d.write(c.line + "\n")
			d.answered(got, c.want, nil)
		})
	}
}
