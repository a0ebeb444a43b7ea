package schema_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"extui/protocol"
	"extui/protocol/schema"
)

// compile compiles a document that must stand alone: nothing else is loaded.
func compile(t *testing.T, doc []byte) *jsonschema.Schema {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///doc", v); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///doc")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func named(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	doc, err := schema.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, doc)
}

func all(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := schema.All()
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, doc)
}

func check(t *testing.T, s *jsonschema.Schema, record []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(record))
	if err != nil {
		t.Fatalf("%s: %v", record, err)
	}
	return s.Validate(v)
}

func TestEachSchemaSaysWhatItIs(t *testing.T) {
	ids := map[string]bool{}
	for _, name := range schema.Names() {
		doc, err := schema.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		compile(t, doc)
		v, _ := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
		m := v.(map[string]any)
		if m["$schema"] != "https://json-schema.org/draft/2020-12/schema" {
			t.Errorf("%s: $schema is %v", name, m["$schema"])
		}
		for _, key := range []string{"$id", "title", "description"} {
			if text, _ := m[key].(string); text == "" {
				t.Errorf("%s has no %s", name, key)
			}
		}
		id, _ := m["$id"].(string)
		if ids[id] || !strings.HasPrefix(id, "urn:extui:") {
			t.Errorf("%s: $id %q comes twice or is no urn:extui", name, id)
		}
		ids[id] = true
		if !bytes.HasSuffix(doc, []byte("}\n")) {
			t.Errorf("%s does not end with one line end", name)
		}
	}
	if len(ids) < 22 {
		t.Errorf("only %d schemas", len(ids))
	}
}

func TestGetUnknown(t *testing.T) {
	if _, err := schema.Get("../schema"); !errors.Is(err, schema.ErrUnknown) {
		t.Errorf("got %v, want ErrUnknown", err)
	}
}

func TestResultsAreTheCallers(t *testing.T) {
	for _, get := range []func() ([]byte, error){
		schema.All,
		func() ([]byte, error) { return schema.Get("select") },
		func() ([]byte, error) { return schema.Get("extension-ui-request") },
	} {
		first, _ := get()
		want := bytes.Clone(first)
		clear(first)
		if again, _ := get(); !bytes.Equal(again, want) {
			t.Error("a caller's change to the result shows in the next one")
		}
	}
}

// top returns the schema that has every record of this kind.
func top(record []byte) string {
	if typ, _ := protocol.RecordType(record); typ == protocol.TypeRequest {
		return "extension-ui-request"
	}
	return "extension-ui-response"
}

func TestExamplesOfTheDocuments(t *testing.T) {
	files, err := filepath.Glob("../testdata/examples/*/*.json")
	if err != nil || len(files) != 26 {
		t.Fatalf("%d examples, want 26: %v", len(files), err)
	}
	every := all(t)
	for _, file := range files {
		record, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		for _, s := range []*jsonschema.Schema{named(t, name), named(t, top(record)), every} {
			if err := check(t, s, record); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// leaves returns where a record fails and by which keyword, as PATH:KEYWORD.
func leaves(err error) []string {
	var v *jsonschema.ValidationError
	if !errors.As(err, &v) {
		return nil
	}
	if len(v.Causes) == 0 {
		_, keyword, _ := strings.Cut(fmt.Sprintf("%T", v.ErrorKind), ".") // the type is named as the keyword
		return []string{strings.Join(v.InstanceLocation, "/") + ":" + strings.ToLower(keyword[:1]) + keyword[1:]}
	}
	var out []string
	for _, c := range v.Causes {
		out = append(out, leaves(c)...)
	}
	return out
}

func TestInvalidRecords(t *testing.T) {
	const request, response = `{"type":"extension_ui_request","id":"1",`, `{"type":"extension_ui_response","id":"1",`
	const q = `"question":"Q?","header":"H","options":[{"label":"a","description":""},{"label":"b","description":""}]`
	for _, c := range []struct{ name, record, want string }{
		{"select", `{"type":"extension_ui_request","method":"select","title":"t","options":[]}`, ":required"},
		{"select", `{"type":"extension_ui_request","id":7,"method":"select","title":"t","options":[]}`, "id:type"},
		{"select", `{"type":"extension_ui_response","id":"1","method":"select","title":"t","options":[]}`, "type:const"},
		{"select", request + `"method":"confirm","title":"t","options":[]}`, "method:const"},
		{"select", request + `"method":"select","options":[]}`, ":required"},
		{"select", request + `"method":"select","title":"t"}`, ":required"},
		{"select", request + `"method":"select","title":42,"options":[]}`, "title:type"},
		{"select", request + `"method":"select","title":"t","options":{}}`, "options:type"},
		{"select", request + `"method":"select","title":"t","options":["a",1]}`, "options/1:type"},
		{"select", request + `"method":"select","title":"t","options":[{"value":"v"}]}`, "options/0:required"},
		{"select", request + `"method":"select","title":"t","options":[],"timeout":-1}`, "timeout:minimum"},
		{"select", request + `"method":"select","title":"t","options":[],"timeout":"5"}`, "timeout:type"},
		{"select", request + `"method":"select","title":"t","options":[],"optionDetails":["x"]}`, "optionDetails/0:type"},
		{"confirm", request + `"method":"confirm","title":"t","message":null}`, "message:type"},
		{"input", request + `"method":"input","title":"t","placeholder":5}`, "placeholder:type"},
		{"editor", request + `"method":"editor","title":"t","prefill":["x"]}`, "prefill:type"},
		{"questionnaire", request + `"method":"questionnaire","questions":[]}`, "questions:minItems"},
		{"questionnaire", request + `"method":"questionnaire","questions":[` + strings.Repeat(`{`+q+`},`, 4) + `{` + q + `}]}`, "questions:maxItems"},
		{"questionnaire", request + `"method":"questionnaire","questions":[{"question":"Q?","header":"H","options":[{"label":"a","description":""}]}]}`, "questions/0/options:minItems"},
		{"questionnaire", request + `"method":"questionnaire","questions":[{"question":"Q?","header":"HHHHHHHHHHHHHHHHH","options":[{"label":"a","description":""},{"label":"b","description":""}]}]}`, "questions/0/header:maxLength"},
		{"questionnaire", request + `"method":"questionnaire","questions":[{"question":"Q?","header":"H","options":[{"label":"Other","description":""},{"label":"b","description":""}]}]}`, "questions/0/options/0/label:not"},
		{"questionnaire", request + `"method":"questionnaire","questions":[{"question":"Q?","header":"H","options":[{"label":"` + strings.Repeat("é", 61) + `","description":""},{"label":"b","description":""}]}]}`, "questions/0/options/0/label:maxLength"},
		{"questionnaire", request + `"method":"questionnaire","questions":[{"multiSelect":"yes",` + q + `}]}`, "questions/0/multiSelect:type"},
		{"ask", request + `"method":"ask","questions":[{"question":"Q?","options":[]}]}`, "questions/0:required"},
		{"ask", request + `"method":"ask","questions":[{"id":"q","question":"Q?","options":[],"recommended":1.5}]}`, "questions/0/recommended:type"},
		{"notify", request + `"method":"notify","message":"m","notifyType":"fatal"}`, "notifyType:enum"},
		{"setStatus", request + `"method":"setStatus","statusText":"m"}`, ":required"},
		{"setStatus", request + `"method":"setStatus","statusKey":"k","statusText":1}`, "statusText:type"},
		{"setWidget", request + `"method":"setWidget","widgetKey":"k","widgetLines":"one"}`, "widgetLines:type"},
		{"setWidget", request + `"method":"setWidget","widgetKey":"k","widgetLines":["a",null]}`, "widgetLines/1:type"},
		{"setWidget", request + `"method":"setWidget","widgetKey":"k","widgetPlacement":"left"}`, "widgetPlacement:enum"},
		{"setTitle", request + `"method":"setTitle"}`, ":required"},
		{"set_editor_text", request + `"method":"setEditorText","text":"t"}`, "method:const"},
		{"set_editor_text", request + `"method":"set_editor_text"}`, ":required"},
		{"open_url", request + `"method":"open_url"}`, ":required"},
		{"cancel", request + `"method":"cancel"}`, ":required"},
		{"extension-ui-request", request + `"method":"oauth_auth"}`, "method:enum"},
		{"value-response", response + `"value":null}`, "value:type"},
		{"value-response", `{"type":"extension_ui_response","value":"x"}`, ":required"},
		{"confirmed-response", response + `"confirmed":"true"}`, "confirmed:type"},
		{"confirmed-response", response + `"value":true}`, ":required"},
		{"cancelled-response", response + `"cancelled":false}`, "cancelled:const"},
		{"answers-response", response + `"answers":{}}`, "answers:type"},
		{"answers-response", response + `"answers":[{"questionIndex":-1,"question":"Q","kind":"chat"}]}`, "answers/0/questionIndex:minimum"},
		{"answers-response", response + `"answers":[{"questionIndex":0,"question":"Q","kind":"maybe"}]}`, "answers/0/kind:const"},
		{"answers-response", response + `"answers":[{"questionIndex":0,"question":"Q","kind":"option","answer":null}]}`, "answers/0/answer:type"},
		{"answers-response", response + `"answers":[{"questionIndex":0,"question":"Q","kind":"multi","answer":null,"selected":["a","a"]}]}`, "answers/0/selected:uniqueItems"},
		{"answers-response", response + `"answers":[{"questionIndex":0,"question":"Q","kind":"custom","answer":""}]}`, "answers/0/answer:minLength"},
		{"extension-ui-response", response + `"value":"x","cancelled":true}`, ":oneOf"},
		{"command-response", `{"type":"response","id":"1","command":"x"}`, ":required"},
		{"command-response", `{"type":"response","id":"1","command":"x","success":false}`, ":required"},
		{"extension-error", `{"type":"extension_error","extensionPath":"p","error":"e"}`, ":required"},
		{"set_extension_ui_capabilities", `{"type":"set_extension_ui_capabilities","questionnaire":1}`, "questionnaire:type"},
		{"call_tool", `{"type":"call_tool","input":{}}`, ":required"},
		{"call_tool", `{"type":"call_tool","toolName":"bash","input":"ls"}`, "input:type"},
	} {
		got := leaves(check(t, named(t, c.name), []byte(c.record)))
		if !slices.Contains(got, c.want) {
			t.Errorf("%s %s\nfails for %q, want %q", c.name, c.record, got, c.want)
		}
	}
}

func TestUnknownMembersAreAllowed(t *testing.T) {
	for name, record := range map[string]string{
		"extension-ui-request":          `{"type":"extension_ui_request","id":"1","method":"select","title":"t","options":["a"],"toolCallId":"x","n":{"a":[1]}}`,
		"extension-ui-response":         `{"type":"extension_ui_response","id":"1","value":"a","by":"me"}`,
		"command-response":              `{"type":"response","command":"x","success":true,"data":null,"x":1}`,
		"set_extension_ui_capabilities": `{"type":"set_extension_ui_capabilities","id":7,"questionnaire":true,"more":true}`,
		"call_tool":                     `{"type":"call_tool","id":"t1","toolName":"bash","input":{"command":"ls"},"more":true}`,
		"extension-error":               `{"type":"extension_error","extensionPath":"command:x","event":"command","error":"e","more":1}`,
	} {
		if err := check(t, named(t, name), []byte(record)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := check(t, all(t), []byte(record)); err != nil {
			t.Errorf("all, %s: %v", name, err)
		}
	}
}
