package terminal

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"extui/internal/safetext"
	"extui/protocol"
)

// confirmBody asks for yes or no. It begins at No, and only Enter on Yes is
// consent.
type confirmBody struct {
	d    *protocol.Confirm
	yes  bool // the marked button
	text folded
	page page
	step int
	read reading
	rows int // of the text
	hint string
}

func (c *confirmBody) key(k tea.KeyPressMsg) (protocol.Answer, bool) {
	stroke := k.Keystroke()
	c.hint = ""
	switch stroke {
	case "left", "n", "shift+n", "up":
		c.yes = false
	case "right", "y", "shift+y", "down":
		c.yes = true
	case "tab", "shift+tab":
		c.yes = !c.yes
	case "enter":
		if c.yes && c.read.upTo < c.rows {
			c.hint = readOn
			return nil, true
		}
		return protocol.Confirmed(c.yes), true
	default:
		return nil, c.page.scroll(stroke, c.step)
	}
	return nil, true
}

func (c *confirmBody) paste(string)  {}
func (c *confirmBody) draft() string { return "" }

func (c *confirmBody) view(l *look, width, height int) pane {
	rows := c.text.rows(l, width, func() []string {
		rows := paintAll(l.strong, wrap(safetext.Block(c.d.Title), width, l.method))
		if c.d.Message != nil && *c.d.Message != "" {
			rows = append(rows, wrap(safetext.Block(*c.d.Message), width, l.method)...)
		}
		return rows
	})
	p := pane{note: c.hint}
	gap := 0
	if len(rows)+2 <= height {
		gap = 1
	}
	c.step = max(1, height-2)
	p.rows, p.above, p.below = c.page.view(rows, height-1-gap, -1, -1)
	c.rows = len(rows)
	c.read.show(width, p.above, p.above+len(p.rows))
	p.rows = append([]string(nil), p.rows...)
	if gap == 1 {
		p.rows = append(p.rows, "")
	}
	p.rows = append(p.rows, button(l, "No", !c.yes)+"  "+button(l, "Yes", c.yes))
	return p
}

// buttonsWidth is how wide the buttons are, none of which is ever cut.
const buttonsWidth = 20

// button shows which one is marked without a colour as well.
func button(l *look, text string, marked bool) string {
	if marked {
		return paint(l.marked, "▸[ "+text+" ]")
	}
	return paint(l.faint, " [ "+text+" ]")
}

func (c *confirmBody) hints() []key.Binding {
	does := "say no"
	if c.yes {
		does = "say yes"
	}
	return []key.Binding{bind("enter", does), bind("esc", "cancel"), bind("← →", "mark")}
}
