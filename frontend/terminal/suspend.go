package terminal

import (
	"errors"
	"io"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// errNoSuspend is shown where ctrl+z can do nothing: without a shell that would
// continue the program, a stop would be for good, and the system lets none happen.
var errNoSuspend = errors.New("cannot suspend here: no shell with job control is above")

// lent tells whether the terminal belongs to another program at the moment: to an
// editor that this one has started, or to the shell while this one is stopped.
type lent struct {
	mu    sync.Mutex
	users int
	ended time.Time // when the last of them was done
}

// lentFor is how long after its end an editor or a stop may still be the reason
// for a signal: both arrive at once, and in any order.
const lentFor = 200 * time.Millisecond

// begin says that another program has the terminal until done is called.
func (l *lent) begin() (done func()) {
	if l == nil {
		return func() {}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.users++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.users--
		l.ended = time.Now()
	}
}

// now reports whether another program has the terminal.
func (l *lent) now() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.users > 0
}

// lately reports whether it has it or had it a moment ago.
func (l *lent) lately() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.users > 0 || time.Since(l.ended) < lentFor
}

// settling is how long the terminal is given back at least. Bubble Tea's renderer
// stops its ticker after it was told to end, with nobody waiting for that; taken over
// again before, the terminal has a ticker that is started first and stopped then, and
// nothing is ever drawn again.
const settling = 50 * time.Millisecond

// Messages about the process.
type (
	stopMsg      struct{}            // SIGTSTP has come
	continuedMsg struct{}            // SIGCONT has, after a stop that nobody announced
	resumedMsg   struct{ err error } // the terminal is ours again
)

// suspend gives the terminal back and stops the program, alone or with its whole
// process group, as the shell does for ctrl+z.
func (m *model) suspend(group bool) tea.Cmd {
	stop := func() error { return m.cfg.stop(group) }
	return tea.Exec(&aside{lent: m.cfg.lent, title: m.cfg.title, run: stop}, func(err error) tea.Msg { return resumedMsg{err} })
}

// takeAgain takes the terminal over once more, after somebody else may have changed
// its modes and written to it.
func (m *model) takeAgain() tea.Cmd {
	return tea.Exec(&aside{lent: m.cfg.lent, run: func() error { return nil }}, func(error) tea.Msg { return resumedMsg{} })
}

func (m *model) resumed(err error) tea.Cmd {
	if err != nil {
		m.conv.note(kindWarning, err.Error())
	}
	m.showAgain()
	return tea.ClearScreen
}

// aside is something that is done while the terminal is given back.
type aside struct {
	lent  *lent
	title string
	run   func() error
	out   io.Writer
}

func (a *aside) SetStdin(io.Reader)    {}
func (a *aside) SetStdout(w io.Writer) { a.out = w }
func (a *aside) SetStderr(io.Writer)   {}

func (a *aside) Run() error {
	defer a.lent.begin()()
	defer time.Sleep(settling)
	// A terminal that cannot be written to shows neither.
	_, _ = io.WriteString(a.out, restoreTitle(a.title))
	err := a.run()
	_, _ = io.WriteString(a.out, pushTitle)
	return err
}

// Terminals keep a stack of titles; one that has none ignores these.
const (
	pushTitle = "\x1b[22;2t"
	popTitle  = "\x1b[23;2t"
)

// restoreTitle gives the window its own title back. Where there is no stack of
// titles, one stays that names the program instead of the agent's last or none.
func restoreTitle(title string) string {
	if title == "" {
		return popTitle
	}
	return ansi.SetWindowTitle(title) + popTitle
}

// Lent reports whether the person's editor has the terminal, or had it a moment
// ago. A SIGINT that comes then was meant for the editor and should be ignored. It
// does not block.
func (f *Frontend) Lent() bool { return f.lent.lately() }
