package terminal

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"extui/internal/safetext"
	"extui/protocol"
)

// inputBody asks for one line of text.
type inputBody struct {
	d           *protocol.Input
	box         *textbox
	title       folded
	placeholder folded
	page        page
	step        int
}

func newInput(d *protocol.Input) *inputBody {
	return &inputBody{d: d, box: newTextbox("", true)}
}

func (i *inputBody) key(k tea.KeyPressMsg) (protocol.Answer, bool) {
	stroke := k.Keystroke()
	if stroke == "enter" {
		return protocol.Value(i.box.text()), true
	}
	return nil, i.page.scroll(stroke, i.step) || i.box.key(k)
}

func (i *inputBody) paste(s string) { i.box.paste(s) }
func (i *inputBody) draft() string  { return i.box.text() }

func (i *inputBody) view(l *look, width, height int) pane {
	i.box.layout(width-2, l.method)
	boxH := max(1, i.box.height(max(1, min(8, height/2))))
	rows := i.title.title(l, width, i.d.Title)
	p := pane{titled: true}
	i.step = max(1, height-boxH-1)
	p.rows, p.above, p.below = i.page.view(rows, height-boxH, -1, -1)
	p.rows = append([]string(nil), p.rows...)
	placeholder := i.placeholder.rows(l, width, func() []string {
		if i.d.Placeholder == nil {
			return []string{""}
		}
		return []string{clip(safetext.Line(*i.d.Placeholder), width-3, l.method)}
	})
	addBox(l, &p, i.box, placeholder[0], width, boxH)
	return p
}

// addBox puts a text box below what a pane has.
func addBox(l *look, p *pane, box *textbox, placeholder string, width, height int) {
	text, x, y, above, below := box.view(width-2, height, l.method)
	p.cursor = &tea.Position{X: 2 + x, Y: len(p.rows) + y}
	if box.empty() && placeholder != "" {
		text[0] = paint(l.faint, clip(placeholder, width-3, l.method))
	}
	for j, t := range text {
		lead := "  "
		switch {
		case j == 0 && above > 0:
			lead = "↑ "
		case j == len(text)-1 && below > 0:
			lead = "↓ "
		case j == 0:
			lead = "› "
		}
		p.rows = append(p.rows, paint(l.accent, lead)+t)
	}
}

func (i *inputBody) hints() []key.Binding {
	return []key.Binding{bind("enter", "send"), bind("esc", "cancel")}
}

// editorBody asks for a text of many lines.
type editorBody struct {
	d      *protocol.Editor
	box    *textbox
	before string // what the text was at first
	title  folded
	page   page
	height int // rows of the box in the last view
}

func newEditor(d *protocol.Editor) *editorBody {
	e := &editorBody{d: d}
	if d.Prefill != nil {
		e.before = *d.Prefill
	}
	e.box = newTextbox(e.before, false)
	return e
}

func (e *editorBody) key(k tea.KeyPressMsg) (protocol.Answer, bool) {
	stroke := k.Keystroke()
	switch stroke {
	case "ctrl+s", "ctrl+enter":
		return protocol.Value(e.box.text()), true
	case "enter", "shift+enter", "alt+enter", "ctrl+j":
		e.box.insert("\n", true)
	case "tab":
		e.box.insert("\t", true)
	case "pgdown":
		e.box.vertical(max(1, e.height-1))
	case "pgup":
		e.box.vertical(-max(1, e.height-1))
	default:
		return nil, e.page.scroll(stroke, 1) || e.box.key(k)
	}
	return nil, true
}

func (e *editorBody) paste(s string) { e.box.paste(s) }

func (e *editorBody) draft() string {
	if t := e.box.text(); t != e.before {
		return t
	}
	return ""
}

func (e *editorBody) view(l *look, width, height int) pane {
	rows := e.title.title(l, width, e.d.Title)
	p := pane{titled: true}
	titleH := min(len(rows), max(1, height/3))
	p.rows, p.above, p.below = e.page.view(rows, titleH, -1, -1)
	p.rows = append([]string(nil), p.rows...)
	e.box.layout(width-2, l.method)
	e.height = max(3, e.box.height(max(1, height-len(p.rows))))
	e.height = min(e.height, max(1, height-len(p.rows)))
	addBox(l, &p, e.box, "", width, e.height)
	for len(p.rows) < titleH+e.height {
		p.rows = append(p.rows, "")
	}
	p.place = fmt.Sprintf("line %d of %d", e.box.row+1, len(e.box.lines))
	return p
}

func (e *editorBody) hints() []key.Binding {
	return []key.Binding{bind("ctrl+s", "send"), bind("esc", "cancel"), bind("ctrl+e", "$EDITOR")}
}

// textOf returns the text box of a body that may be edited in another program,
// nil if it has none.
func textOf(b body) *textbox {
	if e, ok := b.(*editorBody); ok {
		return e.box
	}
	return nil
}

// summary is a text in a few words: its first line, with a sign for more.
func summary(text string, width int) string {
	line, more := firstLine(strings.TrimRight(text, "\n"))
	if more {
		line += " …"
	}
	return safetext.Line(line)
}
