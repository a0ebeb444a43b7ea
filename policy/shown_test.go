package policy

import (
	"strings"
	"testing"

	"extui/protocol"
)

// A text that a rule does not look at, and that hides something, is not approved with
// the one that it does look at.
func TestHiddenTextElsewhereIsNotApproved(t *testing.T) {
	for name, rule := range map[string]string{
		"regexp": `{when: {method: confirm, title: {regexp: "^Run [a-z]+[?]$"}}, confirmed: true}`,
		"glob":   `{when: {method: confirm, title: {glob: "Run tests?"}}, confirmed: true}`,
		"exact":  `{when: {method: confirm, title: "Run tests?"}, confirmed: true}`,
		"expr":   `{when: {method: confirm, expr: 'title == "Run tests?"'}, confirmed: true}`,
		"deny":   `{when: {message: {regexp: "rm"}}, cancel: true}, {when: {title: "Run tests?"}, confirmed: true}`,
		"case":   `{when: {title: {regexp: "(?i)^run tests[?]$"}}, confirmed: true}`,
	} {
		rules, err := Parse("p.yaml", []byte("rules: ["+rule+"]"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, message := range []string{"\u202e\u200brm -rf / \x1b[2K", "r\u200bm -rf /", "a\xffb", strings.Repeat("x", longestGranted+1), "\u212aill it"} {
			d := &protocol.Confirm{Title: "Run tests?", Message: &message}
			if a, err := New(rules, nil).Ask(t.Context(), d); err == nil && a == protocol.Confirmed(true) {
				t.Errorf("%s: %.20q is approved", name, message)
			}
		}
		plain := "in this folder"
		if a, _ := New(rules, nil).Ask(t.Context(), &protocol.Confirm{Title: "Run tests?", Message: &plain}); a != protocol.Confirmed(true) {
			t.Errorf("%s: a plain message: %v", name, a)
		}
		if a, _ := New(rules, nil).Ask(t.Context(), &protocol.Confirm{Title: "Run te\u017fts?", Message: &plain}); a == protocol.Confirmed(true) {
			t.Errorf("%s: a long s is approved", name)
		}
	}
}
