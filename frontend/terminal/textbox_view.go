package terminal

import (
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// layout wraps the text at width columns; a width of its own is remembered.
func (t *textbox) layout(width int, m ansi.Method) {
	// The cursor needs a column behind the last character of a full row.
	width = max(width-1, 1)
	if t.wrapped == nil || t.width != width || t.method != m {
		t.wrapped, t.width, t.method = make(map[int][]row), width, m
	}
}

func (t *textbox) rowsOf(line int) []row {
	if t.wrapped == nil {
		t.wrapped = make(map[int][]row)
	}
	rows, ok := t.wrapped[line]
	if !ok {
		rows = wrapLine(t.lines[line], max(t.width, 1), t.method)
		t.wrapped[line] = rows
	}
	return rows
}

// height returns how many rows the text has, at most limit.
func (t *textbox) height(limit int) int {
	n := 0
	for i := range t.lines {
		if n += len(t.rowsOf(i)); n >= limit {
			return limit
		}
	}
	return n
}

// cursorRow returns which of its line's rows the cursor is in, and its column.
func (t *textbox) cursorRow() (index, column int) {
	rows := t.rowsOf(t.row)
	index = sort.Search(len(rows), func(i int) bool { return rows[i].to > t.col })
	index = min(index, len(rows)-1)
	line := t.lines[t.row]
	for i := rows[index].from; i < t.col; {
		cluster, _, w := fitted(line[i:], column, max(t.width, 1), t.method)
		column += w
		i += len(cluster)
	}
	return index, column
}

// vertical moves the cursor n rows down, or up if n is negative. It reports
// whether the cursor has moved.
func (t *textbox) vertical(n int) bool {
	index, column := t.cursorRow()
	if t.goal < 0 {
		t.goal = column
	}
	row, moved := t.row, false
	for ; n < 0 && (index > 0 || row > 0); n++ {
		if index--; index < 0 {
			row--
			index = len(t.rowsOf(row)) - 1
		}
		moved = true
	}
	for ; n > 0 && (index < len(t.rowsOf(row))-1 || row < len(t.lines)-1); n-- {
		if index++; index == len(t.rowsOf(row)) {
			row, index = row+1, 0
		}
		moved = true
	}
	if !moved {
		return false
	}
	r, line := t.rowsOf(row)[index], t.lines[row]
	at, col := r.from, 0
	for at < r.to {
		cluster, _, w := fitted(line[at:], col, max(t.width, 1), t.method)
		if col+w > t.goal || at+len(cluster) >= r.to && r.to < len(line) {
			break
		}
		col += w
		at += len(cluster)
	}
	t.row, t.col, t.typing = row, at, false
	return true
}

// view returns h rows of the text with the cursor among them, where the cursor
// stands, and how many rows there are above and below.
func (t *textbox) view(width, h int, m ansi.Method) (out []string, x, y, above, below int) {
	t.layout(width, m)
	h = max(h, 1)
	index, x := t.cursorRow()
	at := index
	for i := range t.row {
		at += len(t.rowsOf(i))
	}
	total := at - index
	for i := t.row; i < len(t.lines); i++ {
		total += len(t.rowsOf(i))
	}
	switch {
	case at < t.top:
		t.top = at
	case at >= t.top+h:
		t.top = at - h + 1
	}
	t.top = max(0, min(t.top, total-h))
	n := 0
	for i := range t.lines {
		rows := t.rowsOf(i)
		if n+len(rows) <= t.top {
			n += len(rows)
			continue
		}
		for _, r := range rows {
			if n >= t.top && len(out) < h {
				out = append(out, r.text)
			}
			n++
		}
		if len(out) == h {
			break
		}
	}
	return out, x, at - t.top, t.top, max(0, total-t.top-len(out))
}

// underCursor returns the text in front of the cursor and the one behind it.
func (t *textbox) underCursor() (before, after string) {
	lines := append(append([]string(nil), t.lines[:t.row]...), t.lines[t.row][:t.col])
	before = strings.Join(lines, "\n")
	return before, t.text()[len(before):]
}
