package safetext

import (
	"fmt"
	"strings"
	"unicode"
)

// Empty is what [Label] returns for the empty text.
const Empty = "<empty>"

// Label returns s as [Block] does, fit for something that can be chosen: no two labels may look the
// same for a blank that nobody sees, and none like nothing. So blanks, tabs and line breaks at the
// begin and the end of s become visible marks (␠ for a space, ␉, ␊, and numbers such as <U+00A0> for
// the others), and the empty text becomes [Empty]. Blanks between words stay.
func Label(s string) string {
	s = Block(s)
	if s == "" {
		return Empty
	}
	rest := strings.TrimLeftFunc(s, unicode.IsSpace)
	middle := strings.TrimRightFunc(rest, unicode.IsSpace)
	if len(middle) == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	blanks(&b, s[:len(s)-len(rest)])
	b.WriteString(middle)
	blanks(&b, rest[len(middle):])
	return b.String()
}

func blanks(b *strings.Builder, s string) {
	for _, r := range s {
		switch r {
		case ' ':
			b.WriteRune('\u2420')
		case '\t', '\n':
			b.WriteRune(0x2400 + r)
		default:
			fmt.Fprintf(b, "<U+%04X>", r)
		}
	}
}
