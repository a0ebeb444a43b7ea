package terminal

import (
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"extui/internal/safetext"
)

// prompt is the editor for what goes to the agent.
type prompt struct {
	box     *textbox
	history []string
	at      int            // in history; len(history) is the text being written
	drafts  map[int]string // what has become of those texts since, by at

	// theirs is the text that the agent has put into the box last. As long as it
	// stands there untouched it is nobody's loss when the agent puts in another:
	// what is kept, there and for undo, is what a person has typed.
	theirs string

	// recall holds texts that were put aside: replaced by the agent, or typed into
	// a dialog that ended by itself. The newest is last.
	recall []string

	// Completions of what stands before the cursor.
	found   []string
	marked  int    // -1 for none
	forText string // the text and place they are for
	forPos  int
	asked   bool // a request is under way
	stale   bool // and the text has changed since
}

const (
	maxHistory = 500
	maxRecall  = 50
)

func newPrompt() *prompt { return &prompt{box: newTextbox("", false), marked: -1} }

// submit takes the text out and remembers it.
func (p *prompt) submit() string {
	text := p.box.text()
	for _, at := range slices.Sorted(maps.Keys(p.drafts)) {
		// What was written before another text was fetched and sent.
		if d := p.drafts[at]; at != p.at && (at == len(p.history) || d != p.history[at]) {
			p.keep(d)
		}
	}
	if n := len(p.history); n == 0 || p.history[n-1] != text {
		p.history = append(p.history, text)
		if len(p.history) > maxHistory {
			p.history = p.history[1:]
		}
	}
	p.clear()
	return text
}

func (p *prompt) clear() {
	p.box = newTextbox("", false)
	p.at, p.drafts, p.theirs = len(p.history), nil, ""
	p.closeList()
}

// keep puts a text aside to be called back.
func (p *prompt) keep(text string) {
	if n := len(p.recall); text == "" || n > 0 && p.recall[n-1] == text {
		return
	}
	p.recall = append(p.recall, text)
	if len(p.recall) > maxRecall {
		p.recall = p.recall[1:]
	}
}

// set is set_editor_text. It reports whether that has changed the text.
func (p *prompt) set(text string) bool {
	old := p.box.text()
	if old == text {
		return false
	}
	if old == p.theirs {
		p.box.overwrite(text)
	} else {
		p.keep(old)
		p.box.replace(text)
	}
	p.theirs = text
	p.closeList()
	return true
}

// callBack exchanges the text with the one put aside last.
func (p *prompt) callBack() bool {
	n := len(p.recall)
	if n == 0 {
		return false
	}
	text := p.recall[n-1]
	p.recall = p.recall[:n-1]
	if now := p.box.text(); now != "" && now != text {
		p.recall = append([]string{now}, p.recall...)
	}
	p.box.replace(text)
	p.closeList()
	return true
}

// older and newer walk through the history.
func (p *prompt) older() bool { return p.at > 0 && p.walk(p.at-1) }

func (p *prompt) newer() bool { return p.at < len(p.history) && p.walk(p.at+1) }

// walk shows another text of the history, and keeps what has become of the present
// one until a text is sent.
func (p *prompt) walk(to int) bool {
	if p.drafts == nil {
		p.drafts = map[int]string{}
	}
	p.drafts[p.at] = p.box.text()
	p.at = to
	text, edited := p.drafts[to]
	if !edited && to < len(p.history) {
		text = p.history[to]
	}
	p.box.replace(text)
	return true
}

// key handles a key that is none of the program's and reports whether it has.
func (p *prompt) key(k tea.KeyPressMsg) bool {
	switch k.Keystroke() {
	case "shift+enter", "alt+enter", "ctrl+j":
		p.box.insert("\n", true)
	case "up":
		return p.box.vertical(-1) || p.older()
	case "down":
		return p.box.vertical(1) || p.newer()
	default:
		return p.box.key(k)
	}
	return true
}

// wantsList reports whether the text is one that is completed as it is typed.
func (p *prompt) wantsList() bool {
	before, _ := p.box.underCursor()
	return strings.HasPrefix(before, "/") && !strings.Contains(before, "\n")
}

func (p *prompt) closeList() { p.found, p.marked = nil, -1 }

// completed takes the completions for text[:pos]. They are stale if the text has
// changed since.
func (p *prompt) completed(text string, pos int, found []string) {
	before, _ := p.box.underCursor()
	if p.box.text() != text || len(before) != pos {
		return
	}
	p.found, p.marked, p.forText, p.forPos = nil, -1, text, pos
	for _, f := range found {
		if f != before {
			p.found = append(p.found, f)
		}
	}
}

// tab puts in what all completions have in common, or walks through them.
func (p *prompt) tab(dir int) {
	if len(p.found) == 0 {
		return
	}
	before, _ := p.box.underCursor()
	if len(p.found) == 1 {
		p.accept(p.found[0])
		return
	}
	if common := commonPrefix(p.found); p.marked < 0 && len(common) > len(before) && strings.HasPrefix(common, before) {
		p.put(common)
		return
	}
	switch {
	case p.marked < 0 && dir < 0:
		p.marked = len(p.found) - 1
	default:
		p.marked = (p.marked + dir + len(p.found)) % len(p.found)
	}
}

// put replaces what stands before the cursor.
func (p *prompt) put(text string) {
	p.box.deleteTo(0, 0, false)
	p.box.insert(text, false)
}

func (p *prompt) accept(text string) {
	p.put(text)
	p.closeList()
}

func commonPrefix(all []string) string {
	prefix := all[0]
	for _, s := range all[1:] {
		for !strings.HasPrefix(s, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return strings.ToValidUTF8(prefix, "")
}

// list is the completions as at most h rows.
func (p *prompt) list(l *look, width, h int) []string {
	if len(p.found) == 0 || h <= 0 {
		return nil
	}
	from := 0
	if len(p.found) > h {
		from = max(0, min(p.marked-h/2, len(p.found)-h))
	}
	var rows []string
	for i := from; i < len(p.found) && len(rows) < h; i++ {
		text := safetext.Line(p.found[i])
		switch {
		case i == p.marked:
			rows = append(rows, paint(l.marked, clip("▸ "+text, width, l.method)))
		case len(rows) == h-1 && i < len(p.found)-1:
			rows = append(rows, paint(l.faint, clip("  "+text+"  …", width, l.method)))
		default:
			rows = append(rows, paint(l.faint, clip("  "+text, width, l.method)))
		}
	}
	return rows
}
