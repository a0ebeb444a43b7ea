package policy

import (
	"strings"
	"testing"

	"github.com/expr-lang/expr/ast"

	"extui/protocol"
)

// narrowness is a condition and whether it proves what is asked.
type narrowness struct {
	when   string // the conditions of a confirm; a text that begins with a letter is an expr
	narrow bool
}

var narrownesses = []narrowness{
	// Texts and lists of texts.
	{`{title: "Run it?"}`, true},
	{`{title: "?!"}`, true},
	{`{message: "Deletes build/ only"}`, true},
	{`{title: [Build, Test]}`, true},
	{`{title: "  "}`, false},
	{`{message: ""}`, false},
	{`{title: [Build, ""]}`, false},
	{`{title: [Build, {glob: "*e*"}]}`, false},
	{`{title: {glob: "*e*"}, message: "in build/"}`, true},

	// Globs.
	{`{title: {glob: "Deploy to ?"}}`, true},
	{`{title: {glob: "* deploy *"}}`, true},
	{`{title: {glob: "Run?"}}`, false},
	{`{title: {glob: "OK"}}`, true},
	{`{title: {glob: "??????"}}`, false},
	{`{title: {glob: "*e*"}}`, false},
	{`{title: {glob: "*e*a*t*"}}`, false},
	{`{title: {glob: "Run *"}}`, false},
	{`{title: {glob: '\*\*\*\*\**'}}`, false},

	// Regular expressions.
	{`{title: {regexp: '^Deploy v[0-9]+$'}}`, true},
	{`{title: {regexp: '(?i)deploy'}}`, true},
	{`{title: {regexp: '(De)(ploy) x'}}`, true},
	{`{title: {regexp: '^(stop|step)$'}}`, true},
	{`{title: {regexp: 'sto[pb]'}}`, true},
	{`{title: {regexp: 'sto[a-z]'}}`, false},
	{`{title: {regexp: '(?:Deploy )+'}}`, true},
	{`{title: {regexp: '(Build|Test)ing'}}`, true},
	{`{title: {regexp: '^OK$'}}`, true},
	{`{title: {regexp: '^(?:OK|Yes)$'}}`, true},
	{`{title: {regexp: 'OK'}}`, false},
	{`{title: {regexp: '^.{2,20}$'}}`, false},
	{`{title: {regexp: '(?:..)+'}}`, false},
	{`{title: {regexp: '[a-z ]+\?'}}`, false},
	{`{title: {regexp: '^[a-z ]+\?$'}}`, false},
	{`{title: {regexp: 'Deploy|.'}}`, false},
	{`{title: {regexp: '(Deploy)?'}}`, false},
	{`{title: {regexp: '(Deploy)*'}}`, false},
	{`{title: {regexp: '(Deploy){0,3}'}}`, false},
	{`{title: {regexp: '^(?:Deploy)?'}}`, false},
	{`{title: {regexp: '[Dd][Ee][A-Z]'}}`, false},
	{`{title: {regexp: '\w+ \w+'}}`, false},
	{`{title: {regexp: '^\S'}}`, false},
	{`{title: {regexp: '[^x]{5}'}}`, false},
	{`{title: {regexp: '(a|b|c|d|e|f|g|h|i)(a|b|c|d|e|f|g|h|i)(a|b|c|d|e|f|g|h|i)(a|b|c|d|e|f|g|h|i)'}}`, false},
	{`{title: {regexp: '(aa|bb|cc|dd|ee|ff|gg|hh|ii)(aa|bb|cc|dd|ee|ff|gg|hh|ii)'}}`, false},

	// Expressions that compare.
	{`title == "Run it?"`, true},
	{`"Run it?" == title`, true},
	{`title in ["Build", "Test"]`, true},
	{`lower(trim(title)) == "ok"`, true},
	{`title | lower() == "ok"`, true},
	{`title contains "deploy"`, true},
	{`title startsWith "Deploy "`, true},
	{`hasSuffix(title, "staging?")`, true},
	{`title matches "^Deploy [a-z]+$"`, true},
	{`title[0:6] == "Deploy"`, true},
	{`trimPrefix(title, "Run ") == "tests"`, true},
	{`title[0:2] == "De"`, false},
	{`title contains "e"`, false},
	{`title contains ""`, false},
	{`title startsWith "Run "`, false},
	{`title in ["Build", ""]`, false},
	{`title in ["Build", message]`, false},
	{`title == message`, false},
	{`title contains message`, false},
	{`title matches "^.{2,20}$"`, false},
	{`title == ""`, false},
	{`title > "1"`, false},
	{`title >= "" and title <= "~~~~~"`, false},
	{`title not in ["x"]`, false},
	{`title != "Delete it?"`, false},
	{`not (title contains "delete")`, false},
	{`not (title == "x")`, false},
	{`not not (title == "Run it?")`, false},
	{`!(title == "x")`, false},
	{`(title == "x") == false`, false},
	{`(title == "x") != true`, false},
	{`(title == "x") in [false]`, false},
	{`title matches "x" ? false : true`, false},
	{`len(title) > 2`, false},
	{`indexOf(title, "deploy") != 5`, false},
	{`indexOf(title, "deploy") < 9`, false},
	{`keys(status) == [] or title == "Deploy it?"`, false},
	{`status["mode"] == "deploying" and title != ""`, false},
	{`session == "deploying" and title != ""`, false},
	{`timeout == 0 and title != ""`, false},

	// Expressions that join.
	{`title == "Run it?" and len(message) > 2`, true},
	{`len(title) > 2 and message contains "build/"`, true},
	{`title == "Build it?" or title == "Test it?"`, true},
	{`title == "Build it?" or message == "in build/"`, true},
	{`title == "Build it?" ? true : false`, true},
	{`title == "Build it?" ? message == "" : title == "Test it?"`, true},
	{`len(title) > 5 ? title == "Build it?" : message == "Tests"`, true},
	{`let t = lower(title); t == "run it?"`, true},
	{`let known = title == "Run it?"; known`, true},
	{`if title == "Run it?" { true } else { false }`, true},
	{`title == "Build it?" or len(title) > 2`, false},
	{`title != "" ? true : false`, false},
	{`title == "Delete it?" ? false : true`, false},
	{`title == "Build it?" ? true : title != ""`, false},
	{`let x = true; x or title == "Build it?"`, false},
	{`let n = len(title); n > 0`, false},
	{`let t = title; t != ""`, false},
	{`let known = title == "Run it?"; not known`, false},
	{`let known = title == "Run it?"; title != "" and (known or true)`, false},

	// Expressions about lists.
	{`any(options, # == "Allow deletes") and title == "Sure?"`, true},
	{`any(questions, .question == "Which one?")`, true},
	{`questions[0].question == "Which one?"`, true},
	{`any(questions, any(.options, # == "SQLite")) and title startsWith "Which"`, true},
	{`any(options, title == "Run it?")`, true},
	{`none(options, # == "Delete")`, false},
	{`none(options, # != "Delete")`, false},
	{`all(options, # == "Delete")`, false},
	{`all(options, title == "Run it?")`, false},
	{`any(options, # != "Delete")`, false},
	{`any(options, len(#) > 2)`, false},
	{`one(options, # contains "e")`, false},
	{`count(options, # == "Delete") >= 0`, false},
	{`len(filter(options, # == "Delete")) >= 0`, false},
	{`find(options, # == "Delete") != "x"`, false},
	{`len(options) > 1`, false},
	{`len(questions) != 9`, false},
}

const unprovenText = "nothing proves that this rule approves only what you have seen"

// A rule that approves is warned of unless it is certain that somebody wrote down what
// it approves; whichever way it takes everything, it is either warned of or refused.
func TestOnlyWhatIsProvenIsNarrow(t *testing.T) {
	for _, test := range narrownesses {
		when := test.when
		if when[0] != '{' {
			when = "{expr: " + string(protocol.AppendString(nil, when)) + "}"
		}
		var got string
		r, err := Parse("p.yaml", []byte("rules: [{when: "+when+", shell: decide}]"))
		if err != nil {
			t.Errorf("%s: %v", test.when, err)
			continue
		}
		for _, w := range r.Warnings() {
			got += w.String() + "\n"
		}
		unproven := strings.Contains(got, unprovenText) || strings.Contains(got, "the command decides about every dialog")
		p := r.rules[0].when.proof()
		if unproven == test.narrow || p.text != test.narrow || p.never {
			t.Errorf("%s: narrow is %v, %+v; warnings:\n%s", test.when, !test.narrow, p, got)
		}
		// The same conditions, where they stand beside one that proves it, and one that does not.
		expr, isExpr := strings.CutPrefix(when, "{expr: ")
		if !isExpr {
			continue
		}
		for _, beside := range []struct {
			plain  string
			narrow bool
		}{{`title: "Run it?"`, true}, {`title: {glob: "*e*"}`, test.narrow}} {
			r := mustParse(t, "rules: [{when: {"+beside.plain+", expr: "+expr+", shell: decide}]")
			if p := r.rules[0].when.proof(); !p.never && p.text != beside.narrow {
				t.Errorf("%s beside %s: %+v", test.when, beside.plain, p)
			}
		}
	}
}

// A warning says what is not proven, where it stands, and what to write instead.
func TestWarningsOfWhatIsNotProven(t *testing.T) {
	for rule, want := range map[string]string{
		`{when: {title: {glob: "*e*"}, message: x}, cancel: true}`:                        "",
		`{when: {title: {glob: "*e*"}}, confirmed: true}`:                                 `p.yaml:1:25: warning: rules[0].when.title: nothing proves that this rule approves only what you have seen: "*e*" takes texts that do not have 4 letters or digits in a row in common; compare a whole text`,
		`{when: {expr: 'title not in ["x", "-"]'}, confirmed: true}`:                      `p.yaml:1:23: warning: rules[0].when.expr: nothing proves that this rule approves only what you have seen: "not (title in [\"x\", \"-\"])" only says what is not there; compare a whole text (title: TEXT, or title == "TEXT"), or ask for a piece of at least 4 letters or digits in a row`,
		`{when: {expr: 'len(title) > 2'}, confirmed: true}`:                               `"len(title) > 2" says of no text what it is`,
		`{when: {expr: 'all(options, # == "Allow")'}, answer: Allow}`:                     "holds for an empty list as well",
		`{when: {expr: 'title contains "e"'}, confirmed: true}`:                           `many texts hold "e", which has no 4 letters`,
		`{when: {expr: 'title == "Build it?" or len(title) > 2'}, confirmed: true}`:       `"len(title) > 2" says of no text what it is`,
		`{when: {expr: 'any(options, # == "Allow it")'}, answer: Allow it}`:               "approves whatever its question is",
		`{when: {options: {contains: Allow it}}, answer: Allow it}`:                       "approves whatever its question is",
		`{when: {title: Sure?, expr: 'len(message) >= 0'}, confirmed: true}`:              "nothing proves what the message is",
		`{when: {title: Sure?, expr: 'not (message contains "rm")'}, confirmed: true}`:    "nothing proves what the message is",
		`{when: {message: Sure?}, confirmed: true}`:                                       "nothing proves what the title is",
		`{when: {expr: 'title == "a" or message == "b"'}, confirmed: true}`:               "nothing proves what the other one is",
		`{when: {title: Sure?, expr: 'message contains "build"'}, confirmed: true}`:       "a broad condition on the message: contains lets any other text stand beside",
		`{when: {title: Sure?, message: m, expr: 'title contains "x"'}, confirmed: true}`: "",
		`{when: {title: {regexp: '^Deploy(?: [a-z]+)+$'}, message: m}, confirmed: true}`:  "a part of it stands for any text",
		`{when: {title: {regexp: '^Deploy [a-z ]{1,9}$'}, message: m}, confirmed: true}`:  "a part of it stands for any text",
		`{when: {title: {glob: 'Deploy ?????????'}, message: m}, confirmed: true}`:        "so many ? stand for nearly any text",
		`{when: {title: {regexp: '^It.s [a-z]{1,9}$'}, message: "m"}, confirmed: true}`:   "",
	} {
		var got []string
		for _, w := range mustParse(t, "rules: ["+rule+"]").Warnings() {
			got = append(got, w.String())
		}
		all := strings.Join(got, "\n")
		if (all == "") != (want == "") || !strings.Contains(all, want) {
			t.Errorf("%s: warnings:\n%s\nwant %s", rule, all, want)
		}
	}
}

// What the proof lets through by mistake, the unrelated questions find: here two of them
// are what the rule names.
func TestUnrelatedQuestionsAreTheSecondNet(t *testing.T) {
	r := mustParse(t, `rules: [{when: {title: ["Your name", "terraform apply"]}, shell: decide}]`)
	const want = `would approve 2 of 18 questions that have nothing to do with each other, such as "terraform apply" and "Your name"`
	if w := r.Warnings(); len(w) != 1 || !strings.Contains(w[0].Text, want) {
		t.Errorf("%v\nwant %s", w, want)
	}
	// Every condition of the table that is narrow is so for them, too; and those that are
	// not take more than one of them, but for some.
	for _, test := range narrownesses {
		if !test.narrow || test.when[0] == '{' {
			continue
		}
		e, err := compileExpr(test.when)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&condition{expr: e}).approved(); len(got) > 1 {
			t.Errorf("%s: approves %q", test.when, got)
		}
	}
}

// A form of the language that the proof does not know proves nothing.
func TestUnknownFormsProveNothing(t *testing.T) {
	if p := (exprProof{}).proof(&ast.ArrayNode{Nodes: []ast.Node{&ast.StringNode{Value: "deploy"}}}); p.text || p.never || p.bound != 0 || p.why == "" {
		t.Errorf("%+v", p)
	}
}
