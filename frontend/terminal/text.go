package terminal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"extui/internal/safetext"
)

// tabWidth is how far apart tab stops are in a text that is shown or edited.
const tabWidth = 4

// cell returns how the first grapheme cluster of s, which must not be empty, is
// shown in column col: its bytes, what stands on the screen for them and how
// many columns that takes. What has no shape of its own gets one.
func cell(s string, col int, m ansi.Method) (cluster, shown string, width int) {
	c := s[0]
	if c >= ' ' && c <= '~' && (len(s) == 1 || s[1] < 0x80) {
		return s[:1], s[:1], 1
	}
	if c == '\t' {
		width = tabWidth - col%tabWidth
		return s[:1], "    "[:width], width
	}
	if c < ' ' || c == 0x7F {
		return s[:1], safetext.Line(s[:1]), 1
	}
	cluster, width = ansi.FirstGraphemeCluster(s, m)
	shown = safetext.Line(cluster)
	if shown != cluster {
		width = m.StringWidth(shown)
	}
	if width == 0 { // nothing may be there without being seen
		shown, width = "\uFFFD", 1
	}
	return cluster, shown, width
}

// fitted is cell for a row of width columns: a mark that is wider than that is
// shown as a single sign.
func fitted(s string, col, width int, m ansi.Method) (cluster, shown string, w int) {
	cluster, shown, w = cell(s, col, m)
	if w > width {
		shown, w = "\uFFFD", 1
	}
	return cluster, shown, w
}

// row is one row of the screen that shows a part of a line.
type row struct {
	from, to int // bytes of the line
	text     string
	width    int
}

// wrapLine cuts a line without line breaks into rows of at most width columns,
// behind a space where there is one and anywhere where there is none. Nothing
// is left out: the rows together are the whole line. There is at least one.
func wrapLine(line string, width int, m ansi.Method) []row {
	width = max(width, 1)
	var rows []row
	var b strings.Builder
	start, col := 0, 0
	spaceAt, spaceLen, spaceCol := -1, 0, 0 // behind the last space of the row
	flush := func(to, cut, w int) {
		rows = append(rows, row{start, to, b.String()[:cut], measured(b.String()[:cut], w, m)})
		rest := b.String()[cut:]
		b.Reset()
		b.WriteString(rest)
		start, spaceAt = to, -1
	}
	for i := 0; i < len(line); {
		cluster, shown, w := fitted(line[i:], col, width, m)
		if col+w > width {
			if spaceAt > start && spaceAt < i {
				used := spaceCol
				flush(spaceAt, spaceLen, used)
				col -= used
				if cluster == "\t" {
					cluster, shown, w = fitted(line[i:], col, width, m)
				}
			}
			if col+w > width {
				flush(i, b.Len(), col)
				col = 0
				if cluster == "\t" {
					cluster, shown, w = fitted(line[i:], col, width, m)
				}
			}
		}
		b.WriteString(shown)
		col += w
		i += len(cluster)
		if cluster == " " || cluster == "\t" {
			spaceAt, spaceLen, spaceCol = i, b.Len(), col
		}
	}
	return append(rows, row{start, len(line), b.String(), measured(b.String(), col, m)})
}

// measured is the width of a row whose parts have that width together. It is less
// where a mark has taken the place of a character and what follows, such as the
// modifier of an emoji, joins the mark.
func measured(text string, sum int, m ansi.Method) int {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return m.StringWidth(text)
		}
	}
	return sum
}

// wrap cuts a safe text into rows of at most width columns.
func wrap(text string, width int, m ansi.Method) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		for _, r := range wrapLine(line, width, m) {
			out = append(out, r.text)
		}
	}
	return out
}

// folded are the rows of a text that stays the same. They are kept as long as the
// screen does, for a text may have millions of characters and frames come often.
type folded struct {
	look  *look
	width int
	kept  []string
}

// rows returns what fold makes; it must depend on the look and the width alone. The
// rows belong to f: copy them before a change.
func (f *folded) rows(l *look, width int, fold func() []string) []string {
	if f.look != l || f.width != width {
		f.look, f.width = l, width
		f.kept = slices.Clip(fold())
	}
	return f.kept
}

// title returns the rows of a dialog's title.
func (f *folded) title(l *look, width int, text string) []string {
	return f.rows(l, width, func() []string {
		return paintAll(l.strong, wrap(safetext.Block(text), width, l.method))
	})
}

// pad makes s, which may have styles, exactly width columns wide. What is cut
// off leaves a sign.
func pad(s string, width int, m ansi.Method) string {
	w := m.StringWidth(s)
	if w > width {
		s = clip(s, width, m)
		w = m.StringWidth(s)
	}
	if w < width {
		s += strings.Repeat(" ", width-w)
	}
	return s
}

// clip shortens s, which may have styles, to width columns, with a sign if
// something is missing.
func clip(s string, width int, m ansi.Method) string {
	if width <= 0 {
		return ""
	}
	if m.StringWidth(s) <= width {
		return s
	}
	var b strings.Builder
	state, col, full := byte(0), 0, false
	for len(s) > 0 {
		seq, w, n, next := m.DecodeSequenceInString(s, state, nil)
		s, state = s[n:], next
		switch {
		case w == 0 && strings.HasPrefix(seq, "\x1b"): // styles end behind the cut, too
			b.WriteString(seq)
		case full:
		case col+w > width-1:
			b.WriteString("…")
			full = true
		default:
			b.WriteString(seq)
			col += w
		}
	}
	return b.String()
}

// beside sets left and right at the two ends of a row; left gives way first.
func beside(left, right string, width int, m ansi.Method) string {
	rw := m.StringWidth(right)
	if rw >= width {
		return pad(right, width, m)
	}
	return pad(left, width-rw, m) + right
}

// firstLine returns the first line of s and whether there is more than that.
func firstLine(s string) (line string, more bool) {
	line, rest, more := strings.Cut(s, "\n")
	line = strings.TrimSuffix(line, "\r")
	return line, more && rest != ""
}
