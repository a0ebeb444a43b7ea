package terminal

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"extui/client"
	"extui/internal/safetext"
	"extui/protocol"
)

// outward is where the model's decisions go. No method blocks.
type outward interface {
	// answer passes on a dialog's answer and reports whether the dialog was still
	// open.
	answer(id int, a protocol.Answer) bool
	submit(text string) // a prompt for the agent
	interrupt()         // Ctrl-C
	eof()               // Ctrl-D on an empty prompt
}

// config is what does not change while the model lives.
type config struct {
	minDelay   time.Duration
	editor     []string
	complete   func(line string, pos int) []string
	keepColors bool
	mouse      bool
	notify     Notify
	title      string
	closing    context.Context // ends when the front end is closed
	lent       *lent
	stop       func(group bool) error // stops the process until it is continued
	starting   bool
	now        func() time.Time
	stalled    func(now time.Time) time.Time // until when the terminal took nothing; nil: it always has
}

// What comes in besides the terminal's own messages.
type (
	// batch is several of those below, in order; they are drawn once.
	batch []tea.Msg

	askMsg struct {
		id       int
		request  protocol.Dialog
		deadline time.Time
		key      uint64 // grows in the order in which the agent asked; 0: not known
	}
	endMsg struct { // the dialog is over without its answer
		id  int
		why error
	}
	droppedMsg struct { // an answer came too late
		request protocol.Dialog
		answer  protocol.Answer
		why     error
	}
	updateMsg struct{ update protocol.Update }
	textMsg   struct{ text string }
	lineMsg   struct{ text string }
	eventMsg  struct{ event client.Event }
	readyMsg  struct{} // the agent has answered
	cancelMsg struct{} // cancel the dialog that is shown

	tickMsg     struct{}
	completeMsg struct {
		text  string
		pos   int
		found []string
	}
	editedMsg struct {
		id           int // of the dialog, 0 for the prompt
		text, before string
		err          error
	}
)

// model is the whole screen and all that happens on it. It does nothing itself:
// Update changes it and tells out what was decided, View draws it.
type model struct {
	cfg  config
	out  outward
	look *look
	now  time.Time // when the last message was handled
	// slow is the end of the last frame that took so long that keys may have waited
	// for it. They were pressed before it could be seen.
	slow    time.Time
	handled bool // a message was handled, and no frame has been drawn since

	width, height int
	profile       colorprofile.Profile // the colours that the terminal has
	blurred       bool                 // the terminal has said that it has no focus
	ticking       bool

	conv     *conversation
	convH    int // rows of it in the last view
	prompt   *prompt
	promptOK guard // for Enter in the prompt
	// byItself says that what was on the screen before the prompt went by itself, or
	// the prompt's text did, so that somebody may be typing on for that.
	byItself bool
	tooSoon  bool // the last key was an Enter that did not count

	queue   []*dialog
	current int       // index in queue
	astray  string    // what was typed at a dialog and not for it
	typing  time.Time // when a text was last typed that nobody has ended; zero: none
	// fromPrompt says that the person may still be typing a prompt while the first
	// dialogs appear, so that such keys go there.
	fromPrompt bool

	title    string
	statuses []entry
	widgets  []*protocol.SetWidget
	starting bool // nothing has come from the agent yet
	busy     bool
	streamed bool // the message in progress came in pieces

	overlay    overlay
	overlayTop page
}

type entry struct{ key, text string }

// overlay is a page that covers the conversation.
type overlay int

const (
	overlayNone overlay = iota
	overlayHelp
	overlayAll // all widgets and statuses in full
)

func newModel(cfg config, out outward) *model {
	if cfg.now == nil {
		cfg.now = time.Now
	}
	m := &model{cfg: cfg, out: out, look: newLook(true, cfg.keepColors), conv: newConversation(),
		prompt: newPrompt(), width: 80, height: 24, now: cfg.now(), title: cfg.title, starting: cfg.starting}
	return m
}

// Init asks for the terminal's background, to choose colours.
func (m *model) Init() tea.Cmd { return tea.RequestBackgroundColor }

// Update handles one message.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now, m.handled = m.cfg.now(), true
	cmd := m.handle(msg)
	if d := m.shown(); d != nil && !d.deadline.IsZero() && !m.ticking {
		m.ticking = true
		cmd = tea.Batch(cmd, tea.Tick(200*time.Millisecond, func(time.Time) tea.Msg { return tickMsg{} }))
	}
	return m, cmd
}

func (m *model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case batch:
		var cmds []tea.Cmd
		for _, one := range msg {
			cmds = append(cmds, m.handle(one))
		}
		return tea.Batch(cmds...)
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		m.paste(msg.Content)
	case tea.MouseWheelMsg:
		m.wheel(msg)
	case tea.MouseClickMsg:
		m.click(msg)
	case tickMsg:
		m.ticking = false
	case tea.QuitMsg:
		return tea.Quit
	default:
		return m.event(msg)
	}
	return nil
}

// event handles what comes from the agent and from the terminal itself.
func (m *model) event(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case askMsg, updateMsg, textMsg, eventMsg:
		m.starting = false
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		if msg.IsDark() != m.look.dark {
			method := m.look.method
			m.look = newLook(msg.IsDark(), m.cfg.keepColors)
			m.look.method = method
		}
	case tea.ModeReportMsg:
		// The renderer goes by the same report.
		if msg.Mode == ansi.ModeUnicodeCore &&
			(msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet || msg.Value == ansi.ModePermanentlySet) {
			fresh := *m.look
			fresh.method = ansi.GraphemeWidth
			m.look = &fresh
		}
	case tea.ColorProfileMsg:
		m.profile = msg.Profile
	case tea.FocusMsg:
		m.blurred = false
	case tea.BlurMsg:
		m.blurred = true
	case tea.ResumeMsg:
		m.showAgain()
	case stopMsg:
		return m.suspend(false)
	case continuedMsg:
		return m.takeAgain()
	case resumedMsg:
		return m.resumed(msg.err)
	case readyMsg:
		m.starting = false
		if m.shown() == nil && m.prompt.wantsList() {
			return m.askCompletions()
		}
	case askMsg:
		return m.open(msg)
	case endMsg:
		m.ended(msg)
	case droppedMsg:
		m.dropped(msg)
	case cancelMsg:
		if d := m.shown(); d != nil {
			m.decide(d, protocol.Cancelled{})
		}
	case updateMsg:
		m.update(msg.update)
	case textMsg:
		m.conv.text(msg.text)
	case lineMsg:
		m.conv.note(kindInfo, safetext.Block(msg.text))
	case eventMsg:
		m.agentEvent(msg.event)
	case completeMsg:
		m.prompt.asked = false
		m.prompt.completed(msg.text, msg.pos, msg.found)
		if m.prompt.stale {
			return m.askCompletions()
		}
	case editedMsg:
		m.edited(msg)
	}
	return nil
}

// shown is the dialog on the screen, nil if there is none.
func (m *model) shown() *dialog {
	if len(m.queue) == 0 {
		return nil
	}
	return m.queue[m.current]
}

// open takes a dialog in.
func (m *model) open(msg askMsg) tea.Cmd {
	b := newBody(msg.request)
	if b == nil {
		m.out.answer(msg.id, protocol.Cancelled{})
		return nil
	}
	d := &dialog{id: msg.id, request: msg.request, body: b, opened: m.now, deadline: msg.deadline, key: msg.key}
	if len(m.queue) == 0 {
		m.fromPrompt = true
		m.current = 0
		m.overlay = overlayNone
		m.conv.endBrowse()
		m.prompt.closeList()
		m.appears(d)
	}
	m.enqueue(d)
	if m.blurred {
		if seq := m.cfg.notify.sequence(summary(msg.request.DialogTitle(), 0)); seq != "" {
			return tea.Raw(seq)
		}
	}
	return nil
}

// enqueue puts a dialog where it belongs by the agent's order, which need not be
// the one in which dialogs arrive here. One that arrives behind a later one takes
// the screen, too, unless the other may have been read already.
func (m *model) enqueue(d *dialog) {
	at := len(m.queue)
	for d.key != 0 && at > 0 && m.queue[at-1].key > d.key {
		at--
	}
	m.queue = slices.Insert(m.queue, at, d)
	if len(m.queue) == 1 || at > m.current {
		return
	}
	shown := m.queue[m.current+1]
	if (shown.guard.waits || m.now.Sub(shown.guard.shown) < m.cfg.minDelay) && m.now.Sub(shown.opened) < m.cfg.minDelay {
		m.current = at
		m.appears(d)
		return
	}
	m.current++
}

// decide ends a dialog with an answer.
func (m *model) decide(d *dialog, a protocol.Answer) {
	if !m.out.answer(d.id, a) {
		// It ended a moment ago, and the message that says so is on its way.
		m.dropped(droppedMsg{request: d.request, answer: a})
		m.remove(d, true)
		return
	}
	what := m.nameOf(d.request)
	switch a := a.(type) {
	case protocol.Cancelled:
		m.conv.note(kindInfo, what+": cancelled")
		if m.keepDraft(d, false) {
			m.conv.note(kindInfo, "ctrl+r puts what was typed or chosen into the editor")
		}
	case protocol.Confirmed:
		if a {
			m.conv.note(kindGood, what+": yes")
		} else {
			m.conv.note(kindInfo, what+": no")
		}
	case protocol.Value:
		text := summary(string(a), 0)
		if text == "" {
			text = "(empty)"
		}
		m.conv.note(kindGood, what+": "+text)
	case protocol.Answers:
		m.conv.note(kindGood, what+": sent")
		for _, one := range a {
			m.conv.note(kindInfo, summary(one.Question, 0)+" "+summary(answerText(&one), 0))
		}
	}
	m.remove(d, false)
}

// nameOf is a dialog in a few words.
func (m *model) nameOf(d protocol.Dialog) string {
	name := summary(d.DialogTitle(), 0)
	if name == "" {
		name = string(d.Method())
	}
	return clip(name, 200, m.look.method)
}

// remove takes a dialog out of the queue.
func (m *model) remove(d *dialog, byItself bool) {
	for i, other := range m.queue {
		if other != d {
			continue
		}
		m.queue = append(m.queue[:i:i], m.queue[i+1:]...)
		was := m.current
		if i < m.current {
			m.current--
		}
		m.current = max(0, min(m.current, len(m.queue)-1))
		m.keepStray()
		if i == was {
			m.fromPrompt, m.byItself = false, byItself
			m.showAgain()
		}
		return
	}
}

// ended takes a dialog away that is over without its answer, says why and keeps
// what was typed.
func (m *model) ended(msg endMsg) {
	for _, d := range m.queue {
		if d.id == msg.id {
			why := "it is over"
			if msg.why != nil {
				why = safetext.Line(msg.why.Error())
			}
			m.conv.end(endOf{d.key, m.now}, func() {
				m.conv.note(kindWarning, m.nameOf(d.request)+": not answered: "+why)
				m.keepDraft(d, true)
			})
			m.remove(d, true)
			return
		}
	}
}

// keepDraft keeps what was typed into a dialog that is over, and reports whether
// there is any.
func (m *model) keepDraft(d *dialog, show bool) bool {
	text := d.body.draft()
	m.keepText(text, show)
	return text != ""
}

func (m *model) keepText(text string, show bool) {
	if text == "" {
		return
	}
	m.prompt.keep(text)
	if show {
		m.conv.note(kindKept, keptText(text))
		m.conv.note(kindInfo, "ctrl+r puts this text into the editor")
	}
}

// dropped says that an answer came too late.
func (m *model) dropped(msg droppedMsg) {
	why := ""
	if msg.why != nil {
		why = ": " + safetext.Line(msg.why.Error())
	}
	m.conv.note(kindWarning, m.nameOf(msg.request)+": the answer came too late"+why)
	switch a := msg.answer.(type) {
	case protocol.Value:
		m.keepText(string(a), true)
	case protocol.Answers:
		var lines []string
		for _, one := range a {
			lines = append(lines, one.Question+"\n"+answerText(&one))
		}
		m.keepText(strings.Join(lines, "\n"), true)
	}
}

// update shows what the agent wants shown.
func (m *model) update(u protocol.Update) {
	switch u := u.(type) {
	case *protocol.Notify:
		k := kindInfo
		switch u.Type.Level() {
		case protocol.NotifyWarning:
			k = kindWarning
		case protocol.NotifyError:
			k = kindError
		}
		m.conv.note(k, m.look.sgr.Block(u.Message))
	case *protocol.SetStatus:
		m.setStatus(u)
	case *protocol.SetWidget:
		m.setWidget(u)
	case *protocol.SetTitle:
		m.title = u.Title
	case *protocol.SetEditorText:
		if m.prompt.set(u.Text) {
			m.byItself = true
			m.promptOK.renew()
		}
	case *protocol.OpenURL:
		text := "open " + u.URL
		if u.LaunchURL != "" {
			text = "open " + u.LaunchURL + "\n(" + u.URL + ")"
		}
		if u.Instructions != "" {
			text += "\n" + u.Instructions
		}
		m.conv.note(kindWarning, safetext.Block(text))
	case *protocol.Unknown:
		if !u.Passive {
			m.conv.note(kindWarning, "the agent asked for "+safetext.Line(u.Name)+", which this program does not know")
		}
	}
}

func (m *model) setStatus(u *protocol.SetStatus) {
	for i, s := range m.statuses {
		if s.key != u.Key {
			continue
		}
		if u.Text == nil {
			m.statuses = append(m.statuses[:i:i], m.statuses[i+1:]...)
		} else {
			m.statuses[i].text = *u.Text
		}
		return
	}
	if u.Text != nil {
		m.statuses = append(m.statuses, entry{u.Key, *u.Text})
	}
}

func (m *model) setWidget(u *protocol.SetWidget) {
	for i, w := range m.widgets {
		if w.Key != u.Key {
			continue
		}
		if len(u.Lines) == 0 {
			m.widgets = append(m.widgets[:i:i], m.widgets[i+1:]...)
		} else {
			m.widgets[i] = u
		}
		return
	}
	if len(u.Lines) > 0 {
		m.widgets = append(m.widgets, u)
	}
}

// agentEvent shows what the agent does.
func (m *model) agentEvent(e client.Event) {
	switch e := e.(type) {
	case client.AgentStart:
		m.busy = true
	case client.AgentEnd:
		m.busy = e.WillRetry
	case client.AgentSettled:
		m.busy = false
		if e.Aborted {
			m.conv.note(kindWarning, "aborted")
		}
	case client.MessageStart:
		m.streamed = false
	case client.TextDelta:
		m.streamed = true
		m.conv.text(e.Text)
	case client.MessageEnd:
		if e.Role != "assistant" {
			return
		}
		if !m.streamed && e.Text != "" {
			m.conv.text(e.Text)
		}
		m.streamed = false
		m.conv.endText()
		if e.Error != "" {
			m.conv.note(kindError, safetext.Block(e.Error))
		}
	case client.ToolStart:
		m.conv.toolStart(e.ID, e.Name, string(e.Args))
	case client.ToolUpdate:
		m.conv.toolText(e.ID, e.Text, "")
	case client.ToolEnd:
		state := "done"
		if e.IsError {
			state = "failed"
		}
		m.conv.toolText(e.ID, e.Text, state)
	case client.ExtensionError:
		m.conv.note(kindError, safetext.Block(e.ExtensionPath+", "+e.Event+": "+e.Message))
	}
}
