package terminal

import (
	"slices"
	"time"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"extui/protocol"
)

// key handles a key press.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	if k.Code == tea.KeyEscape && k.Mod == tea.ModAlt { // Escape twice, quickly
		k.Mod = 0
	}
	stroke := k.Keystroke()
	m.noteTyping(k, stroke)
	if stroke == "ctrl+c" {
		m.out.interrupt()
		return nil
	}
	if m.tooSmall() { // nobody sees what a key would do
		return nil
	}
	switch stroke {
	case "ctrl+z":
		return m.suspend(true)
	case "f1":
		m.toggleOverlay(overlayHelp)
		return nil
	case "f2":
		m.toggleOverlay(overlayAll)
		return nil
	}
	if m.overlay != overlayNone {
		m.overlayKey(stroke)
		return nil
	}
	if m.scrollKey(stroke) {
		return nil
	}
	if d := m.shown(); d != nil {
		return m.dialogKey(d, k, stroke)
	}
	if m.conv.browse {
		m.browseKey(stroke)
		return nil
	}
	return m.promptKey(k, stroke)
}

// noteTyping keeps when a text was last typed that no other key has ended, so that a
// dialog that appears knows whether somebody is typing.
func (m *model) noteTyping(k tea.KeyPressMsg, stroke string) {
	switch {
	case m.overlay != overlayNone:
		m.typing = time.Time{}
	case isText(k) || stroke == "backspace" && !m.typing.IsZero():
		m.typing = m.now
	default:
		m.typing = time.Time{}
	}
}

func (m *model) toggleOverlay(o overlay) {
	if m.overlay == o {
		o = overlayNone
	}
	m.overlay, m.overlayTop = o, page{}
	if o == overlayNone {
		m.showAgain()
	}
}

func (m *model) overlayKey(stroke string) {
	if m.overlayTop.scroll(stroke, max(1, m.height-3)) {
		return
	}
	switch stroke {
	case "down", "j":
		m.overlayTop.top++
	case "up", "k":
		m.overlayTop.top = max(0, m.overlayTop.top-1)
	default:
		m.toggleOverlay(m.overlay)
	}
}

// scrollKey handles the keys that move the conversation whatever is below it.
func (m *model) scrollKey(stroke string) bool {
	switch stroke {
	case "shift+pgup", "ctrl+pgup":
		m.scroll(-max(1, m.convH-1))
	case "shift+pgdown", "ctrl+pgdown":
		m.scroll(max(1, m.convH-1))
	case "ctrl+up", "shift+up":
		m.scroll(-1)
	case "ctrl+down", "shift+down":
		m.scroll(1)
	case "shift+home":
		m.conv.toTop()
	case "shift+end":
		m.conv.toEnd()
	default:
		return false
	}
	return true
}

func (m *model) scroll(n int) { m.conv.scroll(m.look, m.width, max(1, m.convH), n) }

// dialogKey handles a key while a dialog is shown. It counts only once the
// dialog has been on the screen for a moment.
func (m *model) dialogKey(d *dialog, k tea.KeyPressMsg, stroke string) tea.Cmd {
	over := !d.deadline.IsZero() && !m.now.Before(d.deadline)
	open := d.guard.open
	if !m.counts(d) || over {
		switch {
		case isText(k) && m.cfg.minDelay > 0:
			d.text = m.now
		case stroke == "enter":
			d.text = time.Time{}
		}
		m.strayKey(k)
		return nil
	}
	if d.typingOn(m.now, open) {
		switch {
		case isText(k) || stroke == "backspace":
			d.guard.open = open
			m.strayKey(k)
			m.typedAstray(d)
			return nil
		case stroke == "enter": // It ends that text.
			m.keepStray()
			d.text, d.stray, d.tooSoon, d.guard.early = time.Time{}, false, true, m.now
			return nil
		}
	}
	m.fromPrompt, d.stray, d.text = false, false, time.Time{}
	switch stroke {
	case "ctrl+n":
		m.turn(1)
		return nil
	case "ctrl+p":
		m.turn(-1)
		return nil
	case "ctrl+e":
		if box := textOf(d.body); box != nil {
			return m.editElsewhere(d.id, box.text())
		}
	}
	d.tooSoon = false
	if stroke == "enter" {
		switch {
		case d.hasty(m.now, m.cfg.minDelay):
			d.tooSoon, d.guard.early = true, m.now
			return nil
		case d.reviewing():
			if d.tooSoon = !d.review.admit(m.now, m.cfg.minDelay); d.tooSoon {
				return nil
			}
		}
	}
	before := d.mark()
	a, handled := d.body.key(k)
	if k.Text != "" || d.mark() != before {
		d.pressed = m.now
	}
	d.reviewing()
	switch {
	case a != nil:
		m.decide(d, a)
	case handled:
	case stroke == "esc":
		m.decide(d, protocol.Cancelled{})
	case stroke == "?":
		d.unmark()
		m.toggleOverlay(overlayHelp)
	case k.Text != "":
		m.strayKey(k)
		m.typedAstray(d)
	}
	return nil
}

// typedAstray is for a text that is typed or pasted, and not for this dialog, among
// whose keys some of its letters may be.
func (m *model) typedAstray(d *dialog) {
	d.guard.early, d.stray = m.now, !d.takesText()
	if m.cfg.minDelay > 0 {
		d.text = m.now
	}
	d.unmark()
}

// strayKey takes a key that was meant for something else when a dialog appeared.
// Text for the prompt goes on being typed there, Enter is not obeyed.
func (m *model) strayKey(k tea.KeyPressMsg) {
	erase := k.Keystroke() == "backspace"
	switch {
	case !isText(k) && !erase:
	case m.fromPrompt:
		m.prompt.box.key(k)
	case erase:
		_, n := utf8.DecodeLastRuneInString(m.astray)
		m.astray = m.astray[:len(m.astray)-n]
	default:
		m.astray += k.Text
	}
}

// keepStray lets a text be called back that was typed at dialogs and not for them.
// A letter or two are slips.
func (m *model) keepStray() {
	if utf8.RuneCountInString(m.astray) > 2 {
		m.prompt.keep(m.astray)
	}
	m.astray = ""
}

// isText reports whether a key is a character.
func isText(k tea.KeyPressMsg) bool { return k.Text != "" && k.Mod&(tea.ModCtrl|tea.ModAlt) == 0 }

// turn shows another dialog of the queue.
func (m *model) turn(n int) {
	if len(m.queue) > 1 {
		m.current = (m.current + n + len(m.queue)) % len(m.queue)
		m.showAgain()
	}
}

func (m *model) paste(s string) {
	d := m.shown()
	switch {
	case m.overlay != overlayNone || m.tooSmall(): // Nobody sees where it would go.
		m.putAside(s)
	case d == nil:
		m.conv.endBrowse()
		m.prompt.box.paste(s)
		m.prompt.closeList()
	default:
		m.pasteAt(d, s)
	}
}

func (m *model) putAside(pasted string) {
	m.keepText(pasted, false)
	m.conv.note(kindInfo, "what was pasted is put aside: ctrl+r puts it into the editor")
}

// pasteAt pastes while a dialog is shown, which need not be for it.
func (m *model) pasteAt(d *dialog, s string) {
	open := d.guard.open
	counts := m.counts(d) && !d.typingOn(m.now, open)
	if counts && d.reviewing() {
		d.review.early = m.now
	}
	switch {
	case counts && !d.takesNoPaste():
		d.body.paste(s)
		return
	case counts:
		m.putAside(s)
	case m.fromPrompt:
		m.prompt.box.paste(s)
	default:
		m.putAside(s)
	}
	d.guard.open = open
	m.typedAstray(d)
}

func (m *model) browseKey(stroke string) {
	switch stroke {
	case "up", "k":
		m.conv.browseStep(m.look, m.width, m.convH, -1)
	case "down", "j":
		m.conv.browseStep(m.look, m.width, m.convH, 1)
	case "enter", "space", "right", "left":
		m.conv.toggle()
	case "pgup":
		m.scroll(-max(1, m.convH-1))
	case "pgdown":
		m.scroll(max(1, m.convH-1))
	case "end":
		m.conv.toEnd()
	default:
		m.conv.endBrowse()
	}
}

// promptKey handles a key while no dialog is open.
//
// long: one table
func (m *model) promptKey(k tea.KeyPressMsg, stroke string) tea.Cmd {
	p := m.prompt
	before := p.box.text()
	m.tooSoon = false
	switch stroke {
	case "enter":
		if p.marked >= 0 {
			p.accept(p.found[p.marked])
			return m.askCompletions()
		}
		if p.box.empty() {
			return nil
		}
		if !m.promptReady() {
			m.tooSoon = true
			return nil
		}
		text := p.submit()
		m.conv.note(kindPrompt, keptText(text))
		m.conv.toEnd()
		m.out.submit(text)
		return nil
	case "tab":
		if len(p.found) == 0 {
			return m.askCompletions()
		}
		p.tab(1)
	case "shift+tab":
		p.tab(-1)
	case "esc":
		p.closeList()
		m.conv.toEnd()
	case "pgup":
		m.scroll(-max(1, m.convH-1))
	case "pgdown":
		m.scroll(max(1, m.convH-1))
	case "ctrl+r":
		p.callBack()
	case "ctrl+t":
		m.conv.browseStep(m.look, m.width, m.convH, 0)
	case "ctrl+e":
		return m.editElsewhere(0, before)
	case "ctrl+d":
		if p.box.empty() {
			m.out.eof()
			return nil
		}
		p.key(k)
	case "?":
		if p.box.empty() {
			m.toggleOverlay(overlayHelp)
			return nil
		}
		p.key(k)
	default:
		if !p.key(k) {
			return nil
		}
	}
	m.promptReady()
	if p.box.text() == before {
		return nil
	}
	if p.wantsList() {
		return m.askCompletions()
	}
	p.closeList()
	return nil
}

// promptReady reports whether an Enter now is meant for the prompt. Call it for
// every key: whoever types on for a dialog that went by itself, without a pause,
// may not have seen that it is gone.
func (m *model) promptReady() bool {
	switch {
	case m.promptOK.shown.IsZero(): // nothing was there before
		return true
	case m.byItself:
		return m.promptOK.admit(m.now, m.cfg.minDelay)
	}
	return m.now.Sub(m.promptOK.shown) >= m.cfg.minDelay
}

// askCompletions asks for what the text before the cursor may become. One
// question is under way at a time.
func (m *model) askCompletions() tea.Cmd {
	p := m.prompt
	if m.cfg.complete == nil {
		return nil
	}
	if p.asked {
		p.stale = true
		return nil
	}
	p.asked, p.stale = true, false
	text := p.box.text()
	before, _ := p.box.underCursor()
	complete, pos := m.cfg.complete, len(before)
	return func() tea.Msg { return completeMsg{text, pos, slices.Clone(complete(text, pos))} }
}

func (m *model) wheel(msg tea.MouseWheelMsg) {
	switch msg.Button {
	case tea.MouseWheelUp:
		m.scroll(-3)
	case tea.MouseWheelDown:
		m.scroll(3)
	}
}

// click opens or closes the tool call under the mouse. Dialogs take no clicks.
func (m *model) click(msg tea.MouseClickMsg) {
	if m.overlay == overlayNone && msg.Button == tea.MouseLeft {
		if it := m.toolAt(msg.Y); it != nil {
			it.open = !it.open
			it.changed()
		}
	}
}

// helpKeys are all keys by where they work.
func helpKeys() (titles []string, groups [][]key.Binding) {
	return []string{"Everywhere", "Dialogs", "Prompt", "Text"}, [][]key.Binding{
		{
			bind("ctrl+c", "cancel the dialog or abort the run; twice leaves"),
			bind("shift+pgup shift+pgdown", "scroll the conversation"),
			bind("shift+end", "to its end"),
			bind("f2", "all widgets and statuses in full"),
			bind("ctrl+z", "suspend"),
			bind("? f1", "this help"),
		}, {
			bind("enter", "take what is marked, or send the text (editor: ctrl+s)"),
			bind("esc", "cancel"),
			bind("ctrl+n ctrl+p", "next, previous of several dialogs"),
			bind("pgup pgdown alt+up alt+down", "scroll the dialog"),
			bind("/", "filter a list"),
			bind("ctrl+e", "edit in $EDITOR"),
		}, {
			bind("enter", "send"),
			bind("alt+enter ctrl+j", "new line"),
			bind("tab", "complete"),
			bind("up down", "history"),
			bind("ctrl+r", "call back a text that was put aside"),
			bind("ctrl+t", "walk through tool calls; enter opens one"),
			bind("ctrl+d", "leave, on an empty prompt"),
		}, {
			bind("ctrl+a end", "to the line's begin, end"),
			bind("ctrl+left ctrl+right", "by words"),
			bind("ctrl+w ctrl+u ctrl+k", "cut word, to begin, to end"),
			bind("ctrl+y", "put back what was cut"),
			bind("ctrl+_", "undo"),
		},
	}
}
