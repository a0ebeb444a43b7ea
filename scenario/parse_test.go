package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"extui/internal/yamlfile"
)

// mistakes are files with one fault each: where it is reported, with which words.
var mistakes = []struct{ file, want string }{
	{"", "m.yaml:1:1: the file is empty"},
	{"# nothing\n", "m.yaml:1:1: the file is empty"},
	{"a: [", "m.yaml:1:4: not YAML"},
	{"[]", "m.yaml:1:1: a scenario is a map"},
	{"about: x\n", "m.yaml:1:1: steps: is missing"},
	{"stepps: []\nsteps: [{wait: 1s}]", "m.yaml:1:1: stepps: no such key"},
	{"steps: []", "m.yaml:1:8: steps: no steps"},
	{"steps: 3", `m.yaml:1:8: steps: a list of steps (got 3)`},
	{"steps:\n  - wait: soon\n", `m.yaml:2:11: steps[0].wait: a time such as 500ms, 30s or 2m (got "soon")`},
	{"steps:\n  - client: {prompt: x}\n    agent: {notify: y}\n", "m.yaml:3:5: steps[0]: client and agent are two steps"},
	{"steps:\n  - note: x\n", "m.yaml:2:5: steps[0]: a step is one of client"},
	{"steps:\n  - client: {promt: x}\n", `m.yaml:2:14: steps[0].client: says none of answer, bytes, call`},
	{"steps:\n  - client: open\n", `m.yaml:2:13: steps[0].client: what it says`},
	{"steps:\n  - agent: {select: x, optoins: [a]}\n", "m.yaml:2:24: steps[0].agent.optoins: is no member of select"},
	{"steps:\n  - agent: {notify: /(/}\n", "m.yaml:2:21: steps[0].agent.notify: no regular expression"},
	{"steps:\n  - agent: {notify: {$like: x}}\n", "m.yaml:2:22: steps[0].agent.notify.$like: no such operator"},
	{"steps:\n  - agent: {notify: {$any: true, $length: 3}}\n", "steps[0].agent.notify: one operator at a time"},
	{"steps:\n  - agent: {notify: \"${who}\"}\n", "m.yaml:2:21: steps[0].agent.notify: no step before this one saves or names it; $${ is a plain ${ (got ${who})"},
	{"steps:\n  - client: {answer: x}\n    to: d\n", "m.yaml:3:9: steps[0].to: no step before this one has that name in as (got d)"},
	{"steps:\n  - agent: {notify: x}\n    answer: y\n", "m.yaml:3:5: steps[0].answer: only a dialog has an answer"},
	{"steps:\n  - wait: 1s\n    within: 2s\n", "m.yaml:3:5: steps[0].within: has no meaning beside wait"},
	{"steps:\n  - wait: 1s\n    widthin: 2s\n", "m.yaml:3:5: steps[0].widthin: no such key; beside wait may stand note"},
	{"steps:\n  - repeat: 0\n    steps: [{wait: 1s}]\n", "m.yaml:2:13: steps[0].repeat: how often"},
	{"steps:\n  - repeat: 2\n", "m.yaml:2:13: steps[0].repeat: needs steps"},
	{"steps:\n  - client: {kill: STOP}\n", `m.yaml:2:20: steps[0].client.kill: one of INT, TERM, HUP, KILL (got "STOP")`},
	{"steps:\n  - agent: {exit: 256}\n", "m.yaml:2:19: steps[0].agent.exit: an exit code from 0 to 255 (got 256)"},
	{"steps:\n  - agent: {record: {$json: '{'}}\n", "not JSON"},
	{"steps:\n  - never: {wait: 1s}\n", "m.yaml:2:13: steps[0].never: what must not come"},
	{"answers:\n  - agent: {confirm: x}\nsteps: [{wait: 1s}]\n", "m.yaml:2:5: answers[0]: a dialog of the agent and its answer"},
	{"steps: [{wait: 1s}]\ndialect: omp\n", `m.yaml:2:10: dialect: atomic or pi (got "omp")`},
	{"steps: [{wait: 1s}]\n---\nsteps: [{wait: 1s}]\n", "one scenario a file, this one has 2 documents"},
	{"rule: x\nsteps: [{wait: 1s}]\n", `m.yaml:1:7: rule: a map with id, says, severity, section, source (got "x")`},
	{"rule:\n  id: FRAME-3\nsteps: [{wait: 1s}]\n", "m.yaml:2:3: rule.says: is missing"},
	{"rule:\n  id: frame3\nsteps: [{wait: 1s}]\n", `m.yaml:2:7: rule.id: capital letters and a number, such as FRAME-3 (got "frame3")`},
	{"rule:\n  severity: high\nsteps: [{wait: 1s}]\n", `m.yaml:2:13: rule.severity: must, should or may (got "high")`},
	{"rule:\n  says: ' '\nsteps: [{wait: 1s}]\n", "m.yaml:2:9: rule.says: a text that says something"},
	{"rule:\n  source: []\nsteps: [{wait: 1s}]\n", "m.yaml:2:11: rule.source: a text, or a list of texts (got [])"},
	{"rule:\n  title: x\nsteps: [{wait: 1s}]\n", "m.yaml:2:3: rule.title: no such key; there are id, says"},
	{"env: {A: [x]}\nsteps: [{wait: 1s}]\n", `m.yaml:1:10: env.A: a text (got ["x"])`},
	{"env: {A=B: x}\nsteps: [{wait: 1s}]\n", `m.yaml:1:7: env: no name of an environment variable (got "A=B")`},
	{"choices: {value: x}\nsteps: [{wait: 1s}]\n", "m.yaml:1:11: choices: a list such as"},
	{"choices: [{for: x}]\nsteps: [{wait: 1s}]\n", "m.yaml:1:12: choices[0]: chooses nothing: one of value"},
	{"choices: [{value: x, cancelled: true}]\nsteps: [{wait: 1s}]\n", "m.yaml:1:22: choices[0].cancelled: value and cancelled are two choices"},
	{"choices: [{confirmed: x}]\nsteps: [{wait: 1s}]\n", `m.yaml:1:23: choices[0].confirmed: true or false (got "x")`},
	{"choices: [{valeu: x}]\nsteps: [{wait: 1s}]\n", "m.yaml:1:12: choices[0].valeu: no such key; there are value, option, confirmed, answers, cancelled, wait, fail, stop, for and after"},
	{"choices: [{option: -1}]\nsteps: [{wait: 1s}]\n", "m.yaml:1:20: choices[0].option: which option of a select; 0 is the first (got -1)"},
	{"choices: [{stop: true, after: soon}]\nsteps: [{wait: 1s}]\n", `m.yaml:1:31: choices[0].after: how many milliseconds a person takes (got "soon")`},
	{"steps:\n  - client: {bytes: {hex: abc}}\n", `m.yaml:2:27: steps[0].client.bytes.hex: bytes as pairs of hexadecimal digits`},
	{"steps:\n  - client: {bytes: {repeat: x}}\n", `m.yaml:2:22: steps[0].client.bytes: a text, {hex: "c3 28"}, {repeat: x, times: 1000}`},
	{"steps:\n  - client: {bytes: {repeat: xx, times: 60000000}}\n", "m.yaml:2:41: steps[0].client.bytes.times: at most 67108864 bytes"},
	{"steps:\n  - client: {bytes: {repeat: x, times: 0}}\n", "m.yaml:2:40: steps[0].client.bytes.times: how often"},
	{"steps:\n  - client: {bytes: []}\n", "m.yaml:2:21: steps[0].client.bytes: from one to 67108864 bytes"},
	{"steps:\n  - client: {bytes: '${x}'}\n", "steps[0].client.bytes: no step before this one saves or names it"},
	{"steps:\n  - client: close\n    raw: x\n", "m.yaml:3:5: steps[0].raw: only a record or a line has bytes to look at"},
	{"steps:\n  - never: {client: {bytes: x}}\n", "m.yaml:2:13: steps[0].never: what must not come"},
	{"ignore: [notify, setStatuss]\nsteps: [{wait: 1s}]\n", `m.yaml:1:18: ignore[1]: no type or method of that name; there is setStatus (got "setStatuss")`},
	{"ignore: [Notify]\nsteps: [{wait: 1s}]\n", "there is notify"},
	{"ignore: [notfiy]\nsteps: [{wait: 1s}]\n", "there is notify"},
	{"steps:\n  - agent: {select: a, timeout: 30s}\n", `m.yaml:2:33: steps[0].agent.timeout: milliseconds, a number such as 30000; {$is: …} says it on purpose (got "30s")`},
	{"steps:\n  - agent: {questionnaire: x}\n", `m.yaml:2:28: steps[0].agent.questionnaire: a list`},
	{"steps:\n  - agent: {select: a, options: x}\n", `m.yaml:2:33: steps[0].agent.options: a list`},
	{"steps:\n  - agent: {confirm: yes}\n  - agent: {input: 3}\n", `m.yaml:3:20: steps[1].agent.input: a text: in quotes`},
	{"steps:\n  - agent: {notify: x}\n    save: {x: data..y}\n", `m.yaml:3:15: steps[0].save.x: a path such as data.sessionId`},
	{"steps:\n  - agent: {notify: x}\n    save: {x: ''}\n", `m.yaml:3:15: steps[0].save.x: a path`},
	{"steps:\n  - agent: {select: a, options: [x, y]}\n    answer: z\n", `m.yaml:3:13: steps[0].answer: "z" is none of the options ["x","y"]`},
	{"steps:\n  - agent: {confirm: a}\n    answer: \"true\"\n", `m.yaml:3:13: steps[0].answer: a confirm is answered with true or false`},
	{"steps:\n  - agent: {input: a}\n    answer: 7\n", `m.yaml:3:13: steps[0].answer: an input is answered with a text`},
	{"answers: [{agent: {select: a, options: [x]}, answer: z}]\nsteps: [{wait: 1s}]\n", `m.yaml:1:54: answers[0].answer: "z" is none of the options`},
	{"steps:\n  - repeat: 100000000000\n    steps: [{wait: 1s}]\n", "m.yaml:2:13: steps[0].repeat: how often: a number from 1 to 2147483647 (got 100000000000)"},
	{"a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n" +
		"e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n", "stands for more than"},
}

func TestMistakesAreNamedWithTheirPlace(t *testing.T) {
	for _, m := range mistakes {
		_, err := Parse("m.yaml", []byte(m.file))
		if err == nil || !strings.Contains(err.Error(), m.want) {
			t.Errorf("%q: got %v, want %s", m.file, err, m.want)
		} else if !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: the error does not match ErrSyntax", m.file)
		}
	}
}

func TestAllMistakesAreReported(t *testing.T) {
	_, err := Parse("m.yaml", []byte("x: 1\nsteps:\n  - wait: a\n  - wait: b\n"))
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("got %v, want three mistakes", err)
	}
}

// asJSON is a file as the schema's validator wants it.
func asJSON(t *testing.T, source []byte) (any, bool) {
	t.Helper()
	v, ok := readYAML(source, &faults{})
	if !ok {
		return nil, false
	}
	var out any
	if err := json.Unmarshal(v.append(nil), &out); err != nil {
		t.Fatal(err)
	}
	return out, true
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("scenario.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("scenario.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// notBySchema are the mistakes that only the parser finds.
var notBySchema = []string{"/(/", "$like", "$any: true, ", "${who}", "to: d", "answer: y", "$json", "never: {wait",
	"A=B", "60000000", "bytes: '${x}", "close\n    raw", "never: {client: {bytes",
	"ignore:", "timeout: 30s", "questionnaire: x", "options: x}", "input: 3", "save: {x", "answer: z", "answer: \"true\"", "answer: 7"}

func TestSchemaAgreesWithTheParser(t *testing.T) {
	s := compiled(t)
	for _, m := range mistakes {
		doc, ok := asJSON(t, []byte(m.file))
		if !ok {
			continue
		}
		exempt := false
		for _, part := range notBySchema {
			exempt = exempt || strings.Contains(m.file, part)
		}
		if err := s.Validate(doc); (err == nil) != exempt {
			t.Errorf("%q: the schema says %v", m.file, err)
		}
	}
	good, err := filepath.Glob("testdata/*.yaml")
	examples, err2 := filepath.Glob("../examples/*/*.yaml")
	if err != nil || err2 != nil || len(good) == 0 {
		t.Fatal(good, err, err2)
	}
	for _, name := range append(good, examples...) {
		if strings.HasSuffix(name, ".policy.yaml") {
			continue // of package policy
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(name, source); err != nil {
			t.Error(err)
		}
		doc, _ := asJSON(t, source)
		if err := s.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Every verb of the schema is one of the parser, and the other way round.
func TestSchemaHasEveryVerb(t *testing.T) {
	text := string(Schema())
	for _, all := range verbs {
		for name, v := range all {
			if !strings.Contains(text, `"`+name+`"`) {
				t.Errorf("the schema lacks %s", name)
			}
			for _, k := range v.known {
				if !strings.Contains(text, `"`+k+`"`) {
					t.Errorf("the schema lacks %s of %s", k, name)
				}
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, m := range mistakes {
		f.Add([]byte(m.file))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		if s, err := Parse("f.yaml", source); (s == nil) == (err == nil) {
			t.Errorf("neither a scenario nor an error, or both: %v", err)
		}
	})
}

// What is too large is refused at once, and not printed.
func TestParseLimits(t *testing.T) {
	deep := func(open, inner, end string, n int) string {
		return "steps: " + strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	for _, test := range []struct{ name, source, want string }{
		{"flow", deep("[", "", "]", 100_000), "more than 200 lists and maps are in each other"},
		{"maps", deep("{a: ", "1", "}", 50_000), "more than 200 lists and maps are in each other"},
		{"blocks", "steps:\n" + strings.Repeat("- ", 50_000) + "a\n", "more than 200 lists and maps are in each other"},
		{"tags", "steps: " + strings.Repeat("!!a ", 50_000) + "x\n", "more than 200 lists and maps are in each other"},
		{"size", "about: " + strings.Repeat("x", yamlfile.MaxSource), "a scenario is at most 4194304 bytes"},
		{"value", "steps: " + strings.Repeat("x", 100_000), "a list of steps"},
		{"key", strings.Repeat("x", 100_000) + ": y", "no such key"},
		{"anchor", "steps: *" + strings.Repeat("x", 100_000), "no anchor of that name"},
		{"good", deep("[", "", "]", 150), "steps[0]: a step such as"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("m.yaml", []byte(test.source))
			if err == nil || !strings.Contains(err.Error(), test.want) || len(err.Error()) > 4000 {
				t.Errorf("got an error of %d bytes, %s; want %q", len(fmt.Sprint(err)), shorten(fmt.Sprint(err)), test.want)
			}
			if !errors.Is(err, ErrSyntax) {
				t.Error("it is no ErrSyntax")
			}
		})
	}
	name := filepath.Join(t.TempDir(), "large.yaml")
	if err := os.WriteFile(name, []byte("about: "+strings.Repeat("x", yamlfile.MaxSource)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(name); !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "at most") {
		t.Errorf("got %v", err)
	}
}

// What can be said, and what a dialog can be answered with, is nobody's mistake.
func TestWhatOnlyLooksLikeAMistake(t *testing.T) {
	mustParse(t, `
ignore: [pickColour, agent_start, set]
steps:
  - client: {prompt: x}
    save: {x: message}
  - agent: {select: {$is: 7}, timeout: "${x}", options: ["/a/", "${x}", b]}
    answer: z
  - agent: {select: a, options: {$length: 2}}
    answer: z
  - agent: {confirm: "${x}", timeout: {$any: true}, message: null}
    answer: "${x}"
  - agent: {select: a, options: [x, y]}
    answer: {value: z}
  - agent: {select: a, options: [x, y]}
    answer: null
`)
}

// What cannot be played has its path too.
func TestCheckRoleNamesThePath(t *testing.T) {
	for _, test := range []struct {
		step string
		me   Role
		want string
	}{
		{"client: {prompt: {$any: true}}", Client, "m.yaml:2:23: steps[0].client.prompt: a pattern cannot be sent by the client"},
		{"client: {call: x, input: {a: [1, {$any: true}]}}", Client, "steps[0].client.input.a[1]: a pattern"},
		{"agent: {select: x, options: [a, /b/]}", Agent, "steps[0].agent.options[1]: a pattern"},
		{"agent: {confirm: x}\n    answer: {$any: true}", Client, "m.yaml:3:14: steps[0].answer: a pattern"},
		{"agent: {bytes: x}", Client, "m.yaml:2:5: steps[0].agent: bytes of the agent cannot be expected"},
		{"client: {prompt: x}\n    optional: true", Client, "m.yaml:2:5: steps[0].client: optional has no meaning"},
	} {
		s, err := Parse("m.yaml", []byte("steps:\n  - "+test.step+"\n"))
		if err != nil {
			t.Errorf("%s: %v", test.step, err)
		} else if err = s.CheckRole(test.me); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.step, err, test.want)
		} else if !errors.Is(err, ErrSyntax) {
			t.Errorf("%s: the error does not match ErrSyntax", test.step)
		}
	}
}

func TestCheckExtensionsNamesThePlace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(name, []byte("extensions: [m.yaml, nope.ts]\nsteps: [{wait: 1s}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if err = s.CheckExtensions(); err == nil || !strings.Contains(err.Error(), `m.yaml:1:22: extensions[1]: no such file or folder: `) || strings.Count(err.Error(), "\n") > 0 {
		t.Errorf("got %v", err)
	}
}
