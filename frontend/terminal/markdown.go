package terminal

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"extui/internal/safetext"
)

// markdown renders what agents write. What has no shape of its own here, such as
// HTML and struck-out text, is shown as it was written.
type markdown struct {
	inks   [faces]ink
	parser parser.Parser
}

func newMarkdown(dark bool) *markdown {
	return &markdown{inks: newFaces(dark), parser: parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithParagraphTransformers(util.Prioritized(tables{}, 200)),
	)}
}

// rows renders s, which must have passed safetext, to rows of at most width
// columns.
func (md *markdown) rows(s string, width int, m ansi.Method) []string {
	width = max(width, leastWidth)
	src := []byte(s)
	var rows []string
	doc := md.parser.Parse(text.NewReader(src))
	for _, line := range md.blocks(doc.FirstChild(), src, width, m, false) {
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
	// What stands between two sequences is judged as a whole: a mark belongs to the
	// letter before it.
	text, from := s, 0
	flush := func(to int) {
		b.WriteString(safetext.Line(text[from:to]))
	}
	at := 0
	for at < len(text) {
		seq, width, n, next := ansi.DecodeSequence(text[at:], state, nil)
		if n == 0 {
			break
		}
		color, tab := width == 0 && isColor(seq), seq == "\t"
		if color || tab || strings.HasPrefix(seq, "\x1b") {
			flush(at)
			from = at + n
			switch {
			case color:
				b.WriteString(seq)
				styled = true
			case tab:
				b.WriteString("    ")
			case !strings.HasPrefix(seq, "\x1b]8;"):
				b.WriteString(safetext.Line(seq))
			}
		}
		at, state = at+n, next
	}
	flush(at)
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
