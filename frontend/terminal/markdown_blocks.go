package terminal

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"extui/internal/safetext"
)

// leastWidth is where blocks inside others are no longer indented.
const leastWidth = 8

// blocks renders a block and those after it, with a blank row between any two
// unless they are tight.
func (md *markdown) blocks(first ast.Node, src []byte, width int, m ansi.Method, tight bool) []string {
	var out []string
	for c := first; c != nil; c = c.NextSibling() {
		rows := md.block(c, src, width, m)
		if len(rows) > 0 && len(out) > 0 && !tight {
			out = append(out, "")
		}
		out = append(out, rows...)
	}
	return out
}

func (md *markdown) block(n ast.Node, src []byte, width int, m ansi.Method) []string {
	switch n := n.(type) {
	case *ast.Heading:
		var r rich
		r.raw(strings.Repeat("#", n.Level)+" ", faceHeading)
		r.inlines(n, src, faceHeading)
		return r.rows(md, width, m)
	case *ast.ThematicBreak:
		return []string{paint(md.inks[faceFaint], strings.Repeat("─", width))}
	case *ast.CodeBlock:
		return md.verbatim(n.Lines(), src, width, m)
	case *ast.FencedCodeBlock:
		if n.Info == nil {
			return md.verbatim(n.Lines(), src, width, m)
		}
		var info rich
		info.add("```"+string(n.Info.Value(src)), faceFaint)
		return append(info.rows(md, width, m), md.verbatim(n.Lines(), src, width, m)...)
	case *ast.HTMLBlock:
		rows := md.verbatim(n.Lines(), src, width, m)
		if n.HasClosure() {
			end := text.NewSegments()
			end.Append(n.ClosureLine)
			rows = append(rows, md.verbatim(end, src, width, m)...)
		}
		return rows
	case *ast.Blockquote:
		bar, inner := "│ ", width-2
		if inner < leastWidth {
			bar, inner = "", width
		}
		return prefixed(paint(md.inks[faceFaint], bar), paint(md.inks[faceFaint], bar), md.blocks(n.FirstChild(), src, inner, m, false))
	case *ast.List:
		return md.list(n, src, width, m)
	case *east.Table:
		return md.table(n, src, width, m)
	case *ast.Paragraph, *ast.TextBlock:
		if !n.HasChildren() {
			return nil
		}
		var r rich
		r.inlines(n, src, 0)
		return r.rows(md, width, m)
	case *ast.LinkReferenceDefinition:
		// A label that no link names is text, too, to who has written it.
		var r rich
		r.add("["+string(n.Label)+"]: "+unescape(n.Destination), faceFaint)
		r.linkTitle(n.Title)
		return r.rows(md, width, m)
	}
	return md.blocks(n.FirstChild(), src, width, m, false)
}

// verbatim is code, line by line.
func (md *markdown) verbatim(lines *text.Segments, src []byte, width int, m ansi.Method) []string {
	indent := "  "
	if width-len(indent) < leastWidth {
		indent = ""
	}
	var out []string
	for _, s := range lines.Sliced(0, lines.Len()) {
		line := safetext.Block(strings.TrimRight(string(s.Value(src)), "\r\n"))
		for _, r := range wrapLine(line, width-len(indent), m) {
			if strings.TrimSpace(r.text) == "" {
				out = append(out, "")
				continue
			}
			out = append(out, indent+paint(md.inks[faceFaint], r.text))
		}
	}
	return out
}

func (md *markdown) list(l *ast.List, src []byte, width int, m ansi.Method) []string {
	var out []string
	number := l.Start
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		marker := "• "
		if l.IsOrdered() {
			marker = fmt.Sprintf("%d%c ", number, l.Marker)
			number++
		}
		first := item.FirstChild()
		box, text := task(first, src)
		if box != "" {
			marker, first = box, first.NextSibling()
		}
		hang := strings.Repeat(" ", len([]rune(marker)))
		inner := width - len(hang)
		if inner < leastWidth {
			inner, hang = width, ""
		}
		var rows []string
		if box != "" {
			rows = text.rows(md, inner, m)
			if first != nil && !l.IsTight {
				rows = append(rows, "")
			}
		}
		rows = append(rows, md.blocks(first, src, inner, m, l.IsTight)...)
		if !l.IsTight && len(out) > 0 {
			out = append(out, "")
		}
		if len(rows) == 0 || hang == "" { // nothing beside it
			out = append(out, strings.TrimRight(marker, " "))
			marker = ""
		}
		out = append(out, prefixed(marker, hang, rows)...)
	}
	return out
}

// task returns the box and the text of a block that begins with [ ] or [x],
// else an empty box.
func task(n ast.Node, src []byte) (box string, text rich) {
	switch n.(type) {
	case *ast.TextBlock, *ast.Paragraph:
	default:
		return "", text
	}
	text.inlines(n, src, 0)
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		if strings.HasPrefix(string(text.text), box) {
			text.text, text.faces = text.text[len(box):], text.faces[len(box):]
			return strings.ToLower(box), text
		}
	}
	return "", text
}

// prefixed sets one text before the first row and another before the others.
func prefixed(first, others string, rows []string) []string {
	for i, r := range rows {
		if i == 0 {
			rows[i] = first + r
		} else {
			rows[i] = others + r
		}
	}
	return rows
}
