package protocol

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// stringify is JSON.stringify of a JavaScript string, from the text of the
// ECMAScript standard (QuoteJSONString) rather than from AppendString.
func stringify(units []uint16) string {
	var out strings.Builder
	out.WriteByte('"')
	for i := 0; i < len(units); i++ {
		u := rune(units[i])
		if utf16.IsSurrogate(u) {
			if i+1 < len(units) {
				if r := utf16.DecodeRune(u, rune(units[i+1])); r != utf8.RuneError {
					out.WriteRune(r)
					i++
					continue
				}
			}
			fmt.Fprintf(&out, `\u%04x`, u)
			continue
		}
		switch {
		case strings.ContainsRune("\b\t\n\f\r\"\\", u):
			out.WriteString(map[rune]string{'\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`, '"': `\"`, '\\': `\\`}[u])
		case u < 0x20:
			fmt.Fprintf(&out, `\u%04x`, u)
		default:
			out.WriteRune(u)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// wtf8 is the Go form of a JavaScript string.
func wtf8(units []uint16) string {
	var out []byte
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) {
			if i+1 < len(units) {
				if pair := utf16.DecodeRune(r, rune(units[i+1])); pair != utf8.RuneError {
					out = utf8.AppendRune(out, pair)
					i++
					continue
				}
			}
			out = append(out, 0xED, 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

func TestStringsAsNodeWritesThem(t *testing.T) {
	check := func(units ...uint16) {
		s, want := wtf8(units), stringify(units)
		if got := string(AppendString(nil, s)); got != want {
			t.Errorf("%04x: got %s, want %s", units, got, want)
		}
		if got, err := Unquote([]byte(want)); got != s || err != nil {
			t.Errorf("%04x: read back %q, %v", units, got, err)
		}
		var escaped strings.Builder
		for _, u := range units {
			fmt.Fprintf(&escaped, `\u%04X`, u)
		}
		if got, err := Unquote([]byte(`"` + escaped.String() + `"`)); got != s || err != nil {
			t.Errorf("%04x: escaped and read back %q, %v", units, got, err)
		}
	}
	for u := range 0x10000 {
		check(uint16(u))
	}
	for r := rune(0x10000); r <= utf8.MaxRune; r += 0x101 {
		high, low := utf16.EncodeRune(r)
		check(uint16(high), uint16(low))
	}
	for _, high := range []uint16{0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000} {
		for _, low := range []uint16{'a', '"', 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000} {
			check(high, low)
			check('x', high, low, high, low, 'y')
			check(high, high, low, low)
		}
	}
}

func TestBytesThatAreNoUTF8StayAsTheyAre(t *testing.T) {
	for _, s := range []string{"\xff", "a\xe9b", "\xc3", "\xf0\x9f\x98", "\xed", "\xed\xa0", "\xe2\xed\xa0", "\x80\xbf", "\xc0\x80", "\xf4\x90\x80\x80"} {
		quoted := AppendString(nil, s)
		if string(quoted) != `"`+s+`"` {
			t.Errorf("%q: written %q", s, quoted)
		}
		if got, err := Unquote(quoted); got != s || err != nil {
			t.Errorf("%q: read back %q, %v", s, got, err)
		}
	}
}

// Two halves that came apart, in the deltas of a stream for instance, are one
// character again once they stand side by side.
func TestSurrogateHalvesJoin(t *testing.T) {
	const high, low = "\xed\xa0\xbd", "\xed\xb8\x80"
	for in, want := range map[string]string{
		high + low:              `"😀"`,
		high + high + low + low: `"\ud83d😀\ude00"`,
		low + high:              `"\ude00\ud83d"`,
		high + "x" + low:        `"\ud83dx\ude00"`,
	} {
		if got := string(AppendString(nil, in)); got != want {
			t.Errorf("%q: written %s, want %s", in, got, want)
		}
	}
	for _, in := range []string{`"` + high + low + `"`, `"\ud83d` + low + `"`, `"` + high + `\ude00"`, `"\ud83d\ude00"`} {
		if got, err := Unquote([]byte(in)); got != "😀" || err != nil {
			t.Errorf("%q: read %q, %v", in, got, err)
		}
	}
}

func TestUnquoteRefuses(t *testing.T) {
	for _, in := range []string{"", `"`, `x`, `'x'`, `"x`, `"\x"`, `"\u12"`, `"a"b`, `"a" "b"`, `1`, `null`, "\"\n\"", `["x"]`} {
		if s, err := Unquote([]byte(in)); err == nil {
			t.Errorf("%s: got %q", in, s)
		}
	}
	if s, err := Unquote([]byte(" \"x\"\t")); s != "x" || err != nil {
		t.Errorf("got %q, %v", s, err)
	}
}
