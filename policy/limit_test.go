package policy

import (
	"fmt"
	"strings"
	"testing"

	"extui/protocol"
)

// What a counter changes in a text does not make it another text, and all else does.
func TestTextsThatDifferOnlyInNumbers(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"Retry 1?", "Retry 2?", true},
		{"Retry  9 of 10", "Retry 10 of 10", true},
		{"Retry 999?", "Retry 1,000?", true},
		{"after 0.5 s", "after 1234567.5 s", true},
		{"at 09:15:00", "at 9:20", true},
		{"the 1st try", "the 22nd try", true},
		{"try #1", "try #2", true},
		{"try ٣", "try ٤", true},
		{"step1", "step2", true},
		{"at 0x1f", "at 0xffe", true},
		{"commit deadbee1", "commit 01234ab", true},
		{"job 550e8400-e29b-41d4-a716-446655440000", "job 6ba7b810-9dad-11d1-80b4-00c04fd430c8", true},
		{"no number", "no number", true},
		{"Delete staging-1?", "Delete production-1?", false},
		{"Retry 1?", "Retry 1!", false},
		{"Retry a 1", "Retry b 1", false},
		{"defaced 1", "decades 1", false},
		{"1 x 2", "1 x", false},
		{"Retry one?", "Retry two?", false},
		{"1" + strings.Repeat("x", longestGranted), "2" + strings.Repeat("x", longestGranted), false},
	} {
		if a, b := withoutNumbers(test.a), withoutNumbers(test.b); (a == b) != test.same {
			t.Errorf("%q is %q, %q is %q", test.a, a, test.b, b)
		}
	}
}

// An agent that counts along gets the answer of one rule no more often than one that asks
// the same.
func TestLimitsOfAnAgentThatCounts(t *testing.T) {
	const retry = `
rules:
  - {when: {title: {regexp: '^Retry [0-9a-f]+\?$'}, message: m}, confirmed: true}
  - {when: {title: {regexp: '^Type ([0-9]+)$'}}, value: "{{title.1}}"}
  - {when: {title: "Deploy to host 1?"}, confirmed: true}
  - {when: {title: "Deploy to host 2?"}, confirmed: true}
  - {when: {title: {glob: "Name *"}}, value: Ada}
`
	f := New(mustParse(t, "limits: {same: 3}"+retry), nil)
	ask := func(d protocol.Dialog) bool {
		t.Helper()
		a, err := f.Ask(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		return a != protocol.Cancelled{}
	}
	for i := range 6 {
		// The dialogs take turns, as an agent that goes in circles has them.
		if got := ask(confirm(fmt.Sprintf("Retry %d?", i+8), "m")); got != (i < 3) {
			t.Errorf("retry %d is answered: %v", i, got)
		}
		if got := ask(input(fmt.Sprintf("Type %d", i))); got != (i < 3) {
			t.Errorf("a value that counts along, %d, is answered: %v", i, got)
		}
		if name := string(rune('a' + i)); !ask(input("Name " + name)) {
			t.Errorf("another name, %s, is not answered", name)
		}
	}
	if s := f.Stats(); s.Limited != 6 || s.Rule != 12 {
		t.Errorf("%+v", s)
	}
	// Two rules for two questions are two answers.
	f = New(mustParse(t, "limits: {same: 3}"+retry), nil)
	for i := range 6 {
		if got := ask(confirm(fmt.Sprintf("Deploy to host %d?", i%2+1), "")); !got {
			t.Errorf("deploy %d is not answered", i)
		}
	}

	var log decisions
	f = New(mustParse(t, "limits: {same: 1}"+retry), &Options{OnDecision: log.add})
	for _, title := range []string{"Retry 1?", "Retry 2?"} {
		ask(confirm(title, "m"))
	}
	const why = "a question that differs only in its numbers would get the same answer 2 times in a row"
	if d := log.last(t); d.Outcome != Limited || d.Why != why {
		t.Errorf("%+v", d)
	}
	// 0 is no limit.
	f = New(mustParse(t, "limits: {same: 0}"+retry), nil)
	for i := range 30 {
		if !ask(confirm(fmt.Sprintf("Retry %d?", i), "m")) {
			t.Fatalf("a limit, though there is none")
		}
	}
}

// A command that chooses another option each time gives another answer, be its number the
// only difference.
func TestOptionsWithNumbersAreDifferentAnswers(t *testing.T) {
	r, x := &repeats{}, &rule{name: "x", do: action{kind: ActionRun}}
	d := choose("Which host?", "host 1", "host 2", "host 3")
	for i := 1; i <= 3; i++ {
		if n := r.count(x, d, protocol.Value(fmt.Sprintf("host %d", i))).same; n != 1 {
			t.Errorf("host %d counts as %d", i, n)
		}
	}
}

// What the approving rule does not look at changes nothing, and what it looks at does.
func TestLimitsOfWhatTheRuleDoesNotLookAt(t *testing.T) {
	ask := func(rules string, dialog func(i int) protocol.Dialog) (answered int, last Decision) {
		t.Helper()
		var log decisions
		f := New(mustParse(t, rules), &Options{OnDecision: log.add})
		for i := range 6 {
			if a, err := f.Ask(t.Context(), dialog(i)); err == nil && a != (protocol.Cancelled{}) {
				answered++
			}
		}
		return answered, log.last(t)
	}
	name := func(i int) string { return "no " + strings.Repeat("x", i+1) }
	other := func(i int) protocol.Dialog { return choose("Retry?", "Yes", name(i)) }
	message := func(i int) protocol.Dialog { return confirm(fmt.Sprintf("Retry %d?", i), name(i)) }
	title := func(i int) protocol.Dialog { return confirm("Retry "+name(i), "") }
	for _, test := range []struct {
		rules  string
		dialog func(i int) protocol.Dialog
		want   int
	}{
		{`limits: {same: 2}, rules: [{when: {title: "Retry?"}, answer: "Yes"}]`, other, 2},
		{`limits: {same: 2}, rules: [{when: {expr: 'title == "Retry?"'}, answer: "Yes"}]`, other, 2},
		{`limits: {same: 2}, rules: [{when: {title: "Retry?", options: {contains: "Yes"}}, answer: "Yes"}]`, other, 6},
		{`limits: {same: 2}, rules: [{when: {title: "Retry?", expr: 'len(options) == 2'}, answer: "Yes"}]`, other, 6},
		{`limits: {same: 2}, rules: [{when: {title: {regexp: '^Retry \d+[?]$'}}, confirmed: true}]`, message, 2},
		{`limits: {same: 2}, rules: [{when: {title: {regexp: '^Retry [a-z ]+$'}}, confirmed: true}]`, title, 6},
		{`limits: {rule: 3}, rules: [{when: {title: {regexp: '^Retry [a-z ]+$'}}, confirmed: true}]`, title, 3},
		{`limits: {rule: 3}, rules: [{when: {title: {regexp: '^Retry [a-z ]+$'}}, confirmed: false}]`, title, 6},
		{`rules: [{when: {title: {regexp: '^Retry [a-z ]+$'}}, confirmed: true}]`, title, 6},
		// What denies has nothing to give.
		{`limits: {same: 2}, rules: [{when: {title: {glob: 'Retry*'}}, confirmed: false}]`, message, 6},
	} {
		if n, last := ask("{"+test.rules+"}", test.dialog); n != test.want || (last.Outcome == Limited) != (n < 6) {
			t.Errorf("%s: %d answered, then %s: %s; want %d", test.rules, n, last.Outcome, last.Why, test.want)
		}
	}
}
