package protocol

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// reencode decodes a request or a response and encodes it again.
func reencode(t *testing.T, record []byte) []byte {
	t.Helper()
	if typ, _ := RecordType(record); typ == TypeResponse {
		r, err := DecodeResponse(record)
		if err != nil {
			t.Fatal(err)
		}
		return AppendResponse(nil, r)
	}
	r, err := DecodeRequest(record)
	if err != nil {
		t.Fatal(err)
	}
	b, err := AppendRequest(nil, r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Every example of both documents, as it stands there and on one line. Where an
// encoder may write more than was read, such as an empty description, the
// examples show that it does not.
func TestExamplesOfTheDocuments(t *testing.T) {
	files, err := filepath.Glob("testdata/examples/*/*.json")
	if err != nil || len(files) != 26 {
		t.Fatalf("%d examples, want 26: %v", len(files), err)
	}
	for _, file := range files {
		record, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := jsontext.Value(bytes.Clone(record))
		if err := want.Compact(); err != nil {
			t.Fatal(err)
		}
		for _, form := range [][]byte{record, want} {
			got := reencode(t, form)
			if file == "testdata/examples/atomic/answers-response.json" && bytes.Contains(form, []byte("\n")) {
				// The answers are kept as they came, but for what would end the record.
				v := jsontext.Value(got)
				if err := v.Compact(); err != nil {
					t.Fatal(err)
				}
				got = v
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s:\n got %s\nwant %s", file, got, want)
			}
			if bytes.Contains(got, []byte("\n")) {
				t.Errorf("%s: there is a line end in %q", file, got)
			}
		}
	}
}

// The answer of the document's questionnaire response means what the document says.
func TestQuestionnaireOfTheDocument(t *testing.T) {
	read := func(name string) []byte {
		b, err := os.ReadFile("testdata/examples/atomic/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	req, err := DecodeRequest(read("questionnaire"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := DecodeResponse(read("answers-response"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := resp.Answer(req.(Dialog))
	if err != nil {
		t.Fatal(err)
	}
	back, err := Respond(req.(Dialog), a)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"extension_ui_response","id":"uuid-5","answers":[{"questionIndex":0,"question":"Which storage should runs use?","kind":"option","answer":"libSQL"}]}`
	if got := AppendResponse(nil, back); string(got) != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}
