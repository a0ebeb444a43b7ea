package scenario

import (
	"io"
	"testing"
	"testing/synctest"
)

// says plays the client against an agent that says these lines.
func says(t *testing.T, text string, lines ...string) (r *Report) {
	t.Helper()
	s := mustParse(t, text)
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		go func() {
			for _, l := range lines {
				if _, err := io.WriteString(out, l+"\n"); err != nil {
					return
				}
			}
			out.Close()
		}()
		_, sent := io.Pipe()
		r = s.TestAgent(t.Context(), &Peer{In: discard{sent}, Out: in, Stop: func() { in.Close() }}, nil)
	})
	return r
}

// A record in which a key stands twice is none: what was checked might not be what counts.
func TestAKeyThatStandsTwice(t *testing.T) {
	const confirm = "steps:\n  - agent: {confirm: A?}\n  - client: "
	for line, key := range map[string]string{
		`{"type":"extension_ui_response","id":"d1","confirmed":false,"confirmed":true}`:          "confirmed",
		`{"type":"extension_ui_response","id":"d1","confirmed":true,"confirmed":false}`:          "confirmed",
		`{"type":"extension_ui_response","id":"d1","confirmed":false,"\u0063onfirmed":false}`:    "confirmed",
		`{"type":"x","type":"extension_ui_response","id":"d1","confirmed":false}`:                "type",
		`{"type":"extension_ui_response","id":"d1","confirmed":false,"x":[{"a":1,"b":0,"a":2}]}`: "a",
		`{"type":"get_state","type":"get_state"}`:                                                "type",
	} {
		why := `this is no record: the key "` + key + `" stands twice`
		for _, step := range []string{"{answer: false}", "{record: {type: extension_ui_response, confirmed: false}}"} {
			r, _ := playFor(t, confirm+step+"\n", line)
			fails(t, r, 3, why)
		}
	}
	const deployed = `{"type":"extension_ui_request","id":"1","method":"notify","message":"Nothing deployed","message":"Deployed"}`
	fails(t, says(t, "steps:\n  - agent: {notify: Nothing deployed}\n", deployed), 2, `this is no record: the key "message" stands twice`)
	fails(t, says(t, "steps:\n  - agent: {notify: Deployed}\n", deployed), 2, `this is no record: the key "message" stands twice`)
	// Nor is one that no step waits for.
	fails(t, says(t, "steps:\n  - wait: 1s\n", `{"type":"agent_start","x":{"a":1,"a":2}}`), 0, `the key "a" stands twice`)
}

// A step that means such a line gets it.
func TestAKeyThatStandsTwiceOnPurpose(t *testing.T) {
	const line = `{"type":"extension_ui_response","id":"d1","confirmed":false,"confirmed":true}`
	r, _ := playFor(t, "steps:\n  - agent: {confirm: A?}\n  - client: {line: '"+line+"'}\n", line)
	passes(t, r)
	const raw = "\n    raw: ['\"confirmed\":false', '\"confirmed\":true']\n"
	r, _ = playFor(t, "steps:\n  - agent: {confirm: A?}\n  - client: {answer: true}"+raw, line)
	passes(t, r)
	r, _ = playFor(t, "steps:\n  - agent: {confirm: A?}\n  - client: {answer: false}"+raw, line)
	fails(t, r, 3, "confirmed: expected false, got true")
	r, _ = playFor(t, "steps:\n  - agent: {confirm: A?}\n  - client: {answer: true}\n    raw: confirmed\n", line)
	fails(t, r, 3, `the key "confirmed" stands twice`)
	// What it asks can be answered.
	passes(t, says(t, "steps:\n  - agent: {line: '{\"type\":\"extension_ui_request\",\"id\":\"1\",\"method\":\"confirm\",\"title\":\"A?\",\"title\":\"B?\"}'}\n  - client: {answer: true}\n",
		`{"type":"extension_ui_request","id":"1","method":"confirm","title":"A?","title":"B?"}`))
}

// What is cancelled is no answer, whatever stands beside it.
func TestAnAnswerThatIsCancelledToo(t *testing.T) {
	for _, test := range []struct {
		dialog, step, members, why string
	}{
		{"confirm: A?", "{answer: true}", `"confirmed":true,"cancelled":true`, "cancelled: expected nothing beside confirmed, got true"},
		{"confirm: A?", "{record: {type: extension_ui_response, confirmed: true}}", `"confirmed":true,"cancelled":true`, "cancelled: expected nothing beside confirmed"},
		{"input: A?", "{answer: x}", `"value":"x","cancelled":true`, "cancelled: expected nothing beside value, got true"},
		{"input: A?", "{answer: x}", `"value":"x","cancelled":1`, "cancelled: expected nothing beside value, got 1"},
		{"input: A?", "{answer: x}", `"value":"x","cancelled":false`, ""},
		{"input: A?", "cancel", `"value":"x","cancelled":true`, ""},
		{"input: A?", "{answer: {value: x, cancelled: true}}", `"value":"x","cancelled":true`, ""},
		{"input: A?", "{record: {type: extension_ui_response, value: {$absent: true}}}", `"cancelled":true`, ""},
	} {
		r, _ := playFor(t, "steps:\n  - agent: {"+test.dialog+"}\n  - client: "+test.step+"\n", `{"type":"extension_ui_response","id":"d1",`+test.members+`}`)
		if test.why == "" {
			passes(t, r)
		} else {
			fails(t, r, 3, test.why)
		}
	}
}
