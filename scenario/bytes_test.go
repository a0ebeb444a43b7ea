package scenario

import (
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// Records that are cut anywhere count as those that are not: the steps after them
// respond to them and answer them.
func TestBytesMakeRecords(t *testing.T) {
	r := against(t, `
steps:
  - client: {bytes: '{"type":"get_state","id":"s'}
  - wait: 5ms
  - client: {bytes: ['1"}', {hex: "0d 0a"}, '{"type":"prompt",', {repeat: ' ', times: 3}, '"id":7,"message":"/deploy"}']}
    as: both
  - agent: {response: true, command: get_state}
  - client: {bytes: "\n"}
    as: prompt
  - agent: {select: Where to?}
    as: d
  - client: {bytes: '{"type":"extension_ui_response","id":"${d}","cancelled":true}'}
  - never: {agent: {notify: /./}}
    within: 10ms
  - client: {bytes: "\n"}
  - agent: {response: true, data: {disposition: handled}}
    to: prompt
`, nil)
	if f := r.Failure(); f == nil || f.Line != 16 || r.Err != nil {
		t.Fatalf("the never in line 13 is to hold for its time alone, and the notification fails line 16: %+v, %v", f, r.Err)
	}
	r = against(t, `
steps:
  - client: {line: '{"type":"call_tool","id":"c","toolName":"bash","input":{}}'}
  - agent: {result: "ran {}"}
  - client: {bytes: "\n\n{\"type\":\"prompt\",\"id\":7,\"message\":\"/deploy\"}\n"}
    as: p
  - agent: {select: Where to?}
    as: d
  - client: {bytes: '{"type":"extension_ui_response","id":"${d}",'}
  - client: {bytes: "\"cancelled\":true}\n"}
  - agent: {notify: Nothing deployed}
  - agent: {response: true}
    to: p
`, nil)
	passes(t, r)
	if !slices.ContainsFunc(r.Wire, func(l WireLine) bool { return l.Bytes && l.Text == "\"cancelled\":true}\n" }) {
		t.Errorf("the bytes are not on the wire: %+v", r.Wire)
	}
}

// A response that comes before its step waits for it, as for any other command.
func TestARawCommandKeepsItsResponse(t *testing.T) {
	passes(t, against(t, `
steps:
  - client: {bytes: ['{"type":"nope","id":"n"}', "\n"]}
    as: n
  - client: {prompt: /deploy}
  - agent: {select: Where to?}
    answer: null
  - agent: {notify: Nothing deployed}
  - agent: {response: false}
    to: n
`, nil))
}

func TestBytesOfTheAgent(t *testing.T) {
	r, got := playFor(t, `
steps:
  - agent: {bytes: ['{"type":"extension_ui_request","id":5,"method":"input","title":"', {hex: "ff"}]}
  - agent: {bytes: "\"}\n"}
    as: d
  - client: {answer: x}
    to: d
    raw: ['"id":5', '"value"']
`, `{"type":"extension_ui_response","id":5,"value":"x"}`)
	passes(t, r)
	if want := "{\"type\":\"extension_ui_request\",\"id\":5,\"method\":\"input\",\"title\":\"\xff\"}\n"; got != want {
		t.Errorf("it sent %q", got)
	}
}

func TestRawLooksAtTheBytes(t *testing.T) {
	const file = "steps:\n  - agent: {input: A}\n  - client: {answer: \"/^.[(]$/\"}\n    raw: {hex: c3 28}\n"
	answer := func(s string) string { return `{"type":"extension_ui_response","id":"d1","value":"` + s + `"}` }
	r, _ := playFor(t, file, answer("\xc3("))
	passes(t, r)
	r, _ = playFor(t, file, answer("\uFFFD("))
	fails(t, r, 3, `bytes of the line: expected to contain "\xc3("`)
	r, _ = playFor(t, file, answer("\xc3( )"))
	fails(t, r, 3, "value: expected")
}

// A carriage return before the line feed is no part of a record, and can be looked for.
func TestEndLooksAtTheLineEnd(t *testing.T) {
	const file = "steps:\n  - agent: {input: A}\n  - client: {answer: b}\n    end: "
	const answer = `{"type":"extension_ui_response","id":"d1","value":"b"}`
	for _, test := range []struct{ end, comes, wrong string }{
		{"lf", answer, ""},
		{"lf", answer + "\r", `end of the line: expected "\n", got "\r\n"`},
		{"crlf", answer + "\r", ""},
		{"crlf", answer, `end of the line: expected "\r\n", got "\n"`},
	} {
		r, _ := playFor(t, file+test.end+"\n", test.comes)
		if test.wrong == "" {
			passes(t, r)
		} else {
			fails(t, r, 3, test.wrong)
		}
	}
	r, _ := playFor(t, "steps:\n  - agent: {input: A}\n  - client: {line: x}\n    end: lf\n", "x\r")
	fails(t, r, 3, "end of the line")
}

// What is sent can end so as well.
func TestEndOfWhatIsSent(t *testing.T) {
	r, got := playFor(t, "steps:\n  - agent: {notify: a}\n    end: crlf\n  - agent: {line: b}\n    end: crlf\n  - agent: {line: c}\n    end: lf\n")
	passes(t, r)
	if want := "{\"type\":\"extension_ui_request\",\"id\":\"d1\",\"method\":\"notify\",\"message\":\"a\"}\r\nb\r\nc\n"; got != want {
		t.Errorf("it sent %q", got)
	}
}

// Bytes that nobody reads fail the step in its time, and nothing is left behind.
func TestBytesThatNobodyReads(t *testing.T) {
	s := mustParse(t, "within: 2s\nsteps:\n  - client: {bytes: {repeat: x, times: 1000000}}\n")
	synctest.Test(t, func(t *testing.T) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		defer inR.Close()
		begun := time.Now()
		r := s.TestAgent(t.Context(), &Peer{In: inW, Out: outR, Stop: func() { outW.Close() }}, nil)
		fails(t, r, 3, "the agent does not read 1000000 bytes")
		if took := time.Since(begun); took > 4*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func TestBytesAreNothingToExpect(t *testing.T) {
	s := mustParse(t, "steps:\n  - client: {bytes: x}\n")
	if err := s.CheckRole(Client); err != nil {
		t.Error(err)
	}
	if err := s.CheckRole(Agent); err == nil {
		t.Error("the client's bytes can be expected")
	}
}

func TestHeaderOfARule(t *testing.T) {
	s := mustParse(t, `
rule:
  id: FRAME-3
  says: >
    A line that is no JSON
    is answered.
  severity: must
  section: Framing
  source: contract
env: {A: x, B: 3}
choices: [{value: a, for: T}, {wait: true}]
steps: [{wait: 1s}]
`)
	if r := s.Rule; r == nil || r.ID != "FRAME-3" || r.Says != "A line that is no JSON is answered." || r.Severity != Must || r.Section != "Framing" || !slices.Equal(r.Source, []string{"contract"}) || r.Needs != nil {
		t.Errorf("rule: %+v", r)
	}
	if got := s.Environ([]string{"A=0", "AB=1"}); !slices.Equal(got, []string{"AB=1", "A=x", "B=3"}) {
		t.Errorf("env: %q", got)
	}
	want := []Choice{{"T", "value", `{"value":"a","for":"T"}`}, {"", "wait", `{"wait":true}`}}
	if !slices.Equal(s.Choices, want) {
		t.Errorf("choices: %+v", s.Choices)
	}
}
