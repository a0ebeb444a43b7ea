package main

import (
	"bytes"
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The size of a character, in the picture's units.
const (
	cellWidth  = 8.4
	cellHeight = 18
	margin     = 12
)

const (
	background = "#1e1e2e"
	foreground = "#cdd6f4"
)

// basic are the sixteen colours of a terminal.
var basic = [16]string{
	"#45475a", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#f5c2e7", "#94e2d5", "#bac2de",
	"#585b70", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#f5c2e7", "#94e2d5", "#cdd6f4",
}

// pen is how text is drawn.
type pen struct {
	fg, bg                            string
	bold, faint, italic, under, swapd bool
}

// svg draws a screen with escape sequences for colours as a picture.
func svg(screen string, width, height int, title string) []byte {
	var b bytes.Buffer
	w, h := float64(width)*cellWidth+2*margin, height*cellHeight+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d" role="img">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(title))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", background)
	fmt.Fprintf(&b, `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="%s" xml:space="preserve">`+"\n", foreground)
	p := pen{}
	for y, line := range strings.Split(strings.TrimRight(screen, "\n"), "\n") {
		p = drawLine(&b, line, y, p)
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

// drawLine draws one row in runs of one style and returns the style at its end.
func drawLine(b *bytes.Buffer, line string, y int, p pen) pen {
	col, start, state := 0, 0, byte(0)
	var text strings.Builder
	flush := func() {
		if s := text.String(); s != "" {
			drawRun(b, s, start, col, y, p)
		}
		text.Reset()
		start = col
	}
	for len(line) > 0 {
		seq, w, n, next := ansi.DecodeSequence(line, state, nil)
		line, state = line[n:], next
		switch {
		case w > 0:
			if w > 1 { // what stands behind it keeps its column
				flush()
				text.WriteString(seq)
				col += w
				flush()
				continue
			}
			text.WriteString(seq)
			col += w
		case strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m"):
			flush()
			p.apply(strings.TrimSuffix(seq[2:], "m"))
		}
	}
	flush()
	return p
}

func drawRun(b *bytes.Buffer, s string, from, to, y int, p pen) {
	fg, bg := p.fg, p.bg
	if p.swapd {
		fg, bg = bg, fg
		if fg == "" {
			fg = background
		}
		if bg == "" {
			bg = foreground
		}
	}
	x, top := margin+float64(from)*cellWidth, margin+y*cellHeight
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", x, top, float64(to-from)*cellWidth, cellHeight, bg)
	}
	if strings.TrimSpace(s) == "" {
		return
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs"`, x, top+13, float64(to-from)*cellWidth)
	if fg != "" {
		fmt.Fprintf(b, ` fill="%s"`, fg)
	}
	if p.bold {
		b.WriteString(` font-weight="bold"`)
	}
	if p.italic {
		b.WriteString(` font-style="italic"`)
	}
	if p.under {
		b.WriteString(` text-decoration="underline"`)
	}
	if p.faint {
		b.WriteString(` opacity="0.6"`)
	}
	fmt.Fprintf(b, ">%s</text>\n", html.EscapeString(s))
}

// apply obeys the numbers of a colour sequence.
func (p *pen) apply(params string) {
	var n []int
	for f := range strings.FieldsFuncSeq(params, func(r rune) bool { return r == ';' || r == ':' }) {
		v, _ := strconv.Atoi(f)
		n = append(n, v)
	}
	if len(n) == 0 {
		*p = pen{}
	}
	for i := 0; i < len(n); i++ {
		switch v := n[i]; {
		case v == 0:
			*p = pen{}
		case v == 1:
			p.bold = true
		case v == 2:
			p.faint = true
		case v == 3:
			p.italic = true
		case v == 4:
			p.under = true
		case v == 7:
			p.swapd = true
		case v == 22:
			p.bold, p.faint = false, false
		case v >= 30 && v <= 37:
			p.fg = basic[v-30]
		case v >= 90 && v <= 97:
			p.fg = basic[v-82]
		case v >= 40 && v <= 47:
			p.bg = basic[v-40]
		case v == 39:
			p.fg = ""
		case v == 49:
			p.bg = ""
		case (v == 38 || v == 48) && i+2 < len(n):
			color, used := extended(n[i+1:])
			if v == 38 {
				p.fg = color
			} else {
				p.bg = color
			}
			i += used
		}
	}
}

// extended reads a colour behind 38 or 48, and how many numbers it took.
func extended(n []int) (color string, used int) {
	if n[0] == 2 && len(n) >= 4 {
		return fmt.Sprintf("#%02x%02x%02x", n[1], n[2], n[3]), 4
	}
	v := n[1]
	switch {
	case v < 16:
		return basic[v&15], 2
	case v >= 232:
		grey := 8 + 10*(v-232)
		return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey), 2
	}
	level := func(c int) int {
		if c == 0 {
			return 0
		}
		return 55 + 40*c
	}
	v -= 16
	return fmt.Sprintf("#%02x%02x%02x", level(v/36), level(v/6%6), level(v%6)), 2
}
