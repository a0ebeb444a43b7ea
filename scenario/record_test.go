package scenario

import (
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// exchange is one line of a conversation.
type exchange struct {
	from Role
	text string
}

// recordingOf records lines, each in two pieces.
func recordingOf(t *testing.T, mask *Masker, lines []exchange) string {
	t.Helper()
	var out strings.Builder
	r := NewRecorder(&out, "A test.", mask)
	for _, l := range lines {
		text := l.text + "\n"
		r.Write(l.from, []byte(text[:len(text)/2]))
		r.Write(l.from, []byte(text[len(text)/2:]))
	}
	r.End(Client, Exit{})
	r.End(Agent, Exit{})
	r.Write(Client, []byte("{}\n"))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// What the client said to one agent is said to another, which does the same.
func TestRecordingReplaysAsTheClient(t *testing.T) {
	first := against(t, `
steps:
  - client: {prompt: /deploy}
  - agent: {select: Where to?}
    answer: staging
  - agent: {confirm: Sure?}
    answer: true
  - agent: {notify: Deployed to staging}
  - agent: {response: true}
  - client: {call: bash, input: {command: "$${y} /x/"}}
  - agent: {result: /ran/}
`, nil)
	passes(t, first)
	var lines []exchange
	for _, w := range first.Wire {
		lines = append(lines, exchange{w.From, w.Text})
	}
	text := recordingOf(t, nil, lines)
	passes(t, against(t, text, nil))
	if !strings.Contains(text, "- agent: {select: \"Where to?\", options: [staging, production]}\n    as: d1\n  - client: {answer: staging}\n    to: d1\n") {
		t.Errorf("the recording does not read as the conversation:\n%s", text)
	}
}

// What an agent said is said again, byte for byte but for its ids.
func TestRecordingReplaysAsTheAgent(t *testing.T) {
	lines := []exchange{
		{Client, `{"type":"get_state","id":"s"}`},
		{Agent, `{"id":"s","type":"response","command":"get_state","success":true,"data":{"sessionId":"abc","n":1.50}}`},
		{Client, `{"type":"prompt","id":7,"message":"/a/","streamingBehavior":"steer"}`},
		{Agent, `{"type":"agent_start","select":"x"}`},
		{Agent, `{"type":"extension_ui_request","id":"d1","method":"select","title":"${x} /a/ \ud800","options":["/b/","$${c}","yes","1"],"timeout":60000}`},
		{Agent, `{"type":"extension_ui_request","id":"d2","method":"notify","message":"a: b # c` + "\u2028" + `","notifyType":"info"}`},
		{Client, `{"type":"extension_ui_response","id":"d1","value":"/b/"}`},
		{Agent, `{"type":"extension_ui_request","id":"d3","method":"setStatus","statusKey":"k"}`},
		{Agent, `not JSON: "at all"`},
		{Agent, `{"type":"extension_ui_request","id":"d4","method":"confirm","title":"Sure?","other":null}`},
		{Client, `{"type":"extension_ui_response","id":"d4","confirmed":false}`},
		{Agent, `{"type":"extension_error","extensionPath":"a.ts","event":"command","error":"boom"}`},
		{Agent, `{"id":7,"type":"response","command":"prompt","success":false,"error":"no"}`},
		{Client, `{"type":"extension_ui_response","id":"nobody","cancelled":true}`},
		{Client, `[1,"x"]`},
	}
	text := recordingOf(t, nil, lines)
	var client []string
	want := ""
	for _, l := range lines {
		if l.from == Client {
			client = append(client, l.text)
		} else {
			want += l.text + "\n"
		}
	}
	r, got := playFor(t, text, client...)
	passes(t, r)
	if got != want {
		t.Errorf("played from\n%s\nit sent\n%s\nwant\n%s", text, got, want)
	}
}

func TestRecordingMasksSecrets(t *testing.T) {
	mask := NewMasker([]*regexp.Regexp{regexp.MustCompile(`customer-\d+`)}, []string{"MY_API_KEY=abcd\"efgh", "HOME=/home/someone", "SHORT_TOKEN=abc"})
	text := recordingOf(t, mask, []exchange{
		{Client, `{"type":"prompt","message":"use abcd\"efgh for customer-12, or sk-1234567890abcdefgh"}`},
		{Agent, `{"type":"extension_ui_request","id":"1","method":"input","title":"Password?"}`},
		{Client, `{"type":"extension_ui_response","id":"1","value":"hunter2"}`},
		{Agent, `{"type":"extension_ui_request","id":"2","method":"input","title":"The token, please"}`},
		{Client, `{"type":"extension_ui_response","id":"2","value":"correct horse"}`},
		{Agent, `{"type":"event","abcd\"efgh":{"a":["Authorization: Bearer abcdefghijklmnop","correct horse"]}}`},
		{Agent, `log: customer-12 correct horse`},
		{Client, `{"type":"prompt","message":"/home/someone abc"}`},
	})
	for _, secret := range []string{"abcd", "efgh", "customer-12", "sk-", "hunter2", "correct horse", "abcdefghijklmnop"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in the recording", secret)
		}
	}
	for _, keep := range []string{"/home/someone abc", "use MASKED-1- for MASKED-3-, or MASKED-2-", "log: MASKED-3- MASKED-5-"} {
		if !strings.Contains(text, keep) {
			t.Errorf("%q is not in the recording", keep)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
	mustParse(t, text)
}

// A dialog whose time ran out does so again.
func TestRecordingKeepsTheTimeOfATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		r := NewRecorder(&out, "x", nil)
		r.Write(Agent, []byte(`{"type":"extension_ui_request","id":"1","method":"input","title":"Quick!","timeout":2000}`+"\n"))
		<-time.After(2 * time.Second)
		r.Write(Agent, []byte(`{"type":"extension_ui_request","id":"2","method":"notify","message":"late"}`+"\n"))
		if !strings.Contains(out.String(), "  - wait: 2s\n  - agent: {notify: late}\n") {
			t.Errorf("got\n%s", out.String())
		}
	})
}

func TestRecordingMasksPasswordsInURLs(t *testing.T) {
	text := recordingOf(t, NewMasker([]*regexp.Regexp{regexp.MustCompile(`key[a-z]`)}, nil), []exchange{
		{Client, `{"type":"prompt","message":"clone https://ada:pa:ss@word1@host/x, amqp://:geheim42@h:5672/ and http://h:80/a@b"}`},
		{Agent, `log: geheim42, keyx7`},
	})
	for _, want := range []string{
		"clone https://ada:MASKED-1-@host/x, amqp://:MASKED-2-@h:5672/ and http://h:80/a@b", "log: MASKED-2-, MASKED-3-7",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// What is answered to a dialog that is not there yet, or not any more, may be a secret.
func TestRecordingMasksAnswersWithoutTheirDialog(t *testing.T) {
	text := recordingOf(t, NewMasker(nil, nil), []exchange{
		{Client, `{"type":"extension_ui_response","id":"1","value":"too early"}`},
		{Agent, `{"type":"extension_ui_request","id":"1","method":"input","title":"Password?"}`},
		{Agent, `{"type":"extension_ui_request","id":"c","method":"cancel","targetId":"1"}`},
		{Client, `{"type":"extension_ui_response","id":"1","value":"too late"}`},
		{Agent, `{"type":"extension_ui_request","id":"2","method":"input","title":"Name?"}`},
		{Client, `{"type":"extension_ui_response","id":"2","value":"Ada"}`},
		{Client, `{"type":"extension_ui_response","id":"2","value":"Grace"}`},
	})
	if strings.Contains(text, "too early") || strings.Contains(text, "too late") || !strings.Contains(text, "value: Grace") {
		t.Errorf("got\n%s", text)
	}
	mustParse(t, text)
}

// Lines that are no UTF-8 are replayed byte for byte.
func TestRecordingKeepsInvalidBytes(t *testing.T) {
	lines := []exchange{
		{Client, "{\"type\":\"prompt\",\"id\":\"p\",\"message\":\"a\xff\xfe ${x}\uFFFD\xed\xa0\xbd\"}"},
		{Agent, "\xff\xfe log: geheim42 \uFFFD${y}\xed\xa0\xbd"},
		{Agent, "{\"type\":\"extension_ui_request\",\"id\":\"d1\",\"method\":\"input\",\"title\":\"\xffName?\"}"},
		{Client, `{"type":"extension_ui_response","id":"d1","value":"Ada"}`},
		{Agent, `{"id":"p","type":"response","command":"prompt","success":true}`},
	}
	text := recordingOf(t, NewMasker(nil, []string{"A_TOKEN=geheim42"}), lines)
	r, got := playFor(t, text, lines[0].text, lines[3].text)
	passes(t, r)
	want := strings.Replace(lines[1].text, "geheim42", "MASKED-1-", 1) + "\n" + lines[2].text + "\n" + lines[4].text + "\n"
	if got != want {
		t.Errorf("played from\n%s\nit sent\n%q\nwant\n%q", text, got, want)
	}
	r, _ = playFor(t, text, strings.Replace(lines[0].text, "\xfe", "\xfd", 1))
	fails(t, r, 4, `expected "{\"type\":`)
}

func TestRecordingNamesTheSignal(t *testing.T) {
	for _, test := range []struct {
		exit Exit
		want string
	}{{Exit{Code: 137, Signal: "KILL"}, "{kill: KILL}"}, {Exit{Code: 137}, "{exit: 137}"}} {
		var out strings.Builder
		r := NewRecorder(&out, "x", nil)
		r.End(Agent, test.exit)
		if !strings.HasSuffix(out.String(), "  - agent: "+test.want+"\n") {
			t.Errorf("%+v is\n%s", test.exit, out.String())
		}
	}
}
