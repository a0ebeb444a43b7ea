package policy

import (
	"strings"
	"testing"
	"unicode"

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

// A letter that is another one in upper or lower case does not pass for that one.
func TestOtherLettersInAnotherCase(t *testing.T) {
	ask := func(expr, title, status string) protocol.Answer {
		t.Helper()
		f := New(mustParse(t, "rules: [{when: {expr: '"+expr+"'}, confirmed: true}]"), nil)
		f.Show(&protocol.SetStatus{Key: "k", Text: &status})
		a, _ := f.Ask(t.Context(), confirm(title, ""))
		return a
	}
	upper, lower := `upper(title) == "INSTALL TASKS?"`, `lower(title) == "install tasks?"`
	for _, title := range []string{"install tasks?", "Install Tasks?", "INSTALL TASKS?"} {
		for _, expr := range []string{upper, lower} {
			if a := ask(expr, title, ""); a != protocol.Confirmed(true) {
				t.Errorf("%s: %s is not approved", expr, title)
			}
		}
	}
	for r := rune(unicode.MaxASCII + 1); r <= unicode.MaxRune; r++ {
		for _, to := range []rune{unicode.ToUpper(r), unicode.ToLower(r), unicode.ToTitle(r)} {
			if to >= unicode.MaxASCII {
				continue
			}
			written := strings.ToLower(string(to))
			title := strings.Replace("install tasks?", written, string(r), 1)
			for _, expr := range []string{upper, lower, `message == "" and lower(title) matches "^install tasks[?]$"`} {
				if a := ask(expr, title, ""); a == protocol.Confirmed(true) {
					t.Errorf("%s: %q is approved", expr, title)
				}
			}
			if a := ask(`title == "Sure?" and upper(status.k) == "INSTALL TASKS?"`, "Sure?", title); a == protocol.Confirmed(true) {
				t.Errorf("a status %q is taken", title)
			}
		}
	}
	// Where nothing is put in another case, they are letters like others.
	if a := ask(`title startsWith "Kurulum" and message == ""`, "Kurulum yapılsın mı?", ""); a != protocol.Confirmed(true) {
		t.Error("a dotless i is not approved")
	}
}
