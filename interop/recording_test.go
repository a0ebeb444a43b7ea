package interop_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"extui/internal/long"
	"extui/interop"
	"extui/scenario"
	"extui/scenario/conformance/choices"
)

// recording is a session with the real pi, recorded by
//
//	check-client extui record -o pi-session.yaml -- interop/pi --mode rpc --no-session --no-extensions -e rpc-demo.ts -e timed-confirm.ts
//
// with these commands and choices in its environment.
const (
	recording         = "testdata/pi-session.yaml"
	recordingCommands = `["/rpc-input", "/rpc-input", "/rpc-editor", "/rpc-prefill", "/timed", "/timed-select",
		{"type":"new_session"}, {"type":"new_session"}, {"type":"nonsense"}, "/rpc-editor"]`
	recordingChoices = `[{"value":"Ada Lovelace"}, {"cancelled":true}, {"value":"One\nTwo"}, {"confirmed":true}, {"value":"Option B"},
		{"confirmed":false}, {"confirmed":true}, {"stop":true}]`
)

// buildCheckClient builds examples/check-client.
func buildCheckClient(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "check-client")
	if out, err := exec.Command("go", "build", "-o", program, moduleRoot+"/examples/check-client").CombinedOutput(); err != nil {
		t.Fatalf("build the client: %v\n%s", err, out)
	}
	return program
}

// Without pi, the recording is the agent for a client that does the same again, and
// finds out one that does not.
func TestRecordingOfPiPlaysForAClient(t *testing.T) {
	long.Test(t)
	extui, client := buildProgram(t), buildCheckClient(t)
	for _, test := range []struct{ choices, want string }{
		{recordingChoices, "pass " + recording},
		{strings.Replace(recordingChoices, "Option B", "Option C", 1), `value: expected "Option B", got "Option C"`},
		{strings.Replace(recordingChoices, `{"confirmed":false}`, `{"confirmed":true}`, 1), "confirmed: expected false, got true"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		cmd := exec.CommandContext(ctx, client, extui, "play", recording)
		cmd.Env = append(cmd.Environ(), choices.ChoicesVariable+"="+test.choices, choices.CommandsVariable+"="+recordingCommands)
		out, err := cmd.CombinedOutput()
		if ctx.Err() != nil || !strings.Contains(string(out), test.want) {
			t.Errorf("want %q, got %v and:\n%s", test.want, err, out)
		}
	}
}

// And it is the client for an agent: here the recording itself.
func TestRecordingOfPiTestsAnAgent(t *testing.T) {
	extui := buildProgram(t)
	cmd := exec.CommandContext(t.Context(), extui, "test", recording, "--", extui, "play", recording)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

// Our agent with pi's extensions does what pi did.
func TestRecordingOfPiTestsOurAgent(t *testing.T) {
	demo, timed := interop.Example(t, "rpc-demo.ts"), interop.Example(t, "timed-confirm.ts")
	extui := buildProgram(t)
	cmd := exec.CommandContext(t.Context(), extui, "test", recording, "--", extui, "agent", "--dialect", "pi", "-e", demo, "-e", timed)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

// pi still does what it did.
func TestRecordingOfPiTestsPi(t *testing.T) {
	long.Test(t)
	s, err := scenario.Load(recording)
	if err != nil {
		t.Fatal(err)
	}
	pi := interop.Pi(t, interop.Example(t, "rpc-demo.ts"), interop.Example(t, "timed-confirm.ts"))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	peer, err := scenario.StartProcess(ctx, slices.Concat([]string{pi.Path}, pi.Args), pi.Env, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := s.TestAgent(ctx, peer, nil); !r.Passed() {
		t.Errorf("%v: %+v", r.Err, r.Failure())
	}
}
