package terminal

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// plainRows renders Markdown without colours.
func plainRows(text string, width int) string {
	return ansi.Strip(strings.Join(newMarkdown(true).rows(text, width, ansi.GraphemeWidth), "\n"))
}

func TestMarkdownBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		width      int
		text, want string
	}{
		"heading":           {40, "# One\ntext\n\nTwo\n---\n\n### *Three*", "# One\n\ntext\n\n## Two\n\n### Three"},
		"emphasis":          {40, "*a* **b** ***c*** `d  e` ~~f~~ \\*g\\*", "a b c `d  e` ~~f~~ *g*"},
		"soft and hard":     {40, "one\ntwo  \nthree\\\nfour", "one two\nthree\nfour"},
		"wrapped":           {12, "some words that go on", "some words\nthat go on"},
		"just fits":         {11, "hello world again", "hello world\nagain"},
		"long word":         {8, "a abcdefghijklm b", "a\nabcdefgh\nijklm b"},
		"CJK":               {10, "ab 漢字漢字漢字、漢", "ab 漢字漢\n字漢字、漢"},
		"CJK stop":          {10, "漢字漢字漢。abc", "漢字漢字\n漢。abc"},
		"emoji":             {8, "👩🏽\u200d🚒👩🏽\u200d🚒👩🏽\u200d🚒👩🏽\u200d🚒👩🏽\u200d🚒", "👩🏽\u200d🚒👩🏽\u200d🚒👩🏽\u200d🚒👩🏽\u200d🚒\n👩🏽\u200d🚒"},
		"list":              {20, "- one\n- two words wrapped here\n  1) a\n  2) b\n", "• one\n• two words wrapped\n  here\n  1) a\n  2) b"},
		"loose":             {20, "3. a\n\n4. b\n\n   c", "3. a\n\n4. b\n\n   c"},
		"tasks":             {20, "- [x] done\n- [ ] to be done and wrapped\n- not one", "[x] done\n[ ] to be done and\n    wrapped\n• not one"},
		"quote":             {20, "> one two three four five\n>\n> - a\n> > b", "│ one two three four\n│ five\n│ \n│ • a\n│ \n│ │ b"},
		"rule":              {10, "a\n\n***\n\nb", "a\n\n──────────\n\nb"},
		"code":              {20, "```go\nfunc  a() {\n\n\tb()\n}\n```\n\n    x  y", "```go\n  func  a() {\n\n      b()\n  }\n\n  x  y"},
		"code too wide":     {12, "```\n0123456789abc d\n```", "  0123456789\n  abc d"},
		"link":              {60, "[text](http://a.example/x) <http://b.example> [http://c.example](http://c.example) ![p](q.png)", "text (http://a.example/x) http://b.example http://c.example\nimage: p (q.png)"},
		"two-faced link":    {60, "[http://good.example](http://bad.example)", "http://good.example (http://bad.example)"},
		"reference":         {60, "[a]\n\n[a]: http://a.example", "a (http://a.example)\n\n[a]: http://a.example"},
		"HTML":              {60, "a <b>c</b> <!-- d -->\n\n<script>\nalert(1)\n</script>", "a <b>c</b> <!-- d -->\n\n  <script>\n  alert(1)\n  </script>"},
		"entities":          {60, "&lt;b&gt; &copy; \\&lt; &nope; &#27;[2J `&lt;`", "<b> © &lt; &nope; ␛[2J `&lt;`"},
		"table":             {40, "| a | b | c |\n|---|--:|:-:|\n| one | 2 | x |\n| **four** | 55 | yyy |", "a    │  b │  c\n─────┼────┼────\none  │  2 │  x\nfour │ 55 │ yyy"},
		"table, no frame":   {40, "before\na | b\n--- | ---\n1 | `x\\|y`", "before\n\na │ b\n──┼───────\n1 │ `x\\|y`"},
		"table, uneven":     {40, "|a|b|\n|-|-|\n|1|\n|1|2|3|", "a │ b │\n──┼───┼──\n1 │   │\n1 │ 2 │ 3"},
		"table, wide chars": {40, "|名前|b|\n|-|-|\n|x|🎉|", "名前 │ b\n─────┼───\nx    │ 🎉"},
		"table, fits":       {25, "|a|b|\n|-|-|\n|x|some words that go on|", "a │ b\n──┼──────────────────────\nx │ some words that go on"},
		"table, narrower":   {20, "|a|b|\n|-|-|\n|x|some words that go on|", "a │ b\n──┼─────────────────\nx │ some words that\n  │ go on"},
		"table, no room":    {12, "|Name|Value|\n|-|-|\n|first entry|second entry|\n|c|d|", "Name: first\nentry\nValue:\nsecond entry\n\nName: c\nValue: d"},
		"no table":          {40, "a | b\nc | d", "a | b c | d"},
		"empty":             {40, "\n\n", ""},
	} {
		got := plainRows(c.text, c.width)
		rows := strings.Split(got, "\n")
		for i, r := range rows {
			if w := ansi.StringWidth(r); w > c.width {
				t.Errorf("%s: a row of %d columns: %q", name, w, r)
			}
			rows[i] = strings.TrimRight(r, " ")
		}
		want := strings.Split(c.want, "\n")
		for i := range want {
			want[i] = strings.TrimRight(want[i], " ")
		}
		if got, want := strings.Join(rows, "\n"), strings.Join(want, "\n"); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
		}
	}
}

// Blocks in blocks beyond any width cost rows, not text.
func TestMarkdownDeepInside(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("> ", 500) + "deep", strings.Repeat("- ", 300) + "deep", strings.Repeat("1. ", 300) + "deep",
		strings.Repeat("[", 3000) + "deep", strings.Repeat("*a ", 3000) + "deep", strings.Repeat("|", 3000) + "\n" + strings.Repeat("|-", 2999) + "|\ndeep",
	} {
		if got := plainRows(text, 20); !strings.Contains(got, "deep") {
			t.Errorf("%.20q…: the text is gone:\n%.300s", text, got)
		}
	}
}

// Faces are seen where the terminal has colours.
func TestMarkdownFaces(t *testing.T) {
	rows := newMarkdown(true).rows("**bold** *slanted* `code` plain", 60, ansi.GraphemeWidth)
	if len(rows) != 1 || !strings.Contains(rows[0], "\x1b[1mbold") || !strings.Contains(rows[0], "\x1b[3mslanted") ||
		!strings.Contains(rows[0], "38;5;216m`code`") {
		t.Errorf("got %q", rows)
	}
}
