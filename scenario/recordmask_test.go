package scenario

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const aKey = "sk-ant-api03-ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// A secret that is found once stands nowhere else in any form.
func TestRecordingMasksASecretInAllForms(t *testing.T) {
	const typed = `p@ss/wo"rd ü+1`
	text := recordingOf(t, NewMasker(nil, nil), []exchange{
		{Agent, `{"type":"extension_ui_request","id":"1","method":"input","title":"API key"}`},
		{Client, `{"type":"extension_ui_response","id":"1","value":"` + aKey + `"}`},
		{Agent, `{"type":"extension_ui_request","id":"n","method":"notify","message":"https://x/?key%3D` + aKey + `&a=KEY_` + aKey + ` x` + aKey + `y"}`},
		{Agent, `{"type":"extension_ui_request","id":"2","method":"input","title":"Password"}`},
		{Client, `{"type":"extension_ui_response","id":"2","value":"p@ss/wo\"rd ü+1"}`},
		{Agent, `{"type":"x","a":["p%40ss%2Fwo%22rd%20%C3%BC%2B1","p%40ss%2fwo%22rd+%c3%bc%2b1","{\"a\":\"p@ss/wo\\\"rd ü+1\"}"]}`},
		{Agent, `{"type":"x","a":["` + base64.StdEncoding.EncodeToString([]byte("ada:"+typed)) + `"]}`},
		{Agent, `log: p@ss/wo"rd ü+1`},
	})
	for _, leak := range []string{"ABCDEFGH", "ss", "wo"} {
		for line := range strings.Lines(text) {
			line = strings.NewReplacer("response", "", "Password", "").Replace(line)
			if strings.Contains(line, leak) {
				t.Errorf("%q is in %s", leak, line)
			}
		}
	}
	if b := base64.StdEncoding.EncodeToString([]byte(typed)); strings.Contains(text, b[4:12]) {
		t.Errorf("the base64 form is in\n%s", text)
	}
	mustParse(t, text)
}

// A shape that begins in the midst of a word is a secret only if it looks like chance.
func TestMaskerKnowsWordsFromKeys(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"task-management-for-everyone", "task-management-for-everyone"},
		{"Dsk-1234567890ABCDEFGH", "DMASKED-1-"},
		{"_sk-abcdefghijklmnopqrstu", "_MASKED-1-"},
		{"%3Dsk-abcdefghijklmnopqrstu", "%3DMASKED-1-"},
		{`\nsk-abcdefghijklmnopqrstu`, `\nMASKED-1-`},
		{"AKIAABCDEFGHIJKLMNOP_old", "MASKED-1-_old"},
		{"Bearer%20abcdefghijkl1 abcdefghijkl1", "Bearer%20MASKED-1- MASKED-1-"},
		{"bearer authentication; authentication", "bearer MASKED-1-; authentication"},
	} {
		if got := NewMasker(nil, nil).Text(test.text); got != test.want {
			t.Errorf("%s is %s, want %s", test.text, got, test.want)
		}
	}
}

// Short answers are masked where they stand alone, and words of every day are not.
func TestRecordingMasksShortSecretsAsWords(t *testing.T) {
	text := recordingOf(t, NewMasker(nil, nil), []exchange{
		{Agent, `{"type":"extension_ui_request","id":"1","method":"input","title":"Password"}`},
		{Client, `{"type":"extension_ui_response","id":"1","value":"Hu42"}`},
		{Agent, `log: Hu42, aHu42, "Hu42"`},
		{Agent, `{"type":"extension_ui_request","id":"2","method":"input","title":"Token name"}`},
		{Client, `{"type":"extension_ui_response","id":"2","value":"test"}`},
		{Agent, `log: a test`},
	})
	for _, want := range []string{`log: MASKED-1-, aHu42, \"MASKED-1-\"`, "log: a test", "$send: MASKED-2-"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// A questionnaire that asks for a secret hides what is typed, and shows what is chosen.
func TestRecordingMasksSecretsOfQuestionnaires(t *testing.T) {
	text := recordingOf(t, NewMasker(nil, nil), []exchange{
		{Agent, `{"type":"extension_ui_request","id":"1","method":"questionnaire","questions":[{"question":"Which token?","header":"T","options":[{"label":"mine","description":"x"},{"label":"yours","description":"y"}]}]}`},
		{Client, `{"type":"extension_ui_response","id":"1","answers":[{"questionIndex":0,"question":"Which token?","kind":"option","answer":"mine","notes":"geheim-42"},{"kind":"custom","answer":"s3cr"}]}`},
		{Agent, `{"type":"extension_ui_request","id":"2","method":"editor","title":"Secrets","prefill":"alt-geheim"}`},
	})
	if strings.Contains(text, "geheim") || strings.Contains(text, "s3cr") || !strings.Contains(text, "answer: mine") || !strings.Contains(text, "kind: custom") {
		t.Errorf("got\n%s", text)
	}
	mustParse(t, text)
}

// What was written before a secret was known as one is corrected, at once.
func TestRecordingMasksWhatCameBefore(t *testing.T) {
	name := filepath.Join(t.TempDir(), "r.yaml")
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r := NewRecorder(file, "x", NewMasker(nil, nil))
	for _, l := range []exchange{
		{Agent, `{"type":"extension_ui_request","id":"0","method":"notify","message":"It was \"correct\\horse\" and correct\\horse"}`},
		{Agent, `{"type":"extension_ui_request","id":"1","method":"input","title":"Password"}`},
		{Client, `{"type":"extension_ui_response","id":"1","value":"correct\\horse"}`},
	} {
		r.Write(l.from, []byte(l.text+"\n"))
	}
	text, err := os.ReadFile(name)
	if err != nil || strings.Contains(string(text), "horse") || !strings.Contains(string(text), `It was \"MASKED-1-\" and MASKED-1-`) {
		t.Errorf("%v\n%s", err, text)
	}
	r.End(Agent, Exit{})
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if text, _ = os.ReadFile(name); !strings.HasSuffix(string(text), "  - agent: {exit: 0}\n") {
		t.Errorf("\n%s", text)
	}
	mustParse(t, string(text))
}
