package safetext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SGR says what becomes of well-formed escape sequences that choose colours and type styles
// (ESC [ numbers m). All other sequences are made visible whatever it says.
type SGR int

// What to do with colours.
const (
	Mark  SGR = iota // show them like any control character
	Strip            // leave them out
	Keep             // pass on what cannot hide text, ended at the end of each line; leave out the rest
)

// Line returns s fit for one line: line breaks and tabs become visible marks too.
func Line(s string) string { return Mark.Line(s) }

// Block returns s fit for showing, with its line breaks (CR LF becomes LF) and tabs.
func Block(s string) string { return Mark.Block(s) }

// Line is the function Line with this treatment of colours.
func (m SGR) Line(s string) string { return m.all(s, false) }

// Block is the function Block with this treatment of colours.
func (m SGR) Block(s string) string { return m.all(s, true) }

func (m SGR) all(s string, block bool) string {
	if plain(s) {
		return s
	}
	f := filter{sgr: m, block: block}
	out, _ := f.run(make([]byte, 0, len(s)+16), s, true)
	return string(f.reset(out))
}

// plain reports whether s is printable ASCII and needs no work.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Stream makes a text safe that comes in pieces cut anywhere, inside a character too. The zero
// value is ready; set SGR before the first Write.
type Stream struct {
	SGR    SGR
	filter filter
	held   string // what cannot be judged without its continuation; a few dozen bytes at most
}

// Write returns what of s, and of what earlier calls held back, can be shown now.
func (t *Stream) Write(s string) string {
	t.filter.sgr, t.filter.block = t.SGR, true
	if t.held == "" && plain(s) {
		if s != "" {
			t.filter.base, t.filter.prev, t.filter.marks = rune(s[len(s)-1]), rune(s[len(s)-1]), 0
		}
		return s
	}
	out, rest := t.filter.run(nil, t.held+s, false)
	t.held = rest
	return string(out)
}

// Flush ends the text, returns what was held back, and makes t ready for another text.
func (t *Stream) Flush() string {
	t.filter.sgr, t.filter.block = t.SGR, true
	out, _ := t.filter.run(nil, t.held, true)
	out = t.filter.reset(out)
	t.filter, t.held = filter{}, ""
	return string(out)
}

// filter is the state between two runes.
type filter struct {
	sgr    SGR
	block  bool
	base   rune // the last rune that stands for itself on this line, 0 for none
	prev   rune // the last rune that was kept, a mark or joiner too
	marks  int  // combining marks since base
	styled bool // a kept colour is on
}

// maxMarks is how many marks one letter may carry: more than any orthography stacks, too few to
// paint over the lines above.
const maxMarks = 8

// run appends the safe form of s to dst. It stops early, and returns what is left, only where
// more must be seen and final is false.
func (f *filter) run(dst []byte, s string, final bool) (out []byte, rest string) {
	for len(s) > 0 {
		if c := s[0]; c >= ' ' && c <= '~' {
			dst = append(dst, c)
			f.base, f.prev, f.marks = rune(c), rune(c), 0
			s = s[1:]
			continue
		}
		if !final && !fullRune(s) {
			return dst, s
		}
		if r, ok := surrogate(s); ok {
			dst, s = f.mark(dst, r), s[3:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		var took int
		switch {
		case r == utf8.RuneError && n == 1:
			dst, took = f.keep(dst, r), 1
		case r < ' ' || r == 0x7F:
			dst, took = f.control(dst, s, final)
		default:
			dst, took = f.character(dst, s, r, n, final)
		}
		if took == 0 {
			return dst, s
		}
		s = s[took:]
	}
	return dst, ""
}

// control handles a control character at the start of s and returns how many bytes it took, 0
// for more wanted.
func (f *filter) control(dst []byte, s string, final bool) ([]byte, int) {
	switch s[0] {
	case '\r':
		if len(s) == 1 && !final {
			return dst, 0
		}
		if len(s) > 1 && s[1] == '\n' {
			return f.newline(dst), 2
		}
	case '\n':
		return f.newline(dst), 1
	case '\t':
		if f.block {
			return f.keep(dst, '\t'), 1
		}
	case 0x1B:
		if f.sgr == Mark {
			break
		}
		n, ok, more := sgr(s)
		if more && !final {
			return dst, 0
		}
		if !ok {
			break
		}
		if f.sgr == Keep {
			dst = f.style(dst, s[2:n-1])
		}
		return dst, n
	case 0x7F:
		return f.keep(dst, '\u2421'), 1
	}
	return f.keep(dst, 0x2400+rune(s[0])), 1
}

func (f *filter) newline(dst []byte) []byte {
	if !f.block {
		return f.keep(dst, '\u240A')
	}
	dst = append(f.reset(dst), '\n')
	f.base, f.prev, f.marks = 0, 0, 0
	return dst
}

func (f *filter) reset(dst []byte) []byte {
	if f.styled {
		f.styled = false
		dst = append(dst, "\x1b[0m"...)
	}
	return dst
}

// character handles a rune that is no C0 control, likewise.
func (f *filter) character(dst []byte, s string, r rune, n int, final bool) ([]byte, int) {
	switch {
	case r == zwj || r == zwnj:
		next := s[n:]
		if !final && !fullRune(next) {
			return dst, 0
		}
		after, _ := utf8.DecodeRuneInString(next)
		if !f.joins(r, after) {
			return f.mark(dst, r), n
		}
		f.prev = r
		return append(dst, s[:n]...), n
	case isSelector(r):
		if f.prev == 0 || f.prev != f.base || !selects(f.base, r) {
			return f.mark(dst, r), n
		}
		f.prev = r
		return append(dst, s[:n]...), n
	case r >= tagFirst && r <= tagLast:
		if f.prev != blackFlag {
			return f.mark(dst, r), n
		}
		length, more := tags(s)
		if more && !final {
			return dst, 0
		}
		if length == 0 {
			return f.mark(dst, r), n
		}
		f.prev = tagLast
		return append(dst, s[:length]...), length
	case hidden(r):
		return f.mark(dst, r), n
	case unicode.In(r, unicode.Mn, unicode.Me):
		if f.base == 0 || f.marks >= maxMarks {
			return f.mark(dst, r), n
		}
		f.marks++
		f.prev = r
		return append(dst, s[:n]...), n
	}
	return f.keep(dst, r), n
}

// keep appends a rune that stands for itself.
func (f *filter) keep(dst []byte, r rune) []byte {
	f.base, f.prev, f.marks = r, r, 0
	return utf8.AppendRune(dst, r)
}

// mark appends the number of a rune in place of it.
func (f *filter) mark(dst []byte, r rune) []byte {
	f.base, f.prev, f.marks = '>', '>', 0
	return fmt.Appendf(dst, "<U+%04X>", r)
}

// fullRune is utf8.FullRuneInString that counts the three bytes of a lone surrogate as one.
func fullRune(s string) bool {
	if len(s) > 0 && s[0] == 0xED && len(s) < 3 {
		return len(s) == 2 && (s[1] < 0x80 || s[1] > 0xBF)
	}
	return utf8.FullRuneInString(s)
}

func surrogate(s string) (rune, bool) {
	if len(s) < 3 || s[0] != 0xED || s[1]&0xE0 != 0xA0 || s[2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), true
}

// maxSGR bounds a colour sequence; longer ones are marked.
const maxSGR = 40

// sgr finds ESC [ numbers m at the start of s. more is true if s ends inside of what may be one.
func sgr(s string) (n int, ok, more bool) {
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case i == 1 && c == '[':
		case i > 1 && c == 'm':
			return i + 1, true, false
		case i > 1 && i < maxSGR && (c >= '0' && c <= '9' || c == ';' || c == ':'):
		default:
			return 0, false, false
		}
	}
	return 0, false, true
}

// style appends what Keep passes on of a sequence with these parameters: bold, faint, italic,
// underlined, and the colours of letters that are seen on a light and on a dark background. So
// there is no black and no white, no background, nothing concealed, blinking or reversed, and no
// colour by its number, which may be that of the background.
func (f *filter) style(dst []byte, params string) []byte {
	kept := ""
	skip := 0
	fields := strings.Split(params, ";")
	for i, p := range fields {
		if skip > 0 {
			skip--
			continue
		}
		switch n := strings.TrimLeft(p, "0"); n {
		case "":
			kept, f.styled = kept+";0", false
		case "38", "48", "58": // a colour by number, which has further parameters
			if i+1 < len(fields) {
				skip = map[string]int{"5": 2, "2": 4}[strings.TrimLeft(fields[i+1], "0")]
			}
		case "1", "2", "3", "4", "31", "32", "33", "34", "35", "36", "91", "92", "93", "94", "95", "96":
			kept, f.styled = kept+";"+n, true
		case "22", "23", "24", "39":
			kept += ";" + n
		}
	}
	if kept == "" {
		return dst
	}
	return append(append(append(dst, "\x1b["...), kept[1:]...), 'm')
}
