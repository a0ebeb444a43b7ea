package plain

import (
	"io"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"golang.org/x/term"

	"extui/internal/safetext"
)

// screen is the output. Frontend.mu guards it. Methods append to buf, and flush writes it, so that
// what belongs together appears together.
type screen struct {
	w     io.Writer
	mode  Mode
	width int // from the options
	fd    int // of the terminal
	hasFD bool
	buf   []byte
	err   error // the first of writing; after it nothing is shown and so nothing may be answered

	before func() // called before anything is printed but the continuation of a line

	stream safetext.Stream
	// guarded is set while a dialog is on screen. The agent's text is then printed in whole lines
	// that are marked, and held is the beginning of one.
	guarded bool
	held    string
	inText  bool // the agent's text has an unfinished line
	col     int  // its length in columns, less the full rows; only kept in Keys mode

	shown bool   // a line is being edited, or a prompt stands, below all else
	drawn string // Keys: what was drawn of it
	row   int    // Keys: the cursor's row in it
	atEnd bool   // Keys: the cursor is behind it

	away bool // another program has the terminal; buf is kept until it is back
}

// What stands in front of a line that is the agent's, or a continuation of one. No line of ours
// begins so, and no line of the agent's otherwise, but for what it says while no question is open.
const (
	mark       = "  | "
	optionMark = "     | " // below an option
)

// maxHeld is how much of a line is held back while a dialog is on screen, in bytes.
const maxHeld = 4096

// widths counts colours, the only sequences that come this far, as nothing.
var widths = displaywidth.Options{ControlSequences: true}

const clearBelow = "\x1b[J"

func itoa(n int) string { return strconv.Itoa(n) }

// cols returns the columns to wrap at, 0 for none.
func (s *screen) cols() int {
	if s.width > 0 || !s.hasFD {
		return s.width
	}
	if w, _, err := term.GetSize(s.fd); err == nil && w > 0 {
		return w
	}
	return 80
}

func (s *screen) newline() {
	if s.mode == Keys {
		s.buf = append(s.buf, '\r')
	}
	s.buf = append(s.buf, '\n')
}

func (s *screen) flush() {
	if len(s.buf) == 0 || s.away {
		return
	}
	if s.err == nil {
		_, s.err = s.w.Write(s.buf)
	}
	s.buf = s.buf[:0]
	if cap(s.buf) > 1<<20 {
		s.buf = nil
	}
}

func (s *screen) beforeAll() {
	if s.before != nil {
		s.before()
	}
}

// hide removes the line being edited, so that other output can take its place.
func (s *screen) hide() {
	if !s.shown {
		return
	}
	s.shown = false
	if s.mode == Lines {
		s.newline()
		return
	}
	s.up(s.row)
	s.buf = append(s.buf, "\r"+clearBelow...)
	if s.inText { // back to where the text stopped
		s.up(1)
		s.right(s.col)
	}
}

func (s *screen) up(n int) {
	if n > 0 {
		s.buf = append(s.buf, "\x1b["+itoa(n)+"A"...)
	}
}

func (s *screen) right(n int) {
	if n > 0 {
		s.buf = append(s.buf, "\x1b["+itoa(n)+"C"...)
	}
}

// text appends to the agent's text.
func (s *screen) text(style safetext.SGR, delta string) {
	s.stream.SGR = style
	out := s.stream.Write(delta)
	switch {
	case out == "":
	case s.guarded:
		s.held += out
		for {
			l, more, ok := strings.Cut(s.held, "\n")
			if !ok && len(s.held) < maxHeld {
				break
			}
			s.held = more
			s.block(mark, mark, l)
		}
	default:
		if !s.inText {
			s.beforeAll()
		}
		s.hide()
		s.put(out)
	}
}

// unguard ends the time in which a dialog is on screen.
func (s *screen) unguard() {
	s.guarded = false
	if held := s.held; held != "" {
		s.held = ""
		s.beforeAll()
		s.hide()
		s.put(held)
	}
}

// put appends safe text in the middle of a line.
func (s *screen) put(out string) {
	for i, l := range strings.Split(out, "\n") {
		if i > 0 {
			s.newline()
			s.col, s.inText = 0, false
		}
		if l == "" {
			continue
		}
		s.inText = true
		if s.mode == Keys {
			w := s.cols()
			l = expand(l, s.col)
			_, s.col = layout(l, s.col, w)
			// A full row leaves the cursor on its last column, from where one cannot come back.
			s.buf = append(s.buf, l...)
			if s.col == 0 {
				s.newline()
				s.inText = false
			}
			continue
		}
		s.buf = append(s.buf, l...)
	}
}

// endText ends an unfinished line of the agent's text.
func (s *screen) endText() {
	if s.guarded { // nothing of it is on screen
		return
	}
	rest := s.stream.Flush()
	if rest == "" && !s.inText {
		return
	}
	s.hide()
	s.put(rest)
	if s.inText {
		s.newline()
	}
	s.inText, s.col = false, 0
}

// line prints one line that is safe already.
func (s *screen) line(l string) {
	s.beforeAll()
	s.endText()
	s.hide()
	s.buf = append(s.buf, l...)
	s.newline()
}

// block prints a text that is safe already, wrapped, its first line behind first and all others
// behind rest.
func (s *screen) block(first, rest, text string) {
	for _, l := range wrap(first, rest, text, s.cols()) {
		s.line(l)
	}
}

// ask shows a prompt in Lines mode. In the middle of the agent's text it waits for the line's end.
func (s *screen) ask(prompt string) {
	if !s.shown && !s.inText {
		s.buf = append(s.buf, prompt...)
		s.shown = true
	}
}

// draw shows a line that is being edited, in Keys mode.
func (s *screen) draw(prompt string, l editLine) {
	w := s.cols()
	full := prompt + safetext.Line(l.text)
	before := prompt + safetext.Line(l.text[:l.pos])
	end, endCol := layout(full, 0, w)
	row, col := layout(before, 0, w)
	if s.shown && s.atEnd && l.pos == len(l.text) && strings.HasPrefix(full, s.drawn) && row == s.row {
		// Only what was typed is written: a screen reader speaks that and no more.
		s.buf = append(s.buf, full[len(s.drawn):]...)
		s.drawn = full
		return
	}
	if s.shown {
		s.up(s.row)
		s.buf = append(s.buf, "\r"+clearBelow...)
	} else if s.inText {
		s.newline()
	}
	s.buf = append(s.buf, full...)
	if endCol == 0 && end > 0 {
		s.newline() // the cursor hangs on the last column
	}
	if l.pos < len(l.text) {
		s.up(end - row)
		s.buf = append(s.buf, '\r')
		s.right(col)
	}
	s.shown, s.drawn, s.row, s.atEnd = true, full, row, l.pos == len(l.text)
}

// took leaves a line that was entered on the screen and goes on below it. echoed says that the
// terminal has shown it already.
func (s *screen) took(prompt, text string, echoed bool) {
	switch {
	case echoed:
	case s.mode == Keys && s.shown:
		s.draw(prompt, editLine{text: text, pos: len(text)})
		if _, col := layout(s.drawn, 0, s.cols()); col > 0 {
			s.newline()
		}
	default:
		s.line(prompt + safetext.Line(text))
	}
	s.entered()
}

// entered notes that the cursor is at the beginning of an empty line.
func (s *screen) entered() { s.shown, s.inText, s.col = false, false, 0 }

// finish ends every unfinished line.
func (s *screen) finish() {
	s.unguard()
	s.endText()
	if s.mode == Keys && s.shown {
		s.hide()
	} else if s.shown {
		s.newline()
		s.shown = false
	}
}

// layout returns where the cursor is after printing l from column col on rows of width columns.
// The column behind the last one is column 0 of the next row. A width of 0 has one endless row.
func layout(l string, col, width int) (row, end int) {
	g := widths.StringGraphemes(l)
	for g.Next() {
		w := g.Width()
		if width > 0 && col+w > width {
			row, col = row+1, 0
		}
		col += w
	}
	if width > 0 && col >= width {
		row, col = row+1, 0
	}
	return row, col
}

// expand replaces tabs by spaces; l begins in column col.
func expand(l string, col int) string {
	if !strings.Contains(l, "\t") {
		return l
	}
	var b strings.Builder
	for i, part := range strings.Split(l, "\t") {
		if i > 0 {
			n := 8 - col%8
			b.WriteString(strings.Repeat(" ", n))
			col += n
		}
		b.WriteString(part)
		col += widths.String(part)
	}
	return b.String()
}

// wrap breaks a safe text into lines of at most width columns, between words where it can. The
// indents count; nothing is left out but the space at which a line was broken.
func wrap(first, rest, text string, width int) []string {
	var out []string
	indent := first
	for p := range strings.SplitSeq(text, "\n") {
		if width <= 0 {
			out = append(out, indent+p)
			indent = rest
			continue
		}
		room := max(width-max(widths.String(first), widths.String(rest)), 20)
		p = expand(p, 0)
		for {
			line, more := breakLine(p, room)
			out = append(out, indent+line)
			indent = rest
			if more == "" {
				break
			}
			p = more
		}
	}
	return out
}

// breakLine splits p behind the last word that fits into room columns.
func breakLine(p string, room int) (line, more string) {
	width, at, space := 0, 0, -1
	g := widths.StringGraphemes(p)
	for g.Next() {
		v := g.Value()
		if v == " " && at > 0 && p[at-1] != ' ' {
			space = at
		}
		width += g.Width()
		if width > room && v != " " {
			if space > 0 {
				return p[:space], p[space+1:]
			}
			return p[:at], p[at:]
		}
		at += len(v)
	}
	return p, ""
}
