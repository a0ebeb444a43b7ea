package policy

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// syntaxError is a file and what is said of it.
type syntaxError struct{ text, want string }

func wantSyntaxErrors(t *testing.T, all map[string]syntaxError) {
	t.Helper()
	for name, test := range all {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("p.yaml", []byte(test.text))
			if err == nil || !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v\nwant %s", err, test.want)
			}
		})
	}
}

// Every mistake in a file is reported with its place, key and value.
func TestSyntaxErrors(t *testing.T) {
	wantSyntaxErrors(t, map[string]syntaxError{
		"empty":               {"", "p.yaml:1:1: the file is empty"},
		"no YAML":             {"rules: [", "p.yaml:1:8: not YAML"},
		"not UTF-8":           {"rules: [\xff]", "p.yaml:1:1: not UTF-8"},
		"half a character":    {"rules: [{when: {title: \"a\ufffd\"}, cancel: true}]", "p.yaml:1:24: rules[0].when.title: a text with U+FFFD"},
		"two documents":       {"rules: []\n---\nrules: []", "2 documents"},
		"a list":              {"- a", "p.yaml:1:1: a map (got a list)"},
		"no rules":            {"about: x", "p.yaml:1:1: rules: is missing"},
		"key of the file":     {"rules: []\nother: 1", "p.yaml:2:1: other: no such key; there are about"},
		"key twice":           {"rules: []\nrules: []", "p.yaml:2:1"},
		"otherwise":           {"otherwise: approve\nrules: []", "p.yaml:1:12: otherwise: cancel, ask, or {ask: true, within: 5m} (got \"approve\")"},
		"otherwise without":   {"otherwise: {within: 3s}\nrules: []", "otherwise: cancel, ask"},
		"limit":               {"limits: {same: -1}\nrules: []", "p.yaml:1:16: limits.same:"},
		"limit then":          {"limits: {then: approve}\nrules: []", "limits.then: cancel or ask"},
		"audit without file":  {"audit: {keep: 3}\nrules: []", "audit.file: is missing"},
		"audit size":          {"audit: {file: a, maxBytes: 0}\nrules: []", "audit.maxBytes: a number of bytes (got 0)"},
		"nothing to do":       {"rules:\n  - when: {title: x}", "p.yaml:2:5: rules[0]: says nothing to do: one of answer, confirmed"},
		"two things":          {"rules:\n  - {when: {title: x}, cancel: true, ask: true}", "rules[0].ask: cancel and ask are two answers"},
		"key of a rule":       {"rules:\n  - {cancel: true, whem: {}}", "p.yaml:2:20: rules[0].whem: no such key"},
		"key of a condition":  {"rules:\n  - {cancel: true, when: {titel: x}}", "p.yaml:2:27: rules[0].when.titel: no such key"},
		"cancel: false":       {"rules: [{cancel: false}]", "rules[0].cancel: true (got false)"},
		"confirmed by text":   {"rules: [{when: {title: x}, confirmed: 'yes'}]", `rules[0].confirmed: true or false (got "yes")`},
		"answer by number":    {"rules: [{when: {title: x}, answer: 1}]", "rules[0].answer: the text of an option; put quotes around it (got 1)"},
		"title by number":     {"rules: [{when: {title: 1}, cancel: true}]", "rules[0].when.title: a text; put quotes around it (got 1)"},
		"method":              {"rules: [{when: {method: sellect}, cancel: true}]", `rules[0].when.method: one of select, confirm, input, editor, questionnaire (got "sellect")`},
		"method of an answer": {"rules: [{when: {method: input, title: x}, confirmed: true}]", "this is for confirm, and the rule for input"},
		"glob":                {`rules: [{when: {title: {glob: 'a\'}}, cancel: true}]`, "p.yaml:1:31: rules[0].when.title.glob"},
		"regular expression":  {"rules: [{when: {title: {regexp: '('}}, cancel: true}]", "p.yaml:1:33: rules[0].when.title.regexp: no regular expression: missing closing )"},
		"two forms":           {"rules: [{when: {title: {glob: a, exact: b}}, cancel: true}]", "one of {exact: TEXT}"},
		"time":                {"rules: [{ask: true, within: 3}]", "rules[0].within: a time such as 500ms, 30s or 2m (got 3)"},
		"time of an answer":   {"rules: [{cancel: true, within: 3s}]", "a time limit is for ask, run and shell"},
		"time of approval":    {"rules: [{when: {title: x, open: 3s}, confirmed: true}]", "approves because time has passed"},
		"name twice":          {"rules: [{name: a, cancel: true}, {name: a, ask: true}]", "another rule has this name"},
		"template":            {"rules: [{when: {title: x}, value: '{{nonsense}}'}]", "no such name; there are title"},
		"group of a glob":     {"rules: [{when: {title: {glob: x}}, value: '{{title.1}}'}]", "no such name"},
		"group that is not":   {"rules: [{when: {title: {regexp: ^x$}}, value: '{{title.1}}'}]", "no such name"},
		"template that opens": {"rules: [{when: {title: x}, value: '{{title'}]", "{{ without }}"},
		"run without command": {"rules: [{when: {title: x}, run: []}]", "the command and its arguments"},
		"run by text":         {"rules: [{when: {title: x}, run: ls -l}]", `rules[0].run: a list (got "ls -l")`},
		"question":            {"rules: [{when: {question: x}, answers: [{option: a}]}]", "answers[0].question: is missing"},
		"question and two":    {"rules: [{when: {question: x}, answers: [{question: x, option: a, text: b}]}]", "one of option, options, text, chat, skip"},
		"question twice":      {"rules: [{when: {question: x}, answers: [{question: x, option: a}, {question: x, skip: true}]}]", "is answered twice"},
		"option by number":    {"rules: [{when: {question: x}, answers: [{question: x, option: 5}]}]", "answers[0].option: the text of an option; put quotes around it (got 5)"},
		"hidden words":        {"rules: [{when: {question: x}, answers: [{question: x, text: \"a\\u200bb\"}]}]", `p.yaml:1:61: rules[0].answers[0].text: a text that shows all that it holds (got "a<U+200B>b")`},
		"hidden chat":         {"rules: [{when: {question: x}, answers: [{question: x, chat: \"a\\u202eb\"}]}]", "answers[0].chat: a text that shows all that it holds"},
		"long words":          {"rules: [{when: {question: x}, answers: [{question: x, text: " + strings.Repeat("x", longestGranted+1) + "}]}]", "answers[0].text: a text of 65536 bytes at most"},
	})
}

// What readers of YAML take for different things is a mistake, or a text.
func TestReadersAgree(t *testing.T) {
	wantSyntaxErrors(t, map[string]syntaxError{
		"limit in octal":     {"limits: {same: 010}\nrules: []", "p.yaml:1:16: limits.same: a number without a 0 in front, which would be octal to some readers: how often in a row the same question may be answered the same way; 0 is no limit (got 010)"},
		"limit below zero":   {"limits: {same: -0}\nrules: []", "limits.same: how often"},
		"limit of 0o10":      {"limits: {same: 0o10}\nrules: []", "limits.same: how often"},
		"limit of 0x10":      {"limits: {same: 0x10}\nrules: []", "limits.same: how often"},
		"limit of 1_000":     {"limits: {same: 1_000}\nrules: []", "limits.same: how often"},
		"limit of 5.0":       {"limits: {same: 5.0}\nrules: []", "limits.same: how often"},
		"limit without end":  {"limits: {same: 99999999999999999999}\nrules: []", "limits.same: how often"},
		"size in octal":      {"audit: {file: a, maxBytes: 0100}\nrules: []", "audit.maxBytes: a number without a 0 in front"},
		"files in octal":     {"audit: {file: a, keep: 07}\nrules: []", "audit.keep: a number without a 0 in front"},
		"time in octal":      {"rules: [{ask: true, within: 010s}]", `rules[0].within: a time such as 500ms, 30s or 2m (got "010s")`},
		"title in octal":     {"rules: [{when: {title: 010}, cancel: true}]", "rules[0].when.title: a text; put quotes around it (got 010)"},
		"directive":          {"%YAML 1.1\n---\nrules: []", "p.yaml:1:1: no directives (%)"},
		"directive below":    {"# mine\n\n%YAML 1.1\n---\nrules: []", "p.yaml:3:1: no directives (%)"},
		"directive for tags": {"\ufeff%TAG ! tag:x,2000:\r\n---\r\nrules: []", "p.yaml:1:1: no directives (%)"},
		"yes of YAML 1.1":    {"rules: [{when: {title: x}, confirmed: yes}]", `rules[0].confirmed: true or false (got "yes")`},
		"on of YAML 1.1":     {"rules: [{cancel: on}]", `rules[0].cancel: true (got "on")`},
	})
}

// An expression is checked as the rest is.
func TestSyntaxErrorsOfExpressions(t *testing.T) {
	wantSyntaxErrors(t, map[string]syntaxError{
		"expression":            {"rules:\n  - {when: {expr: 'title ==== 1'}, cancel: true}", "p.yaml:2:28: rules[0].when.expr: no condition"},
		"expression in a block": {"rules:\n  - when:\n      expr: |\n        title == \"x\" &&\n        titel == \"y\"\n    cancel: true", "p.yaml:5:1: rules[0].when.expr: no condition: unknown name titel"},
		"expression by type":    {"rules: [{when: {expr: 'title'}, cancel: true}]", "expected bool"},
		"expression that calls": {"rules: [{when: {expr: 'now() == now()'}, cancel: true}]", "no condition"},
		"expression of env":     {"rules: [{when: {expr: '$env[title] == 1'}, cancel: true}]", "no condition"},
		"expression that grows": {"rules: [{when: {expr: 'title + title == title'}, cancel: true}]", "no sums"},
		"expression of ranges":  {"rules: [{when: {expr: '5 in 1..10'}, cancel: true}]", "no ranges"},
		"expression of loops":   {"rules: [{when: {expr: 'any(options, any(options, any(options, true)))'}, cancel: true}]", "more than 2 predicates"},
		"expression's pattern":  {"rules: [{when: {expr: 'title matches message'}, cancel: true}]", "stands there as a text"},
		"expression's RE":       {"rules: [{when: {expr: 'title matches \"(\"'}, cancel: true}]", "no regular expression"},
		"expression's length":   {"rules: [{when: {expr: 'title in [" + strings.Repeat(`"a",`, 400) + "\"a\"]'}, cancel: true}]", "no condition"},
	})
}

// There is no approve-all, however it is written.
func TestNoRuleApprovesAll(t *testing.T) {
	wantSyntaxErrors(t, map[string]syntaxError{
		"all":                           {"rules: [{confirmed: true}]", "approves whatever is asked"},
		"all of a method":               {"rules: [{when: {method: confirm}, confirmed: true}]", "approves whatever is asked"},
		"all by glob":                   {"rules: [{when: {title: {glob: '*'}}, confirmed: true}]", "its patterns match any text"},
		"all by glob of two":            {"rules: [{when: {title: [x, {glob: '?*'}]}, confirmed: true}]", "its patterns match any text"},
		"all by regexp":                 {"rules: [{when: {title: {regexp: '.'}}, confirmed: true}]", "its patterns match any text"},
		"all by expression":             {"rules: [{when: {expr: 'true'}, confirmed: true}]", "approves whatever is asked"},
		"all by expression title":       {"rules: [{when: {expr: 'len(title) > 0'}, confirmed: true}]", "its patterns match any text"},
		"all in a session":              {"rules: [{when: {session: ci}, confirmed: true}]", "approves whatever is asked"},
		"all with a status":             {"rules: [{when: {title: {glob: '*'}, status: {mode: auto}}, confirmed: true}]", "its patterns match any text"},
		"all by expression of a status": {"rules: [{when: {expr: 'status[\"mode\"] == \"auto\"'}, confirmed: true}]", "approves whatever is asked; it needs a condition"},
		"all selects":                   {"rules: [{when: {method: select}, answer: Allow}]", "approves whatever is asked"},
		"all inputs":                    {"rules: [{value: x}]", "approves whatever is asked"},
		"all questionnaires":            {"rules: [{answers: [{question: x, option: y}]}]", "approves whatever is asked"},
	})
}

// All mistakes are reported at once.
func TestSyntaxErrorsAreCollected(t *testing.T) {
	_, err := Parse("p.yaml", []byte("otherwise: x\nrules:\n  - {when: {title: 1}, cancel: true}\n  - {confirmed: true}\n"))
	if n := len(strings.Split(err.Error(), "\n")); n != 3 {
		t.Errorf("%d mistakes, want 3:\n%v", n, err)
	}
}

// What is wrong with an anchor is said once, however often it is used, and all mistakes
// stand in the order of the file.
func TestSyntaxErrorsAreSaidOnce(t *testing.T) {
	_, err := Parse("p.yaml", []byte("rules:\n  - when: {title: &a 5}\n    cancel: true\n  - when: {title: *a, message: *a}\n    cancel: no\notherwise: x\nabout: 1\n"))
	var got []string
	for line := range strings.Lines(err.Error()) {
		got = append(got, strings.Join(strings.SplitN(line, ":", 4)[:3], ":"))
	}
	if want := "p.yaml:2:22 p.yaml:5:13 p.yaml:6:12 p.yaml:7:8"; strings.Join(got, " ") != want {
		t.Errorf("%s\nwant %s\n%v", got, want, err)
	}
	// A % within a document is no directive.
	mustParse(t, "about: |\n  100\n  %YAML 1.1\nrules: []")
}

func TestWarnings(t *testing.T) {
	for name, test := range map[string]struct{ rule, want string }{
		"exact":                 {`{when: {title: Sure?, message: m}, confirmed: true}`, ""},
		"glob of one character": {`{when: {title: {glob: "Sure?"}, message: m}, confirmed: true}`, ""},
		"glob":                  {`{when: {title: {glob: "Delete *"}}, confirmed: true}`, "p.yaml:1:31: warning: rules[0].when.title.glob: this rule approves by a broad pattern: * stands for any text"},
		"a plain star":          {`{when: {title: {glob: 'Delete \*'}, message: m}, confirmed: true}`, ""},
		"denying glob":          {`{when: {title: {glob: "Delete *"}}, cancel: true}`, ""},
		"denying confirm":       {`{when: {title: {glob: "Delete *"}}, confirmed: false}`, ""},
		"asking glob":           {`{when: {title: {glob: "*"}}, ask: true}`, ""},
		"anchored":              {`{when: {title: {regexp: "^Deploy v[0-9]+$"}, message: m}, confirmed: true}`, ""},
		"anchored alternatives": {`{when: {title: {regexp: "^(Deploy|Build) [a-z]+$"}, message: m}, confirmed: true}`, ""},
		"no beginning":          {`{when: {title: {regexp: "Deploy$"}}, confirmed: true}`, "ties it to the beginning"},
		"no end":                {`{when: {title: {regexp: "^Deploy"}}, confirmed: true}`, "ties it to the end"},
		"half anchored":         {`{when: {title: {regexp: "^a|b$"}}, confirmed: true}`, "ties it to the beginning"},
		"lines":                 {`{when: {title: {regexp: "(?m)^a$"}}, confirmed: true}`, "ties it to the beginning"},
		"any text":              {`{when: {title: {regexp: "^Deploy .*$"}}, confirmed: true}`, "stands for any text"},
		"nearly any text":       {`{when: {title: {regexp: "^Deploy [^x]+$"}}, confirmed: true}`, "stands for any text"},
		"any but a quote":       {`{when: {title: {regexp: "^Deploy '[^']+'$"}}, confirmed: true}`, "stands for any text"},
		"message":               {`{when: {title: Run?, message: {glob: "ls *"}}, confirmed: true}`, "rules[0].when.message.glob"},
		"options alone":         {`{when: {options: [Allow, Block]}, answer: Allow}`, "approves whatever its question is"},
		"expression":            {`{when: {expr: 'title contains "x"'}, confirmed: true}`, "a broad condition on the title: contains lets any other text stand beside"},
		"exact expression":      {`{when: {expr: 'title in ["x", "y"] and message == "" and not (message contains "z")'}, confirmed: true}`, ""},
		"expression's pattern":  {`{when: {expr: 'title matches "^x"'}, confirmed: true}`, "ties it to the end"},
		"unread message":        {`{when: {title: Sure?}, confirmed: true}`, "rules[0]: this rule approves by the title, and nothing proves what the message is"},
		"unread by expression":  {`{when: {expr: 'title == "message"'}, confirmed: true}`, "nothing proves what the message is"},
		"read by expression":    {`{when: {title: Sure?, expr: 'message == ""'}, confirmed: true}`, ""},
		"unread and denied":     {`{when: {title: Sure?}, confirmed: false}`, ""},
		"command for all":       {`{run: [./decide]}`, "the command decides about every dialog"},
		"command":               {`{when: {title: x}, run: [./decide]}`, ""},
		"hidden":                {`{when: {title: "a\u202eb"}, cancel: true}`, `holds characters that do not show themselves: "a<U+202E>b"`},
		"hidden answer":         {`{when: {title: a}, answer: "a\u200b"}`, "do not show themselves"},
		"hidden value":          {`{when: {title: a}, value: "a\u200b"}`, "do not show themselves"},
		"hidden label":          {`{when: {question: a}, answers: [{question: a, option: "b\u200b"}]}`, "rules[0].answers[0].option: holds characters that do not show themselves"},
		"hidden labels":         {`{when: {question: a}, answers: [{question: a, options: [b, "c\u200b"]}]}`, "rules[0].answers[0].options[1]: holds characters that do not show themselves"},
		"hidden question":       {`{when: {question: a}, answers: [{question: "a\u200b", option: b}]}`, "rules[0].answers[0].question: holds characters that do not show themselves"},
		"unreachable":           {`{cancel: true}, {when: {title: x}, ask: true}`, "rule 1 matches every dialog"},
		"reachable":             {`{when: {title: x}, ask: true}, {cancel: true}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, w := range mustParse(t, "rules: ["+test.rule+"]").Warnings() {
				got = append(got, w.String())
			}
			all := strings.Join(got, "\n")
			if (all == "") != (test.want == "") || !strings.Contains(all, test.want) {
				t.Errorf("warnings:\n%s\nwant %s", all, test.want)
			}
		})
	}
}

// A file that would keep the parser busy for minutes is refused at once.
func TestFilesWithoutBounds(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"depth", "rules: " + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), "more than 200 lists and maps are in each other"},
		{"size", "about: " + strings.Repeat("x", 5<<20), "a policy is at most 4194304 bytes"},
	} {
		if _, err := Parse("p.yaml", []byte(test.source)); !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

// What a comment cuts off was perhaps a part of the text.
func TestCommentsBehindTexts(t *testing.T) {
	for rules, want := range map[string]bool{
		"\n  - when:\n      title: Build #2?\n    confirmed: false\n":                                                 true,
		"\n  - when:\n      title: Größe #2?\n    confirmed: false\n":                                                 true,
		"\r\n  - when:\r\n      title: Build\t# 2?\r\n    confirmed: false\r\n":                                       true,
		"\n  - when: {title: x}\n    answer: Build #2":                                                                true,
		"\n  - when: {question: x?}\n    cancel: true\n  - when:\n      title:\n        glob: a #b\n    cancel: true": true,
		"\n  - when:\n      title:\n        - one\n        - a #b\n    cancel: true":                                  true,
		"\n  - when:\n      options:\n        - a #b\n    cancel: true":                                               true,
		"\n  - when:\n      expr: title == \"a\" # and message == \"b\"\n    cancel: true":                            true,
		"\n  - when:\n      question: a?\n    answers:\n      - question: a? #1\n        skip: true":                  true,
		"\n  - when:\n      title: \"Build #2?\"\n    confirmed: false\n":                                             false,
		"\n  - when:\n      title: \"Build\" # 2?\n    confirmed: false\n":                                            false,
		"\n  - when:\n      title: Build#2?\n    confirmed: false\n":                                                  false,
		"\n  - when:\n      title: Build\n      # 2?\n    confirmed: false # no\n":                                    false,
	} {
		got := slices.ContainsFunc(warned(t, "rules:"+rules), func(text string) bool { return strings.Contains(text, "a comment; put quotes around") })
		if got != want {
			t.Errorf("%q: warned %v of %q", rules, got, warned(t, "rules:"+rules))
		}
	}
}
