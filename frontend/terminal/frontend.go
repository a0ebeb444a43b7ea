package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"extui/client"
	"extui/protocol"
)

// ErrClosed is returned by Ask and ReadPrompt after Close. If the front end has
// failed, the error wraps the reason as well.
var ErrClosed = errors.New("the front end is closed")

// defaultDelay is [Options.MinDelay] if it is 0.
const defaultDelay = 300 * time.Millisecond

// Options says how a [Frontend] behaves. The zero value is ready to use.
type Options struct {
	// Env is the environment as KEY=value, which says what the terminal can do
	// (TERM, COLORTERM, NO_COLOR, TERM_PROGRAM, TMUX). nil: the process's own.
	Env []string
	// NoColor turns colours off whatever Env says.
	NoColor bool
	// KeepColors lets widgets, statuses and notifications keep the colours that
	// the agent gives them. Dialogs never keep any.
	KeepColors bool
	// Editor is the command of a text editor with its arguments, for ctrl+e; the
	// file's name is put behind. Empty: ctrl+e says that there is none.
	Editor []string
	// MinDelay is for how long a dialog must have been on the screen before keys
	// answer it. 0 means 300 ms, negative none.
	MinDelay time.Duration
	// Title is shown until the agent sets one, and is left behind on a terminal that
	// cannot give the window its own title back. Empty: nothing is.
	Title string
	// Starting says that the agent is being started, and shows that until Ready is
	// called or the agent shows something.
	Starting bool
	// Notify says how to call for attention while the terminal has no focus.
	Notify Notify
	// Mouse turns the wheel and clicks on tool calls on. The terminal's own
	// selecting then needs the shift key.
	Mouse bool
	// KeptRows is how many rows of the conversation, from its end, are written to
	// out once the screen has been given back, so that they stay in sight.
	KeptRows int
	// Width and Height are the size of the screen where out is no terminal. 0
	// means 80 and 24.
	Width, Height int
	// Complete returns what may stand instead of text[:pos]; pos is in bytes. It
	// is called by a goroutine of its own, one call at a time, and may block. nil:
	// nothing is completed.
	Complete func(text string, pos int) []string
	// Interrupt is called for each Ctrl-C. It must not block; it may call
	// CancelDialog. nil: the first one cancels the dialog that is shown, a second
	// within two seconds ends the prompts as Ctrl-D does.
	Interrupt func()
}

// Frontend is a front end of package client on a terminal. Make one with [New].
type Frontend struct {
	interruptFunc func()
	keptRows      int
	program       *tea.Program
	out           io.Writer
	screen        io.Writer // out, for what is drawn
	stalls        *stalls
	title         string
	ctx           context.Context // ends with closing
	closing       context.CancelFunc
	lent          *lent
	signals       chan os.Signal // for watch
	done          chan struct{}  // closed when the terminal has been given back
	pump          sync.WaitGroup
	wake          chan struct{} // something is in the inbox; holds one

	mu      sync.Mutex
	inbox   []tea.Msg                    // for the model, in order
	asks    map[int]chan protocol.Answer // dialogs that wait; each channel holds one
	lastID  int                          // of a dialog
	prompts []string                     // typed and not read yet
	ended   bool                         // no more prompts will come
	ready   chan struct{}                // closed and renewed when prompts or ended change
	failure error                        // why the program ended, if not by Close
	pressed time.Time                    // the last Ctrl-C, if nobody else counts them
}

var (
	_ client.Frontend = (*Frontend)(nil)
	_ client.Capable  = (*Frontend)(nil)
	_ client.Dropped  = (*Frontend)(nil)
)

// New takes over the terminal of in and out and starts to draw. Call Close to get
// it back, also at the end of a program that fails. o may be nil; it is copied.
//
// On Unix, and if in is a terminal, the front end handles SIGTSTP, SIGCONT, SIGQUIT
// and SIGABRT until Close: the terminal is given back before they take effect, and
// taken again, drawn anew, when the process goes on. All others are the caller's.
func New(in io.Reader, out io.Writer, o *Options) *Frontend {
	var opts Options
	if o != nil {
		opts = *o
	}
	if opts.Env == nil {
		opts.Env = os.Environ()
	}
	switch {
	case opts.MinDelay == 0:
		opts.MinDelay = defaultDelay
	case opts.MinDelay < 0:
		opts.MinDelay = 0
	}
	ctx, cancel := context.WithCancel(context.Background())
	f := &Frontend{
		interruptFunc: opts.Interrupt, keptRows: opts.KeptRows, out: out, title: opts.Title,
		ctx: ctx, closing: cancel, lent: &lent{}, signals: make(chan os.Signal, 8),
		done: make(chan struct{}), wake: make(chan struct{}, 1),
		asks: map[int]chan protocol.Answer{}, ready: make(chan struct{}),
	}
	f.screen, f.stalls = watched(out)
	m := newModel(config{
		stalled:  f.stalls.last,
		minDelay: opts.MinDelay, editor: opts.Editor, complete: opts.Complete, keepColors: opts.KeepColors,
		mouse: opts.Mouse, notify: opts.Notify.resolve(environment(opts.Env)), title: opts.Title, closing: ctx,
		lent: f.lent, stop: f.stop, starting: opts.Starting,
	}, f)
	f.program = tea.NewProgram(m, f.programOptions(in, opts)...)
	if isTerminal(in) {
		f.notifySignals()
		f.pump.Go(f.watch)
	}
	f.pump.Go(f.run)
	f.pump.Go(f.feed)
	return f
}

func (f *Frontend) programOptions(in io.Reader, opts Options) []tea.ProgramOption {
	all := []tea.ProgramOption{
		tea.WithInput(in), tea.WithOutput(f.screen), tea.WithEnvironment(opts.Env),
		tea.WithoutSignalHandler(), tea.WithFPS(120),
	}
	width, height := opts.Width, opts.Height
	if width <= 0 {
		width = 80
	}
	if height <= 0 {
		height = 24
	}
	all = append(all, tea.WithWindowSize(width, height))
	if opts.NoColor {
		all = append(all, tea.WithColorProfile(colorprofile.ASCII))
	}
	return all
}

func environment(env []string) map[string]string {
	m := make(map[string]string, len(env))
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		m[name] = value
	}
	return m
}

// run owns the terminal.
func (f *Frontend) run() {
	// If the terminal cannot be written to, Run fails just so.
	_, _ = io.WriteString(f.out, pushTitle)
	last, err := f.program.Run()
	_, _ = io.WriteString(f.out, restoreTitle(f.title))
	if m, ok := last.(*model); ok && err == nil {
		_, _ = io.WriteString(f.out, m.farewell(f.keptRows))
	}
	f.mu.Lock()
	f.failure = err
	f.ended = true
	f.changed()
	f.mu.Unlock()
	close(f.done)
}

// pace is how long feed waits after a message, so that what comes meanwhile is
// drawn at once. It is half a frame.
const pace = 8 * time.Millisecond

// feed hands what has come in to the model.
func (f *Frontend) feed() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-f.done:
			return
		case <-f.wake:
		}
		f.mu.Lock()
		all := f.inbox
		f.inbox = nil
		f.mu.Unlock()
		f.program.Send(merge(all))
		timer.Reset(pace)
		select {
		case <-f.done:
			return
		case <-timer.C:
		}
	}
}

// merge joins pieces of text that follow each other.
func merge(all []tea.Msg) batch {
	out := make(batch, 0, min(len(all), 64))
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, textMsg{b.String()})
			b.Reset()
		}
	}
	for _, msg := range all {
		if t, ok := msg.(textMsg); ok {
			b.WriteString(t.text)
			continue
		}
		flush()
		out = append(out, msg)
	}
	flush()
	return out
}

// push queues a message for the model.
func (f *Frontend) push(msg tea.Msg) {
	f.mu.Lock()
	f.inbox = append(f.inbox, msg)
	f.mu.Unlock()
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// changed wakes those who wait for prompts. f.mu is held.
func (f *Frontend) changed() {
	close(f.ready)
	f.ready = make(chan struct{})
}

// Ask shows a dialog until the person answers it, ctx ends or the front end is
// closed. It implements [client.Frontend]: an error is no answer. Any number of
// calls may run at once.
func (f *Frontend) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	f.mu.Lock()
	f.lastID++
	id, reply := f.lastID, make(chan protocol.Answer, 1)
	f.asks[id] = reply
	f.mu.Unlock()
	deadline, _ := ctx.Deadline()
	f.push(askMsg{id, d, deadline, client.DialogKey(ctx)})
	select {
	case a := <-reply:
		return a, nil
	case <-ctx.Done():
	case <-f.done:
		return nil, f.closedError()
	}
	f.mu.Lock()
	delete(f.asks, id)
	f.mu.Unlock()
	select {
	case a := <-reply: // given just before; the caller says what becomes of it
		return a, nil
	default:
	}
	why := context.Cause(ctx)
	f.push(endMsg{id, why})
	return nil, why
}

func (f *Frontend) closedError() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failure != nil {
		return fmt.Errorf("%w: %w", ErrClosed, f.failure)
	}
	return ErrClosed
}

// Capabilities says that questionnaires can be shown, and that dialogs can be
// taken back. It implements [client.Capable].
func (f *Frontend) Capabilities() protocol.Capabilities {
	return protocol.Capabilities{Questionnaire: true, Dismiss: true}
}

// Show shows an update. It implements [client.Frontend] and does not block.
func (f *Frontend) Show(u protocol.Update) { f.push(updateMsg{u}) }

// Dropped says that an answer came too late, and keeps what was typed. It
// implements [client.Dropped].
func (f *Frontend) Dropped(d protocol.Dialog, a protocol.Answer, why error) {
	f.push(droppedMsg{d, a, why})
}

// Ready says that the agent has answered, so that it is no longer shown as starting,
// and that what Complete returns may have changed. It may be called at any time and
// again, and does not block.
func (f *Frontend) Ready() { f.push(readyMsg{}) }

// Text shows a piece of what the agent says, which is Markdown and may be cut
// anywhere. It does not block.
func (f *Frontend) Text(delta string) { f.push(textMsg{delta}) }

// Line shows a line of the program's own. It does not block.
func (f *Frontend) Line(s string) { f.push(lineMsg{s}) }

// Event shows what the agent does: its text as it comes, its tool calls, its
// failures. It does not block. Whoever uses it leaves Text alone.
func (f *Frontend) Event(e client.Event) {
	if e != nil {
		f.push(eventMsg{e})
	}
}

// ReadPrompt returns what the person has typed for the agent next. It returns
// io.EOF when they have pressed Ctrl-D, an error that matches [ErrClosed] after
// Close or if the terminal has failed, and the cause of ctx's end.
func (f *Frontend) ReadPrompt(ctx context.Context) (string, error) {
	for {
		f.mu.Lock()
		if len(f.prompts) > 0 {
			text := f.prompts[0]
			f.prompts = f.prompts[1:]
			f.mu.Unlock()
			return text, nil
		}
		ended, ready := f.ended, f.ready
		f.mu.Unlock()
		if ended {
			select {
			case <-f.done:
				return "", f.closedError()
			default:
				return "", io.EOF
			}
		}
		select {
		case <-ready:
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

// CancelDialog cancels the dialog that is shown and reports whether there is one.
// It does not block.
func (f *Frontend) CancelDialog() bool {
	f.mu.Lock()
	open := len(f.asks) > 0
	f.mu.Unlock()
	if open {
		f.push(cancelMsg{})
	}
	return open
}

// Close gives the terminal back and ends all that is open; calls of Ask and
// ReadPrompt return [ErrClosed]. It returns why the front end had ended before, if
// it had failed.
func (f *Frontend) Close() error {
	f.closing()
	f.push(tea.QuitMsg{}) // behind all that is still to be shown
	f.pump.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failure
}

// The model's decisions, told by the goroutine that owns the screen.

func (f *Frontend) answer(id int, a protocol.Answer) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	reply, ok := f.asks[id]
	if ok {
		delete(f.asks, id)
		reply <- a
	}
	return ok
}

func (f *Frontend) submit(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.prompts = append(f.prompts, text)
	f.changed()
}

func (f *Frontend) eof() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.changed()
}

func (f *Frontend) interrupt() {
	if f.interruptFunc != nil {
		f.interruptFunc()
		return
	}
	f.mu.Lock()
	now := time.Now()
	again := !f.pressed.IsZero() && now.Sub(f.pressed) < 2*time.Second
	f.pressed = now
	f.mu.Unlock()
	if again {
		f.eof()
		return
	}
	f.CancelDialog()
}
