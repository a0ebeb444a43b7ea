package terminal

import (
	"bytes"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"extui/internal/safetext"
)

// face is how a piece of a Markdown text looks.
type face uint8

const (
	faceStrong face = 1 << iota
	faceEmphasis
	faceCode
	faceLink
	faceHeading
	faceFaint

	faces = 1 << iota
)

// newFaces returns the inks of all faces.
func newFaces(dark bool) (out [faces]ink) {
	pick := lipgloss.LightDark(dark)
	for i := range out {
		f, st := face(i), lipgloss.NewStyle()
		if f&(faceStrong|faceHeading) != 0 {
			st = st.Bold(true)
		}
		if f&faceEmphasis != 0 {
			st = st.Italic(true)
		}
		switch {
		case f&faceFaint != 0:
			st = st.Foreground(pick(lipgloss.Color("242"), lipgloss.Color("245")))
		case f&faceCode != 0:
			st = st.Foreground(pick(lipgloss.Color("130"), lipgloss.Color("216")))
		case f&faceHeading != 0:
			st = st.Foreground(pick(lipgloss.Color("25"), lipgloss.Color("117")))
		case f&faceLink != 0:
			st = st.Foreground(pick(lipgloss.Color("28"), lipgloss.Color("114")))
		}
		out[i] = newInk(st)
	}
	return out
}

// rich is a text whose every byte has a face. Line breaks in it are to be kept.
type rich struct {
	text  []byte
	faces []face
}

// add appends a text without line breaks. It is made safe here, before its
// width is measured: entities such as &#27; have become characters by now.
func (r *rich) add(s string, f face) {
	r.raw(safetext.Line(strings.NewReplacer("\n", " ", "\t", " ").Replace(s)), f)
}

func (r *rich) raw(s string, f face) {
	r.text = append(r.text, s...)
	for range len(s) {
		r.faces = append(r.faces, f)
	}
}

// inlines appends the text of n's children.
func (r *rich) inlines(n ast.Node, src []byte, f face) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.inline(c, src, f)
	}
}

func (r *rich) inline(n ast.Node, src []byte, f face) {
	switch n := n.(type) {
	case *ast.Text:
		if n.IsRaw() {
			r.add(string(n.Value(src)), f)
		} else {
			r.add(unescape(n.Value(src)), f)
		}
		switch {
		case n.HardLineBreak():
			r.raw("\n", f)
		case n.SoftLineBreak():
			r.raw(" ", f)
		}
	case *ast.String:
		r.add(string(n.Value), f)
	case *ast.CodeSpan: // the backquotes are for who sees no colours
		r.raw("`", f|faceCode)
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				r.add(string(t.Value(src)), f|faceCode)
			}
		}
		r.raw("`", f|faceCode)
	case *ast.Emphasis:
		if n.Level > 1 {
			f |= faceStrong
		} else {
			f |= faceEmphasis
		}
		r.inlines(n, src, f)
	case *ast.Link:
		r.link(n, src, n.Destination, n.Title, n.Reference, f)
	case *ast.Image:
		r.raw("image: ", f|faceFaint)
		r.link(n, src, n.Destination, n.Title, n.Reference, f)
	case *ast.AutoLink:
		r.add(string(n.Label(src)), f|faceLink)
	case *ast.RawHTML:
		for _, s := range n.Segments.Sliced(0, n.Segments.Len()) {
			r.add(string(s.Value(src)), f|faceFaint)
		}
	default:
		r.inlines(n, src, f)
	}
}

// link is text and address, for the text may name another place. A link by a
// reference has its label with it instead of the title, which stands beside the
// address where that is defined.
func (r *rich) link(n ast.Node, src, destination, title []byte, ref *ast.ReferenceLink, f face) {
	from := len(r.text)
	r.inlines(n, src, f|faceLink)
	text := string(r.text[from:])
	switch {
	case ref == nil:
	case ref.Type == ast.ReferenceLinkFull:
		r.add(" ["+string(ref.Value)+"]", f|faceFaint)
		title = nil
	default:
		title = nil
	}
	if url := unescape(destination); url != "" && url != text {
		if text != "" {
			url = " (" + url + ")"
		}
		r.add(url, f|faceFaint)
	}
	r.linkTitle(title)
}

func (r *rich) linkTitle(title []byte) {
	if len(title) > 0 {
		r.add(" \""+unescape(title)+"\"", faceFaint)
	}
}

// unescape resolves backslashes and entities.
func unescape(s []byte) string {
	if bytes.IndexByte(s, '\\') < 0 && bytes.IndexByte(s, '&') < 0 {
		return string(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			i++
			b.WriteByte(s[i])
			continue
		case s[i] == '&':
			if n := bytes.IndexByte(s[i:min(len(s), i+40)], ';'); n > 0 {
				b.Write(util.ResolveEntityNames(util.ResolveNumericReferences(s[i : i+n+1])))
				i += n
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// span is a part of a rich text and how wide it is.
type span struct{ from, to, width int }

// closing is what does not begin a row in a text without blanks.
const closing = "、。，．：；！？）」』】〉》.,:;!?)]}\"'`"

// words cuts the bytes from one place to another into what stays on one row if
// that is wide enough, and tells for each how many blanks stand before it. Wide
// characters, whose languages have no blanks, are words of their own.
func (r *rich) words(from, to int, m ansi.Method) (words []span, blanks []int) {
	blank, open, wide := 0, false, false
	for i := from; i < to; {
		cluster, _, w := cell(string(r.text[i:min(to, i+256)]), 0, m)
		if cluster == " " {
			blank, open = blank+1, false
			i++
			continue
		}
		if !open || (wide || w > 1) && !strings.Contains(closing, cluster) {
			words, blanks = append(words, span{from: i, to: i}), append(blanks, blank)
			blank = 0
		}
		open, wide = true, w > 1
		last := &words[len(words)-1]
		last.to, last.width = i+len(cluster), last.width+w
		i += len(cluster)
	}
	return words, blanks
}

// rows wraps the text to rows of at most width columns.
func (r *rich) rows(md *markdown, width int, m ansi.Method) []string {
	var out []string
	for from := 0; from <= len(r.text); {
		to := from + bytes.IndexByte(r.text[from:], '\n')
		if to < from {
			to = len(r.text)
		}
		out = append(out, r.lineRows(md, from, to, width, m)...)
		from = to + 1
	}
	return out
}

func (r *rich) lineRows(md *markdown, from, to, width int, m ansi.Method) []string {
	words, blanks := r.words(from, to, m)
	if len(words) == 0 {
		return []string{""}
	}
	var out []string
	start, end, col := words[0].from, words[0].from, 0
	for i, w := range words {
		if col > 0 && col+blanks[i]+w.width > width {
			out = append(out, r.paint(md, start, end))
			start, col = w.from, 0
		} else if col > 0 {
			col += blanks[i]
		}
		col += w.width
		end = w.to
		for col > width { // a word wider than the screen
			cut, used := r.fit(start, end, width, m)
			if cut >= end {
				break
			}
			out = append(out, r.paint(md, start, cut))
			start, col = cut, col-used
		}
	}
	return append(out, r.paint(md, start, end))
}

// fit returns where width columns end, one character at least, and how many of
// them are used.
func (r *rich) fit(from, to, width int, m ansi.Method) (cut, used int) {
	for cut = from; cut < to; {
		cluster, _, w := cell(string(r.text[cut:min(to, cut+256)]), 0, m)
		if used+w > width && cut > from {
			break
		}
		cut, used = cut+len(cluster), used+w
	}
	return cut, used
}

func (r *rich) paint(md *markdown, from, to int) string {
	var b strings.Builder
	for from < to {
		end := from + 1
		for end < to && r.faces[end] == r.faces[from] {
			end++
		}
		b.WriteString(paint(md.inks[r.faces[from]], string(r.text[from:end])))
		from = end
	}
	return b.String()
}
