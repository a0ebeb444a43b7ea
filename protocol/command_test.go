package protocol

import (
	"errors"
	"reflect"
	"testing"
)

func TestCommands(t *testing.T) {
	for _, c := range []struct {
		in, out string // out is "" if the same as in
		want    Command
	}{
		{in: `{"type":"prompt","id":"p","message":"/select"}`, want: Command{ID: StringID("p"), Type: "prompt", Fields: []Field{StringField("message", "/select")}}},
		{in: `{"id": 7, "x": {"a": 1}, "type": "get_state"}`, out: `{"type":"get_state","id":7,"x":{"a": 1}}`,
			want: Command{ID: parseID([]byte("7")), Type: "get_state", Fields: []Field{{"x", []byte(`{"a": 1}`)}}}},
		{in: `{"type":"abort"}`, want: Command{Type: "abort"}},
		{in: `{}`, out: `{"type":""}`, want: Command{}},
		{in: `{"type":{"a":1},"id":null}`, out: `{"type":"{\"a\":1}","id":null}`, want: Command{Type: `{"a":1}`, ID: parseID([]byte("null"))}},
	} {
		got, err := DecodeCommand([]byte(c.in))
		if err != nil || !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s: got %+v, %v", c.in, got, err)
			continue
		}
		if c.out == "" {
			c.out = c.in
		}
		if b := AppendCommand([]byte("before "), got); string(b) != "before "+c.out {
			t.Errorf("encode\n got %s\nwant before %s", b, c.out)
		}
	}
}

func TestCommandFields(t *testing.T) {
	c, err := DecodeCommand([]byte(`{"type":"prompt","message":"a\u00e9","n":5,"null":null}`))
	if err != nil {
		t.Fatal(err)
	}
	if s, err := c.Text("message"); s != "aé" || err != nil {
		t.Errorf("got %q, %v", s, err)
	}
	if v, ok := c.Raw("n"); string(v) != "5" || !ok {
		t.Errorf("got %s, %v", v, ok)
	}
	if v, ok := c.Raw("other"); v != nil || ok {
		t.Errorf("got %s, %v", v, ok)
	}
	for field, value := range map[string]string{"n": "5", "null": "null", "other": ""} {
		_, err := c.Text(field)
		if fe, ok := errors.AsType[*FieldError](err); !ok || fe.Field != field || fe.Value != value || fe.Record != "prompt command" {
			t.Errorf("%s: got %v", field, err)
		}
	}
	f, err := JSONField("input", map[string]any{"b": "<", "a": []int{1}})
	if err != nil || f.Name != "input" || string(f.Value) != `{"a":[1],"b":"<"}` {
		t.Errorf("got %s, %v", f.Value, err)
	}
	if _, err := JSONField("input", func() {}); err == nil {
		t.Error("a function was encoded")
	}
}

func TestCommandResponses(t *testing.T) {
	for _, c := range []struct {
		in, out string
		want    CommandResponse
	}{
		{in: `{"id":"p","type":"response","command":"prompt","success":true,"data":{"disposition":"handled"}}`,
			want: CommandResponse{ID: StringID("p"), Command: "prompt", Success: true, Data: []byte(`{"disposition":"handled"}`)}},
		{in: `{"type":"response","command":"abort","success":true}`, want: CommandResponse{Command: "abort", Success: true}},
		{in: `{"type":"response","command":"parse","success":false,"error":"no \"JSON\""}`, want: CommandResponse{Command: "parse", Error: `no "JSON"`}},
		{in: `{"type":"response","success":false,"error":{"a":1}}`, out: `{"type":"response","success":false,"error":"{\"a\":1}"}`, want: CommandResponse{Error: `{"a":1}`}},
		{in: `{"type":"response","success":null,"command":null}`, out: `{"type":"response","success":false,"error":""}`, want: CommandResponse{}},
		{in: `{"id":7,"type":"response","command":"x","success":true,"data":null}`, want: CommandResponse{ID: parseID([]byte("7")), Command: "x", Success: true, Data: []byte("null")}},
	} {
		got, err := DecodeCommandResponse([]byte(c.in))
		if err != nil || !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s: got %+v, %v", c.in, got, err)
			continue
		}
		if c.out == "" {
			c.out = c.in
		}
		if b := AppendCommandResponse([]byte("before "), got); string(b) != "before "+c.out {
			t.Errorf("encode\n got %s\nwant before %s", b, c.out)
		}
	}
	for in, field := range map[string]string{
		`{}`: "type", `{"type":"extension_ui_response"}`: "type", `{"type":"response","success":"true"}`: "success", `{"type":"response","command":5,"success":true}`: "command",
	} {
		got, err := DecodeCommandResponse([]byte(in))
		if fe, ok := errors.AsType[*FieldError](err); !ok || fe.Field != field || got != nil && in == `{}` {
			t.Errorf("%s: got %+v, %v", in, got, err)
		}
	}
}

func TestExtensionErrors(t *testing.T) {
	for in, want := range map[string]ExtensionError{
		`{"type":"extension_error","extensionPath":"command:x","event":"command","error":"not caught"}`:      {ExtensionPath: "command:x", Event: "command", Error: "not caught"},
		`{"type":"extension_error","extensionPath":"","event":"tool_call","error":"e","stack":"at\nline 1"}`: {Event: "tool_call", Error: "e", Stack: "at\nline 1"},
	} {
		got, err := DecodeExtensionError([]byte(in))
		if err != nil || *got != want {
			t.Errorf("%s: got %+v, %v", in, got, err)
			continue
		}
		if b := AppendExtensionError([]byte("before "), got); string(b) != "before "+in {
			t.Errorf("encode\n got %s\nwant before %s", b, in)
		}
	}
	got, err := DecodeExtensionError([]byte(`{"type":"extension_error","extensionPath":5,"error":"e"}`))
	if fe, ok := errors.AsType[*FieldError](err); !ok || fe.Field != "extensionPath" || got == nil || got.Error != "e" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestCapabilities(t *testing.T) {
	for want, c := range map[string]Capabilities{
		``:                                     {},
		`,"questionnaire":true`:                {Questionnaire: true},
		`,"dismiss":true`:                      {Dismiss: true},
		`,"questionnaire":true,"dismiss":true`: {Questionnaire: true, Dismiss: true},
	} {
		b := AppendCommand(nil, &Command{Type: TypeSetCapabilities, Fields: c.Fields()})
		if want = `{"type":"set_extension_ui_capabilities"` + want + `}`; string(b) != want {
			t.Errorf("got %s, want %s", b, want)
		}
	}
}
