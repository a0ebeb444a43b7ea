package terminal

import (
	"bytes"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// tables turns a paragraph that has GitHub's table in it into one. The parser's
// own extension would cost every start of the program several milliseconds, for
// other things in the same package.
type tables struct{}

// Transform implements [parser.ParagraphTransformer].
func (tables) Transform(p *ast.Paragraph, r text.Reader, _ parser.Context) {
	lines, src := p.Lines(), r.Source()
	for i := 1; i < lines.Len(); i++ {
		ruler, head := splitCells(lines.At(i), src), splitCells(lines.At(i-1), src)
		if len(ruler) != len(head) || bytes.IndexByte(src[lines.At(i).Start:lines.At(i).Stop], '|') < 0 {
			continue
		}
		sides, ok := alignments(ruler, src)
		if !ok {
			continue
		}
		t := east.NewTable()
		t.Alignments = sides
		t.AppendChild(t, tableRow(head))
		for j := i + 1; j < lines.Len(); j++ {
			t.AppendChild(t, tableRow(splitCells(lines.At(j), src)))
		}
		lines.SetSliced(0, i-1)
		p.Parent().InsertAfter(p.Parent(), p, t)
		if i == 1 {
			p.Parent().RemoveChild(p.Parent(), p)
		}
		return
	}
}

func tableRow(cells []text.Segment) ast.Node {
	row := east.NewTableRow(nil)
	for _, s := range cells {
		c := east.NewTableCell()
		c.Lines().Append(s)
		row.AppendChild(row, c)
	}
	return row
}

// splitCells cuts a row of a table at its bars.
func splitCells(line text.Segment, src []byte) []text.Segment {
	line = bare(line, src)
	if s := line.Value(src); len(s) > 0 && s[0] == '|' {
		line = line.WithStart(line.Start + 1)
	}
	var cells []text.Segment
	from := line.Start
	for i := from; i < line.Stop; i++ {
		switch src[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, bare(text.NewSegment(from, i), src))
			from = i + 1
		}
	}
	if from < line.Stop || len(cells) == 0 {
		cells = append(cells, bare(text.NewSegment(from, line.Stop), src))
	}
	return cells
}

// bare is a segment without the blanks around it.
func bare(s text.Segment, src []byte) text.Segment {
	s = s.TrimLeftSpace(src)
	return s.TrimRightSpace(src)
}

func alignments(ruler []text.Segment, src []byte) ([]east.Alignment, bool) {
	var out []east.Alignment
	for _, cell := range ruler {
		s := string(cell.Value(src))
		left, right := strings.HasPrefix(s, ":"), strings.HasSuffix(s, ":")
		s = strings.TrimSuffix(strings.TrimPrefix(s, ":"), ":")
		if s == "" || strings.Trim(s, "-") != "" {
			return nil, false
		}
		switch {
		case left && right:
			out = append(out, east.AlignCenter)
		case right:
			out = append(out, east.AlignRight)
		default:
			out = append(out, east.AlignLeft)
		}
	}
	return out, true
}

// narrowColumn is as narrow as a column with longer text may become.
const narrowColumn = 8

// grid is a table's text.
type grid struct {
	cells [][]rich // the first row is the head
	sides []east.Alignment
	width []int
}

// table draws aligned columns, in which text is wrapped. Where even that does
// not fit, every cell gets its own line behind its column's name.
func (md *markdown) table(t *east.Table, src []byte, width int, m ansi.Method) []string {
	g := grid{sides: t.Alignments}
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []rich
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			var r rich
			f := face(0)
			if len(g.cells) == 0 {
				f = faceStrong
			}
			r.inlines(c, src, f)
			if len(cells) == len(g.width) {
				g.width = append(g.width, 1)
			}
			g.width[len(cells)] = max(g.width[len(cells)], m.StringWidth(string(r.text)))
			cells = append(cells, r)
		}
		g.cells = append(g.cells, cells)
	}
	if !g.shrink(width) {
		return g.lines(md, width, m)
	}
	var out []string
	for i, cells := range g.cells {
		out = append(out, g.row(md, cells, m)...)
		if i == 0 {
			var parts []string
			for _, w := range g.width {
				parts = append(parts, strings.Repeat("─", w))
			}
			out = append(out, paint(md.inks[faceFaint], strings.Join(parts, "─┼─")))
		}
	}
	return out
}

// shrink makes the widest columns narrower until all fit, and reports whether
// they do.
func (g *grid) shrink(width int) bool {
	total := 3 * (len(g.width) - 1)
	least := total
	for _, w := range g.width {
		total += w
		least += min(w, narrowColumn)
	}
	if least > width {
		return false
	}
	for ; total > width; total-- {
		widest := 0
		for i, w := range g.width {
			if w > g.width[widest] {
				widest = i
			}
		}
		g.width[widest]--
	}
	return true
}

// row draws one row of the table.
func (g *grid) row(md *markdown, cells []rich, m ansi.Method) []string {
	wrapped := make([][]string, len(g.width))
	height := 1
	for i := range cells {
		wrapped[i] = cells[i].rows(md, g.width[i], m)
		height = max(height, len(wrapped[i]))
	}
	bar := paint(md.inks[faceFaint], " │ ")
	var out []string
	for y := range height {
		parts := make([]string, len(g.width))
		for i, w := range g.width {
			s := ""
			if y < len(wrapped[i]) {
				s = wrapped[i][y]
			}
			gap, before := max(0, w-m.StringWidth(s)), 0
			if i < len(g.sides) {
				switch g.sides[i] {
				case east.AlignRight:
					before = gap
				case east.AlignCenter:
					before = gap / 2
				}
			}
			parts[i] = strings.Repeat(" ", before) + s + strings.Repeat(" ", gap-before)
		}
		out = append(out, strings.Join(parts, bar))
	}
	return out
}

// lines draws the table as one line for each cell.
func (g *grid) lines(md *markdown, width int, m ansi.Method) []string {
	var out []string
	for i, cells := range g.cells {
		if i == 0 && len(g.cells) > 1 {
			continue
		}
		if len(out) > 0 {
			out = append(out, "")
		}
		for j, c := range cells {
			var r rich
			if i > 0 && j < len(g.cells[0]) {
				r = g.cells[0][j]
				r.text, r.faces = bytes.Clone(r.text), append([]face(nil), r.faces...)
				r.raw(": ", faceStrong)
			}
			r.text, r.faces = append(r.text, c.text...), append(r.faces, c.faces...)
			out = append(out, r.rows(md, width, m)...)
		}
	}
	return out
}
