package terminal

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"extui/internal/safetext"
	"extui/protocol"
)

// selectBody asks for one of a list. Nothing is marked to begin with, so that
// Enter alone chooses nothing.
type selectBody struct {
	d       *protocol.Select
	title   folded
	options []choice
	shown   []int // indexes of the options that the filter leaves
	mark    int   // index in shown, -1 for none
	moved   bool  // the mark has moved since the last view
	filter  *textbox
	inView  bool // the marked option was on the screen in the last view
	hint    string
	page    page
	step    int
	read    reading
	titled  int // rows of the title
	seen    struct {
		reading
		option, rows int // which option it is of, and how many rows that has
	}
}

// choice is an option made safe, and its rows at one width.
type choice struct {
	label, description string
	search             string
	width              int
	labelRows          []string
	descriptionRows    []string
}

func newSelect(d *protocol.Select) *selectBody {
	s := &selectBody{d: d, mark: -1}
	for i, o := range d.Options {
		c := choice{label: safetext.Label(o.Label), description: safetext.Block(o.Description)}
		c.search = strings.ToLower(c.label + "\n" + c.description)
		s.options = append(s.options, c)
		s.shown = append(s.shown, i)
	}
	return s
}

func (s *selectBody) key(k tea.KeyPressMsg) (protocol.Answer, bool) {
	s.hint = ""
	stroke := k.Keystroke()
	switch stroke {
	case "up", "shift+tab":
		s.move(-1)
	case "down", "tab":
		s.move(1)
	case "enter":
		if s.mark < 0 {
			s.hint = "mark one first: ↑ ↓"
			return nil, true
		}
		if s.read.upTo < s.titled {
			s.hint = "read the title first: pgup pgdown"
			return nil, true
		}
		if !s.inView {
			s.moved, s.hint = true, hintMarked
			return nil, true
		}
		if s.seen.option != s.shown[s.mark] || s.seen.upTo < s.seen.rows {
			s.hint = readOn
			return nil, true
		}
		return protocol.Value(s.d.Options[s.shown[s.mark]].Answer()), true
	default:
		if s.page.scroll(stroke, s.step) {
			return nil, true
		}
		if s.filter != nil {
			return nil, s.filterKey(k, stroke)
		}
		return nil, s.plainKey(stroke)
	}
	return nil, true
}

func (s *selectBody) plainKey(stroke string) bool {
	switch stroke {
	case "home":
		s.set(0)
	case "end":
		s.set(len(s.shown) - 1)
	case "/":
		s.filter = newTextbox("", true)
	default:
		n, err := strconv.Atoi(stroke)
		if err != nil || n < 1 || n > min(9, len(s.shown)) {
			return false
		}
		s.set(n - 1)
	}
	return true
}

func (s *selectBody) filterKey(k tea.KeyPressMsg, stroke string) bool {
	if stroke == "esc" || stroke == "backspace" && s.filter.empty() {
		s.filter = nil
		s.narrow()
		return true
	}
	before := s.filter.text()
	if !s.filter.key(k) {
		return false
	}
	if s.filter.text() != before {
		s.narrow()
		s.markOnly()
	}
	return true
}

// markOnly marks the only option that the filter leaves, if what was typed is how
// its label begins: a word that just occurs in it is no choice.
func (s *selectBody) markOnly() {
	text := strings.ToLower(strings.TrimSpace(s.filter.text()))
	if len(s.shown) != 1 || text == "" {
		return
	}
	if o := s.options[s.shown[0]]; strings.HasPrefix(strings.ToLower(o.label), text) {
		s.set(0)
	}
}

// narrow applies the filter: every word of it must be somewhere in the option. What
// was marked in another list is not any more.
func (s *selectBody) narrow() {
	text := ""
	if s.filter != nil {
		text = s.filter.text()
	}
	words := strings.Fields(strings.ToLower(text))
	s.shown, s.mark = nil, -1
next:
	for i, o := range s.options {
		for _, w := range words {
			if !strings.Contains(o.search, w) {
				continue next
			}
		}
		s.shown = append(s.shown, i)
	}
	s.moved, s.page.top = false, 0
}

func (s *selectBody) move(n int) {
	switch {
	case len(s.shown) == 0:
	case s.mark < 0 && n > 0:
		s.set(0)
	case s.mark < 0:
		s.set(len(s.shown) - 1)
	default:
		s.set((s.mark + n + len(s.shown)) % len(s.shown))
	}
}

func (s *selectBody) set(i int) {
	if i >= 0 && i < len(s.shown) {
		s.mark, s.moved = i, true
	}
}

func (s *selectBody) paste(text string) {
	if s.filter != nil {
		s.filter.paste(text)
		s.narrow() // and marks nothing: a paste is no choice
	}
}

func (s *selectBody) draft() string { return "" }

func (s *selectBody) view(l *look, width, height int) pane {
	rows := s.title.title(l, width, s.d.Title)
	s.titled = len(rows)
	if len(rows)+len(s.shown)+1 < height {
		rows = append(rows, "")
	}
	from, to := -1, -1
	for i, at := range s.shown {
		begin := len(rows)
		rows = append(rows, s.optionRows(l, i, &s.options[at], width)...)
		if i == s.mark {
			from, to = begin, len(rows)-1
		}
	}
	if len(s.shown) == 0 {
		rows = append(rows, paint(l.faint, "  nothing fits the filter"))
	}
	if s.filter != nil {
		height--
	}
	s.step = max(1, height-1)
	p := pane{note: s.hint}
	p.rows, p.above, p.below, s.inView = s.page.viewMark(rows, height, from, to, s.moved)
	s.moved = false
	s.read.show(width, p.above, p.above+len(p.rows))
	if s.mark >= 0 {
		if at := s.shown[s.mark]; at != s.seen.option {
			s.seen.option, s.seen.reading = at, reading{}
		}
		s.seen.rows = to + 1 - from
		s.seen.show(width, max(0, p.above-from), min(p.above+len(p.rows)-from, s.seen.rows))
	}
	if s.filter != nil {
		p.rows = append([]string(nil), p.rows...)
		label := fmt.Sprintf("/ %d of %d: ", len(s.shown), len(s.options))
		box, x, _, _, _ := s.filter.view(max(4, width-len(label)), 1, l.method)
		p.cursor = &tea.Position{X: len(label) + x, Y: len(p.rows)}
		p.rows = append(p.rows, paint(l.accent, label)+box[0])
	}
	return p
}

// optionRows are the rows of the i-th option that is shown.
func (s *selectBody) optionRows(l *look, i int, c *choice, width int) []string {
	const indent = 4
	if c.width != width {
		c.width = width
		c.labelRows = wrap(c.label, max(1, width-indent), l.method)
		c.descriptionRows = nil
		if c.description != "" {
			c.descriptionRows = wrap(c.description, max(1, width-indent), l.method)
		}
	}
	number := "  "
	if i < 9 {
		number = strconv.Itoa(i+1) + " "
	}
	rows := make([]string, 0, len(c.labelRows)+len(c.descriptionRows))
	for j, text := range c.labelRows {
		switch {
		case i == s.mark && j == 0:
			rows = append(rows, paint(l.marked, "▸ "+number+text))
		case i == s.mark:
			rows = append(rows, paint(l.marked, "│   "+text))
		case j == 0:
			rows = append(rows, "  "+paint(l.faint, number)+text)
		default:
			rows = append(rows, "    "+text)
		}
	}
	for _, text := range c.descriptionRows {
		rows = append(rows, "    "+paint(l.faint, text))
	}
	return rows
}

func (s *selectBody) hints() []key.Binding {
	mark, esc := bind("↑ ↓", "mark"), bind("esc", "cancel")
	if s.filter != nil {
		esc = bind("esc", "end filter")
	}
	out := []key.Binding{mark, esc}
	if s.mark >= 0 {
		out = []key.Binding{bind("enter", "choose"), esc, mark}
	}
	if s.filter == nil {
		out = append(out, bind("/", "filter"))
	}
	return out
}
