package terminal

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"extui/internal/safetext"
	"extui/protocol"
)

// View draws the screen: title, conversation, and below it the dialog or the
// editor with its widgets, then the statuses.
func (m *model) View() tea.View {
	v, visible := m.frame()
	m.drawn(visible)
	return v
}

// tooSmall reports whether the screen has no room for anything, or not enough to read
// what a key would do.
func (m *model) tooSmall() bool {
	least := 12
	if d := m.shown(); d != nil {
		if _, ok := d.body.(*confirmBody); ok {
			least = buttonsWidth
		}
	}
	return m.width < least || m.height < 5
}

// frame draws the screen. visible tells whether the dialog or the prompt is on it.
func (m *model) frame() (v tea.View, visible bool) {
	v.AltScreen = true
	v.ReportFocus = true
	v.WindowTitle = m.windowTitle()
	if m.cfg.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	w, h := m.width, m.height
	if m.tooSmall() {
		v.Content = clip("too small", w, m.look.method)
		return v, false
	}
	if m.overlay != overlayNone {
		v.Content = m.join(m.overlayRows(w, h))
		return v, false
	}
	var top []string
	if h >= 12 && m.title != "" {
		top = []string{m.titleRow(w)}
	}
	bottom := m.statusRows(w, h)
	room := h - len(top) - len(bottom)
	low, cursor := m.low(w, room)
	m.convH = room - len(low)
	conv := m.conv.view(m.look, w, m.convH)
	if !m.conv.follow && len(conv) > 0 {
		text := "↓ more below · shift+end"
		if m.conv.unseen {
			text = "↓ new text below · shift+end"
		}
		conv = slices.Clone(conv)
		conv[len(conv)-1] = beside("", paint(m.look.accent, text), w, m.look.method)
	}
	rows := slices.Concat(top, conv, low, bottom)
	if cursor != nil {
		v.Cursor = tea.NewCursor(min(cursor.X, w-1), len(top)+len(conv)+cursor.Y)
		v.Cursor.Blink = false
	}
	v.Content = m.join(rows)
	return v, true
}

// join makes the screen of its rows, none of which may be wider than that.
func (m *model) join(rows []string) string {
	for i, r := range rows {
		rows[i] = clip(r, m.width, m.look.method)
	}
	return strings.Join(rows, "\n")
}

// farewell is what stays on the terminal when the screen has been given back: the
// last n rows of the conversation, in the colours that the terminal has.
func (m *model) farewell(n int) string {
	if n <= 0 || len(m.conv.items) == 0 {
		return ""
	}
	var b strings.Builder
	w := colorprofile.Writer{Forward: &b, Profile: m.profile}
	for _, r := range m.conv.lastRows(m.look, m.width, n) {
		// A strings.Builder takes everything.
		_, _ = w.WriteString(clip(r, m.width, m.look.method) + "\r\n")
	}
	return b.String()
}

func (m *model) windowTitle() string {
	title := clip(safetext.Strip.Line(m.title), 200, m.look.method)
	if n := len(m.queue); n > 0 {
		title = strings.TrimSuffix(fmt.Sprintf("(%d?) %s", n, title), " ")
	}
	return title
}

func (m *model) titleRow(w int) string {
	return paint(m.look.strong, clip(" "+safetext.Strip.Line(m.title), w, m.look.method))
}

// low draws what is below the conversation in at most room rows.
func (m *model) low(w, room int) ([]string, *tea.Position) {
	least := 2 // rows for the conversation
	if room >= 14 {
		least = room / 4
	}
	if d := m.shown(); d != nil {
		rows, cursor := m.panel(d, w, max(3, room-least))
		if extra := room - least - len(rows); extra > 3 {
			above := m.widgetRows(protocol.AboveEditor, w, extra/2)
			below := m.widgetRows(protocol.BelowEditor, w, extra/2)
			if cursor != nil {
				cursor.Y += len(above)
			}
			rows = slices.Concat(above, rows, below)
		}
		return rows, cursor
	}
	boxH := max(1, min(room-least-2, room/3))
	m.prompt.box.layout(w-2, m.look.method)
	boxH = min(boxH, max(1, m.prompt.box.height(boxH)))
	spare := max(0, room-least-boxH-2)
	list := m.prompt.list(m.look, w, min(spare, 6))
	spare -= len(list)
	above := m.widgetRows(protocol.AboveEditor, w, (spare+1)/2)
	below := m.widgetRows(protocol.BelowEditor, w, spare-len(above))
	var p pane
	addBox(m.look, &p, m.prompt.box, "a message, / for commands, ? for help", w, boxH)
	rows := slices.Concat(above, list)
	rows = append(rows, m.look.rule(m.corner(protocol.BorderTopLeft, w), m.corner(protocol.BorderTopRight, w), w))
	p.cursor.Y += len(rows)
	rows = append(rows, p.rows...)
	left := m.corner(protocol.BorderBottomLeft, w)
	if m.tooSoon {
		left = paint(m.look.warn, "that came too soon: enter again")
	}
	rows = append(rows, m.look.rule(left, m.corner(protocol.BorderBottomRight, w), w))
	return append(rows, below...), p.cursor
}

// panel draws a dialog.
func (m *model) panel(d *dialog, w, room int) ([]string, *tea.Position) {
	l := m.look
	margin := 1
	if w < 60 {
		margin = 0
	}
	p := d.body.view(l, w-2*margin, max(1, room-2))
	name := paint(l.accent, string(d.request.Method()))
	if n := len(m.queue); n > 1 {
		name += paint(l.warn, fmt.Sprintf(" %d of %d", m.current+1, n))
	}
	var right []string
	if sign := p.signAbove(); sign != "" {
		right = append(right, paint(l.warn, sign))
	}
	if bar := d.bar(m.now, min(10, w/8)); bar != "" {
		right = append(right, paint(l.warn, bar))
	}
	rows := []string{l.rule(name, strings.Join(right, " "), w)}
	for _, r := range p.rows {
		rows = append(rows, strings.Repeat(" ", margin)+r)
	}
	below := ""
	if p.below > 0 && !p.titled {
		below = paint(l.warn, fmt.Sprintf("↓ %d more", p.below))
	}
	rows = append(rows, l.rule(m.hintText(d, p, w-6-l.method.StringWidth(below)), below, w))
	if p.cursor != nil {
		return rows, &tea.Position{X: p.cursor.X + margin, Y: p.cursor.Y + 1}
	}
	return rows, nil
}

// signAbove says how much is not shown, as far as that stands above the pane: all of
// it where the rows are those of a title, as more below would seem to be text.
func (p *pane) signAbove() string {
	sign := ""
	if p.above > 0 {
		sign = fmt.Sprintf("↑ %d ", p.above)
	}
	if p.titled && p.below > 0 {
		sign += fmt.Sprintf("↓ %d ", p.below)
	}
	if sign == "" {
		return ""
	}
	if p.titled {
		sign = "title: " + sign
	}
	return sign + "more"
}

// hintText names the keys of a dialog as far as there is room, or says what is
// more urgent.
func (m *model) hintText(d *dialog, p pane, room int) string {
	l := m.look
	if d.stray {
		return paint(l.warn, clip("typing does not count here", room, l.method))
	}
	if d.tooSoon {
		return paint(l.warn, clip("that came too soon: enter again", room, l.method))
	}
	if !d.guard.early.IsZero() {
		return paint(l.warn, clip("keys typed before this was shown do not count", room, l.method))
	}
	bindings := d.body.hints()
	if len(m.queue) > 1 {
		bindings = slices.Insert(slices.Clone(bindings), min(2, len(bindings)), bind("ctrl+n", "next"))
	}
	text := p.note
	if text != "" {
		text = paint(l.warn, text)
	}
	text = joinHints(l, text, bindings, room)
	if place := paint(l.faint, " · "+p.place); p.place != "" && l.method.StringWidth(text+place) <= room {
		text += place
	}
	return text
}

func joinHints(l *look, text string, bindings []key.Binding, room int) string {
	for _, b := range bindings {
		one := b.Help().Key + " " + paint(l.faint, b.Help().Desc)
		if text != "" {
			one = paint(l.faint, " · ") + one
		}
		if l.method.StringWidth(text)+l.method.StringWidth(one) > room {
			break
		}
		text += one
	}
	return text
}

// corner is the text of the widgets in one corner of the editor's border.
func (m *model) corner(at protocol.Placement, w int) string {
	var parts []string
	for _, x := range m.widgets {
		if x.Placement.Normal() == at {
			line := m.look.decorated(x.Lines[0], w/2)
			if len(x.Lines) > 1 {
				line += " …"
			}
			parts = append(parts, line)
		}
	}
	return clip(strings.Join(parts, " "), w/2-2, m.look.method)
}

// widgetRows are the widgets of one placement in at most room rows, with a sign
// if that is not all.
func (m *model) widgetRows(at protocol.Placement, w, room int) []string {
	var rows []string
	for _, x := range m.widgets {
		if x.Placement.Normal() == at {
			for _, line := range x.Lines {
				rows = append(rows, m.look.decorated(line, w))
			}
		}
	}
	if len(rows) <= room {
		return rows
	}
	if room <= 0 {
		return nil
	}
	hidden := len(rows) - room + 1
	return append(rows[:room-1:room-1], paint(m.look.faint, clip(fmt.Sprintf("… %d more lines · f2 shows all", hidden), w, m.look.method)))
}

// statusRows are all statuses, in as many rows as there is room for.
func (m *model) statusRows(w, h int) []string {
	l := m.look
	limit := 1
	if h >= 16 {
		limit = 3
	}
	right := paint(l.faint, "? help")
	if m.starting {
		right = paint(l.faint, "starting…")
	}
	if m.busy {
		right = paint(l.accent, "● working")
	}
	var rows []string
	row, hidden := " ", 0
	for _, s := range m.statuses {
		one := paint(l.faint, safetext.Line(s.key)) + " " + l.decorated(s.text, w)
		sep := ""
		if row != " " {
			sep = paint(l.faint, " · ")
		}
		last := len(rows) == limit-1
		fits := w - 1
		if last {
			fits -= l.method.StringWidth(right) + 5
		}
		switch {
		case hidden > 0:
			hidden++
		case l.method.StringWidth(row+sep+one) <= fits:
			row += sep + one
		case last && row != " ":
			hidden++
		case last:
			row += clip(one, fits-1, l.method)
		case row == " ":
			rows = append(rows, row+clip(one, w-1, l.method))
		default:
			rows = append(rows, row)
			row = " " + clip(one, w-1, l.method)
		}
	}
	if hidden > 0 {
		row += paint(l.faint, fmt.Sprintf(" +%d", hidden))
	}
	return append(rows, beside(row, right+" ", w, l.method))
}

// overlayRows draw a page over everything.
func (m *model) overlayRows(w, h int) []string {
	var rows []string
	title := "help"
	switch m.overlay {
	case overlayHelp:
		rows = m.helpRows(w)
	case overlayAll:
		title = "widgets and statuses"
		rows = m.allRows(w)
	}
	body, above, below := m.overlayTop.view(rows, h-2, -1, -1)
	up, down := "", ""
	if above > 0 {
		up = paint(m.look.warn, fmt.Sprintf("↑ %d more", above))
	}
	if below > 0 {
		down = paint(m.look.warn, fmt.Sprintf("↓ %d more", below))
	}
	out := append([]string{m.look.rule(paint(m.look.accent, title), up, w)}, body...)
	for len(out) < h-1 {
		out = append(out, "")
	}
	return append(out, m.look.rule("esc back", down, w))
}

func (m *model) helpRows(w int) []string {
	var rows []string
	titles, groups := helpKeys()
	if d := m.shown(); d != nil {
		titles = append([]string{"This dialog"}, titles...)
		groups = append([][]key.Binding{d.body.hints()}, groups...)
	}
	const keysWidth = 26
	for i, group := range groups {
		if i > 0 {
			rows = append(rows, "")
		}
		rows = append(rows, paint(m.look.strong, titles[i]))
		for _, b := range group {
			keys, does := b.Help().Key, b.Help().Desc
			if w < 60 {
				rows = append(rows, wrap("  "+keys+": "+does, w, m.look.method)...)
				continue
			}
			for j, r := range wrap(does, w-keysWidth-2, m.look.method) {
				rows = append(rows, "  "+pad(lead(keys, "", j), keysWidth, m.look.method)+paint(m.look.faint, r))
			}
		}
	}
	return rows
}

// allRows are the title, the statuses and the widgets with nothing left out.
func (m *model) allRows(w int) []string {
	l := m.look
	block := func(text string) []string { return wrap(safetext.Strip.Block(text), w, l.method) }
	rows := append([]string{paint(l.strong, "Title")}, block(m.title)...)
	for _, s := range m.statuses {
		rows = append(rows, "", paint(l.strong, "Status "+safetext.Line(s.key)))
		rows = append(rows, block(s.text)...)
	}
	for _, x := range m.widgets {
		rows = append(rows, "", paint(l.strong, fmt.Sprintf("Widget %s, %s", safetext.Line(x.Key), x.Placement.Normal())))
		rows = append(rows, block(strings.Join(x.Lines, "\n"))...)
	}
	return rows
}

// toolAt returns the tool call whose rows hold the row y of the screen.
func (m *model) toolAt(y int) *item {
	if m.height >= 12 && m.title != "" {
		y--
	}
	if y < 0 || y >= m.convH {
		return nil
	}
	c := m.conv
	if c.follow {
		at := len(c.items)
		rows := 0
		for at > 0 && rows < m.convH {
			at--
			rows += len(c.rowsOf(m.look, at, m.width))
		}
		if rows > m.convH {
			y += rows - m.convH
		}
		return c.toolIn(m.look, m.width, at, y)
	}
	return c.toolIn(m.look, m.width, c.item, y+c.row)
}

func (c *conversation) toolIn(l *look, width, at, y int) *item {
	for i := at; i < len(c.items); i++ {
		n := len(c.rowsOf(l, i, width))
		if y < n {
			if c.items[i].kind == kindTool {
				return c.items[i]
			}
			return nil
		}
		y -= n
	}
	return nil
}
