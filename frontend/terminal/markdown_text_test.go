package terminal

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"extui/client"
)

// pieces are what texts in Markdown are made of, and what only looks like it.
var pieces = []string{
	"word", "Vec<String>", "rm <file> in <dir>", "<!-- hidden -->", "<script>", "alert(1)", "</script>", "<b>bold</b>",
	"<https://auto.example/p>", "<me@mail.example>", "<?php echo ?>", "<!DOCTYPE html>", "<![CDATA[data]]>", "<div class=\"c\">", "</div>",
	"<pre>", "<style>", "*slanted*", "**strong**", "`code <i>`", "[text](http://link.example \"title\")", "![image](pic.png 'caption')",
	"[full][label]", "[label]: http://defined.example \"named\"", "[unused]: <nowhere.html>", "| a | b |\n|---|---|\n| cell | row | more |",
	"\n", "\n\n", "\n- ", "\n> ", "\n# ", "\n    ", "\n```lang extra\n", "\n```\n", "\n~~~\n", "- [x] task", "\\<escaped>", "&amp;", "&unknown;",
	"<", ">", "<<", "< x >", "a<b", "<a", "<a href=", "---", "===", "!", "  ", "\t", "naïve", "漢字",
}

// letters are the letters and digits of a text, each with how often it is there.
func letters(s string) map[rune]int {
	out := map[rune]int{}
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out[r]++
		}
	}
	return out
}

// Every letter and digit that an agent writes is on the screen, whatever Markdown
// makes of it. Of entities only their character is.
func TestMarkdownLosesNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	check := func(text string) bool {
		got := letters(plainRows(text, 60))
		for r, n := range letters(strings.ReplaceAll(text, "&amp;", "&")) {
			if got[r] < n {
				t.Errorf("%d of %d %q are shown of\n%q\n%s", got[r], n, r, text, plainRows(text, 60))
				return false
			}
		}
		return true
	}
	for _, p := range pieces {
		check(p)
		check("before " + p + " behind")
	}
	for range 5000 {
		var b strings.Builder
		for range 1 + rnd.IntN(12) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
			if rnd.IntN(2) == 0 {
				b.WriteString(" ")
			}
		}
		if !check(b.String()) {
			return
		}
	}
}

// A letter and its mark are one, however they are written.
func TestDecomposedLettersAreShown(t *testing.T) {
	for _, text := range []string{"cafe\u0301 au lait", "Tie\u0302\u0301ng **Vie\u0323\u0302t**", "`n\u0303`"} {
		s := newScreen(t, 80, 24)
		s.send(eventMsg{client.TextDelta{Text: text}})
		if got := s.picture(); strings.Contains(got, "<U+") {
			t.Errorf("%q is shown as\n%s", text, got)
		}
	}
}
