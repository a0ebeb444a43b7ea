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

// What is said of an option beside its label is not approved unseen.
func TestDescriptionsAreLookedAt(t *testing.T) {
	const option = `"method":"select","title":"Which?","options":["Deny",{"label":"Allow","description":"deletes everything"},{"label":"Other","description":"x"}]`
	for _, test := range []struct {
		when string
		want protocol.Answer
	}{
		{`title: Which?`, protocol.Cancelled{}},
		{`title: Which?, options: [Deny, Allow, Other]`, protocol.Cancelled{}},
		{`title: Which?, description: deletes nothing`, protocol.Cancelled{}},
		{`title: Which?, description: x`, protocol.Cancelled{}}, // which is another one's
		{`title: Which?, expr: 'any(descriptions, # == "x" and # != "y") and "deletes everything" not in descriptions'`, protocol.Cancelled{}},
		{`title: Which?, description: deletes everything`, protocol.Value("Allow")},
		{`title: Which?, description: [a, {glob: deletes *}]`, protocol.Value("Allow")},
		{`title: Which?, expr: 'descriptions[1] == "deletes everything"'`, protocol.Value("Allow")},
	} {
		if a, d := ask(t, "rules: [{when: {"+test.when+"}, answer: Allow}]", decode(t, option)); a != test.want {
			t.Errorf("%s: %#v: %s", test.when, a, d.Why)
		}
	}
	preview := "drop table"
	q := questions("Which?")
	q.Questions[0].Header, q.Questions[0].Options[0].Description, q.Questions[0].Options[1].Preview = "Delete", "deletes everything", &preview
	for expr, want := range map[string]bool{
		`none(questions, .header == "Delete")`: false, `any(questions, .header == "Delete")`: true,
		`any(questions, "deletes everything" in .descriptions)`: true, `any(questions, any(.previews, # matches "drop"))`: true,
		`any(questions, any(.descriptions, # matches "drop"))`: false,
	} {
		a, _ := ask(t, "rules: [{when: {question: Which?, expr: '"+expr+"'}, answers: [{question: Which?, option: A}]}]", q)
		if _, answered := a.(protocol.Answers); answered != want {
			t.Errorf("%s: %#v", expr, a)
		}
	}
	if a, _ := ask(t, `rules: [{when: {description: deletes everything}, cancel: true}, {when: {question: Which?}, answers: [{question: Which?, option: A}]}]`, q); a != (protocol.Cancelled{}) {
		t.Errorf("a description that is denied: %#v", a)
	}
	for _, rule := range []string{"", ", description: x", ", expr: 'len(questions) == 1'"} {
		got := warned(t, "rules: [{when: {question: Which?"+rule+"}, answers: [{question: Which?, option: A}]}]")
		if (len(got) > 0) != (rule == "") {
			t.Errorf("%q: warned of %q", rule, got)
		}
	}
}

// A member that extui does not know may be shown by who does, and hides nothing then.
func TestHiddenTextInUnknownMembers(t *testing.T) {
	const rules = `rules: [{when: {title: Which?}, answer: Allow}, {when: {title: Sure?}, confirmed: true}, {when: {question: Which?}, answers: [{question: Which?, option: A}]}]`
	for _, hidden := range []string{`\u202e`, "\u202e", `a\u200bb`, `\u001b[8m`, `\ud800`, "\xff", "\u017f"} {
		for _, members := range []string{
			`"method":"select","title":"Which?","options":["Allow"],"message":"%"`,
			`"method":"select","title":"Which?","options":[{"label":"Allow","hint":"%"}]`,
			`"method":"select","title":"Which?","options":["Allow",{"label":"No","hint":["%"]}]`,
			`"method":"select","title":"Which?","options":[{"label":"Allow","%":1}]`,
			`"method":"confirm","title":"Sure?","details":{"a":[{"b":"%"}]}`,
			`"method":"confirm","title":"Sure?","details":{"id":"%"}`,
			`"method":"questionnaire","questions":[{"question":"Which?","hint":"%","options":[{"label":"A"}]}]`,
			`"method":"questionnaire","questions":[{"question":"Which?","options":[{"label":"A","hint":"%"}]}]`,
		} {
			d := decode(t, strings.ReplaceAll(members, "%", hidden))
			if a, log := ask(t, rules, d); a != (protocol.Cancelled{}) || log.Outcome != NoRule {
				t.Errorf("%s with %q: %#v, %+v", members, hidden, a, log)
			}
			d = decode(t, strings.ReplaceAll(members, "%", `plain \u00e9`))
			if a, log := ask(t, rules, d); a == (protocol.Cancelled{}) {
				t.Errorf("%s, plain: %+v", members, log)
			}
		}
	}
}

// A dialog of which readers may see one thing or the other is not judged.
func TestMembersThatDifferInCase(t *testing.T) {
	const rules = `rules: [{when: {title: Sure?}, confirmed: true}, {when: {title: Which?}, answer: A}]`
	for members, want := range map[string]bool{
		`"method":"confirm","title":"Sure?","Message":"rm","message":""`:                                       false,
		`"method":"confirm","title":"Sure?","Title":"Drop?"`:                                                   false,
		`"method":"confirm","title":"Sure?","x":1,"X":1`:                                                       false,
		`"method":"confirm","title":"Sure?","x":[{"a":{"b":1,"B":2}}]`:                                         false,
		`"method":"select","title":"Which?","options":[{"label":"A","Label":"Drop"}]`:                          false,
		`"method":"select","title":"Which?","options":[{"label":"A","de\u017fcription":"d","description":""}]`: false,
		`"method":"confirm","title":"Sure?","x":{"a":1},"y":{"A":1},"z":["a","A","a"]`:                         true,
		`"method":"select","title":"Which?","options":[{"label":"A"},{"label":"B"}]`:                           true,
	} {
		a, d := ask(t, rules, decode(t, members))
		if (a != protocol.Cancelled{}) != want || !want && (d.Outcome != Failed || d.Why != errTwofold.Error()) {
			t.Errorf("%s: %#v, %s: %s", members, a, d.Outcome, d.Why)
		}
		if v := mustParse(t, rules).Judge(decode(t, members), nil, "", 0); (v.Err == nil) != want {
			t.Errorf("%s: judged %+v", members, v)
		}
	}
}
