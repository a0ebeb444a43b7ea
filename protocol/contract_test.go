package protocol

import (
	"errors"
	"strings"
	"testing"
)

// Tests here are the rows of the contract's tables that this package decides.
// Others concern when and how often something is sent, and are with the agent,
// the client and the framing.

// Framing: JSON that is no object, and broken JSON, is no record.
func TestContractFraming_NotAnObject(t *testing.T) {
	for _, in := range []string{"", " ", "null", "42", "[]", `"x"`, "true", "{", "}", `{"type"}`, `{"type":"extension_ui_request"`, `{"a":1}}`, `{"a":1} {"b":2}`,
		`{'a':1}`, `{"a":01}`, `{"a":1,}`, `{"a":NaN}`, "{\"a\":\"\x01\"}", `{"a":"\x"}`, "\ufeff{}", `{"a":1}x`, strings.Repeat(`[`, 20000)} {
		for name, err := range decodeErrors(in) {
			if !errors.Is(err, ErrNotObject) {
				t.Errorf("%s of %.40q: got %v, want ErrNotObject", name, in, err)
			}
		}
	}
}

func decodeErrors(in string) map[string]error {
	record := []byte(in)
	out := map[string]error{}
	_, out["DecodeRequest"] = DecodeRequest(record)
	_, out["DecodeResponse"] = DecodeResponse(record)
	_, out["DecodeCommand"] = DecodeCommand(record)
	_, out["DecodeCommandResponse"] = DecodeCommandResponse(record)
	_, out["DecodeExtensionError"] = DecodeExtensionError(record)
	return out
}

// Framing: a key that comes twice in one object makes the record as bad as
// broken JSON, wherever that object stands and however the key is spelt.
func TestContractFraming_DuplicateKey(t *testing.T) {
	many := make([]string, 0, 200)
	for i := range 100 {
		many = append(many, `"k`+strings.Repeat("x", i)+`":0`)
	}
	for _, in := range []string{
		resp(`,"confirmed":true,"confirmed":false`),
		resp(`,"id":"2","confirmed":true`),
		req("confirm", `,"title":"a","title":"a"`),
		req("confirm", `,"title":"a","\u0074itle":"b"`),
		req("confirm", `,"title":"a","x":{"y":{"z":1,"z":2}}`),
		req("confirm", `,"title":"a","x":[[1,{"":1,"":2}]]`),
		req("confirm", `,"title":"a","\ud800":1,"\uD800":2`),
		req("confirm", ",\"title\":\"a\",\"\\ud800\":1,\"\xed\xa0\x80\":2"),
		req("confirm", ",\"title\":\"a\",\"😀\":1,\"\\ud83d\\ude00\":2"),
		req("confirm", ",\"title\":\"a\",\"\xff\":1,\"\xff\":2"),
		`{"type":"extension_ui_request",` + strings.Join(many, ",") + `,"kxx":1}`,
		`{"type":"extension_ui_request","x":{` + strings.Join(many, ",") + `,"k":1}}`,
		`{"type":"extension_ui_request","x":{"o":{` + strings.Join(many, ",") + `},"o":1}}`,
		`{"type":"extension_ui_request","x":{` + strings.Join(many, ",") + `,"k` + strings.Repeat("x", 90) + `":1}}`,
	} {
		for name, err := range decodeErrors(in) {
			if !errors.Is(err, ErrNotObject) || !strings.Contains(err.Error(), "comes twice") {
				t.Errorf("%s of %.60q: got %v, want ErrNotObject", name, in, err)
			}
		}
	}
	for _, in := range []string{
		req("confirm", `,"title":"a","Title":"b","x":{"title":1,"y":{"title":2}},"z":[{"a":1},{"a":2}]`),
		req("confirm", `,"title":"a","\ud800":1,"\ud801":2,"\udc00":3`),
		req("confirm", ",\"title\":\"a\",\"\xff\":1,\"\xfe\":2,\"\ufffd\":3"),
		req("confirm", `,"title":"a","x":{`+strings.Join(many, ",")+`},"y":{`+strings.Join(many, ",")+`}`),
	} {
		if _, err := DecodeRequest([]byte(in)); err != nil {
			t.Errorf("%.60q: %v", in, err)
		}
		if got := reencode(t, []byte(in)); string(got) != in {
			t.Errorf("\n got %q\nwant %q", got, in)
		}
	}
}

// Framing: with lone surrogates and bytes that are no UTF-8 the dialog works,
// and a select's answer is the very bytes of the option.
func TestContractFraming_LoneSurrogateEcho(t *testing.T) {
	for _, option := range []string{`"lone \ud83d half"`, `"\uDC00"`, "\"\xed\xa0\x80\"", "\"\xff\xfe\"", `"\ud83dA"`} {
		in := req("select", ",\"title\":\"\xff \\ud83d\",\"options\":[\"other\","+option+`]`)
		r, err := DecodeRequest([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		d := r.(*Select)
		resp, err := Respond(d, Value(d.Options[1].Answer()))
		if err != nil || string(resp.Value) != option {
			t.Errorf("%q: answered %q, %v", option, resp.Value, err)
		}
		if got := reencode(t, []byte(in)); string(got) != in {
			t.Errorf("passed on as %q, came as %q", got, in)
		}
	}
}

// Framing: compact, nothing escaped for HTML, U+2028 raw, absent rather than
// null, keys in the order of the documents.
func TestContractFraming_Writing(t *testing.T) {
	b, err := AppendRequest(nil, &SetWidget{ID: StringID("1"), Key: "<&>\u2028\u2029\u0085\x00\x7f", Lines: []string{"é😀"}, Extra: Extra{{"z", []byte("{\n\"a\": [1,\n2]}")}}})
	if want := req("setWidget", ",\"widgetKey\":\"<&>\u2028\u2029\u0085\\u0000\x7f\",\"widgetLines\":[\"é😀\"],\"z\":{\"a\":[1,2]}"); string(b) != want || err != nil {
		t.Errorf("\n got %s, %v\nwant %s", b, err, want)
	}
}

// No JSON text that a record carries along ends the line early.
func TestContractFraming_NoLineEndInside(t *testing.T) {
	const broken = "{\"a\":\n1}"
	id := parseID([]byte(broken))
	for _, b := range [][]byte{
		must(AppendRequest(nil, &Notify{ID: id, Extra: Extra{{"x", []byte(broken)}}})),
		must(AppendRequest(nil, &Unknown{Raw: []byte("{\"type\":\n5\n}\n")})),
		must(AppendRequest(nil, must(DecodeRequest([]byte(req("select", ",\"title\":\"t\",\"options\":[{\"label\":\n\"x\"}],\"optionDetails\":[{\n}]")))))),
		AppendResponse(nil, &Response{ID: id, Value: []byte(broken), Confirmed: []byte(broken), Answers: []byte(broken), Extra: Extra{{"x", []byte(broken)}}}),
		AppendResponse(nil, &Response{Value: []byte("no\nJSON")}),
		AppendCommand(nil, &Command{ID: id, Fields: []Field{{"x", []byte(broken)}}}),
		AppendCommandResponse(nil, &CommandResponse{ID: id, Success: true, Data: []byte(broken)}),
		AppendExtensionError(nil, &ExtensionError{Error: "a\nb"}),
	} {
		if strings.ContainsAny(string(b), "\r\n") {
			t.Errorf("a line end in %q", b)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Agent: a timeout of 0 is written, an absent one is not, and neither limits.
func TestContractAgent_TimeoutZeroIsWritten(t *testing.T) {
	zero, err := After(0)
	if err != nil {
		t.Fatal(err)
	}
	for want, timeout := range map[string]Timeout{`,"timeout":0`: zero, ``: {}} {
		if _, limited := timeout.Duration(); limited {
			t.Errorf("%v limits", timeout)
		}
		if b, err := AppendRequest(nil, &Confirm{ID: StringID("1"), Title: "t", Timeout: timeout}); string(b) != req("confirm", `,"title":"t"`+want) || err != nil {
			t.Errorf("got %s, %v", b, err)
		}
	}
}

// Agent: cancelled:true outweighs all that stands beside it.
func TestContractAgent_CancelledWins(t *testing.T) {
	sel, conf, in, ed := dialogs()
	for _, d := range []Dialog{sel, conf, in, ed, &Questionnaire{}} {
		for _, members := range []string{`,"cancelled":true`, `,"confirmed":true,"value":"Allow","answers":[],"cancelled":true`, `,"cancelled":true,"confirmed":true`, `,"cancelled":"yes","confirmed":true,"value":"Allow"`} {
			r := must(DecodeResponse([]byte(resp(members))))
			if a, err := r.Answer(d); a != (Cancelled{}) || err != nil {
				t.Errorf("%s %s: got %v, %v", d.Method(), members, a, err)
			}
		}
	}
}

// Agent: cancelled:false is as if it were absent.
func TestContractAgent_CancelledFalseIsAbsent(t *testing.T) {
	sel, conf, _, _ := dialogs()
	r := must(DecodeResponse([]byte(resp(`,"cancelled":false,"value":"Allow","confirmed":true`))))
	if a, err := r.Answer(sel); a != Value("Allow") || err != nil {
		t.Errorf("select: got %v, %v", a, err)
	}
	if a, err := r.Answer(conf); a != Confirmed(true) || err != nil {
		t.Errorf("confirm: got %v, %v", a, err)
	}
	if a, err := must(DecodeResponse([]byte(resp(`,"cancelled":false`)))).Answer(sel); a != nil || err == nil {
		t.Errorf("alone: got %v, %v", a, err)
	}
}

// Agent: a select's value that is no option, or no string, is no answer.
func TestContractAgent_SelectValueMustBeAnOption(t *testing.T) {
	sel, _, _, _ := dialogs()
	for _, value := range []string{`"Neither"`, `"allow"`, `""`, `0`, `1`, `true`, `null`, `["Allow"]`, `{"label":"Allow"}`} {
		r := must(DecodeResponse([]byte(resp(`,"value":` + value))))
		a, err := r.Answer(sel)
		if ae, ok := errors.AsType[*AnswerError](err); a != nil || !ok || ae.Value != value {
			t.Errorf("%s: got %v, %v", value, a, err)
		}
	}
}

// Agent: a confirm is true for confirmed:true and for nothing else.
func TestContractAgent_OnlyConfirmedTrueConfirms(t *testing.T) {
	_, conf, _, _ := dialogs()
	for _, members := range []string{``, `,"confirmed":false`, `,"confirmed":"true"`, `,"confirmed":1`, `,"confirmed":null`, `,"confirmed":[true]`, `,"confirmed":{"confirmed":true}`,
		`,"value":true`, `,"value":"yes"`, `,"Confirmed":true`, `,"cancelled":false`, `,"answers":[]`} {
		if a, err := must(DecodeResponse([]byte(resp(members)))).Answer(conf); a != Confirmed(false) || err != nil {
			t.Errorf("%s: got %v, %v", members, a, err)
		}
	}
}

// Agent: the empty text is an answer to an input and to an editor.
func TestContractAgent_EmptyTextIsAnAnswer(t *testing.T) {
	_, _, in, ed := dialogs()
	for _, d := range []Dialog{in, ed} {
		if a, err := must(DecodeResponse([]byte(resp(`,"value":""`)))).Answer(d); a != Value("") || err != nil {
			t.Errorf("%s: got %v, %v", d.Method(), a, err)
		}
	}
}

// Agent: the same text may be offered twice.
func TestContractAgent_SameOptionTwice(t *testing.T) {
	d := &Select{ID: StringID("1"), Options: Options("same", "same")}
	r := must(Respond(d, Value("same")))
	if a, err := r.Answer(d); a != Value("same") || err != nil {
		t.Errorf("got %v, %v", a, err)
	}
}

// Agent: a widget of no lines is written as such.
func TestContractAgent_EmptyWidgetIsWritten(t *testing.T) {
	for want, lines := range map[string][]string{`,"widgetLines":[]`: {}, ``: nil} {
		b, err := AppendRequest(nil, &SetWidget{ID: StringID("1"), Key: "k", Lines: lines})
		if string(b) != req("setWidget", `,"widgetKey":"k"`+want) || err != nil {
			t.Errorf("got %s, %v", b, err)
		}
	}
}

// Client: an id that is no string goes back exactly as it came.
func TestContractClient_IDThatIsNoString(t *testing.T) {
	for _, id := range []string{`7`, `7.0`, `1e400`, `-0`, `null`, `false`, `[1, "a"]`, `{"a": 1}`, `"\u00e9"`, `""`} {
		d := must(DecodeRequest([]byte(`{"type":"extension_ui_request","id":` + id + `,"method":"confirm","title":"t"}`))).(Dialog)
		got := string(AppendResponse(nil, must(Respond(d, Confirmed(true)))))
		if id == `"\u00e9"` {
			id = `"é"` // a string has one value however it is spelt
		}
		if want := `{"type":"extension_ui_response","id":` + id + `,"confirmed":true}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Client: an unknown method has its id and its whole record, and is known to
// want an answer unless it is one of the methods of other agents that do not.
func TestContractClient_UnknownMethod(t *testing.T) {
	for method, passive := range map[string]bool{"teleport": false, "question": false, "oauth_select": false, "oauth_prompt": false, "Select": false, "": false,
		"oauth_auth": true, "oauth_device_code": true, "oauth_progress": true, "oauth_info": true, "oauth_manual_code_cancel": true,
		"question_updated": true, "question_resolved": true, "setHeader": true, "setFooter": true, "custom_unsupported": true} {
		in := req(method, `,"a": {"b":null}`)
		u, ok := must(DecodeRequest([]byte(in))).(*Unknown)
		if !ok || u.Name != method || u.Passive != passive || u.ID != StringID("1") || string(u.Raw) != in {
			t.Errorf("%s: got %+v", method, u)
		}
		if got := reencode(t, []byte(in)); string(got) != in {
			t.Errorf("%s: passed on as %s", method, got)
		}
	}
}

// Client: options may be objects with a label, which is the answer unless there
// is a value.
func TestContractClient_OptionsThatAreObjects(t *testing.T) {
	d := must(DecodeRequest([]byte(req("select", `,"title":"t","options":[{"label":"A","value":"a"},{"label":"B"}]`)))).(*Select)
	if d.Options[0].Label != "A" || d.Options[0].Answer() != "a" || d.Options[1].Answer() != "B" {
		t.Errorf("got %+v", d.Options)
	}
	if _, err := Respond(d, Value("A")); err == nil {
		t.Error("the label answers an option that has a value")
	}
}

// Client: a confirm without a message is a confirm.
func TestContractClient_ConfirmWithoutMessage(t *testing.T) {
	d := must(DecodeRequest([]byte(req("confirm", `,"title":"Sure?"`)))).(*Confirm)
	if d.Title != "Sure?" || d.Message != nil {
		t.Errorf("got %+v", d)
	}
}

// Client: an unknown notifyType is info, an unknown widgetPlacement is
// aboveEditor, and both are kept for whoever the record is passed on to.
func TestContractClient_UnknownTypeAndPlacement(t *testing.T) {
	n := must(DecodeRequest([]byte(req("notify", `,"message":"odd","notifyType":"fatal"`)))).(*Notify)
	w := must(DecodeRequest([]byte(req("setWidget", `,"widgetKey":"k","widgetPlacement":"left"`)))).(*SetWidget)
	if n.Type.Level() != NotifyInfo || n.Type != "fatal" || w.Placement.Normal() != AboveEditor || w.Placement != "left" {
		t.Errorf("got %+v and %+v", n, w)
	}
}

// Client: unknown fields are ignored, and kept when a record is passed on.
func TestContractClient_UnknownFieldsAreKept(t *testing.T) {
	for _, in := range []string{
		req("select", `,"title":"t","options":["a"],"toolCallId":"x","sessionId":7,"nested":{"a":[1, 2.0,"\u00e9"]}`),
		req("editor", `,"title":"t","promptStyle":true`),
		req("cancel", `,"targetId":"d","by":"me"`),
		req("ask", `,"questions":[{"id":"q","question":"Q","options":[{"label":"a","icon":1}],"weight":0.50}],"z":null`),
		resp(`,"value":"a","by":"me"`),
	} {
		if got := reencode(t, []byte(in)); string(got) != in {
			t.Errorf("\n got %s\nwant %s", got, in)
		}
	}
}
