package protocol

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func resp(members string) string {
	return `{"type":"extension_ui_response","id":"1"` + members + `}`
}

func dialogs() (*Select, *Confirm, *Input, *Editor) {
	id := StringID("1")
	return &Select{ID: id, Title: "t", Options: Options("Allow", "Block")}, &Confirm{ID: id, Title: "t"}, &Input{ID: id, Title: "t"}, &Editor{ID: id, Title: "t"}
}

func TestResponses(t *testing.T) {
	id := StringID("1")
	for _, c := range []struct {
		in, out string // out is "" if the same as in
		want    Response
	}{
		{in: resp(`,"value":"Allow"`), want: Response{ID: id, Value: []byte(`"Allow"`)}},
		{in: resp(`,"value":""`), want: Response{ID: id, Value: []byte(`""`)}},
		{in: resp(`,"value":null`), want: Response{ID: id, Value: []byte(`null`)}},
		{in: resp(`,"confirmed":true`), want: Response{ID: id, Confirmed: []byte(`true`)}},
		{in: resp(`,"confirmed":"true"`), want: Response{ID: id, Confirmed: []byte(`"true"`)}},
		{in: resp(`,"answers":[]`), want: Response{ID: id, Answers: []byte(`[]`)}},
		{in: resp(`,"cancelled":true`), want: Response{ID: id, Cancelled: true}},
		{in: resp(`,"cancelled":true,"timedOut":true`), want: Response{ID: id, Cancelled: true, TimedOut: true}},
		{in: resp(`,"cancelled":false`), out: resp(``), want: Response{ID: id}},
		{in: resp(`,"cancelled":null`), out: resp(``), want: Response{ID: id}},
		{in: resp(`,"cancelled":1`), out: resp(`,"cancelled":true`), want: Response{ID: id, Cancelled: true}},
		{in: resp(`,"by":{"a": 1},"value":"x"`), out: resp(`,"value":"x","by":{"a": 1}`), want: Response{ID: id, Value: []byte(`"x"`), Extra: Extra{{"by", []byte(`{"a": 1}`)}}}},
		{in: `{"type":"extension_ui_response"}`, want: Response{}},
		{in: `{"type":"extension_ui_response","id":7}`, want: Response{ID: parseID([]byte("7"))}},
		{in: `{"value":"x","id":"1","type":"extension_ui_response"}`, out: resp(`,"value":"x"`), want: Response{ID: id, Value: []byte(`"x"`)}},
	} {
		r, err := DecodeResponse([]byte(c.in))
		if err != nil || !reflect.DeepEqual(*r, c.want) {
			t.Errorf("%s\n got %+v, %v\nwant %+v", c.in, r, err, c.want)
			continue
		}
		if c.out == "" {
			c.out = c.in
		}
		if b := AppendResponse([]byte("before "), r); string(b) != "before "+c.out {
			t.Errorf("encode\n got %s\nwant before %s", b, c.out)
		}
	}
	for _, in := range []string{`{}`, `{"type":"response"}`, `{"type":null,"id":"1","confirmed":true}`} {
		r, err := DecodeResponse([]byte(in))
		if fe, ok := errors.AsType[*FieldError](err); r != nil || !ok || fe.Field != "type" {
			t.Errorf("%s: got %v, %v", in, r, err)
		}
	}
}

// What each response means to each dialog. A nil want is no answer.
func TestWhatAResponseMeans(t *testing.T) {
	sel, conf, in, ed := dialogs()
	for _, c := range []struct {
		d       Dialog
		members string
		want    Answer
	}{
		{sel, `,"value":"Allow"`, Value("Allow")},
		{sel, `,"value":"\u0041llow"`, Value("Allow")},
		{sel, `,"value":"Block","confirmed":true`, Value("Block")},
		{sel, `,"value":"allow"`, nil},
		{sel, `,"value":"Allow "`, nil},
		{sel, `,"value":""`, nil},
		{sel, `,"value":0`, nil},
		{sel, `,"value":null`, nil},
		{sel, `,"value":["Allow"]`, nil},
		{sel, `,"confirmed":true`, nil},
		{sel, ``, nil},
		{conf, `,"confirmed":true`, Confirmed(true)},
		{conf, `,"confirmed":false`, Confirmed(false)},
		{in, `,"value":"x"`, Value("x")},
		{in, `,"value":7`, nil},
		{in, `,"confirmed":true`, nil},
		{ed, `,"value":"a\nb"`, Value("a\nb")},
		{ed, ``, nil},
		{ed, `,"cancelled":true,"timedOut":true`, Cancelled{TimedOut: true}},
	} {
		r, err := DecodeResponse([]byte(resp(c.members)))
		if err != nil {
			t.Fatal(err)
		}
		a, err := r.Answer(c.d)
		if c.want == nil {
			if ae, ok := errors.AsType[*AnswerError](err); a != nil || !ok || ae.Field != "value" || ae.Method != c.d.Method() {
				t.Errorf("%s %s: got %v, %v", c.d.Method(), c.members, a, err)
			}
		} else if a != c.want || err != nil {
			t.Errorf("%s %s: got %v, %v; want %v", c.d.Method(), c.members, a, err, c.want)
		}
	}
}

func TestRespond(t *testing.T) {
	sel, conf, in, ed := dialogs()
	quest := &Questionnaire{ID: StringID("1")}
	for _, c := range []struct {
		d    Dialog
		a    Answer
		want string // "" if it does not fit
	}{
		{sel, Value("Block"), `,"value":"Block"`},
		{sel, Value("block"), ""},
		{sel, Value(""), ""},
		{sel, Confirmed(true), ""},
		{sel, Answers{}, ""},
		{sel, nil, ""},
		{conf, Confirmed(true), `,"confirmed":true`},
		{conf, Confirmed(false), `,"confirmed":false`},
		{conf, Value("true"), ""},
		{conf, nil, ""},
		{in, Value(""), `,"value":""`},
		{in, Value("a\u2028\xed\xa0\xbd\xff"), `,"value":"a` + "\u2028" + `\ud83d` + "\xff" + `"`},
		{in, Confirmed(false), ""},
		{ed, Value("a\nb"), `,"value":"a\nb"`},
		{ed, Answers{}, ""},
		{quest, Answers{}, `,"answers":[]`},
		{quest, Value("x"), ""},
		{sel, Cancelled{}, `,"cancelled":true`},
		{conf, Cancelled{}, `,"cancelled":true`},
		{in, Cancelled{}, `,"cancelled":true`},
		{ed, Cancelled{TimedOut: true}, `,"cancelled":true,"timedOut":true`},
		{quest, Cancelled{}, `,"cancelled":true`},
	} {
		r, err := Respond(c.d, c.a)
		if c.want == "" {
			if ae, ok := errors.AsType[*AnswerError](err); r != nil || !ok || ae.ID != StringID("1") || !strings.Contains(err.Error(), string(c.d.Method())) {
				t.Errorf("%s answered with %#v: got %v, %v", c.d.Method(), c.a, r, err)
			}
		} else if err != nil || string(AppendResponse(nil, r)) != resp(c.want) {
			t.Errorf("%s answered with %#v: got %v, %v; want %s", c.d.Method(), c.a, r, err, c.want)
		}
	}
}
