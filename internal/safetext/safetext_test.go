package safetext

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLineAndBlock(t *testing.T) {
	same := func(s string) [3]string { return [3]string{s, s, s} }
	for name, c := range map[string][3]string{ // text, as a line, as a block
		"empty":               same(""),
		"ASCII":               same("rm -rf build && echo ~"),
		"letters":             same("Größe, naïve, Ελλάδα, 北京, עברית, हिन्दी, ไทย"),
		"accents decomposed":  same("e\u0301 a\u0323\u0302"),
		"non-breaking space":  same("10\u00a0000"),
		"private use":         same("\ue0a0 main"),
		"escape":              {"\x1b[2Jx", "␛[2Jx", "␛[2Jx"},
		"colour":              {"\x1b[31mred\x1b[0m", "␛[31mred␛[0m", "␛[31mred␛[0m"},
		"title sequence":      {"\x1b]0;t\a", "␛]0;t␇", "␛]0;t␇"},
		"C0":                  {"\x00\x01\b\x1f\x7f", "␀␁␈␟␡", "␀␁␈␟␡"},
		"C1":                  {"\u009b31m\u0085", "<U+009B>31m<U+0085>", "<U+009B>31m<U+0085>"},
		"newline":             {"a\nb", "a␊b", "a\nb"},
		"CR LF":               {"a\r\nb", "a␊b", "a\nb"},
		"lone CR":             {"safe\rrm", "safe␍rm", "safe␍rm"},
		"tab":                 {"a\tb", "a␉b", "a\tb"},
		"line separators":     {"a\u2028b\u2029", "a<U+2028>b<U+2029>", "a<U+2028>b<U+2029>"},
		"bidi override":       {"a\u202eb\u202c", "a<U+202E>b<U+202C>", "a<U+202E>b<U+202C>"},
		"bidi isolate":        {"\u2066a\u2069\u200f", "<U+2066>a<U+2069><U+200F>", "<U+2066>a<U+2069><U+200F>"},
		"zero width space":    {"r\u200bm", "r<U+200B>m", "r<U+200B>m"},
		"byte order mark":     {"\ufeffx", "<U+FEFF>x", "<U+FEFF>x"},
		"joiner in Latin":     {"r\u200dm \u200c", "r<U+200D>m <U+200C>", "r<U+200D>m <U+200C>"},
		"joiner in Persian":   same("می\u200cخواهم"),
		"joiner in Hindi":     same("क\u094d\u200dष"),
		"joiner at the end":   {"می\u200c", "می<U+200C>", "می<U+200C>"},
		"two joiners":         {"👩\u200d\u200d👩", "👩<U+200D><U+200D>👩", "👩<U+200D><U+200D>👩"},
		"family":              same("👨\u200d👩\u200d👧"),
		"skin tone, joiner":   same("👩🏽\u200d🚒"),
		"selector, joiner":    same("🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥 🧘🏿\u200d♂\ufe0f"),
		"keycap":              same("1\ufe0f\u20e3 #\ufe0f\u20e3"),
		"flag":                same("🇨🇭"),
		"flag of tags":        same("🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F"),
		"tags without flag":   {"a\U000E0067\U000E007F", "a<U+E0067><U+E007F>", "a<U+E0067><U+E007F>"},
		"tags without end":    {"🏴\U000E0067x", "🏴<U+E0067>x", "🏴<U+E0067>x"},
		"selector on letter":  {"a\ufe0f", "a<U+FE0F>", "a<U+FE0F>"},
		"selectors as data":   {"😀\ufe0f\ufe0f", "😀\ufe0f<U+FE0F>", "😀\ufe0f<U+FE0F>"},
		"more selectors":      {"😀\U000E0141", "😀<U+E0141>", "😀<U+E0141>"},
		"Han variant":         same("葛\U000E0100"),
		"mark in front":       {"\u0301a", "<U+0301>a", "<U+0301>a"},
		"mark on a new line":  {"a\n\u0301", "a␊\u0301", "a\n<U+0301>"},
		"Hangul filler":       {"\u3164\u115f", "<U+3164><U+115F>", "<U+3164><U+115F>"},
		"soft hyphen":         {"a\u00adb", "a<U+00AD>b", "a<U+00AD>b"},
		"lone surrogate":      {"a\xed\xa0\xbdb", "a<U+D83D>b", "a<U+D83D>b"},
		"low surrogate":       {"\xed\xbf\xbf", "<U+DFFF>", "<U+DFFF>"},
		"invalid bytes":       {"\xff\xc3(\xed", "\ufffd\ufffd(\ufffd", "\ufffd\ufffd(\ufffd"},
		"replacement as such": same("\ufffd"),
		"no character":        {"\uffff\ufdd0", "<U+FFFF><U+FDD0>", "<U+FFFF><U+FDD0>"},
		"Arabic number sign":  same("\u0600\u0661"),
		"many marks":          {"a" + strings.Repeat("\u0301", 10), "a" + strings.Repeat("\u0301", 8) + "<U+0301>\u0301", "a" + strings.Repeat("\u0301", 8) + "<U+0301>\u0301"},
	} {
		if got := Line(c[0]); got != c[1] {
			t.Errorf("%s: Line(%q) = %q, want %q", name, c[0], got, c[1])
		}
		if got := Block(c[0]); got != c[2] {
			t.Errorf("%s: Block(%q) = %q, want %q", name, c[0], got, c[2])
		}
	}
}

func TestColours(t *testing.T) {
	for _, c := range []struct{ in, strip, keep string }{
		{"\x1b[31mred\x1b[0m.", "red.", "\x1b[31mred\x1b[0m."},
		{"\x1b[38;5;208mx", "x", "x"},
		{"\x1b[1ma\nb", "a\nb", "\x1b[1ma\x1b[0m\nb"},
		{"a\x1b[8mhid\x1b[m", "ahid", "ahid\x1b[0m"},
		{"a\x1b[1;08mhid", "ahid", "a\x1b[1mhid\x1b[0m"},
		{"\x1b[2Jx\x1b[", "␛[2Jx␛[", "␛[2Jx␛["},
		{"\x1b[" + strings.Repeat("1;", 30) + "m", "␛[" + strings.Repeat("1;", 30) + "m", "␛[" + strings.Repeat("1;", 30) + "m"},
		{"\u009b31mx", "<U+009B>31mx", "<U+009B>31mx"},
	} {
		if got := Strip.Block(c.in); got != c.strip {
			t.Errorf("Strip.Block(%q) = %q, want %q", c.in, got, c.strip)
		}
		if got := Keep.Block(c.in); got != c.keep {
			t.Errorf("Keep.Block(%q) = %q, want %q", c.in, got, c.keep)
		}
	}
}

// Nothing that Keep passes on hides a text, on a light or a dark terminal.
func TestKeepHidesNothing(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "": "0", "1;2;3;4": "1;2;3;4", "22;23;24;39": "22;23;24;39", "031": "31", "91;96": "91;96",
		"30": "", "37": "", "90": "", "97": "", "40": "", "47": "", "100": "", "107": "", "49": "", "7": "", "5": "", "6": "", "8": "", "28": "", "9": "",
		"30;40":            "",
		"38;5;31":          "", // the 31 belongs to the 38
		"48;5;1;4":         "4",
		"38;2;31;32;33;34": "34",
		"38;02;0;0;0;1":    "1",
		"58;5;4;31":        "31",
		"38:5:31":          "", "38:2::31:32:33;32": "32", "4:3": "",
		"38": "", "38;5": "", "38;31": "31", // cut off: the terminal ignores it
		";1": "0;1", "1;": "1;0", "31;8;40": "31", "1000": "",
	} {
		got := Keep.Line("\x1b[" + in + "mx")
		full := "x"
		if want != "" {
			full = "\x1b[" + want + "mx"
		}
		if strings.ContainsAny(want, "12346") && want != "22;23;24;39" && !strings.HasSuffix(";"+want, ";0") {
			full += "\x1b[0m"
		}
		if got != full {
			t.Errorf("Keep passes %q on as %q, want %q", in, got, full)
		}
	}
}

var mixed = "a\r\nb\re\u0301👩🏽\u200d🚒 \xed\xa0\xbd\xff\x1b[31mx\x1b[2J🏴\U000E0067\U000E0062\U000E007F" +
	"می\u200cخ\u200bz\ufe0f1\ufe0f\u20e3\t\xe2\x82\r\n\u0301"

// A text cut into two anywhere, or into single bytes, comes out as if it had come whole.
func TestStreamIsIndependentOfItsCuts(t *testing.T) {
	for _, mode := range []SGR{Mark, Strip, Keep} {
		want := mode.Block(mixed)
		for i := range len(mixed) + 1 {
			s := Stream{SGR: mode}
			if got := s.Write(mixed[:i]) + s.Write(mixed[i:]) + s.Flush(); got != want {
				t.Fatalf("mode %d cut at %d:\n got %q\nwant %q", mode, i, got, want)
			}
		}
		s, got := Stream{SGR: mode}, ""
		for i := range len(mixed) {
			got += s.Write(mixed[i : i+1])
		}
		if got += s.Flush(); got != want {
			t.Fatalf("mode %d in single bytes:\n got %q\nwant %q", mode, got, want)
		}
		if again := s.Write("\u0301"); again != "<U+0301>" {
			t.Errorf("after Flush a mark is %q; the next text must begin afresh", again)
		}
	}
}

func TestStreamShowsWhatItCan(t *testing.T) {
	var s Stream
	if got := s.Write("Hello, wörld"); got != "Hello, wörld" {
		t.Errorf("Write returned %q; nothing in it had to wait", got)
	}
}

func FuzzSafe(f *testing.F) {
	f.Add(mixed, uint8(7))
	f.Add("plain\n", uint8(0))
	f.Fuzz(func(t *testing.T, s string, cut uint8) {
		line, block := Line(s), Block(s)
		for _, out := range []string{line, block} {
			if !utf8.ValidString(out) {
				t.Fatalf("%q became %q, which is no UTF-8", s, out)
			}
			for _, r := range out {
				if unicode.IsControl(r) && (r != '\n' && r != '\t') || unicode.Is(unicode.Bidi_Control, r) {
					t.Fatalf("%q became %q with %U in it", s, out, r)
				}
			}
		}
		if strings.ContainsAny(line, "\n\t") {
			t.Fatalf("Line(%q) = %q has more than one line", s, line)
		}
		i := min(int(cut), len(s))
		var st Stream
		if got := st.Write(s[:i]) + st.Write(s[i:]) + st.Flush(); got != block {
			t.Fatalf("cut at %d: %q, whole %q", i, got, block)
		}
	})
}

func BenchmarkLine(b *testing.B) {
	for name, s := range map[string]string{"ascii": strings.Repeat("go test ./... ", 20), "mixed": mixed} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Line(s)
			}
		})
	}
}
