package terminal

import (
	"strings"

	"charm.land/glamour/v2"
	gansi "charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"
	"github.com/charmbracelet/x/ansi"

	"extui/internal/safetext"
)

// markdown renders what agents write. One renderer is kept for each width.
type markdown struct {
	style     gansi.StyleConfig
	renderers map[int]*glamour.TermRenderer
}

func newMarkdown(dark bool) *markdown {
	style := styles.LightStyleConfig
	if dark {
		style = styles.DarkStyleConfig
	}
	none := uint(0)
	style.Document.Margin = &none
	style.Document.BlockPrefix, style.Document.BlockSuffix = "", ""
	style.Document.Color = nil // the terminal's own
	style.CodeBlock.Margin = &none
	// Without colours, too, code and headings are to be seen.
	style.Code.Prefix, style.Code.Suffix = "`", "`"
	style.Code.BackgroundColor = nil
	style.H1.Prefix, style.H1.Suffix, style.H1.Color, style.H1.BackgroundColor = "# ", "", style.Heading.Color, nil
	return &markdown{style: style, renderers: map[int]*glamour.TermRenderer{}}
}

// rows renders text, which must have passed safetext, to rows of at most width
// columns. What cannot be rendered is shown as it is.
func (md *markdown) rows(text string, width int, m ansi.Method) []string {
	width = max(width, 8)
	r := md.renderers[width]
	if r == nil {
		var err error
		r, err = glamour.NewTermRenderer(glamour.WithStyles(md.style), glamour.WithWordWrap(width))
		if err != nil {
			return wrap(text, width, m)
		}
		if len(md.renderers) > 8 {
			clear(md.renderers)
		}
		md.renderers[width] = r
	}
	out, err := r.Render(text)
	if err != nil {
		return wrap(text, width, m)
	}
	var rows []string
	for line := range strings.SplitSeq(strings.Trim(out, "\n"), "\n") {
		line = trimRight(cleanOutput(line))
		if m.StringWidth(line) <= width {
			rows = append(rows, line)
			continue
		}
		rows = append(rows, strings.Split(m.Hardwrap(line, width, true), "\n")...)
	}
	return squeeze(rows)
}

// squeeze cuts blank rows at both ends.
func squeeze(rows []string) []string {
	for len(rows) > 0 && ansi.Strip(rows[0]) == "" {
		rows = rows[1:]
	}
	for len(rows) > 0 && ansi.Strip(rows[len(rows)-1]) == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// trimRight cuts the blanks that a renderer fills a row up with.
func trimRight(s string) string {
	plain := ansi.Strip(s)
	trimmed := strings.TrimRight(plain, " ")
	if len(trimmed) == len(plain) {
		return s
	}
	return ansi.Truncate(s, ansi.StringWidth(trimmed), "")
}

// cleanOutput makes the output of the Markdown renderer safe once more: an
// entity such as &#27; or &rlm; becomes a control character only there. Of
// escape sequences only colours remain; hyperlinks go, for their text could name
// another place than they lead to.
func cleanOutput(s string) string {
	if plainASCII(s) {
		return s
	}
	var b strings.Builder
	state, styled := byte(0), false
	for len(s) > 0 {
		seq, width, n, next := ansi.DecodeSequence(s, state, nil)
		switch {
		case n == 0:
			return b.String()
		case width > 0:
			b.WriteString(safetext.Line(seq))
		case isColor(seq):
			b.WriteString(seq)
			styled = true
		case strings.HasPrefix(seq, "\x1b]8;"):
		case seq == "\t":
			b.WriteString("    ")
		default:
			b.WriteString(safetext.Line(seq))
		}
		s, state = s[n:], next
	}
	if styled {
		b.WriteString("\x1b[m")
	}
	return b.String()
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// isColor reports whether seq is an SGR sequence that conceals nothing.
func isColor(seq string) bool {
	body, ok := strings.CutPrefix(seq, "\x1b[")
	if !ok || !strings.HasSuffix(body, "m") {
		return false
	}
	params := strings.Split(strings.TrimSuffix(body, "m"), ";")
	for _, p := range params {
		if strings.Trim(p, "0123456789:") != "" {
			return false
		}
	}
	for i := 0; i < len(params); i++ {
		switch strings.TrimLeft(params[i], "0") {
		case "8":
			return false
		case "38", "48", "58": // a colour's numbers follow
			if i+1 < len(params) && params[i+1] == "5" {
				i += 2
			} else {
				i += 4
			}
		}
	}
	return true
}
