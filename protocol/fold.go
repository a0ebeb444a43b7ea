package protocol

import (
	"strings"
	"unicode"
)

// FoldName returns the name of a member as readers compare it that do not mind its case:
// two names for which it is the same may be one to them. There are letters with two small
// forms, of which one is that of an ASCII letter.
func FoldName(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return strings.ToLower(name)
	}
	return strings.ToLower(strings.ToUpper(name))
}
