package protocol

import (
	"bytes"
	"reflect"
	"testing"
)

// sampleRecords has a record of every kind, with everything in it that a decoder might
// be tempted to leave in the record's own memory.
func sampleRecords() [][]byte {
	var out [][]byte
	for _, s := range []string{
		req("select", `,"title":"t","options":["plain","\u00e9",{"label":"l","value":"v","x":[1]},{"label":"n","value":7}],"optionDetails":[{"description":"d","icon":"i"},null],"timeout":5,"extra":{"a":[1]}`),
		req("confirm", `,"title":"t","message":"m","extra":"x"`),
		req("input", `,"title":"t","placeholder":"p"`),
		req("editor", `,"title":"t","prefill":"a\nb"`),
		req("questionnaire", atomicQuestions+`,"extra":"x"`),
		req("ask", `,"questions":[{"id":"q","question":"Q?","options":[{"label":"a","icon":"i"}],"weight":"w"}]`),
		req("notify", `,"message":"m","notifyType":"warning"`),
		req("setStatus", `,"statusKey":"k","statusText":"s"`),
		req("setWidget", `,"widgetKey":"k","widgetLines":["a","b"],"widgetPlacement":"belowEditor"`),
		req("setTitle", `,"title":"t"`),
		req("set_editor_text", `,"text":"t"`),
		req("open_url", `,"url":"u","launchUrl":"l","instructions":"i"`),
		req("cancel", `,"targetId":[1],"reason":"r"`),
		req("teleport", `,"x":"y"`),
		`{"type":"extension_ui_request","id":{"a":[1]},"method":"confirm","title":"t"}`,
		resp(`,"value":"v","confirmed":true,"answers":[{"a":"b"}],"extra":"x"`),
		`{"type":"prompt","id":[1],"message":"m","x":{"a":1}}`,
		`{"id":"p","type":"response","command":"prompt","success":true,"data":{"a":"b"}}`,
		`{"id":"p","type":"response","command":"prompt","success":false,"error":{"a":"b"}}`,
		`{"type":"extension_error","extensionPath":"p","event":"e","error":"x","stack":"s"}`,
	} {
		out = append(out, []byte(s))
	}
	return out
}

// decodeAny decodes a record as what it is.
func decodeAny(record []byte) (any, error) {
	switch typ, _ := RecordType(record); typ {
	case TypeRequest:
		return DecodeRequest(record)
	case TypeResponse:
		return DecodeResponse(record)
	case TypeCommandResponse:
		return DecodeCommandResponse(record)
	case TypeExtensionError:
		return DecodeExtensionError(record)
	}
	return DecodeCommand(record)
}

// A reader reuses its buffer for the next record, so nothing decoded may live in it.
func TestResultsDoNotShareMemoryWithTheRecord(t *testing.T) {
	for _, record := range sampleRecords() {
		want, err := decodeAny(record)
		if err != nil {
			t.Fatalf("%s: %v", record, err)
		}
		buffer := bytes.Clone(record)
		got, err := decodeAny(buffer)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(buffer, record) {
			t.Errorf("decoding changed the record\nfrom %s\n  to %s", record, buffer)
		}
		for i := range buffer {
			buffer[i] = '#'
		}
		// The first result's record is intact, so a shared byte shows as a difference.
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the result changed with the record", record)
		}
	}
}

// What one call returns is not what the next one changes.
func TestResultsDoNotShareMemoryWithEachOther(t *testing.T) {
	d := must(DecodeRequest([]byte(req("select", `,"title":"t","options":["\u00e9",{"label":"n","value":7}]`)))).(*Select)
	for _, answer := range []Value{"é", "7"} {
		first := must(Respond(d, answer))
		want := string(first.Value)
		clear(first.Value)
		if again := must(Respond(d, answer)); string(again.Value) != want {
			t.Errorf("a change to one response shows in the next: %q", again.Value)
		}
	}
	record := []byte(resp(`,"value":"v","x":[1]`))
	r := must(DecodeResponse(record))
	copied := string(AppendResponse(nil, r))
	b := AppendResponse(nil, r)
	clear(b)
	if string(AppendResponse(nil, r)) != copied {
		t.Error("a change to encoded bytes shows in the response")
	}
}
