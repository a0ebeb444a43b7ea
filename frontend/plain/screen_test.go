package plain

import (
	"fmt"
	"strings"
	"testing"

	"extui/internal/safetext"
)

// glass is a terminal of a few columns that knows the sequences that screen writes, and no other.
type glass struct {
	t        *testing.T
	width    int
	rows     [][]string // a cell behind a wide character is ""
	row, col int        // col == width: the cursor hangs behind the last column
}

func (g *glass) Write(b []byte) (int, error) {
	s := string(b)
	for s != "" {
		switch {
		case s[0] == '\r':
			g.col, s = 0, s[1:]
		case s[0] == '\n':
			g.row, s = g.row+1, s[1:]
		case s[0] == 0x1B:
			var n int
			var c rune
			if strings.HasPrefix(s, "\x1b[J") {
				c = 'J'
			} else if _, err := fmt.Sscanf(s, "\x1b[%d%c", &n, &c); err != nil || n == 0 {
				g.t.Fatalf("unknown sequence in %q", s)
			}
			switch c {
			case 'A':
				g.row = max(0, g.row-n)
			case 'C':
				g.col = min(g.col+n, g.width-1)
			case 'J':
				g.clear()
			default:
				g.t.Fatalf("unknown sequence in %q", s)
			}
			s = s[strings.IndexRune(s, c)+1:]
		default:
			cl := widths.StringGraphemes(s)
			cl.Next()
			g.put(cl.Value(), cl.Width())
			s = s[len(cl.Value()):]
		}
	}
	return len(b), nil
}

func (g *glass) at(row int) []string {
	for len(g.rows) <= row {
		g.rows = append(g.rows, nil)
	}
	for len(g.rows[row]) < g.width {
		g.rows[row] = append(g.rows[row], " ")
	}
	return g.rows[row]
}

func (g *glass) put(s string, w int) {
	if g.col+w > g.width {
		g.row, g.col = g.row+1, 0
	}
	cells := g.at(g.row)
	cells[g.col] = s
	for i := 1; i < w; i++ {
		cells[g.col+i] = ""
	}
	g.col += w
}

func (g *glass) clear() {
	cells := g.at(g.row)
	for i := g.col; i < g.width; i++ {
		cells[i] = " "
	}
	g.rows = g.rows[:g.row+1]
}

func (g *glass) String() string {
	var lines []string
	for _, r := range g.rows {
		lines = append(lines, strings.TrimRight(strings.Join(r, ""), " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func TestScreen(t *testing.T) {
	g := &glass{t: t, width: 10}
	s := &screen{w: g, mode: Keys, width: 10}
	check := func(want string, row, col int) {
		t.Helper()
		s.flush()
		if g.String() != want {
			t.Fatalf("the screen shows\n%s\nwant\n%s", g, want)
		}
		if g.row != row || g.col != col {
			t.Fatalf("the cursor is at %d,%d, want %d,%d", g.row, g.col, row, col)
		}
	}
	var l editLine
	typed := func(text string) {
		l.insert(text)
		s.draw("> ", l)
	}
	typed("")
	check(">", 0, 2)
	for _, c := range "abcdefg" {
		typed(string(c))
	}
	check("> abcdefg", 0, 9)
	typed("h") // fills the row
	check("> abcdefgh", 1, 0)
	typed("i")
	check("> abcdefgh\ni", 1, 1)
	l.edit(keyBackspace)
	l.edit(keyBackspace)
	typed("")
	check("> abcdefg", 0, 9)
	typed("北") // two columns do not fit behind g
	check("> abcdefg\n北", 1, 2)
	l.edit(keyHome)
	typed("👩🏽\u200d🚒") // one character of two columns
	check("> 👩🏽\u200d🚒abcdef\ng北", 0, 4)
	s.line("a line")
	check("a line", 1, 0)
	s.draw("> ", l)
	check("a line\n> 👩🏽\u200d🚒abcdef\ng北", 1, 4)
	s.text(safetext.Strip, "Hello, ")
	check("a line\nHello,", 1, 7)
	s.draw("> ", l)
	check("a line\nHello,\n> 👩🏽\u200d🚒abcdef\ng北", 2, 4)
	s.text(safetext.Strip, "world! And")
	check("a line\nHello, wor\nld! And", 2, 7)
	s.draw("> ", l)
	s.text(safetext.Strip, "abc") // fills the row
	check("a line\nHello, wor\nld! Andabc", 3, 0)
	s.draw("> ", l)
	s.text(safetext.Strip, "\tx\n\n")
	check("a line\nHello, wor\nld! Andabc\n        x", 5, 0)
	l = editLine{}
	typed("12345678")
	s.took("> ", l.text, false)
	check("a line\nHello, wor\nld! Andabc\n        x\n\n> 12345678", 6, 0)
	l = editLine{}
	typed("x")
	l.edit(keyLeft)
	typed("")
	s.took("> ", l.text, false)
	check("a line\nHello, wor\nld! Andabc\n        x\n\n> 12345678\n> x", 7, 0)
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"short", 0, "- short"},
		{"a\nb", 0, "- a|  b"},
		{"", 30, "- "},
		{"one two three four five six seven", 24, "- one two three four|  five six seven"},
		{"0123456789012345678901234567890123456789 x", 24, "- 0123456789012345678901|  234567890123456789 x"},
		{"北京北京北京北京北京北京 end", 24, "- 北京北京北京北京北京北|  京 end"},
		{"  keeps   its     spaces where it can  ", 24, "-   keeps   its|      spaces where it|  can  "},
		{"a\tb", 24, "- a       b"},
	} {
		got := strings.Join(wrap("- ", "  ", c.text, c.width), "|")
		if got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestEditLine(t *testing.T) {
	for _, c := range []struct {
		keys []keyKind
		want string // with | at the cursor
	}{
		{nil, "one two é👨\u200d👩\u200d👧|"},
		{[]keyKind{keyBackspace}, "one two é|"},
		{[]keyKind{keyBackspace, keyBackspace}, "one two |"},
		{[]keyKind{keyLeft, keyLeft, keyDelete}, "one two |👨\u200d👩\u200d👧"},
		{[]keyKind{keyWordLeft, keyWordLeft, keyRight}, "one t|wo é👨\u200d👩\u200d👧"},
		{[]keyKind{keyHome, keyLeft, keyBackspace, keyWordRight}, "one| two é👨\u200d👩\u200d👧"},
		{[]keyKind{keyHome, keyWordRight, keyWordRight, keyDeleteToEnd}, "one two|"},
		{[]keyKind{keyDeleteWord, keyDeleteWord, keyDelete, keyRight}, "one |"},
		{[]keyKind{keyWordLeft, keyDeleteToStart}, "|é👨\u200d👩\u200d👧"},
	} {
		var l editLine
		l.set("one two e\u0301👨\u200d👩\u200d👧")
		for _, k := range c.keys {
			if !l.edit(k) {
				t.Fatalf("key %d does nothing", k)
			}
		}
		if got := l.text[:l.pos] + "|" + l.text[l.pos:]; got != strings.ReplaceAll(c.want, "é", "e\u0301") {
			t.Errorf("%v: %q, want %q", c.keys, got, c.want)
		}
	}
}

// Keys come out the same however the bytes are cut.
func TestKeys(t *testing.T) {
	const typed = "aü北\r\x1b[A\x1bOB\x1b[1;5C\x1b[15~\x1bb\x1b\x1b[D\x00\t\x7f\x1b[200~p\x1b[A\ry\x03\x1b[201~\x04\xffz"
	want := "[{1 aü北} {2 } {7 } {8 } {17 } {16 } {4 } {12 } {3 } {10 } {1 p\x1b[A\ny\x03} {6 } {1 z}]"
	for i := range len(typed) + 1 {
		var p keyParser
		var keys []key
		for _, k := range append(p.feed([]byte(typed[:i])), p.feed([]byte(typed[i:]))...) {
			if n := len(keys); n > 0 && k.kind == keyInsert && keys[n-1].kind == keyInsert {
				keys[n-1].text += k.text
				continue
			}
			keys = append(keys, k)
		}
		if got := fmt.Sprint(keys); got != want {
			t.Fatalf("cut at %d: %q, want %q", i, got, want)
		}
	}
	var p keyParser
	if keys := p.feed([]byte{0x1B}); len(keys) != 0 || !p.escape() || p.escape() {
		t.Errorf("a lone ESC gave %v", keys)
	}
}

// Whatever the agent's options are, #N is a number and =TEXT a text, and a line that could be both
// is refused.
func TestChoose(t *testing.T) {
	hostile := []string{"Block", "1", "#1", "=1", "/cancel", "2", "#x", "=x", "x", "007", "10", "a", "a"}
	var choices []choice
	for i, o := range hostile {
		choices = append(choices, choice{label: o, answer: fmt.Sprint(i, o)})
	}
	choices[12].answer = choices[11].answer // interchangeable
	for line, want := range map[string]int{ // 0 for refused
		"1": 0, "#1": 1, "=1": 2, "=#1": 3, "==1": 4, " =1 ": 2, " #1 ": 1, "= 1": 2,
		"2": 0, "#2": 2, "=2": 6, "3": 3, "#3": 3, "=3": 0, "6": 6, "#6": 6, "10": 0, "#10": 10, "=10": 11,
		"#x": 7, "=#x": 7, "x": 9, "=x": 9, "==x": 8, "#0": 0, "#14": 0, "#01": 0, "14": 0, "0": 0, "01": 0, "007": 10, "=007": 10,
		"Block": 1, "=Block": 1, "block": 0, "/cancel": 5, "=/cancel": 5, "": 0, "=": 0, "#": 0, "a": 12, "=a": 12, "12": 12, "13": 13, "-1": 0, "1.": 0,
	} {
		got, problem := choose(choices, line)
		if (problem == "") != (want > 0) || problem == "" && got != want-1 {
			t.Errorf("%q chose %d (%s), want %d", line, got+1, problem, want)
		}
	}
	for line, want := range map[string]string{
		"1": "", "#1": "[0]", "#1,#2": "[0 1]", "3, #1": "[2 0]", "2": "", "3": "[2]", "3,3": "", "3,#3": "", "=1": "", "Block": "", "14": "", "#14": "", "3,": "", "##3": "",
	} {
		got, problem := chooseSeveral(choices, line)
		if problem != "" {
			got = nil
		}
		if (problem == "") != (want != "") || want != "" && fmt.Sprint(got) != want {
			t.Errorf("%q chose %v (%s), want %s", line, got, problem, want)
		}
	}
}
