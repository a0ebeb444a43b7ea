package policy

import (
	"slices"
	"strings"
	"testing"

	"extui/protocol"
)

// warned returns the warnings of the rules of a file.
func warned(t *testing.T, text string) []string {
	t.Helper()
	var all []string
	for _, w := range mustParse(t, text).Warnings() {
		all = append(all, w.Text)
	}
	return all
}

// A rule that denies and can never match, or a rule that always fails, is warned of: what
// it was written for would be approved below it, or never.
func TestRulesThatCannotBeMeant(t *testing.T) {
	for _, test := range []struct{ rules, want string }{
		{`{when: {expr: 'title matches "\bdelete\b"'}, cancel: true}`, "the edge of a word"},
		{`{when: {expr: 'any(options, # matches "\bdelete")'}, cancel: true}`, "the edge of a word"},
		{"{when: {expr: \"title contains 'a\\u200bb'\"}, cancel: true}", "do not show themselves"},
		{"\n  - when:\n      title:\n        regexp: |\n          delete|drop\n    cancel: true", "ends with a line break"},
		{"\n  - when:\n      title:\n        regexp: >\n          delete|\n          drop\n    cancel: true", "part of the expression"},
		{"\n  - when:\n      title:\n        regexp: |-\n          delete|\n          drop\n    cancel: true", "part of the expression"},
		{"\n  - when:\n      title:\n        glob: |\n          *drop*\n    cancel: true", "ends with a line break"},
		{"\n  - when:\n      title: |\n        Drop?\n    cancel: true", "ends with a line break"},
		{"\n  - when:\n      title:\n        - |\n          Drop?\n    cancel: true", "ends with a line break"},
		{"\n  - when:\n      title: {exact: a}\n      options:\n        - |\n          a\n    cancel: true", "ends with a line break"},
		{"\n  - when: {title: Drop it?}\n    answer: |\n      Keep\n", "ends with a line break"},
		{`{when: {title: "*drop*"}, cancel: true}`, "{glob: PATTERN}"},
		{`{when: {title: [x, "*delete*"]}, cancel: true}`, "{glob: PATTERN}"},
		{`{when: {options: {contains: "Delete*"}}, cancel: true}`, "{glob: PATTERN}"},
		{`{when: {title: "^delete"}, cancel: true}`, "{regexp: EXPRESSION}"},
		{`{when: {message: ".*delete.*"}, cancel: true}`, "{regexp: EXPRESSION}"},
		{`{when: {expr: 'title == "*delete*"'}, cancel: true}`, "with its *"},
		{`{when: {expr: 'title in ["a", "delete*"]'}, cancel: true}`, "with its *"},
		{`{when: {expr: '"*delete" in options'}, cancel: true}`, "with its *"},
		{`{when: {expr: 'lower(title) contains "Delete"'}, cancel: true}`, "no capital letters"},
		{`{when: {expr: '"Delete" == lower(trim(title))'}, cancel: true}`, "no capital letters"},
		{`{when: {expr: 'upper(title) startsWith "delete"'}, cancel: true}`, "no small letters"},
		{`{when: {expr: 'hasPrefix(trim(lower(title)), "Delete")'}, cancel: true}`, "no capital letters"},
		{`{when: {expr: 'let t = lower(title); t endsWith "Delete"'}, cancel: true}`, "no capital letters"},
		{`{when: {expr: 'lower(title) matches "delete|Drop"'}, cancel: true}`, "no capital letters"},
		{`{when: {expr: 'lower(title) in ["drop", "Delete"]'}, cancel: true}`, "no capital letters"},
		{`{when: {expr: 'method == "Confirm"'}, cancel: true}`, `no method is "Confirm"`},
		{`{when: {expr: 'method in ["confirms", "select"]'}, cancel: true}`, `no method is "confirms"`},
		{`{when: {expr: 'let m = method; m matches "^Sel"'}, cancel: true}`, `no method is "^Sel"`},
		{`{when: {method: select, message: {glob: "*x*"}}, cancel: true}`, "no dialog of the method select has all of message"},
		{`{when: {method: confirm, question: x}, cancel: true}`, "has all of question"},
		{`{when: {method: confirm, placeholder: x}, cancel: true}`, "has all of placeholder"},
		{`{when: {method: [input, editor], placeholder: x, prefill: x}, cancel: true}`, "has all of placeholder, prefill"},
		{`{when: {title: x, question: x}, cancel: true}`, "has all of title, question"},
		{`{when: {method: select, expr: 'message contains "rm -rf"'}, cancel: true}`, "has any of message"},
		{`{when: {expr: 'false'}, cancel: true}`, "never true"},
		{`{when: {title: Which?, options: [A, B]}, answer: C}`, `"C" is offered 0 times`},
		{`{when: {title: Which?, options: [A, A]}, answer: A}`, `"A" is offered 2 times`},
		{`{when: {title: Which?, prefill: x}, answer: A}`, "has all of title, prefill"},
		{`{when: {title: Which?}, answers: [{question: Which?, option: A}]}`, "has all of title"},
		{`{when: {question: That?}, answers: [{question: Which?, option: A}]}`, "answers none of the questions"},
		{`{when: {question: Which?}, answers: [{question: Which?, options: [A, A]}]}`, `chooses "A" twice`},
		{`{when: {title: Drop it?, message: ""}, confirmed: true}, {when: {title: Drop it?, message: ""}, cancel: true}`, "decides nothing, but for dialogs that hide something: rule 1 (line 1)"},
		{`{when: {title: Drop it?}, confirmed: true}, {when: {title: Drop it?}, cancel: true}`, "decides nothing about a confirm, but for dialogs that hide something: rule 1 (line 1)"},
		{`{when: {title: Drop it?}, cancel: true}, {when: {method: confirm, title: Drop it?, message: x}, confirmed: true}`, "decides nothing: rule 1"},
		{`{when: {title: [a, {glob: "Drop *"}]}, ask: true}, {when: {title: [Drop it?, a]}, cancel: true}`, "decides nothing: rule 1"},
		{`{when: {title: x, status: {mode: auto}, expr: 'message == ""'}, ask: true}, {when: {title: x, status: {mode: auto, y: null}, expr: 'message == ""'}, cancel: true}`, "decides nothing: rule 1"},
		{`{when: {title: x, options: {contains: a}}, ask: true}, {when: {title: x, options: [b, a]}, cancel: true}`, "decides nothing: rule 1"},
		{`{when: {title: x}, ask: true}, {when: {title: x, open: 1m}, cancel: true}`, "decides nothing: rule 1"},
	} {
		rules := "rules: [" + test.rules + "]"
		if strings.HasPrefix(test.rules, "\n") {
			rules = "rules:" + test.rules
		}
		got := warned(t, rules)
		if !slices.ContainsFunc(got, func(text string) bool { return strings.Contains(text, test.want) }) {
			t.Errorf("%s:\nwarned of %q, want %q", test.rules, got, test.want)
		}
	}
}

// Their likes that mean something are not warned of.
func TestRulesThatCanBeMeant(t *testing.T) {
	for _, rules := range []string{
		`{when: {expr: 'title matches "\\bdelete\\b"'}, cancel: true}`,
		`{when: {title: {exact: "*drop*"}}, cancel: true}`,
		`{when: {title: {glob: "*drop*"}}, cancel: true}`,
		`{when: {expr: 'lower(title) contains "delete" or title contains "Delete"'}, cancel: true}`,
		`{when: {expr: 'lower(title) matches "(?i)Delete"'}, cancel: true}`,
		`{when: {expr: 'method in ["confirm", "select"] or method matches "^ed"'}, cancel: true}`,
		`{when: {method: [select, confirm], message: x}, cancel: true}`,
		`{when: {expr: 'title contains "a" or message contains "b"', method: select}, cancel: true}`,
		`{when: {title: Which?, options: [A, B]}, answer: B}`,
		`{when: {question: {glob: "Which?"}, description: only this}, answers: [{question: Which?, option: A}]}`,
		`{when: {title: x, open: 1m}, cancel: true}, {when: {title: x}, ask: true}`,
		`{when: {method: confirm, title: x}, cancel: true}, {when: {title: x}, ask: true}`,
		`{when: {method: confirm, title: x}, cancel: true}, {when: {method: select, title: x}, ask: true}`,
		`{when: {title: x, message: y}, cancel: true}, {when: {title: x}, ask: true}`,
		`{when: {title: x, status: {mode: auto}}, cancel: true}, {when: {title: x, status: {mode: null}}, ask: true}`,
		`{when: {title: x, options: [a]}, cancel: true}, {when: {title: x, options: [a, b]}, ask: true}`,
		`{when: {title: {regexp: x}}, cancel: true}, {when: {title: {regexp: y}}, ask: true}`,
		`{when: {title: x, expr: 'message == "a"'}, cancel: true}, {when: {title: x, expr: 'message == "b"'}, ask: true}`,
	} {
		if got := warned(t, "rules: ["+rules+"]"); len(got) > 0 {
			t.Errorf("%s: warned of %q", rules, got)
		}
	}
	if got := warned(t, "rules:\n  - when:\n      title:\n        regexp: |-\n          delete|drop\n    cancel: true\n"); len(got) > 0 {
		t.Errorf("warned of %q", got)
	}
}

// What the agent alone chooses is not a rule's value without a warning.
func TestValuesThatTheAgentDictates(t *testing.T) {
	for rule, want := range map[string]string{
		`{when: {title: "Command?"}, value: "{{placeholder}}"}`:                                           "{{placeholder}} is whatever",
		`{when: {title: "Command?"}, value: "run {{ prefill }}"}`:                                         "{{prefill}} is whatever",
		`{when: {title: "Command?"}, value: "{{status.next}}"}`:                                           "{{status.next}} is whatever",
		`{when: {title: "Command?", status: {other: x}}, value: "{{status.next}}"}`:                       "{{status.next}} is whatever",
		`{when: {method: input, title: "Command?", prefill: x}, value: "{{prefill}}"}`:                    "always fails",
		`{when: {title: "Command?"}, value: "{{message}}"}`:                                               "always fails",
		`{when: {method: editor, title: "Command?"}, value: "{{placeholder}}"}`:                           "always fails",
		`{when: {title: "Command?", placeholder: make}, value: "{{placeholder}}"}`:                        "",
		`{when: {title: "Command?", placeholder: {regexp: '^make [a-z]+$'}}, value: "{{placeholder.0}}"}`: "",
		`{when: {title: "Command?", expr: 'prefill == "make"'}, value: "{{prefill}}"}`:                    "",
		`{when: {title: "Command?", status: {next: make}}, value: "{{status.next}}"}`:                     "",
		`{when: {title: "Command?", expr: 'status.next == "make"'}, value: "{{status.next}}"}`:            "",
		`{when: {title: "Command?"}, value: "{{title}} {{session}}"}`:                                     "",
	} {
		got := warned(t, "rules: ["+rule+"]")
		if want == "" && len(got) > 0 || !slices.ContainsFunc(append(got, ""), func(text string) bool { return strings.Contains(text, want) }) {
			t.Errorf("%s: warned of %q, want %q", rule, got, want)
		}
	}
}

// A group that took no part in a match is nothing to fill in, and an empty one is.
func TestGroupsThatTookNoPart(t *testing.T) {
	const rules = `rules: [{when: {method: input, title: {regexp: '^Name( now)?(?P<as> as)?( *)$'}}, value: "x{{title.1}}{{title.as}}{{title.3}}"}]`
	for title, want := range map[string]protocol.Answer{
		"Name now as": protocol.Value("x now as"), "Name now": protocol.Cancelled{}, "Name as": protocol.Cancelled{}, "Name": protocol.Cancelled{},
	} {
		if a, d := ask(t, rules, input(title)); a != want || a == (protocol.Cancelled{}) && !strings.Contains(d.Why, "took no part") {
			t.Errorf("%s: %#v: %s", title, a, d.Why)
		}
	}
}
