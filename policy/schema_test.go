package policy

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("policy.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("policy.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// The schema knows every key that Parse knows, and no other.
func TestSchemaHasEveryKey(t *testing.T) {
	var doc struct {
		Properties map[string]any
		Defs       map[string]struct{ Properties map[string]any } `json:"$defs"`
	}
	if err := json.Unmarshal(Schema(), &doc); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		got  map[string]any
		want []string
	}{
		{"file", doc.Properties, topKeys}, {"rule", doc.Defs["rule"].Properties, ruleKeys}, {"when", doc.Defs["when"].Properties, conditionKeys},
		{"question", doc.Defs["question"].Properties, append([]string{"question"}, questionKeys...)},
	} {
		for key := range test.got {
			if !slices.Contains(test.want, key) {
				t.Errorf("%s: Parse does not know %s", test.name, key)
			}
		}
		for _, key := range test.want {
			if test.got[key] == nil {
				t.Errorf("%s: the schema does not know %s", test.name, key)
			}
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	s := compiled(t)
	for _, text := range []string{
		`{}`, `{rules: [{}]}`, `{rules: [{cancel: false}]}`, `{rules: [{cancel: true, ask: true}]}`, `{rules: [], otherwise: approve}`,
		`{rules: [{when: {titel: x}, cancel: true}]}`, `{rules: [{when: {title: {glob: a, exact: b}}, cancel: true}]}`,
		`{rules: [{confirmed: "yes"}]}`, `{rules: [{ask: true, within: 3}]}`, `{rules: [{run: ls}]}`, `{rules: [], limits: {same: -1}}`,
		`{rules: [{answers: [{question: a}]}]}`,
	} {
		if err := validate(t, s, text); err == nil {
			t.Errorf("the schema accepts %s", text)
		}
	}
}

var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// The examples of the manual, and those in the examples folder, are policies, without a
// warning unless they say so.
func TestExamples(t *testing.T) {
	s := compiled(t)
	texts := map[string]string{}
	files, err := filepath.Glob("../examples/policy/*.policy.yaml")
	if err != nil || len(files) < 2 {
		t.Fatalf("examples: %v, %v", files, err)
	}
	for _, name := range append(files, "../docs/policy.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, ".md") {
			texts[name] = string(text)
			continue
		}
		for _, b := range yamlBlock.FindAllStringSubmatch(string(text), -1) {
			if strings.HasPrefix(b[1], "- ") {
				b[1] = "rules:\n" + b[1]
			}
			texts[name+": "+b[1]] = b[1]
		}
	}
	if len(texts) < 4 {
		t.Errorf("%d examples", len(texts))
	}
	for name, text := range texts {
		r, err := Parse("example", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := validate(t, s, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if w := r.Warnings(); len(w) > 0 != strings.Contains(text, "warned of") {
			t.Errorf("%s: %v", name, w)
		}
	}
}

// Every key stands in the manual.
func TestManualIsComplete(t *testing.T) {
	text, err := os.ReadFile("../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range slices.Concat(topKeys, ruleKeys, conditionKeys, questionKeys, patternForms, exprFunctions, templateNames) {
		if !strings.Contains(string(text), "`"+key) && !strings.Contains(string(text), key+":") {
			t.Errorf("the manual says nothing of %s", key)
		}
	}
	for _, o := range []Outcome{Answered, Declined, NoRule, Failed, Limited, Over, NotSent} {
		if !strings.Contains(string(text), "`"+string(o)+"`") {
			t.Errorf("the manual says nothing of the outcome %s", o)
		}
	}
}
