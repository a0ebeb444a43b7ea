package terminal

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"extui/internal/safetext"
)

// kind is what an item of the conversation is.
type kind int

const (
	kindText   kind = iota // a chunk of what the agent says, Markdown
	kindPrompt             // what the person has sent
	kindTool               // a tool call
	kindInfo               // a notification, or a line of the program
	kindGood
	kindWarning
	kindError
	kindKept // a text that was typed and not used
)

// item is one piece of the conversation. Its rows are kept until it or the
// width changes, so that a stream of text costs no more than its last piece.
type item struct {
	kind  kind
	text  string // safe
	joins bool   // a piece of text that goes on from the one before

	tool  string // safe; the name of the tool
	state string // of a tool: "", "done" or "failed"
	open  bool   // a tool's details are shown

	ended endOf

	rows  []string
	width int
	look  *look
}

// endOf says of which dialog an item tells that it is over without an answer.
type endOf struct {
	key  uint64 // the agent's order; 0: of none
	when time.Time
}

// together is how close the ends of dialogs must be to count as one event.
const together = time.Second

// Limits on what is kept. The oldest items go first.
const (
	maxItems = 5000
	maxBytes = 16 << 20
)

// conversation is what was said, and which part of it is on the screen. The
// position is an item and a row in it, so that nothing moves while more text
// comes below.
type conversation struct {
	items   []*item
	bytes   int
	dropped bool

	ending endOf // goes into the items that are added
	stream splitter
	tools  map[string]*item // by the agent's id, those that run

	follow   bool // the end is on the screen
	item     int  // the first item on the screen if not
	row      int  // its first row on the screen
	browse   bool // tool calls are being walked through
	selected *item
	unseen   bool // something has come while the end was not on the screen
}

func newConversation() *conversation {
	return &conversation{follow: true, tools: map[string]*item{}}
}

// add appends an item.
func (c *conversation) add(it *item) *item {
	c.endText()
	c.push(it)
	return it
}

func (c *conversation) push(it *item) {
	it.ended = c.ending
	c.items = append(c.items, it)
	c.bytes += len(it.text)
	c.unseen = c.unseen || !c.follow
	for len(c.items) > maxItems || c.bytes > maxBytes && len(c.items) > 1 {
		c.bytes -= len(c.items[0].text)
		c.items[0] = nil
		c.items = c.items[1:]
		c.dropped = true
		if c.item--; c.item < 0 {
			c.item, c.row = 0, 0
		}
	}
}

func (it *item) changed() { it.rows = nil }

// text appends a piece of what the agent says.
func (c *conversation) text(delta string) {
	for _, step := range c.stream.write(delta) {
		if step.fresh {
			c.push(&item{kind: kindText, text: step.text, joins: step.joins})
			continue
		}
		last := c.items[len(c.items)-1]
		last.text += step.text
		c.bytes += len(step.text)
		c.unseen = c.unseen || !c.follow
		last.changed()
	}
}

// endText ends a message of the agent.
func (c *conversation) endText() {
	if !c.stream.active() {
		return
	}
	if rest := c.stream.end(); rest != "" {
		last := c.items[len(c.items)-1]
		last.text += rest
		last.changed()
	}
}

// end adds what note adds about the end of a dialog. When many end at once, which
// happens in any order, they stand in the agent's.
func (c *conversation) end(e endOf, note func()) {
	c.ending = e
	note()
	c.ending = endOf{}
	if e.key == 0 {
		return
	}
	from := len(c.items)
	for from > 0 && c.items[from-1].ended == e {
		from--
	}
	to := from
	for to > 0 && c.items[to-1].ended.key > e.key && e.when.Sub(c.items[to-1].ended.when) < together {
		to--
	}
	group := slices.Clone(c.items[from:])
	copy(c.items[to+len(group):], c.items[to:from])
	copy(c.items[to:], group)
	if !c.follow && c.item >= to && c.item < from {
		c.item += len(group) // the window stays where it is
	}
}

func (c *conversation) note(k kind, text string) { c.add(&item{kind: k, text: text}) }

// toolStart adds the line of a tool call.
func (c *conversation) toolStart(id, name, args string) {
	it := c.add(&item{kind: kindTool, tool: safetext.Line(name), text: safetext.Block(args)})
	c.tools[id] = it
}

// toolText replaces what a tool has said so far.
func (c *conversation) toolText(id, text, state string) {
	it := c.tools[id]
	if it == nil {
		return
	}
	head, _, _ := strings.Cut(it.text, toolSeparator)
	c.bytes -= len(it.text)
	it.text = head
	if text != "" {
		it.text += toolSeparator + strings.TrimRight(safetext.Block(text), "\n")
	}
	c.bytes += len(it.text)
	it.state = state
	it.changed()
	if state != "" {
		delete(c.tools, id)
	}
}

// toolSeparator stands between the arguments and the output of a tool. A safe
// text holds no NUL.
const toolSeparator = "\x00"

// view returns h rows.
func (c *conversation) view(l *look, width, h int) []string {
	if h <= 0 {
		return nil
	}
	if !c.follow {
		rows := c.from(l, width, c.item, c.row, h)
		if len(rows) == h && !c.atEnd(l, width, h) {
			return rows
		}
		c.follow = true
	}
	c.unseen = false
	rows := c.lastRows(l, width, h)
	for len(rows) < h {
		rows = append(rows, "")
	}
	return rows
}

// from returns up to h rows that begin at a place.
func (c *conversation) from(l *look, width, at, row, h int) []string {
	var out []string
	for i := at; i < len(c.items) && len(out) < h; i++ {
		rows := c.rowsOf(l, i, width)
		if i == at {
			rows = rows[min(row, len(rows)):]
		}
		out = append(out, rows[:min(len(rows), h-len(out))]...)
	}
	return out
}

// lastRows returns up to h rows from the end.
func (c *conversation) lastRows(l *look, width, h int) []string {
	var parts [][]string
	n := 0
	for i := len(c.items) - 1; i >= 0 && n < h; i-- {
		rows := c.rowsOf(l, i, width)
		rows = rows[max(0, len(rows)-(h-n)):]
		parts = append(parts, rows)
		n += len(rows)
	}
	out := make([]string, 0, h)
	for i := len(parts) - 1; i >= 0; i-- {
		out = append(out, parts[i]...)
	}
	return out
}

// atEnd reports whether the window reaches the end of the conversation.
func (c *conversation) atEnd(l *look, width, h int) bool {
	n := -c.row
	for i := c.item; i < len(c.items); i++ {
		if n += len(c.rowsOf(l, i, width)); n > h {
			return false
		}
	}
	return true
}

// scroll moves the window n rows down, or up if n is negative.
func (c *conversation) scroll(l *look, width, h, n int) {
	if len(c.items) == 0 {
		return
	}
	if c.follow {
		if n >= 0 {
			return
		}
		c.anchorEnd(l, width, h)
	}
	c.row += n
	for c.row < 0 && c.item > 0 {
		c.item--
		c.row += len(c.rowsOf(l, c.item, width))
	}
	c.row = max(c.row, 0)
	for c.item < len(c.items)-1 && c.row >= len(c.rowsOf(l, c.item, width)) {
		c.row -= len(c.rowsOf(l, c.item, width))
		c.item++
	}
	c.follow = n > 0 && c.atEnd(l, width, h)
}

// anchorEnd holds the window where the end is now.
func (c *conversation) anchorEnd(l *look, width, h int) {
	c.follow = false
	c.item = len(c.items)
	for n := 0; n < h && c.item > 0; {
		c.item--
		n += len(c.rowsOf(l, c.item, width))
		c.row = max(0, n-h)
	}
}

func (c *conversation) toTop() { c.follow, c.item, c.row = false, 0, 0 }
func (c *conversation) toEnd() { c.follow, c.unseen = true, false }

// reveal brings an item onto the screen.
func (c *conversation) reveal(l *look, width, h int, it *item) {
	for i, other := range c.items {
		if other != it {
			continue
		}
		c.follow, c.item, c.row = false, i, 0
		c.scroll(l, width, h, -h/3)
		return
	}
}

// browseStep moves to the next tool call in a direction, and begins at the last.
func (c *conversation) browseStep(l *look, width, h, dir int) {
	var tools []*item
	at := -1
	for _, it := range c.items {
		if it.kind == kindTool {
			if it == c.selected {
				at = len(tools)
			}
			tools = append(tools, it)
		}
	}
	if len(tools) == 0 {
		c.endBrowse()
		return
	}
	if at < 0 {
		at = len(tools) - 1
	} else {
		at = max(0, min(len(tools)-1, at+dir))
	}
	c.browse = true
	c.selectTool(tools[at])
	c.reveal(l, width, h, tools[at])
}

func (c *conversation) selectTool(it *item) {
	if c.selected != nil {
		c.selected.changed()
	}
	c.selected = it
	if it != nil {
		it.changed()
	}
}

func (c *conversation) endBrowse() {
	c.browse = false
	c.selectTool(nil)
}

func (c *conversation) toggle() {
	if c.selected != nil {
		c.selected.open = !c.selected.open
		c.selected.changed()
	}
}

// rowsOf returns the rows of an item, the blank one above it included.
func (c *conversation) rowsOf(l *look, i, width int) []string {
	it := c.items[i]
	if it.rows == nil || it.width != width || it.look != l {
		it.rows, it.width, it.look = c.render(l, i, width), width, l
	}
	return it.rows
}

func (c *conversation) render(l *look, i, width int) []string {
	it := c.items[i]
	var rows []string
	switch it.kind {
	case kindText:
		rows = l.md.rows(it.text, width, l.method)
	case kindPrompt:
		for j, r := range wrap(it.text, max(1, width-2), l.method) {
			rows = append(rows, paint(l.accent, lead("› ", "  ", j))+paint(l.strong, r))
		}
	case kindTool:
		rows = it.toolRows(l, width, it == c.selected)
	default:
		mark, st := "· ", l.faint
		switch it.kind {
		case kindGood:
			mark, st = "✓ ", l.good
		case kindWarning:
			mark, st = "! ", l.warn
		case kindError:
			mark, st = "✗ ", l.bad
		case kindKept:
			mark = "│ "
		}
		for j, r := range wrap(it.text, max(1, width-2), l.method) {
			if it.kind == kindKept {
				rows = append(rows, paint(l.faint, mark)+r)
				continue
			}
			rows = append(rows, paint(st, lead(mark, "  ", j)+r))
		}
	}
	if i == 0 && c.dropped {
		rows = append([]string{paint(l.faint, clip("… what came before is no longer kept", width, l.method))}, rows...)
	}
	if c.spaced(i) && len(rows) > 0 {
		rows = append([]string{""}, rows...)
	}
	if rows == nil {
		rows = []string{}
	}
	return rows
}

// spaced reports whether a blank row stands above an item.
func (c *conversation) spaced(i int) bool {
	if i == 0 || c.items[i].joins {
		return false
	}
	a, b := c.items[i-1].kind, c.items[i].kind
	return a == kindText || b == kindText || a == kindPrompt || b == kindPrompt
}

func lead(first, others string, i int) string {
	if i == 0 {
		return first
	}
	return others
}

// toolRows is one row, and everything if it is open.
func (it *item) toolRows(l *look, width int, selected bool) []string {
	args, output, _ := strings.Cut(it.text, toolSeparator)
	sign, st := "○", l.faint
	switch it.state {
	case "done":
		sign, st = "●", l.good
	case "failed":
		sign, st = "✗", l.bad
	}
	arrow := "▸"
	if it.open {
		arrow = "▾"
	}
	line := fmt.Sprintf("%s %s", it.tool, strings.ReplaceAll(summary(args, width), "\t", " "))
	if it.state == "failed" {
		line += " failed: " + summary(output, width)
	}
	head := clip(line, max(1, width-4), l.method)
	if selected {
		head = paint(l.marked, head)
	} else {
		head = paint(l.faint, head)
	}
	rows := []string{paint(st, sign) + " " + paint(l.faint, arrow) + " " + head}
	if !it.open {
		return rows
	}
	detail := func(title, text string) {
		if text == "" {
			return
		}
		rows = append(rows, paint(l.faint, "  │ "+title))
		for _, r := range wrap(text, max(1, width-4), l.method) {
			rows = append(rows, paint(l.faint, "  │ ")+r)
		}
	}
	detail("input", args)
	detail("output", output)
	return rows
}

// keptText is a typed text as it is shown in the conversation: whole, but as
// data.
func keptText(s string) string { return strings.TrimRight(safetext.Block(s), "\n") }
