package scenario

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestTheConversationPasses(t *testing.T) {
	passes(t, against(t, `
about: A deployment that somebody agrees to.
steps:
  - client: {prompt: /deploy}
  - agent: {select: /^Where/, options: [staging, production]}
    save: {first: options.0}
  - client: {answer: "${first}"}
  - agent: {confirm: Sure?, message: "Deploy to ${first}"}
    answer: true
  - agent: {notify: "Deployed to ${first}", notifyType: info}
  - agent: {response: true, data: {disposition: handled}}
  - client: {call: bash, input: {command: ls}}
  - agent: {result: 'ran {"command":"ls"}'}
  - client: {call: nope}
  - agent: {response: false, error: {$contains: nope}}
  - client: close
  - agent: {exit: 0}
`, nil))
}

func TestFailuresNameTheStepAndTheDifference(t *testing.T) {
	for _, test := range []struct {
		name, steps string
		line        int
		why         string
	}{
		{"a value", "  - client: {prompt: /deploy}\n  - agent: {select: Where from?}\n", 3, `title: expected "Where from?", got "Where to?"`},
		{"an item", "  - client: {prompt: /deploy}\n  - agent: {select: Where to?, options: [staging, qa]}\n", 3, `options[1]: expected "qa", got "production"`},
		{"another record", "  - client: {prompt: /deploy}\n  - agent: {notify: Done}\n", 3, `no step expects this now: select {"title":"Where to?"`},
		{"nothing", "  - client: {prompt: /timed}\n  - agent: {input: Quick!}\n  - agent: {notify: x}\n", 4, "nothing of the kind within 5s"},
		{"a dialog at the end", "  - client: {prompt: /deploy}\n  - wait: 1s\n", 0, "no step expects this now: select"},
		{"a failing command", "  - client: {call: nope}\n  - wait: 1s\n", 0, "a command failed"},
		{"a failing extension", "  - client: {prompt: /fail}\n  - agent: {response: true}\n", 3, "an extension failed"},
		{"an end too early", "  - client: close\n  - agent: {notify: x}\n", 3, "the agent has ended instead"},
		{"what must never come", "  - never: {agent: {notify: /Deployed/}}\n  - client: {prompt: /deploy}\n" +
			"  - agent: {select: /./}\n    answer: staging\n  - agent: {confirm: Sure?}\n    answer: true\n  - agent: {notify: /./}\n", 8, "this was never to come"},
		{"an answer to nothing", "  - client: {answer: x}\n", 2, "no dialog is open"},
		{"a wrong answer", "  - client: {prompt: /deploy}\n  - agent: {select: Where to?}\n    answer: {value: moon}\n  - agent: {confirm: Sure?}\n", 5, `no step expects this now: notify {"message":"Nothing deployed"`},
		{"a response", "  - client: {call: bash, input: {}}\n  - agent: {result: x}\n", 3, `data.content[0].text: expected "x", got "ran {}"`},
		{"an early response", "  - client: {command: get_state}\n    as: s\n  - client: {prompt: /deploy}\n  - agent: {select: Where to?}\n" +
			"  - agent: {response: true, data: {isStreaming: true}}\n    to: s\n", 6, "data.isStreaming: expected true, got false"},
		{"a response in any order", "  - client: {call: bash, input: {}}\n  - anyOrder: [{agent: {notify: x}}, {agent: {result: x}}]\n", 3, `expected "x", got "ran {}"`},
		{"a failure as success", "  - client: {call: nope}\n  - agent: {response: true}\n", 3, "success: expected true, got false"},
		{"no process", "  - client: {kill: TERM}\n", 2, "no process"},
	} {
		t.Run(test.name, func(t *testing.T) { fails(t, against(t, "steps:\n"+test.steps, nil), test.line, test.why) })
	}
}

func TestTimePasses(t *testing.T) {
	r := against(t, `
steps:
  - client: {prompt: /timed}
  - agent: {input: Quick!, timeout: 30000}
  - never: {agent: {notify: /./}}
    within: 29s
  - agent: {notify: /timed out/}
`, nil)
	passes(t, r)
	if r.Elapsed != 30*time.Second {
		t.Errorf("it took %v of the agent's time, want 30s", r.Elapsed)
	}
}

// A step that waits as long as a dialog is told so: what comes of it may come after.
func TestWithinAsLongAsATimeout(t *testing.T) {
	const file = "steps:\n  - client: {prompt: /timed}\n  - agent: {input: Quick!}\n  - agent: {setTitle: x}\n    within: "
	s := mustParse(t, file+"30s\n")
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		go func() {
			_, _ = io.WriteString(out, `{"type":"extension_ui_request","id":"1","method":"input","title":"Quick!","timeout":30000}`+"\n")
		}()
		_, sent := io.Pipe()
		r := s.TestAgent(t.Context(), &Peer{In: discard{sent}, Out: in, Stop: func() { out.Close() }}, nil)
		fails(t, r, 4, "nothing of the kind within 30s; the time of the dialog before it, 30s too")
	})
}

// discard takes everything.
type discard struct{ io.Closer }

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func TestAnyOrderRepeatAndRules(t *testing.T) {
	passes(t, against(t, `
ignore: [notify]
answers:
  - agent: {confirm: Sure?, message: {$contains: staging}}
    answer: false
steps:
  - repeat: 3
    steps:
      - client: {prompt: /both}
      - anyOrder:
          - agent: {input: b}
            as: bee
          - agent: {input: a}
            as: ay
      - client: {answer: "no. ${n}"}
        to: bee
      - client: {answer: two}
        to: ay
      - agent: {response: true}
  - client: {prompt: /deploy}
  - agent: {select: Where to?}
    answer: staging
  - agent: {response: true}
`, nil))
}

// A step that may come is passed over, and what came is for the next.
func TestOptional(t *testing.T) {
	r := against(t, `
steps:
  - client: {prompt: /deploy}
  - agent: {notify: Starting}
    optional: true
  - agent: {select: Where to?}
    answer: null
  - agent: {notify: Nothing deployed}
`, nil)
	passes(t, r)
	if r.Steps[1].Status != Skipped {
		t.Errorf("the optional step is %s", r.Steps[1].Status)
	}
}

// The response of a command may come before a step gets to it.
func TestEarlyResponse(t *testing.T) {
	passes(t, against(t, `
steps:
  - client: {command: get_state}
    as: state
  - client: {prompt: /deploy}
    as: deploy
  - agent: {select: Where to?}
    answer: null
  - agent: {notify: Nothing deployed}
  - agent: {response: true}
    to: deploy
  - agent: {response: true, data: {isStreaming: false}}
    to: state
`, nil))
}

func TestRawRecordsAndLines(t *testing.T) {
	passes(t, against(t, `
steps:
  - client: {line: "null"}
  - agent: {record: {type: response, command: parse, success: false}}
  - client: {prompt: /deploy}
  - agent: {select: Where to?}
    as: d
  - client: {record: {type: extension_ui_response, id: "${d}", cancelled: true, value: staging}}
  - agent: {notify: Nothing deployed}
`, nil))
}

func TestUpdateAcceptsWhatCame(t *testing.T) {
	const file = `# What it is about.
steps:
  - client: {prompt: /deploy}
  # Where it goes.
  - agent:
      select: Where from?     # old
      options: [/^stag/, qa]
    answer: staging

  # Sure?
  - agent: {confirm: Sure?}
    answer: true
  - agent: {notify: Done}
`
	r := against(t, file, &Options{Update: true})
	passes(t, r)
	got, ok := r.Update()
	want := `# What it is about.
steps:
  - client: {prompt: /deploy}
  # Where it goes.
  - agent:
      select: "Where to?"     # old
      options: [/^stag/, production]
    answer: staging

  # Sure?
  - agent: {confirm: Sure?}
    answer: true
  - agent: {notify: Deployed to staging}
`
	if !ok || string(got) != want {
		t.Errorf("updated: %v\n%s", ok, got)
	}
	passes(t, against(t, string(got), nil))
	// Steps that share a line are not taken apart, but their values are replaced.
	line := "steps: [{client: {prompt: /deploy}}, {agent: {select: x, options: [a, b]}, answer: null}, {agent: {notify: y}}]\n"
	want = "steps: [{client: {prompt: /deploy}}, {agent: {select: \"Where to?\", options: [staging, production]}, answer: null}, {agent: {notify: Nothing deployed}}]\n"
	if got := updated(t, line); got != want {
		t.Errorf("updated:\n%s", got)
	}
	fails(t, against(t, "steps: [{client: {prompt: /deploy}}, {agent: {select: x, options: {$length: 1}}}]\n", &Options{Update: true}), 1, "it came otherwise")
	// Another kind of record is not what the file is about.
	fails(t, against(t, "steps:\n  - client: {prompt: /deploy}\n  - agent: {notify: x}\n", &Options{Update: true}), 3, "no step expects")
}

func TestVirtualTimeEndsWithAStuckFunction(t *testing.T) {
	release := make(chan struct{})
	err := InVirtualTime(time.Millisecond, func() { <-release })
	close(release)
	if err == nil || !strings.Contains(err.Error(), "no progress") {
		t.Errorf("got %v", err)
	}
	if err := InVirtualTime(time.Minute, func() {
		go func() { <-time.After(time.Second) }() // Not ours to wait for.
	}); err != nil {
		t.Errorf("a goroutine that ends: %v", err)
	}
	var passed time.Duration
	if err := InVirtualTime(time.Minute, func() {
		start := time.Now()
		<-time.After(time.Hour)
		passed = time.Since(start)
	}); err != nil || passed != time.Hour {
		t.Errorf("%v passed, %v", passed, err)
	}
}
