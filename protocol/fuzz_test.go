package protocol

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func addRecords(f *testing.F) {
	for _, r := range sampleRecords() {
		f.Add(r)
	}
	for _, c := range wireOptions {
		f.Add([]byte(req("select", `,"title":"t","options":[`+c.option+`]`)))
	}
	for _, s := range []string{"null", "[]", `{"type":5}`, "{\"ty\\u0070e\":\"x\"}", "{\n\"type\" : \"extension_ui_request\"}\r", `{"a":{"type":"x"},"b":["\"","\\"],"type":"response"}`} {
		f.Add([]byte(s))
	}
}

// Whatever comes, decoding does not panic, says what is wrong, keeps nothing of
// the record's memory, and what is passed on is read as the same again.
func FuzzDecodeRequest(f *testing.F) {
	addRecords(f)
	f.Fuzz(func(t *testing.T, record []byte) {
		buffer := bytes.Clone(record)
		r, err := DecodeRequest(buffer)
		if !bytes.Equal(buffer, record) {
			t.Fatal("decoding changed the record")
		}
		fe, isField := errors.AsType[*FieldError](err)
		switch {
		case err != nil && !isField && (r != nil || !errors.Is(err, ErrNotObject)):
			t.Fatalf("got %v, %v", r, err)
		case isField && (fe.Field == "" || fe.Want == ""):
			t.Fatalf("%#v names no field", fe)
		case r == nil && (err == nil || isField && fe.Field != "type"):
			t.Fatalf("got no request, %v", err)
		}
		if r == nil {
			return
		}
		for i := range buffer {
			buffer[i] = '#'
		}
		if same, _ := DecodeRequest(record); !reflect.DeepEqual(r, same) {
			t.Fatal("the result changed with the record")
		}
		once, encodeErr := AppendRequest(nil, r)
		if encodeErr != nil {
			if err == nil {
				t.Fatalf("a good record is not encoded: %v", encodeErr)
			}
			return
		}
		if bytes.IndexByte(once, '\n') >= 0 {
			t.Fatalf("a line end in %q", once)
		}
		if err != nil {
			return
		}
		again, err := DecodeRequest(once)
		if err != nil {
			t.Fatalf("encoded as %q: %v", once, err)
		}
		twice, err := AppendRequest(nil, again)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("encoded as %q and then as %q, %v", once, twice, err)
		}
	})
}

// No response confirms what plain reading would not, and a select's answer is
// always one of its options.
func FuzzResponseAnswer(f *testing.F) {
	for _, s := range []string{resp(``), resp(`,"confirmed":true`), resp(`,"confirmed":true,"cancelled":true`), resp(`,"confirmed":"true"`), resp(`,"Confirmed":true`),
		resp(`,"value":"Allow"`), resp(`,"value":7`), resp(`,"value":"\u00e9"`), resp(`,"confirmed":true,"confirmed":false`), resp(`,"answers":[]`),
		resp(`,"answers":[{"questionIndex":0,"question":"Q?","kind":"option","answer":"a"}]`), resp(`,"cancelled":true,"timedOut":true`)} {
		f.Add([]byte(s))
	}
	sel := must(DecodeRequest([]byte(req("select", `,"title":"t","options":["Allow","\u00e9",{"label":"x","value":7},"lone \ud83d"]`)))).(*Select)
	_, conf, in, ed := dialogs()
	quest := must(DecodeRequest([]byte(req("questionnaire", atomicQuestions)))).(*Questionnaire)
	ask := must(DecodeRequest([]byte(req("ask", askQuestions)))).(*Questionnaire)
	f.Fuzz(func(t *testing.T, record []byte) {
		r, err := DecodeResponse(record)
		if err != nil {
			return
		}
		var plain map[string]stdjson.RawMessage
		if err := stdjson.Unmarshal(record, &plain); err != nil {
			t.Fatalf("%q is no JSON object: %v", record, err)
		}
		cancelled := string(plain["cancelled"]) == "true"
		if a, err := r.Answer(conf); err != nil || a == Confirmed(true) && (cancelled || string(plain["confirmed"]) != "true") {
			t.Fatalf("%q: confirm answered %v, %v", record, a, err)
		}
		for _, d := range []Dialog{sel, conf, in, ed, quest, ask} {
			a, err := r.Answer(d)
			if _, ok := errors.AsType[*AnswerError](err); (err != nil) != (a == nil) || err != nil && !ok {
				t.Fatalf("%q: %s answered %v, %v", record, d.Method(), a, err)
			}
			if _, is := a.(Cancelled); cancelled && !is {
				t.Fatalf("%q: %s answered %v, though cancelled", record, d.Method(), a)
			}
			if v, ok := a.(Value); ok && d == Dialog(sel) && !slices.ContainsFunc(sel.Options, func(o Option) bool { return o.Answer() == string(v) }) {
				t.Fatalf("%q: select answered %q", record, v)
			}
			if err != nil {
				continue
			}
			// What was taken for an answer can be given as one, and means the same.
			back, err := Respond(d, a)
			if err != nil {
				t.Fatalf("%q: %s took %v and does not give it: %v", record, d.Method(), a, err)
			}
			if same, err := back.Answer(d); err != nil || d != Dialog(ask) && !reflect.DeepEqual(same, a) {
				t.Fatalf("%q: %s took %v and then %v, %v", record, d.Method(), a, same, err)
			}
		}
	})
}

// The quick look says what a full parse would say of every valid record.
func FuzzRecordType(f *testing.F) {
	addRecords(f)
	f.Fuzz(func(t *testing.T, record []byte) {
		typ, ok := RecordType(record)
		o, err := parseObject(record, "record")
		if err != nil {
			if b := trimSpace(record); ok && (b[0] != '{' || b[len(b)-1] != '}') {
				t.Fatalf("%q: called an object", record)
			}
			return
		}
		want := ""
		if v, _ := o.take("type"); v.Kind() == '"' {
			want = unquote(v)
		}
		if !ok || typ != want {
			t.Fatalf("%q: got %q, %v; want %q", record, typ, ok, want)
		}
	})
}

// Every string is written as one valid JSON string without a line end, which is
// read as that string again, but that surrogate halves side by side are joined.
func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "a\"\\\b\f\n\r\t\x00\x1f\x7f", "é😀\u2028", "\xed\xa0\xbd", "\xed\xa0\xbd\xed\xb8\x80", "\xff\xed\xa0", "\xe2\xed\xa0\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b := AppendString(nil, s)
		if !jsontext.Value(b).IsValid(jsontext.AllowInvalidUTF8(true)) || bytes.ContainsAny(b, "\r\n") {
			t.Fatalf("%q: written %q", s, b)
		}
		got, err := Unquote(b)
		if err != nil || got != joinPairs([]byte(s)) {
			t.Fatalf("%q: read back %q, %v", s, got, err)
		}
		if again := AppendString(nil, got); !bytes.Equal(again, b) {
			t.Fatalf("%q: written %q and then %q", s, b, again)
		}
		if strict, err := jsontext.AppendQuote(nil, s); err == nil { // only for what is UTF-8
			if v, err := Unquote(strict); v != s || err != nil {
				t.Fatalf("%q: quoted by the json module as %q and read %q, %v", s, strict, v, err)
			}
		}
	})
}
