package conformance

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"extui/scenario"
)

// pretend is a client under test that does without a process: play is what the agent
// that it starts would do, exit how it ends, and once whether it leaves by itself.
type pretend struct {
	play  func(w *VerdictWriter, s *scenario.Scenario)
	exit  scenario.Exit
	stays bool
}

func (p pretend) start(s *scenario.Scenario, seen *ClientRun) ClientStart {
	return func(ctx context.Context, run *ClientRun) (*Client, error) {
		*seen = *run
		if p.play != nil {
			p.play(NewVerdictWriter(filepath.Join(run.Dir, "verdict.json"), s), s)
		}
		stopped := make(chan struct{})
		stop := context.AfterFunc(ctx, func() { close(stopped) })
		return &Client{
			Wait: func() scenario.Exit {
				if p.stays {
					<-stopped
				}
				return p.exit
			},
			Leave: func() {},
			Stop: func() {
				if stop() {
					close(stopped)
				}
			},
		}, nil
	}
}

func step(status scenario.Status) scenario.StepResult {
	return scenario.StepResult{Line: 3, Text: "client answer true", Status: status, Message: "nothing of the kind within 5s"}
}

func finish(steps ...scenario.StepResult) func(*VerdictWriter, *scenario.Scenario) {
	return func(w *VerdictWriter, s *scenario.Scenario) {
		for _, one := range steps {
			w.Step(one)
		}
		_ = w.End(&scenario.Report{Scenario: s, Steps: steps, Wire: []scenario.WireLine{{From: scenario.Client, Text: "{}"}}})
	}
}

func TestCheckClientJudges(t *testing.T) {
	s := rule(t, "C-1", ", needs: [stop, fail]", "env: {A: b}\nwithin: 50ms\nchoices: [{confirmed: true, for: Sure?}]\nsteps:\n  - agent: {confirm: Sure?}\n  - client: {answer: true}\n")
	for name, test := range map[string]struct {
		client  pretend
		opts    Options
		verdict Verdict
		message string
	}{
		"it keeps the rule":       {pretend{play: finish(step(scenario.OK))}, Options{}, Pass, ""},
		"it breaks the rule":      {pretend{play: finish(step(scenario.OK), step(scenario.Failed))}, Options{}, Fail, "line 3, client answer true: nothing of the kind within 5s"},
		"it kills its agent":      {pretend{play: killed}, Options{}, Fail, "the agent was killed after 1 steps, or did not end: the last was client answer true"},
		"it cannot do it":         {pretend{exit: scenario.Exit{Code: NotJudged}}, Options{}, Skipped, "stop, fail"},
		"it stays":                {pretend{play: finish(step(scenario.OK)), stays: true}, Options{}, Fail, "has not left within 50ms"},
		"it hangs":                {pretend{stays: true}, Options{Limit: 30 * time.Millisecond}, Error, "has not started its agent: the rule takes too long"},
		"nobody chooses":          {pretend{}, Options{Unattended: true}, Skipped, "somebody has to choose"},
		"it lacks what is needed": {pretend{}, Options{Lacks: []string{"fail"}}, Skipped, "needs fail"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.opts.Rules = []*scenario.Scenario{s}
			var run ClientRun
			r, err := CheckClient(t.Context(), test.client.start(s, &run), []string{"play's"}, &test.opts)
			if (err != nil) != (test.verdict == Error) || err != nil && !errors.Is(err, ErrNoClient) {
				t.Fatal(err)
			}
			if got := r.Results[0]; got.Verdict != test.verdict || !strings.Contains(got.Message, test.message) {
				t.Errorf("%s with %q", got.Verdict, got.Message)
			}
			if run.Dir == "" {
				return
			}
			for _, want := range []string{"A=b", `EXTUI_CHOICES=[{"confirmed":true,"for":"Sure?"}]`, "EXTUI_NEEDS=stop,fail", "EXTUI_CHECK_RULE=C-1"} {
				if !strings.Contains(strings.Join(run.Env, "\n"), want) {
					t.Errorf("%s is not in the environment: %q", want, run.Env)
				}
			}
			if _, err := os.Stat(run.Dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("its folder is left: %v", err)
			}
		})
	}
}

// killed is a play that does not end, with the id of a process that there is not.
func killed(w *VerdictWriter, _ *scenario.Scenario) {
	w.pid = 1 << 30
	w.Step(step(scenario.OK))
}

func TestTheScriptOfTheAgentQuotes(t *testing.T) {
	if got := agentScript([]string{"/a b/ex'tui", "play"}); !strings.Contains(got, `'/a b/ex'\''tui' 'play'`) && !strings.HasPrefix(got, "@") {
		t.Error(got)
	}
}
