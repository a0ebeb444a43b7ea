package protocol

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// req is a request of one line with this method and these members.
func req(method, members string) string {
	return `{"type":"extension_ui_request","id":"1","method":"` + method + `"` + members + `}`
}

func ms(t *testing.T, ms float64) Timeout {
	t.Helper()
	v, err := Milliseconds(ms)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Each method with its optional members present, empty, null and absent: what
// is read, and what is written again.
func TestRequests(t *testing.T) {
	id := StringID("1")
	for _, c := range []struct {
		in, out string // out is "" if the same as in
		want    Request
	}{
		{in: req("select", `,"title":"t","options":["a","b"],"timeout":10000`),
			want: &Select{ID: id, Title: "t", Options: Options("a", "b"), Timeout: ms(t, 10000)}},
		{in: req("select", `,"title":"","options":[]`), want: &Select{ID: id, Options: []Option{}}},
		{in: req("select", `,"title":"t","options":["same","same"],"timeout":null`), out: req("select", `,"title":"t","options":["same","same"]`),
			want: &Select{ID: id, Title: "t", Options: Options("same", "same")}},
		{in: req("confirm", `,"title":"t","message":"m","timeout":0`), want: &Confirm{ID: id, Title: "t", Message: new("m"), Timeout: ms(t, 0)}},
		{in: req("confirm", `,"title":"t","message":""`), want: &Confirm{ID: id, Title: "t", Message: new("")}},
		{in: req("confirm", `,"title":"t","message":null`), out: req("confirm", `,"title":"t"`), want: &Confirm{ID: id, Title: "t"}},
		{in: req("input", `,"title":"t","placeholder":"p"`), want: &Input{ID: id, Title: "t", Placeholder: new("p")}},
		{in: req("input", `,"title":"t","placeholder":"","timeout":250.5`), want: &Input{ID: id, Title: "t", Placeholder: new(""), Timeout: ms(t, 250.5)}},
		{in: req("input", `,"title":"t","placeholder":null`), out: req("input", `,"title":"t"`), want: &Input{ID: id, Title: "t"}},
		{in: req("editor", `,"title":"t","prefill":"a\nb"`), want: &Editor{ID: id, Title: "t", Prefill: new("a\nb")}},
		{in: req("editor", `,"title":"t","prefill":"","timeout":5`), want: &Editor{ID: id, Title: "t", Prefill: new(""), Timeout: ms(t, 5)}},
		{in: req("editor", `,"title":"t","prefill":null`), out: req("editor", `,"title":"t"`), want: &Editor{ID: id, Title: "t"}},
		{in: req("notify", `,"message":"m","notifyType":"error"`), want: &Notify{ID: id, Message: "m", Type: NotifyError}},
		{in: req("notify", `,"message":"m","notifyType":null`), out: req("notify", `,"message":"m"`), want: &Notify{ID: id, Message: "m"}},
		{in: req("setStatus", `,"statusKey":"k","statusText":"s"`), want: &SetStatus{ID: id, Key: "k", Text: new("s")}},
		{in: req("setStatus", `,"statusKey":"k","statusText":""`), want: &SetStatus{ID: id, Key: "k", Text: new("")}},
		{in: req("setStatus", `,"statusKey":"k","statusText":null`), out: req("setStatus", `,"statusKey":"k"`), want: &SetStatus{ID: id, Key: "k"}},
		{in: req("setWidget", `,"widgetKey":"k","widgetLines":["a",""],"widgetPlacement":"belowEditor"`),
			want: &SetWidget{ID: id, Key: "k", Lines: []string{"a", ""}, Placement: BelowEditor}},
		{in: req("setWidget", `,"widgetKey":"k","widgetLines":[]`), want: &SetWidget{ID: id, Key: "k", Lines: []string{}}},
		{in: req("setWidget", `,"widgetKey":"k","widgetLines":null,"widgetPlacement":null`), out: req("setWidget", `,"widgetKey":"k"`), want: &SetWidget{ID: id, Key: "k"}},
		{in: req("setTitle", `,"title":"t"`), want: &SetTitle{ID: id, Title: "t"}},
		{in: req("set_editor_text", `,"text":""`), want: &SetEditorText{ID: id}},
		{in: req("setEditorText", `,"text":"t"`), out: req("set_editor_text", `,"text":"t"`), want: &SetEditorText{ID: id, Text: "t"}},
		{in: req("open_url", `,"url":"http://localhost/x","launchUrl":"http://localhost/y","instructions":"go"`),
			want: &OpenURL{ID: id, URL: "http://localhost/x", LaunchURL: "http://localhost/y", Instructions: "go"}},
		{in: req("open_url", `,"url":"u"`), want: &OpenURL{ID: id, URL: "u"}},
		{in: req("cancel", `,"targetId":"d"`), want: &Cancel{ID: id, TargetID: StringID("d")}},
		{in: req("cancel", `,"targetId":7,"reason":"timeout"`), want: &Cancel{ID: id, TargetID: parseID([]byte("7")), Reason: "timeout"}},
		{in: req("teleport", `,"x":[1, 2]`), want: &Unknown{ID: id, Name: "teleport", Raw: []byte(req("teleport", `,"x":[1, 2]`))}},
		{in: req("oauth_auth", ``), want: &Unknown{ID: id, Name: "oauth_auth", Raw: []byte(req("oauth_auth", ``)), Passive: true}},
	} {
		got, err := DecodeRequest([]byte(c.in))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s\n got %+v, %v\nwant %+v", c.in, got, err, c.want)
			continue
		}
		if c.out == "" {
			c.out = c.in
		}
		b, err := AppendRequest([]byte("before "), got)
		if string(b) != "before "+c.out || err != nil {
			t.Errorf("encode\n got %s, %v\nwant before %s", b, err, c.out)
		}
		if _, dialog := got.(Dialog); dialog == isUpdate(got) {
			t.Errorf("%T is a dialog and an update, or neither", got)
		}
	}
}

func isUpdate(r Request) bool { _, ok := r.(Update); return ok }

// A request that an agent has not given an id yet, or that could not be read
// whole, is written without what is not there rather than with an empty id.
func TestAbsentIDsAreNotWritten(t *testing.T) {
	for want, r := range map[string]Request{
		`{"type":"extension_ui_request","method":"cancel"}`:               &Cancel{},
		`{"type":"extension_ui_request","method":"setTitle","title":"t"}`: &SetTitle{Title: "t"},
	} {
		if b, err := AppendRequest(nil, r); string(b) != want || err != nil {
			t.Errorf("got %s, %v; want %s", b, err, want)
		}
	}
}

func TestDialogTitle(t *testing.T) {
	for _, d := range []Dialog{&Select{Title: "x"}, &Confirm{Title: "x"}, &Input{Title: "x"}, &Editor{Title: "x"},
		&Questionnaire{Questions: []Question{{Question: "x"}, {Question: "y"}}}} {
		if d.DialogTitle() != "x" {
			t.Errorf("%T: title %q", d, d.DialogTitle())
		}
	}
	if got := new(Questionnaire).DialogTitle(); got != "" {
		t.Errorf("title of no question: %q", got)
	}
}

// What is wrong with a record is told by field and value, and the rest of the
// record is still there.
func TestFieldErrors(t *testing.T) {
	for _, c := range []struct{ in, field, value string }{
		{`{"type":"extension_ui_request","method":"notify","message":"m"}`, "id", ""},
		{`{"type":"extension_ui_request","id":"1"}`, "method", ""},
		{`{"type":"extension_ui_request","id":"1","method":5}`, "method", "5"},
		{req("select", `,"options":["a"]`), "title", ""},
		{req("select", `,"title":42,"options":[1]`), "title", "42"},
		{req("select", `,"title":"t"`), "options", ""},
		{req("select", `,"title":"t","options":null`), "options", "null"},
		{req("select", `,"title":"t","options":"a"`), "options", `"a"`},
		{req("select", `,"title":"t","options":["a",1]`), "options[1]", "1"},
		{req("select", `,"title":"t","options":[{"value":"v"}]`), "options[0].label", ""},
		{req("select", `,"title":"t","options":[{"label":5}]`), "options[0].label", "5"},
		{req("select", `,"title":"t","options":[{"label":"a","description":[]}]`), "options[0].description", "[]"},
		{req("select", `,"title":"t","options":["a"],"optionDetails":{}`), "optionDetails", "{}"},
		{req("select", `,"title":"t","options":["a"],"optionDetails":["x"]`), "optionDetails[0]", `"x"`},
		{req("select", `,"title":"t","options":["a"],"optionDetails":[{},{}]`), "optionDetails[1]", "{}"},
		{req("select", `,"title":"t","options":["a"],"optionDetails":[{"description":1}]`), "optionDetails[0].description", "1"},
		{req("select", `,"title":"t","options":["a"],"timeout":"5"`), "timeout", `"5"`},
		{req("select", `,"title":"t","options":["a"],"timeout":-1`), "timeout", "-1"},
		{req("select", `,"title":"t","options":["a"],"timeout":1e400`), "timeout", "1e400"},
		{req("confirm", `,"title":"t","message":false`), "message", "false"},
		{req("input", `,"title":"t","placeholder":{}`), "placeholder", "{}"},
		{req("editor", `,"title":"t","prefill":1.50`), "prefill", "1.50"},
		{req("notify", ``), "message", ""},
		{req("notify", `,"message":"m","notifyType":3`), "notifyType", "3"},
		{req("setStatus", `,"statusText":"s"`), "statusKey", ""},
		{req("setStatus", `,"statusKey":"k","statusText":[1]`), "statusText", "[1]"},
		{req("setWidget", `,"widgetKey":"k","widgetLines":"one"`), "widgetLines", `"one"`},
		{req("setWidget", `,"widgetKey":"k","widgetLines":["a",2,"b"]`), "widgetLines[1]", "2"},
		{req("setTitle", `,"title":null`), "title", "null"},
		{req("set_editor_text", ``), "text", ""},
		{req("open_url", ``), "url", ""},
		{req("cancel", ``), "targetId", ""},
		{req("questionnaire", ``), "questions", ""},
		{req("questionnaire", `,"questions":["q"]`), "questions[0]", `"q"`},
		{req("questionnaire", `,"questions":[{"options":[]}]`), "questions[0].question", ""},
		{req("questionnaire", `,"questions":[{"question":"q"}]`), "questions[0].options", ""},
		{req("questionnaire", `,"questions":[{"question":"q","options":["a"]}]`), "questions[0].options[0]", `"a"`},
		{req("questionnaire", `,"questions":[{"question":"q","options":[{"label":"a"},{"label":null}]}]`), "questions[0].options[1].label", "null"},
		{req("questionnaire", `,"questions":[{"question":"q","options":[],"multiSelect":"yes"}]`), "questions[0].multiSelect", `"yes"`},
		{req("ask", `,"questions":[{"question":"q","options":[]}]`), "questions[0].id", ""},
		{req("ask", `,"questions":[{"id":"x","question":"q","options":[],"recommended":1.5}]`), "questions[0].recommended", "1.5"},
	} {
		r, err := DecodeRequest([]byte(c.in))
		fe, ok := errors.AsType[*FieldError](err)
		if !ok || fe.Field != c.field || fe.Value != c.value || fe.Want == "" {
			t.Errorf("%s\n got %v, want field %s and value %s", c.in, err, c.field, c.value)
			continue
		}
		if fe.Field != "method" && r != nil && fe.Record != string(r.Method())+" request" {
			t.Errorf("%s: the error is about %q", c.in, fe.Record)
		}
		if r == nil || c.field != "id" && r.RequestID() != StringID("1") {
			t.Errorf("%s: the request is lost: %+v", c.in, r)
		}
		want := fmt.Sprintf("field %q is %s, want", c.field, c.value)
		if c.value == "" {
			want = fmt.Sprintf("field %q is missing, want", c.field)
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("message %q does not say %q", err, want)
		}
	}
}

// What could be read of a record with a wrong field is there to be shown.
func TestPartOfARequest(t *testing.T) {
	for in, want := range map[string]Request{
		req("notify", `,"message":"m","notifyType":3`):                    &Notify{ID: StringID("1"), Message: "m"},
		req("setWidget", `,"widgetKey":"k","widgetLines":["a",2,"b"]`):    &SetWidget{ID: StringID("1"), Key: "k", Lines: []string{"a", "b"}},
		req("confirm", `,"title":"t","timeout":-5`):                       &Confirm{ID: StringID("1"), Title: "t"},
		`{"type":"extension_ui_request","method":"setTitle","title":"t"}`: &SetTitle{Title: "t"},
	} {
		got, err := DecodeRequest([]byte(in))
		if err == nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n got %+v, %v\nwant %+v and an error", in, got, err, want)
		}
	}
}

func TestNoRequest(t *testing.T) {
	for _, in := range []string{`{}`, `{"type":5}`, `{"type":"extension_ui_response","id":"1"}`, `{"type":"Extension_ui_request","id":"1","method":"notify"}`} {
		r, err := DecodeRequest([]byte(in))
		if fe, ok := errors.AsType[*FieldError](err); r != nil || !ok || fe.Field != "type" {
			t.Errorf("%s: got %v, %v", in, r, err)
		}
	}
}

func TestLongValuesAreCutInErrors(t *testing.T) {
	long := make([]byte, 0, 4000)
	for range 1000 {
		long = append(long, "é"...)
	}
	_, err := DecodeRequest([]byte(req("confirm", `,"title":["`+string(long)+`"]`)))
	fe, ok := errors.AsType[*FieldError](err)
	if !ok || len(fe.Value) > 120 || !strings.Contains(fe.Value, `["éé`) || !strings.Contains(fe.Value, "(2004 bytes)") {
		t.Errorf("got %v", err)
	}
}

func TestAppendRequestRefuses(t *testing.T) {
	id := StringID("1")
	for name, r := range map[string]Request{
		"extra that is no JSON":        &Notify{ID: id, Extra: Extra{{"x", []byte("{")}}},
		"extra without value":          &Notify{ID: id, Extra: Extra{{"x", nil}}},
		"extra with two values":        &Notify{ID: id, Extra: Extra{{"x", []byte(`1,"y":2`)}}},
		"extra that repeats a key":     &Confirm{ID: id, Extra: Extra{{"title", []byte(`"u"`)}}},
		"extra twice":                  &Confirm{ID: id, Extra: Extra{{"x", []byte("1")}, {"x", []byte("1")}}},
		"extra of a question":          &Questionnaire{ID: id, Questions: []Question{{Extra: Extra{{"header", []byte("1")}}}}},
		"extra of a question's option": &Questionnaire{ID: id, Questions: []Question{{Options: []QuestionOption{{Extra: Extra{{"label", []byte("1")}}}}}}},
		"unknown without record":       &Unknown{ID: id, Name: "x"},
		"unknown with half a record":   &Unknown{ID: id, Name: "x", Raw: []byte(`{"type":}`)},
		"unknown with another value":   &Unknown{ID: id, Name: "x", Raw: []byte(`[]`)},
	} {
		if b, err := AppendRequest([]byte("before"), r); err == nil || string(b) != "before" {
			t.Errorf("%s: got %s, %v", name, b, err)
		}
	}
}
