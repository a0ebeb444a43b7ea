//go:build unix

package plain

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"extui/client"
	"extui/protocol"
)

// console is a front end on a pseudo terminal, with a person at its other end.
type console struct {
	*Frontend
	t    *testing.T
	ptmx *os.File
	tty  *os.File

	mu   sync.Mutex
	cond sync.Cond
	out  string // what has appeared and no see has passed
}

func onTerminal(t *testing.T, o Options) *console {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(ptmx, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	before, err := term.GetState(mustFD(t, tty))
	if err != nil {
		t.Fatal(err)
	}
	c := &console{t: t, ptmx: ptmx, tty: tty}
	c.cond.L = &c.mu
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 4096)
		for {
			n, err := ptmx.Read(buf)
			c.mu.Lock()
			c.out += string(buf[:n])
			c.cond.Broadcast()
			c.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	if o.MinDelay == 0 {
		o.MinDelay = -1
	}
	if o.Term == "" {
		o.Term = "xterm"
	}
	c.Frontend = New(tty, tty, &o)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		after, err := term.GetState(mustFD(t, tty))
		if err != nil || *after != *before {
			t.Errorf("the terminal is not as it was (%v)", err)
		}
		_ = tty.Close()
		<-read
		_ = ptmx.Close()
	})
	return c
}

func mustFD(t *testing.T, f *os.File) int {
	t.Helper()
	fd, ok := fdOf(f)
	if !ok {
		t.Fatal("no descriptor")
	}
	return fd
}

func (c *console) press(s string) {
	c.t.Helper()
	if _, err := io.WriteString(c.ptmx, s); err != nil {
		c.t.Fatal(err)
	}
}

// see waits until text appears, and forgets all up to it.
func (c *console) see(text string) {
	c.t.Helper()
	expired := false
	timer := time.AfterFunc(10*time.Second, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		expired = true
		c.cond.Broadcast()
	})
	defer timer.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for !strings.Contains(c.out, text) {
		if expired {
			c.t.Fatalf("%q did not appear in %q", text, c.out)
		}
		c.cond.Wait()
	}
	_, c.out, _ = strings.Cut(c.out, text)
}

func (c *console) ask(ctx context.Context, d protocol.Dialog) <-chan asked {
	got := make(chan asked, 1)
	go func() {
		a, err := c.Ask(ctx, d)
		got <- asked{a, err}
	}()
	return got
}

func (c *console) answered(got <-chan asked, want protocol.Answer) {
	c.t.Helper()
	select {
	case a := <-got:
		if a.answer != want || a.err != nil {
			c.t.Errorf("Ask = %#v, %v, want %#v", a.answer, a.err, want)
		}
	case <-time.After(10 * time.Second):
		c.t.Fatal("Ask has not returned")
	}
}

func (c *console) prompt() <-chan asked {
	got := make(chan asked, 1)
	go func() {
		s, err := c.ReadPrompt(c.t.Context())
		got <- asked{protocol.Value(s), err}
	}()
	return got
}

func TestTerminalDialogs(t *testing.T) {
	c := onTerminal(t, Options{})
	got := c.ask(t.Context(), choose3)
	c.see("1-3> ")
	c.press("\r")
	c.see("an empty line chooses nothing")
	c.press("Postgrez\x7fs\r")
	c.answered(got, protocol.Value("Postgres"))

	got = c.ask(t.Context(), approve)
	c.see("y/n> ")
	c.press("\r")
	c.see("an empty line decides nothing")
	c.press("maybe\r")
	c.see("neither yes nor no")
	c.press("y\r")
	c.answered(got, protocol.Confirmed(true))

	got = c.ask(t.Context(), askName)
	c.see("text> ")
	c.press("bc\x01a\x05d\x1b[D\x1b[D\x1b[3~ü北\r") // Home, End, left twice, delete
	c.answered(got, protocol.Value("abü北d"))

	for _, key := range []string{"\x03", "\x1b", "/cancel\r"} {
		got = c.ask(t.Context(), approve)
		c.see("y/n> ")
		c.press(key)
		c.answered(got, protocol.Cancelled{})
	}
	got = c.ask(t.Context(), askName)
	c.see("text> ")
	c.press("typed\x03")
	c.answered(got, protocol.Cancelled{})
	c.see("not sent: typed")
}

// Section 6 of the design: keys pressed before a dialog stood for a moment approve nothing. They
// stay in the line for the agent, unsent.
func TestTerminalIgnoresWhatWasTypedBefore(t *testing.T) {
	c := onTerminal(t, Options{MinDelay: time.Hour})
	prompt := c.prompt()
	c.see("> ")
	c.press("a")
	c.see("a")
	got := c.ask(t.Context(), approve)
	c.see("> a")
	c.press("y\ryes\r\x1b[200~y\r\x1b[201~\x04\x03") // only Ctrl-C does anything
	c.answered(got, protocol.Cancelled{})
	c.see("> ay␊yes␊y␊")
	c.press("\r")
	if r := <-prompt; r.answer != protocol.Value("ay\nyes\ny\n") || r.err != nil {
		t.Errorf("ReadPrompt = %q, %v", r.answer, r.err)
	}
}

func TestTerminalPromptEditing(t *testing.T) {
	var interrupts sync.WaitGroup
	interrupts.Add(1)
	c := onTerminal(t, Options{
		Interrupt: func(bool) { interrupts.Done() },
		Complete: func(line string, pos int) []string {
			var out []string
			for _, w := range []string{"/demo", "/delete", "/quit"} {
				if strings.HasPrefix(w, line[:pos]) {
					out = append(out, w)
				}
			}
			return out
		},
	})
	read := func(press, want string) {
		t.Helper()
		got := c.prompt()
		c.see("> ")
		c.press(press)
		if r := <-got; r.answer != protocol.Value(want) || r.err != nil {
			t.Errorf("%q gave %q, %v, want %q", press, r.answer, r.err, want)
		}
	}
	read("/q\t\r", "/quit")
	read("/d\tm\t\r", "/demo")
	read("second line\r", "second line")
	read("\x1b[A\x1b[A\x1b[B\r", "second line")
	read("new\x1b[A\x1b[Ber\r", "newer")
	read("one two\x17three\x15four\r", "four")
	read("\x1b[200~pasted\rlines\t!\x1b[201~\r", "pasted\nlines\t!")
	got := c.prompt()
	c.see("> ")
	c.press("/d\t\t")
	c.see("/demo")
	c.see("/delete")
	c.see("> /de")
	c.press("\x03")
	interrupts.Wait()
	c.press("\x15\x04")
	if r := <-got; r.err != io.EOF {
		t.Errorf("Ctrl-D gave %q, %v", r.answer, r.err)
	}
	if a, err := c.Ask(t.Context(), approve); a != (protocol.Cancelled{}) || err != nil {
		t.Errorf("Ask after the end of input = %v, %v", a, err)
	}
}

// What is typed while nobody reads is kept: whole lines for the next calls, the rest in the line.
func TestTerminalTypeAhead(t *testing.T) {
	handled := make(chan struct{})
	c := onTerminal(t, Options{Interrupt: func(bool) { handled <- struct{}{} }})
	c.press("first\rsecond\rthi\x03")
	<-handled
	for _, want := range []protocol.Value{"first", "second"} {
		if r := <-c.prompt(); r.answer != want || r.err != nil {
			t.Errorf("ReadPrompt = %q, %v, want %q", r.answer, r.err, want)
		}
		c.see("> " + string(want) + "\r\n")
	}
	got := c.prompt()
	c.see("> thi")
	c.press("\x0c") // Ctrl-L
	c.see("\x1b[2J\x1b[H> thi")
	c.press("rd\r")
	if r := <-got; r.answer != protocol.Value("third") {
		t.Errorf("ReadPrompt = %q", r.answer)
	}
	// A line that was left for an older one, which was sent, can be called back.
	c.press("a draft\x1b[A\r")
	c.press("\x1b[A\x1b[A")
	got = c.prompt()
	if r := <-got; r.answer != protocol.Value("third") {
		t.Errorf("ReadPrompt = %q", r.answer)
	}
	got = c.prompt()
	c.see("> a draft")
	c.press("\r")
	if r := <-got; r.answer != protocol.Value("a draft") {
		t.Errorf("the draft has become %q", r.answer)
	}
}

// Lines that come faster than they are asked for all reach the text, and a pasted one is taken as
// it is.
func TestTerminalTextWithoutEditor(t *testing.T) {
	c := onTerminal(t, Options{})
	got := c.ask(t.Context(), &protocol.Editor{Title: "Write"})
	c.see("text> ")
	c.press("a\rb\r\x1b[200~.\r..c\x1b[201~\r..d\r\r.\rfor the agent")
	c.answered(got, protocol.Value("a\nb\n.\n..c\n.d\n"))
	prompt := c.prompt()
	c.see("> for the agent")
	c.press("\r")
	if r := <-prompt; r.answer != protocol.Value("for the agent") {
		t.Errorf("ReadPrompt = %q", r.answer)
	}
}

// What the agent says while a line is typed appears above it, and the line stays.
func TestTerminalOutputWhileTyping(t *testing.T) {
	c := onTerminal(t, Options{})
	got := c.prompt()
	c.see("> ")
	c.press("abc")
	c.see("abc")
	c.Text("Hello, ")
	c.see("Hello, \r\n> abc")
	c.Text("world")
	c.see("\x1b[1A\x1b[7Cworld\r\n> abc")
	c.Line("a line")
	c.see("\r\na line\r\n> abc")
	c.Show(&protocol.SetEditorText{Text: "from the agent"})
	c.see("editor text: from the agent\r\n")
	c.see("it replaces: abc\r\n> from the agent")
	c.press("\x1b[A\r")
	if r := <-got; r.answer != protocol.Value("abc") {
		t.Errorf("the line that was replaced is not in the history: %q", r.answer)
	}
	// Enter at the very moment sends nothing.
	f := onTerminal(t, Options{MinDelay: time.Hour})
	got = f.prompt()
	f.see("> ")
	f.Show(&protocol.SetEditorText{Text: "/danger"})
	f.press("\r!")
	f.see("␊!")
	select {
	case r := <-got:
		t.Errorf("Enter sent %q", r.answer)
	default:
	}
}

// A pasted text of several lines answers one dialog at most.
func TestTerminalPasteAnswersOneDialog(t *testing.T) {
	c := onTerminal(t, Options{})
	first := c.ask(t.Context(), askName)
	c.see("text> ")
	second := c.ask(t.Context(), approve)
	c.see("1 more question is waiting")
	c.press("\x1b[200~one\ry\ry\r\x1b[201~\r")
	c.answered(first, protocol.Value("one y y "))
	c.see("y/n> ")
	c.press("n\r")
	c.answered(second, protocol.Confirmed(false))
}

// A dialog that ends by itself leaves what was typed on the screen.
func TestTerminalDialogEnds(t *testing.T) {
	c := onTerminal(t, Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	got := c.ask(ctx, askName)
	c.see("text> ")
	c.press("half a na")
	c.see("half a na")
	cancel(client.ErrExpired)
	c.see("closed: Name: its time is up\r\nnot sent: half a na")
	if r := <-got; r.answer != nil || !errors.Is(r.err, client.ErrExpired) {
		t.Errorf("Ask = %v, %v", r.answer, r.err)
	}
}

// The editor gets the text byte for byte and a terminal that is not raw, and what it leaves is
// the answer.
func TestTerminalEditor(t *testing.T) {
	copied := filepath.Join(t.TempDir(), "copy")
	script := func(s string) []string { return []string{"sh", "-c", s} }
	for _, test := range []struct {
		name    string
		prefill string
		script  string
		want    protocol.Answer
	}{
		{"edited", "a\tb\r\nc\n", `printf 'new\r\ntext\n\n' > "$0"`, protocol.Value("new\r\ntext\n\n")},
		{"unchanged", "a\tb\r\nc\n", ":", protocol.Value("a\tb\r\nc\n")},
		{"line break added", "no newline", `echo >> "$0"`, protocol.Value("no newline")},
		{"emptied", "x\n", `: > "$0"`, protocol.Value("")},
		{"failed", "x\n", "echo y > \"$0\"; exit 3", protocol.Cancelled{}},
		{"removed", "x\n", `rm "$0"`, protocol.Cancelled{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := onTerminal(t, Options{Editor: script(
				`stty -a | grep -q -- ' icanon' || exit 9; cp "$0" ` + copied + "\n" + test.script)})
			got := c.ask(t.Context(), &protocol.Editor{Title: "Edit", Prefill: &test.prefill})
			c.see("edit> ")
			c.press("what?\r")
			c.see("press Enter alone")
			c.press("\r")
			c.answered(got, test.want)
			if b, err := os.ReadFile(copied); string(b) != test.prefill || err != nil {
				t.Errorf("the editor got %q, %v", b, err)
			}
			prompt := c.prompt() // keys work again
			c.press("go on\r")
			if r := <-prompt; r.answer != protocol.Value("go on") {
				t.Errorf("ReadPrompt = %q, %v", r.answer, r.err)
			}
		})
	}
	t.Run("failed after saving", func(t *testing.T) {
		c := onTerminal(t, Options{Editor: script(`echo work of an hour > "$0"; exit 1`)})
		got := c.ask(t.Context(), editText)
		c.see("edit> ")
		c.press("\r")
		c.see("not sent: work of an hour")
		c.answered(got, protocol.Cancelled{})
	})
	t.Run("keep", func(t *testing.T) {
		c := onTerminal(t, Options{Editor: script("exit 1")})
		got := c.ask(t.Context(), editText)
		c.see("edit> ")
		c.press("/keep\r")
		c.answered(got, protocol.Value("a\tb\r\nc\n"))
	})
}

// A dialog that ends while its editor is open leaves the editor to its person, and then shows the
// text; the next dialog waits for that.
func TestTerminalEditorOutlivesItsDialog(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "go")
	c := onTerminal(t, Options{Editor: []string{"sh", "-c",
		`echo editing; until test -e ` + fifo + `; do read line; done; echo "kept text" > "$0"`}})
	ctx, cancel := context.WithCancelCause(t.Context())
	got := c.ask(ctx, &protocol.Editor{Title: "Edit"})
	c.see("edit> ")
	c.press("\r")
	c.see("editing")
	next := c.ask(t.Context(), approve)
	cancel(client.ErrExpired)
	if r := <-got; !errors.Is(r.err, client.ErrExpired) {
		t.Errorf("Ask = %v, %v", r.answer, r.err)
	}
	if err := os.WriteFile(fifo, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.press("\n")
	c.see("closed: Edit: its time is up")
	c.see("not sent: kept text")
	c.see("y/n> ")
	c.press("n\r")
	c.answered(next, protocol.Confirmed(false))
}

// Close ends an open editor and gives the terminal back.
func TestTerminalCloseWhileEditing(t *testing.T) {
	c := onTerminal(t, Options{Editor: []string{"sh", "-c", "echo editing; exec sleep 1000"}})
	got := c.ask(t.Context(), &protocol.Editor{Title: "Edit"})
	c.see("edit> ")
	c.press("\r")
	c.see("editing")
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if r := <-got; r.answer != nil || r.err == nil {
		t.Errorf("Ask = %v, %v", r.answer, r.err)
	}
}

// TERM=dumb gets whole lines and not one escape sequence.
func TestTerminalDumb(t *testing.T) {
	c := onTerminal(t, Options{Term: "dumb"})
	var all strings.Builder
	got := c.ask(t.Context(), approve)
	c.see("y/n> ")
	c.press("yes\n")
	c.answered(got, protocol.Confirmed(true))
	c.Text("text\n")
	c.Line("the end")
	c.mu.Lock()
	all.WriteString(c.out)
	c.mu.Unlock()
	c.see("the end")
	if strings.Contains(all.String(), "\x1b") {
		t.Errorf("escape sequences in %q", all.String())
	}
	if c.mode != Lines {
		t.Errorf("mode %d", c.mode)
	}
}
