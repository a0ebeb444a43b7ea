package scenario

import (
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// playFor plays the agent for a client that sends these lines at once and reads
// what comes.
func playFor(t *testing.T, text string, lines ...string) (r *Report, got string) {
	t.Helper()
	s := mustParse(t, text)
	synctest.Test(t, func(t *testing.T) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		var wg sync.WaitGroup
		wg.Go(func() {
			for _, l := range lines {
				if _, err := io.WriteString(inW, l+"\n"); err != nil {
					return
				}
			}
			inW.Close()
		})
		wg.Go(func() {
			all, _ := io.ReadAll(outR)
			got = string(all)
		})
		r = s.PlayAgent(t.Context(), &Peer{In: outW, Out: inR, Stop: func() { inR.Close() }}, nil)
		outW.Close()
		wg.Wait()
	})
	return r, got
}

func TestPlayRespondsWhereTheFileDoesNot(t *testing.T) {
	r, got := playFor(t, `
replies: {get_state: {name: x}}
steps:
  - client: {prompt: /a}
  - agent: {notify: one}
  - client: {prompt: /b}
    as: b
  - agent: {response: false, error: no}
    to: b
  - client: {prompt: /c}
  - client: close
`, `{"type":"get_state"}`, `{"type":"prompt","id":1,"message":"/a"}`, `{"type":"prompt","id":"2","message":"/b"}`, `{"type":"prompt","message":"/c"}`)
	passes(t, r)
	want := `{"type":"response","command":"get_state","success":true,"data":{"name":"x"}}
{"type":"extension_ui_request","id":"d1","method":"notify","message":"one"}
{"id":1,"type":"response","command":"prompt","success":true,"data":{"disposition":"handled"}}
{"id":"2","type":"response","command":"prompt","success":false,"error":"no"}
{"type":"response","command":"prompt","success":true,"data":{"disposition":"handled"}}
`
	if got != want {
		t.Errorf("it sent\n%s", got)
	}
}

func TestPlayJudgesTheClient(t *testing.T) {
	const file = "steps:\n  - agent: {confirm: A?}\n    as: a\n  - agent: {confirm: B?}\n    as: b\n  - anyOrder:\n      - client: {answer: true}\n        to: a\n      - client: cancel\n        to: b\n"
	no := `{"type":"extension_ui_response","id":"d2","cancelled":true}`
	yes := `{"type":"extension_ui_response","id":"d1","confirmed":true}`
	r, _ := playFor(t, file, no, yes)
	passes(t, r)
	for _, test := range []struct {
		lines []string
		line  int
		why   string
	}{
		{[]string{no, no}, 7, "no step expects this answer"},
		{[]string{yes, no, yes}, 0, "no step expects this answer"},
		{[]string{`{"type":"extension_ui_response","id":"d1","confirmed":false}`}, 7, "confirmed: expected true, got false"},
		{[]string{`{"type":"extension_ui_response","id":"d3","confirmed":true}`}, 7, "no step expects this answer"},
		{[]string{`{"type":"prompt","message":"x"}`}, 7, "no step expects this command"},
		{[]string{"null"}, 7, "this is no record"},
		{nil, 7, "the client has ended instead"},
	} {
		r, _ := playFor(t, file, test.lines...)
		fails(t, r, test.line, test.why)
	}
}

// A client may wait for the agent's exit before it closes its side.
func TestPlayedAgentExits(t *testing.T) {
	for _, test := range []struct {
		last string
		want time.Duration
	}{{"exit: 3", 300 * time.Millisecond}, {"close: true", DefaultWithin}} {
		s := mustParse(t, "steps:\n  - agent: {"+test.last+"}\n")
		synctest.Test(t, func(t *testing.T) {
			inR, inW := io.Pipe()
			outR, outW := io.Pipe()
			defer inW.Close()
			go io.Copy(io.Discard, outR)
			r := s.PlayAgent(t.Context(), &Peer{In: outW, Out: inR, Stop: func() { inR.Close() }}, nil)
			passes(t, r)
			if r.Elapsed != test.want {
				t.Errorf("%s: it took %v, want %v", test.last, r.Elapsed, test.want)
			}
		})
	}
}

// What a client asks by itself may come when the agent has already ended its output.
func TestACommandBehindTheEndIsNoFault(t *testing.T) {
	r, _ := playFor(t, "steps:\n  - agent: close\n", `{"type":"get_state","id":1}`, `{"type":"get_nothing","id":2}`)
	passes(t, r)
	r, _ = playFor(t, "steps:\n  - agent: close\n", `{"type":"prompt","id":1,"message":"x"}`)
	fails(t, r, 0, "no step expects this command")
}

// A pattern is nothing to send, and the mistake has its place.
func TestCheckRole(t *testing.T) {
	s := mustParse(t, "steps:\n  - client: {prompt: {$is: /a/}}\n  - agent: {notify: /a/}\n  - agent: {confirm: x}\n    answer: {$oneOf: [true]}\n")
	if err := s.CheckRole(Agent); err == nil || !strings.HasPrefix(err.Error(), "test.yaml:3:21: steps[1].agent.notify: a pattern cannot be sent by the agent") || strings.Contains(err.Error(), "\n") {
		t.Errorf("as the agent: %v", err)
	}
	if err := s.CheckRole(Client); err == nil || !strings.Contains(err.Error(), "test.yaml:5:14: steps[2].answer: a pattern cannot be sent by the client") {
		t.Errorf("as the client: %v", err)
	}
}

// A file that cannot be played leaves nothing running.
func TestNothingIsLeftOfAFileThatCannotBePlayed(t *testing.T) {
	r := against(t, "steps:\n  - client: {prompt: /a/}\n", nil)
	if r.Err == nil || r.Passed() {
		t.Errorf("got %+v", r)
	}
}
