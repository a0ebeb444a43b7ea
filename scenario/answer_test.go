package scenario

import (
	"strings"
	"testing"
)

// An answer that is none to its dialog is not sent, unless its members are written.
func TestAnswersFitTheirDialogs(t *testing.T) {
	const deploy = "steps:\n  - client: {prompt: /deploy}\n  - agent: {select: Where to?}\n    answer: "
	const sure = deploy + "staging\n  - agent: {confirm: Sure?}\n  - client: {answer: ANSWER}\n  - agent: {notify: /./}\n"
	const timed = "steps:\n  - client: {prompt: /timed}\n  - agent: {input: Quick!}\n  - client: {answer: ANSWER}\n  - agent: {notify: /./}\n"
	for _, test := range []struct {
		text, answer string
		line         int
		why          string // "": it is sent
	}{
		{deploy + "ANSWER\n", "stag", 4, `"stag" is none of the options ["staging","production"]`},
		{deploy + "ANSWER\n", "{$is: true}", 4, "one of its options"},
		{deploy + "ANSWER\n", "{$any: true, $send: moon}", 4, "none of the options"},
		{deploy + "ANSWER\n  - agent: {notify: Nothing deployed}\n", "{value: moon}", 0, ""},
		{sure, "Yes", 6, "true or false"},
		{sure, `"true"`, 6, "true or false"},
		{sure, `{value: "true"}`, 0, ""},
		{sure, "false", 0, ""},
		{timed, "42", 4, "an input is answered with a text"},
		{timed, "{cancelled: true}", 0, ""},
	} {
		r := against(t, strings.Replace(test.text, "ANSWER", test.answer, 1), nil)
		if test.why == "" {
			passes(t, r)
			continue
		}
		fails(t, r, test.line, test.why)
		for _, w := range r.Wire {
			if w.From == Client && strings.Contains(w.Text, "extension_ui_response") && test.line == 4 {
				t.Errorf("%s is sent: %s", test.answer, w.Text)
			}
		}
	}
}

// An update that loses the option which the file answers with is none.
func TestUpdateRefusesOptionsWithoutTheAnswer(t *testing.T) {
	r := against(t, "steps:\n  - client: {prompt: /deploy}\n  - agent: {select: Where to?, options: [qa, moon]}\n    answer: qa\n", &Options{Update: true})
	fails(t, r, 4, "none of the options")
	if _, ok := r.Update(); ok {
		t.Error("the file is rewritten")
	}
}

// A recording keeps what a client answered, even if it was none of the options.
func TestRecordingKeepsAMisfit(t *testing.T) {
	text := recordingOf(t, nil, []exchange{
		{Agent, `{"type":"extension_ui_request","id":"1","method":"select","title":"Which token?","options":["a","b"]}`},
		{Client, `{"type":"extension_ui_response","id":"1","value":"c"}`},
	})
	if !strings.Contains(text, "client: {answer: {value: c}}") {
		t.Errorf("got\n%s", text)
	}
}

// What is said of the bytes of a line holds for those that we send too.
func TestRawBesideWhatIsSent(t *testing.T) {
	passes(t, against(t, "steps:\n  - client: {prompt: /deploy}\n    raw: '\"message\":\"/deploy\"'\n  - agent: {select: /./}\n    answer: null\n  - agent: {notify: /./}\n", nil))
	fails(t, against(t, "steps:\n  - client: {prompt: /both}\n    raw: other\n", nil), 2, "what raw says is not in what is sent")
}
