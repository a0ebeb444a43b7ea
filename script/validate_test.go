package script

import (
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// What pi 1.6.0 makes of inputs, and what it says: recorded from it.
func TestToolInputsAreCheckedAsPiDoes(t *testing.T) {
	const (
		a = `{"type":"object","required":["count","env"],"properties":{"count":{"type":"number","minimum":1},"env":{"type":"string"}}}`
		b = `{"type":"object","properties":{"n":{"type":"integer"},"f":{"type":"boolean"},"l":{"type":"array","items":{"type":"string"}},
			"e":{"anyOf":[{"const":"x","type":"string"},{"const":"y","type":"string"}]},"o":{"type":"object","required":["q"],"properties":{"q":{"type":"number"}}},
			"u":{"type":["number","string"]},"z":{"type":"null"}}}`
		c = `{"type":"object","required":["s"],"additionalProperties":false,"properties":{"s":{"type":"string","minLength":2,"maxLength":4,"pattern":"^a"},
			"k":{"type":"string","enum":["p","q"]},"m":{"type":"number","maximum":5,"exclusiveMinimum":0,"multipleOf":2},
			"l":{"type":"array","minItems":1,"maxItems":2,"uniqueItems":true,"items":{"type":"number"}}}}`
	)
	ask := askJavaScript(t)
	for _, test := range []struct{ schema, input, want string }{
		{a, `{}`, "count: missing|env: missing"},
		{a, `{"env":5,"count":"3"}`, `{"env":"5","count":3}`},
		{a, `{"count":0,"env":"e"}`, "count: expected >= 1"},
		{a, `{"count":"x","env":null}`, "count: expected number, got string"},
		{a, `{"count":true,"env":false}`, `{"count":1,"env":"false"}`},
		{a, `{"count":null,"env":"e"}`, "count: expected >= 1"},
		{a, `{"count":" 4 ","env":"\ud83d","more":[1, 2]}`, `{"count":4,"env":"\ud83d","more":[1, 2]}`},
		{b, `{"n":"4.5","f":"true"}`, `{"n":4,"f":true}`},
		{b, `{"n":4.5,"f":0}`, `{"n":4,"f":false}`},
		{b, `{"f":"yes"}`, "f: expected boolean, got string"},
		{b, `{"f":null,"n":null,"l":null,"o":null}`, `{}`},
		{b, `{"l":"one"}`, `{"l":["one"]}`},
		{b, `{"l":[1,2]}`, `{"l":["1","2"]}`},
		{b, `{"e":"z"}`, `e: expected "x"`},
		{b, `{"e":"y"}`, `{"e":"y"}`},
		{b, `{"o":{"q":"2"}}`, `{"o":{"q":2}}`},
		{b, `{"o":{}}`, "o.q: missing"},
		{b, `{"o":5}`, "o: expected object, got integer"},
		{b, `{"u":true,"z":""}`, `{"u":1,"z":null}`},
		{c, `{"s":"b"}`, "s: expected at least 2 characters|s: expected to match ^a"},
		{c, `{"s":"bbbbb"}`, "s: expected at most 4 characters|s: expected to match ^a"},
		{c, `{"s":"ab","z":1}`, "z: unknown field"},
		{c, `{"s":"ab","k":"r"}`, `k: expected one of ["p","q"]`},
		{c, `{"s":"ab","m":9}`, "m: expected <= 5|m: expected a multiple of 2"},
		{c, `{"s":"ab","m":0}`, "m: expected > 0"},
		{c, `{"s":"ab","l":[]}`, "l: expected at least 1 items"},
		{c, `{"s":"ab","l":[1,2,3]}`, "l: expected at most 2 items"},
		{c, `{"s":"ab","l":[1,1]}`, "l: expected unique items"},
		{c, `{"s":"ab","l":["x"]}`, "l.0: expected number, got string"},
	} {
		out, err := checkInput("dep", jsontext.Value(test.schema), jsontext.Value(test.input), ask)
		got := string(out)
		if err != nil {
			text, found := strings.CutPrefix(err.Error(), "Validation failed for tool \"dep\":\n  - ")
			text, received, cut := strings.Cut(text, "\n\nReceived arguments:\n")
			if !found || !cut || received == "" {
				t.Errorf("%s: %v", test.input, err)
			}
			got = strings.ReplaceAll(text, "\n  - ", "|")
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.input, got, test.want)
		}
	}
}

const checked = `export default function (pi) {
	pi.registerTool({ name: "dep", parameters: { type: "object", required: ["count"], properties: { count: { type: "number" } } },
		prepareArguments: (input) => (input.old ? { count: input.old } : input),
		async execute(id, input) { return { content: [{ type: "text", text: typeof input.count + input.count.toFixed(1) }] }; } });
	pi.on("tool_call", (event, ctx) => { ctx.ui.notify("asked about " + JSON.stringify(event.input)); });
}
`

// Nobody is asked about a call that is wrong, and nothing runs.
func TestAWrongInputIsAResult(t *testing.T) {
	c := serve(t, []string{write(t, "ext.ts", checked)}, nil)
	for input, want := range map[string][]string{
		`{"count":"3"}`: {`asked about {\"count\":3}`, `"text":"number3.0"`},
		`{"old":"4"}`:   {`asked about {\"count\":4}`, `"text":"number4.0"`},
		`{"count":[]}`:  {`{"content":[{"type":"text","text":"Validation failed for tool \"dep\":\n  - count: expected number, got array\n\nReceived arguments:\n{\n  \"count\": []\n}"}],"details":{},"isError":true}`},
	} {
		c.send(`{"type":"call_tool","id":"t","toolName":"dep","input":` + input + `}`)
		lines := c.until(`{"id":"t"`)
		if len(lines) != len(want) {
			t.Errorf("%s: %s", input, lines)
			continue
		}
		for i := range want {
			if !strings.Contains(lines[i], want[i]) {
				t.Errorf("%s: %s, want %s", input, lines[i], want[i])
			}
		}
	}
}

// TestToolInputsAsPi compares what becomes of inputs with what pi 1.6.0 made of them: a
// line with a schema, then each input, and below it the outcome or the problems.
func TestToolInputsAsPi(t *testing.T) {
	text, err := os.ReadFile("testdata/validate/pi.txt")
	if err != nil {
		t.Fatal(err)
	}
	ask := askJavaScript(t)
	var schema, input string
	count := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if s, ok := strings.CutPrefix(line, "# "); ok {
			schema = s
			continue
		}
		want, ok := strings.CutPrefix(line, "=> ")
		if !ok {
			input = line
			continue
		}
		count++
		if got := inputOutcome(schema, input, ask); got != want {
			t.Errorf("%s\n%s\ngot  %s\nwant %s", schema, input, got, want)
		}
	}
	if count < 100 {
		t.Errorf("%d cases", count)
	}
}

// inputOutcome is the input that a tool gets, or what is wrong, with | between.
func inputOutcome(schema, input string, ask matcher) string {
	out, err := checkInput("dep", jsontext.Value(schema), jsontext.Value(input), ask)
	if err == nil {
		return string(out)
	}
	text, _, _ := strings.Cut(err.Error(), "\n\nReceived arguments:\n")
	text = strings.TrimPrefix(text, "Validation failed for tool \"dep\":\n  - ")
	return strings.ReplaceAll(text, "\n  - ", "|")
}

// A schema that refers to itself without an end is a problem, not one that never ends.
func TestASchemaWithoutAnEnd(t *testing.T) {
	const loop = `{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}}}`
	if got := inputOutcome(loop, `{"a":1}`, nil); !strings.Contains(got, "without an end") {
		t.Errorf("got %s", got)
	}
}

// A tool that forgets to return its result has failed.
func TestAToolThatReturnsNothing(t *testing.T) {
	c := serve(t, []string{write(t, "ext.ts", `export default (pi) => { pi.registerTool({ name: "dep", parameters: {}, async execute() {} }); };`)}, nil)
	c.send(`{"type":"call_tool","id":"t","toolName":"dep","input":{}}`)
	got := c.until(`{"id":"t"`)
	if !strings.Contains(strings.Join(got, ""), `"text":"tool dep has returned nothing: it must return an object with content"}],"isError":true`) {
		t.Errorf("got %s", got)
	}
}
