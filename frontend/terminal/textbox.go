package terminal

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// textbox holds a text that is being edited. It keeps every byte it is given:
// tabs, carriage returns, a missing or present line break at the end, and bytes
// that are no UTF-8. What it shows of them is made safe, what it returns is not
// touched.
type textbox struct {
	single bool // one line: line breaks become spaces

	lines    []string // split at LF; never empty
	row, col int      // the cursor: a line and a byte in it, at a cluster's start
	goal     int      // the column that up and down aim at, -1 for the present one

	undo   []snapshot
	typing bool // the last edit was typed, so that the next one belongs to it
	killed string

	wrapped map[int][]row // rows of each line; of wrapWidth and wrapMethod
	width   int
	method  ansi.Method
	top     int // the first row of the window on all rows
}

type snapshot struct {
	lines    []string
	row, col int
}

const maxUndo = 200

func newTextbox(text string, single bool) *textbox {
	t := &textbox{single: single, goal: -1}
	t.lines = strings.Split(text, "\n")
	t.end()
	return t
}

// text returns the whole text, byte for byte.
func (t *textbox) text() string { return strings.Join(t.lines, "\n") }

func (t *textbox) empty() bool { return len(t.lines) == 1 && t.lines[0] == "" }

// end puts the cursor behind the last character.
func (t *textbox) end() {
	t.row = len(t.lines) - 1
	t.col = len(t.lines[t.row])
	t.goal = -1
}

// replace makes text the whole text; undo brings the old one back.
func (t *textbox) replace(text string) {
	t.save(false)
	t.overwrite(text)
}

// overwrite makes text the whole text, and the old one is lost.
func (t *textbox) overwrite(text string) {
	t.typing = false
	if t.single {
		text = oneLine(text)
	}
	t.lines = strings.Split(text, "\n")
	t.wrapped = nil
	t.end()
}

// oneLine replaces line breaks by spaces.
func oneLine(s string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(s)
}

// insert puts s in at the cursor. It is undone in one step, together with what
// was typed just before if typed is true.
func (t *textbox) insert(s string, typed bool) {
	if s == "" {
		return
	}
	t.save(typed)
	if t.single {
		s = oneLine(s)
	}
	line := t.lines[t.row]
	parts := strings.Split(s, "\n")
	last := len(parts) - 1
	tail := line[t.col:]
	parts[0] = line[:t.col] + parts[0]
	t.col = len(parts[last])
	parts[last] += tail
	if last == 0 {
		t.lines[t.row] = parts[0]
		delete(t.wrapped, t.row)
	} else {
		lines := make([]string, 0, len(t.lines)+last)
		lines = append(append(append(lines, t.lines[:t.row]...), parts...), t.lines[t.row+1:]...)
		t.lines, t.wrapped = lines, nil
		t.row += last
	}
	t.goal = -1
}

// save remembers the text for undo.
func (t *textbox) save(typed bool) {
	if typed && t.typing && len(t.undo) > 0 {
		return
	}
	t.typing = typed
	t.undo = append(t.undo, snapshot{append([]string(nil), t.lines...), t.row, t.col})
	if len(t.undo) > maxUndo {
		t.undo = t.undo[1:]
	}
}

func (t *textbox) undoLast() {
	t.typing = false
	n := len(t.undo)
	if n == 0 {
		return
	}
	s := t.undo[n-1]
	t.undo = t.undo[:n-1]
	t.lines, t.row, t.col, t.wrapped, t.goal = s.lines, s.row, s.col, nil, -1
}

// deleteTo removes what is between the cursor and another place.
func (t *textbox) deleteTo(row, col int, kill bool) {
	r1, c1, r2, c2 := row, col, t.row, t.col
	if r1 > r2 || r1 == r2 && c1 > c2 {
		r1, c1, r2, c2 = r2, c2, r1, c1
	}
	if r1 == r2 && c1 == c2 {
		return
	}
	t.save(false)
	if kill {
		cut := append([]string(nil), t.lines[r1:r2+1]...)
		cut[len(cut)-1] = cut[len(cut)-1][:c2]
		cut[0] = cut[0][c1:]
		t.killed = strings.Join(cut, "\n")
	}
	joined := t.lines[r1][:c1] + t.lines[r2][c2:]
	lines := make([]string, 0, len(t.lines)-(r2-r1))
	lines = append(append(append(lines, t.lines[:r1]...), joined), t.lines[r2+1:]...)
	if r1 == r2 {
		delete(t.wrapped, r1)
	} else {
		t.wrapped = nil
	}
	t.lines, t.row, t.col, t.goal = lines, r1, c1, -1
}

// The places around the cursor.

func (t *textbox) left() (row, col int) {
	if t.col == 0 {
		if t.row == 0 {
			return 0, 0
		}
		return t.row - 1, len(t.lines[t.row-1])
	}
	line := t.lines[t.row]
	// Clusters cannot be found backwards, and a line may be long: begin a little
	// way back, at a character that surely begins one.
	from := max(0, t.col-64)
	for from > 0 && (line[from] < ' ' || line[from] > '~') {
		from--
	}
	at := from
	for i := from; i < t.col; {
		at = i
		cluster, _ := ansi.FirstGraphemeCluster(line[i:], t.method)
		i += max(len(cluster), 1)
	}
	return t.row, at
}

func (t *textbox) right() (row, col int) {
	line := t.lines[t.row]
	if t.col == len(line) {
		if t.row == len(t.lines)-1 {
			return t.row, t.col
		}
		return t.row + 1, 0
	}
	cluster, _, _ := cell(line[t.col:], 0, t.method)
	return t.row, t.col + len(cluster)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

func (t *textbox) wordLeft() (row, col int) {
	if t.col == 0 {
		return t.left()
	}
	line, at := t.lines[t.row], t.col
	inWord := false
	for at > 0 {
		r, n := utf8.DecodeLastRuneInString(line[:at])
		if !isWord(r) && inWord {
			break
		}
		inWord = inWord || isWord(r)
		at -= n
	}
	return t.row, at
}

func (t *textbox) wordRight() (row, col int) {
	line, at := t.lines[t.row], t.col
	if at == len(line) {
		return t.right()
	}
	inWord := false
	for at < len(line) {
		r, n := utf8.DecodeRuneInString(line[at:])
		if !isWord(r) && inWord {
			break
		}
		inWord = inWord || isWord(r)
		at += n
	}
	return t.row, at
}

func (t *textbox) moveTo(row, col int) { t.row, t.col, t.goal, t.typing = row, col, -1, false }
