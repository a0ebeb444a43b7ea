package safetext

import (
	"strings"
	"testing"
)

func TestLabel(t *testing.T) {
	for s, want := range map[string]string{
		"":                   "<empty>",
		"Allow":              "Allow",
		"Allow once  or not": "Allow once  or not",
		"Größe\u00a0A":       "Größe\u00a0A",
		"Allow ":             "Allow␠",
		"  Allow":            "␠␠Allow",
		" ":                  "␠",
		"   ":                "␠␠␠",
		"\tAllow\t":          "␉Allow␉",
		"\nAllow\r\n":        "␊Allow␊",
		"one\n two":          "one\n two",
		"Allow\u00a0":        "Allow<U+00A0>",
		"\u3000\u2003":       "<U+3000><U+2003>",
		"\u2800":             "<U+2800>",
		"A\u2800B":           "A<U+2800>B",
		"\u3164":             "<U+3164>",
		"\u115f ":            "<U+115F>␠",
		"\U0001D159":         "<U+1D159>",
		" \x1b[2J ":          "␠␛[2J␠",
		"\u200b":             "<U+200B>",
	} {
		if got := Label(s); got != want {
			t.Errorf("Label(%q) = %q, want %q", s, got, want)
		}
	}
}

// Labels that differ by blanks at their ends differ on the screen, too.
func TestLabelsDiffer(t *testing.T) {
	seen := map[string]string{}
	for _, blank := range []string{"", " ", "  ", "\t", "\n", "\u00a0", "\u2002", "\u2800", "\u3000", "\u3164", "\u115f", "\u200b", "\ufeff", "\U00016FE4"} {
		for _, s := range []string{"x" + blank, blank + "x", blank} {
			got := Label(s)
			if other, same := seen[got]; same && other != s {
				t.Errorf("%q and %q are both %q", other, s, got)
			}
			if strings.TrimSpace(got) != got || got == "" {
				t.Errorf("%q becomes %q, with blanks that nobody sees", s, got)
			}
			seen[got] = s
		}
	}
}
