package script

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"extui/agent"

	"github.com/go-json-experiment/json/jsontext"
)

// askJavaScript returns what tries patterns in the engine of an extension.
func askJavaScript(t *testing.T) matcher {
	t.Helper()
	c := serve(t, []string{write(t, "ext.ts", `export default () => {};`)}, nil)
	c.send(`{"type":"get_commands","id":"there"}`)
	c.until(`{"id":"there"`)
	u := c.loader.units[0]
	u.mu.Lock()
	r := u.run
	u.mu.Unlock()
	return func(pairs []pair) ([]bool, error) { return r.matches(r.context(0), pairs) }
}

// What pi 1.6.0 makes of patterns, with Node.js 22.
var patternCases = []struct {
	pattern, text string
	want          string // "yes", "no", or "refused" where the pattern is none
}{
	// Go's expressions do not have these.
	{`^(?!rm)`, `rm -rf`, "no"},
	{`^(?!rm)`, `ls`, "yes"},
	{`^(a)\1$`, `ab`, "no"},
	{`^(a)\1$`, `aa`, "yes"},
	{`^(?=a)\p{L}+$`, `a1`, "no"},
	{`^(?=a)\p{L}+$`, `aé`, "yes"},
	{`^(?<=x)y`, `y`, "no"},
	{`^\u{1F600}$`, "\U0001F600", "yes"},
	{`^\cA$`, "\x01", "yes"},
	// These mean something else in Go.
	{`^ls .*$`, "ls x\rrm -rf y", "no"},
	{`^ls .*$`, "ls x\u2028rm", "no"},
	{`^ls .*$`, "ls x\nrm", "no"},
	{`^\S+$`, "a\u00a0b", "no"},
	{`^a\sb$`, "a\u00a0b", "yes"},
	{`^a\sb$`, "a\vb", "yes"},
	{`^[[:alpha:]]+$`, `abc`, "no"},
	{`^[[:alpha:]]+$`, `a]`, "yes"},
	{`^\Aa\z$`, `a`, "no"},
	{`^.$`, "\U0001F600", "yes"},
	{`^.$`, "\xed\xa0\xbd", "yes"},
	{`^[^a]$`, "\U0001F600", "yes"},
	{`^a$`, "a\n", "no"},
	{`^[]$`, "]", "no"},
	{`^[^]$`, "\n", "yes"},
	// None with the flag u.
	{`^a\-b$`, `a-b`, "yes"},
	{`^\_$`, `_`, "yes"},
	{`^a{,2}$`, `a{,2}`, "yes"},
	{`(`, `(`, "refused"},
	{`(?i)^a$`, `A`, "refused"},
	{`^(?P<n>a)$`, `a`, "refused"},
	{`*`, `*`, "refused"},
	{`[b-a]`, `b`, "refused"},
}

// A pattern is JavaScript's, in a text and in the names of members.
func TestPatternsOfToolsAreJavaScripts(t *testing.T) {
	ask := askJavaScript(t)
	for _, test := range patternCases {
		outcome := func(schema, input string) string {
			_, err := checkInput("dep", jsontext.Value(schema), jsontext.Value(input), ask)
			switch {
			case err == nil:
				return "yes"
			case strings.Contains(err.Error(), "Validation failed"):
				return "no"
			case strings.Contains(err.Error(), "cannot be tried"):
				return "refused"
			}
			return err.Error()
		}
		text, pattern := string(textValue(test.text)), string(textValue(test.pattern))
		for _, c := range [][2]string{
			{`{"type":"object","properties":{"s":{"type":"string","pattern":` + pattern + `}}}`, `{"s":` + text + `}`},
			{`{"type":"object","properties":{"s":{"anyOf":[{"type":"string","pattern":` + pattern + `}]}}}`, `{"s":` + text + `}`},
			{`{"type":"object","patternProperties":{` + pattern + `:{"type":"string"}},"additionalProperties":false}`, `{` + text + `:"x"}`},
			{`{"type":"object","propertyNames":{"pattern":` + pattern + `}}`, `{` + text + `:"x"}`},
		} {
			if got := outcome(c[0], c[1]); got != test.want {
				t.Errorf("%q, %q: %s, want %s, in %s", test.pattern, test.text, got, test.want, c[0])
			}
		}
	}
}

// As in pi, a pattern that is none makes each call fail, also one that is not reached;
// what only looks like one does not.
func TestAPatternThatIsNone(t *testing.T) {
	ask := askJavaScript(t)
	for schema, refused := range map[string]bool{
		`{"type":"object","properties":{"s":{"type":"string","pattern":"("}}}`:                                                                  true,
		`{"type":"object","properties":{"s":{"type":"object","patternProperties":{"(":{}}}}}`:                                                   true,
		`{"type":"object","$defs":{"a":{"items":[{"not":{"pattern":"("}}]}}}`:                                                                   false,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"properties":{"x":{"pattern":"("},"y":{"$ref":"#/$defs/a"}}}}}`: true,
		`{"type":"object","properties":{"pattern":{"type":"string","default":{"pattern":"("}}}}`:                                                false,
		`{"type":"object","properties":{"a":{"enum":[{"pattern":"("}],"const":{"pattern":"("}}}}`:                                               false,
	} {
		_, err := checkInput("dep", jsontext.Value(schema), jsontext.Value(`{}`), ask)
		if got := err != nil; got != refused {
			t.Errorf("%s: %v", schema, err)
		}
	}
}

// What is not known is refused, in a place too where a match would be a mistake.
func TestAPatternThatCannotBeDecided(t *testing.T) {
	broken := errors.New("no answer")
	ask := func(pairs []pair) ([]bool, error) {
		if pairs[0].text == "" {
			return make([]bool, len(pairs)), nil
		}
		return nil, broken
	}
	for _, schema := range []string{
		`{"properties":{"s":{"pattern":"a"}}}`,
		`{"properties":{"s":{"not":{"pattern":"a"}}}}`,
		`{"properties":{"s":{"anyOf":[{"pattern":"a"},{"type":"string"}]}}}`,
		`{"patternProperties":{"a":false}}`,
	} {
		if out, err := checkInput("dep", jsontext.Value(schema), jsontext.Value(`{"s":"x"}`), ask); !errors.Is(err, broken) {
			t.Errorf("%s: %s, %v", schema, out, err)
		}
	}
	if _, err := checkInput("dep", jsontext.Value(`{"properties":{"s":{"type":"string"}}}`), jsontext.Value(`{"s":"x"}`), nil); err != nil {
		t.Errorf("a tool without patterns: %v", err)
	}
}

// A pattern that takes for ever ends with the limit, and the tool has not run; whatever
// the extension does to RegExp, and without harm to what comes next.
func TestAPatternThatTakesForEver(t *testing.T) {
	c := serve(t, []string{write(t, "ext.ts", `export default (pi) => {
		RegExp.prototype.exec = () => ["x"];
		RegExp.prototype.test = () => true;
		for (const [name, pattern] of [["slow", "^(a+)+$"], ["plain", "^(?!rm)"]]) {
			pi.registerTool({ name, parameters: { type: "object", properties: { s: { type: "string", pattern } } },
				async execute(id, input) { return { content: [{ type: "text", text: "ran " + input.s }] }; } });
		}
	};`)}, func(o *Options, _ *agent.Options) { o.Limits.Run = 300 * time.Millisecond })
	call := func(tool, text string) string {
		c.send(fmt.Sprintf(`{"type":"call_tool","id":"t","toolName":%q,"input":{"s":%q}}`, tool, text))
		return strings.Join(c.until(`{"id":"t"`), "")
	}
	if got := call("slow", strings.Repeat("a", 40)+"!"); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, "it ran for 300ms without a pause") {
		t.Errorf("slow: %s", got)
	}
	for text, want := range map[string]string{"rm -rf": `"isError":true`, "ls": `"text":"ran ls"`} {
		if got := call("plain", text); !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// prepareArguments and completions that never end are stopped too, and somebody is told.
func TestPrepareArgumentsThatNeverEnd(t *testing.T) {
	c := serve(t, []string{write(t, "ext.ts", `export default (pi) => {
		pi.registerTool({ name: "dep", parameters: {}, prepareArguments() { for (;;); }, async execute() { return { content: [] }; } });
	};`)}, func(o *Options, _ *agent.Options) { o.Limits.Run = 300 * time.Millisecond })
	c.send(`{"type":"call_tool","id":"t","toolName":"dep","input":{}}`)
	if got := strings.Join(c.until(`{"id":"t"`), ""); !strings.Contains(got, "it ran for 300ms without a pause") || !strings.Contains(got, `"isError":true`) {
		t.Errorf("got %s", got)
	}
}
