package proxy

import (
	"strings"
	"testing"

	"extui/policy"
)

// What the agent reads is what the log says, whichever member of a response it looks at
// first: a response that says more than its meaning, or says it otherwise, is written anew.
func TestAnswerIsWhatIsLogged(t *testing.T) {
	const (
		confirmIt = `"method":"confirm","title":"T"`
		selectOf  = `"method":"select","title":"T","options":["A","B"]`
		input     = `"method":"input","title":"T"`
		ask       = `"method":"questionnaire","questions":[{"question":"Q?","header":"H","options":[{"label":"A","description":"a"},{"label":"B","description":"b"}]}]`
		cancel    = `"cancelled":true`
		no        = `"confirmed":false`
		one       = `"answers":[{"questionIndex":0,"question":"Q?","kind":"option","answer":"A"}]`
	)
	for _, c := range []struct{ request, members, agent string }{
		{confirmIt, `"confirmed":true`, ""},
		{confirmIt, `"confirmed":false, "by":{"x":1}`, ""},
		{confirmIt, cancel, ""},
		{confirmIt, `"cancelled":true,"timedOut":true`, ""},
		{confirmIt, `"confirmed":true,"cancelled":true`, cancel},
		{confirmIt, `"cancelled":true,"value":"x"`, cancel},
		{confirmIt, `"cancelled":"","confirmed":true`, cancel},
		{confirmIt, `"cancelled":true,"Confirmed":true`, cancel},
		{confirmIt, `"cancelled":1`, cancel},
		{confirmIt, `"cancelled":true,"timedOut":"no"`, cancel},
		{confirmIt, `"confirmed":true,"timedOut":true`, cancel},
		{confirmIt, `"confirmed":true,"value":"No"`, cancel},
		{confirmIt, `"confirmed":false,"value":true`, cancel},
		{confirmIt, `"confirmed":true,"cancelled":false`, `"confirmed":true`},
		{confirmIt, `"confirmed":true,"value":null`, `"confirmed":true`},
		{confirmIt, `"value":"true"`, no},
		{confirmIt, `"confirmed":"true"`, no},
		{confirmIt, `"Confirmed":true`, no},
		{confirmIt, `"x":1`, no},
		{selectOf, `"value":"\u0041"`, ""},
		{selectOf, `"cancelled":true,"value":"A"`, cancel},
		{selectOf, `"value":"A","confirmed":true`, cancel},
		{selectOf, `"value":"A","answers":[]`, cancel},
		{selectOf, `"value":"A","Value":"B"`, "held"},
		{input, `"value":"a\ud800"`, ""},
		{input, `"value":"a","cancelled":null`, `"value":"a"`},
		{ask, one, ""},
		{ask, strings.Replace(one, `"kind":"option","answer":"A"`, `"answer":"A", "kind":"option"`, 1), ""},
		{ask, one + `,"cancelled":true`, cancel},
		{ask, strings.Replace(one, `"A"`, `"A","Answer":"B"`, 1), one},
	} {
		t.Run(c.request[10:17]+c.members, func(t *testing.T) {
			var log policy.Decision
			opts := ruledBy(t, `{otherwise: ask, rules: []}`, policy.Options{OnDecision: func(d policy.Decision) { log = d }})
			e := start(t, opts)
			request := dialogOf(c.request)
			e.agent(request)
			e.clientGets(request)
			response := `{"id":"d1","type":"extension_ui_response",` + c.members + `}`
			e.client(response)
			want := response
			switch c.agent {
			case "":
			case "held":
				e.client(cancelled)
				want = cancelled
			default:
				want = `{"type":"extension_ui_response","id":"d1",` + c.agent + `}`
			}
			e.agentGets(want)
			e.ended()
			if wantsCancel := strings.Contains(want, cancel); wantsCancel == (log.Outcome == policy.Answered) {
				t.Errorf("logged as %v, %v", log.Outcome, log.Answer)
			}
		})
	}
}
