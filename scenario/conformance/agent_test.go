package conformance

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/agent"
	"extui/extension"
	"extui/scenario"
)

const hello = "steps:\n  - client: {prompt: /hello}\n  - agent: {notify: hello}\n"

func TestCheckAgentJudgesEachRule(t *testing.T) {
	rules := []*scenario.Scenario{
		rule(t, "A-1", "", hello),
		rule(t, "A-2", "", strings.Replace(hello, "notify: hello", "notify: goodbye", 1)),
		rule(t, "A-3", ", needs: ui.setTheme", hello),
		rule(t, "A-4", ", needs: [ui.custom, dismiss, call_tool, questionnaire, new_session, abort]", hello),
		rule(t, "A-5", "", "dialect: pi\n"+hello),
		rule(t, "A-6", "", "steps:\n  - client: {prompt: /hang}\n  - agent: {notify: /./}\n    within: 5m\n"),
	}
	known := &Known{Name: "it", Deviations: []Deviation{{ID: "A-2", Reason: "r", Says: "s", Message: `"goodbye"`}, {ID: "A-1", Reason: "r", Says: "s"}}}
	synctest.Test(t, func(t *testing.T) {
		var begun, done int
		r, err := CheckAgent(t.Context(), inProcess(nil, probe), &Options{
			Rules: rules, Jobs: 3, Known: known,
			Begin: func(*scenario.Rule) { begun++ }, Done: func(*Result) { done++ },
		})
		if err != nil || r.Dialect != "atomic" || begun != 6 || done != 6 {
			t.Fatalf("%v, dialect %q, %d begun, %d done", err, r.Dialect, begun, done)
		}
		for i, want := range []struct {
			verdict Verdict
			message string
		}{
			{Gone, "take it from the list"},
			{Expected, `line 4, agent notify "goodbye": it came otherwise`},
			{Skipped, "needs ui.setTheme, which the agent does not have"},
			{Pass, ""},
			{Skipped, "a rule of the pi dialect; this agent speaks atomic"},
			{Fail, "the rule takes too long"},
		} {
			got := r.Results[i]
			if got.Verdict != want.verdict || !strings.Contains(got.Message, want.message) {
				t.Errorf("%s: %s with %q, want %s with %q", got.Rule.ID, got.Verdict, got.Message, want.verdict, want.message)
			}
		}
		if r.Results[1].Output != "it begins" || len(r.Results[1].Wire) == 0 {
			t.Errorf("a failure keeps what is needed to explain it: %+v", r.Results[1])
		}
		if e := r.Results[5].Elapsed; e < time.Minute || e > 2*time.Minute {
			t.Errorf("the limit came after %v", e)
		}
	})
}

// A rule that fails in another way than the list says is no known deviation.
func TestKnownDeviationsFailAsListed(t *testing.T) {
	k := &Known{Deviations: []Deviation{{ID: "A-1", Message: "null"}}}
	for _, test := range []struct{ given, want Result }{
		{Result{Verdict: Fail, Message: "it ended on null"}, Result{Verdict: Expected}},
		{Result{Verdict: Fail, Message: "it ended"}, Result{Verdict: Fail}},
		{Result{Verdict: Error, Message: "null"}, Result{Verdict: Error}},
		{Result{Verdict: Skipped}, Result{Verdict: Skipped}},
		{Result{Verdict: Pass}, Result{Verdict: Gone}},
	} {
		r := test.given
		r.Rule.ID = "A-1"
		if k.apply(&r); r.Verdict != test.want.Verdict {
			t.Errorf("%+v became %s", test.given, r.Verdict)
		}
	}
}

func TestFeaturesAreFoundOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		features, dialect, err := detect(t.Context(), inProcess(&agent.Options{Dialect: agent.Pi}, probe))
		if want := []string{"abort", "call_tool", "new_session", "ui.confirm", "ui.custom"}; err != nil || dialect != "pi" || !slices.Equal(features, want) {
			t.Errorf("pi: %q, %s, %v", features, dialect, err)
		}
	})
}

// An agent that prints a banner is checked, and the rules say what is wrong with it.
func TestABannerIsNoReasonNotToCheck(t *testing.T) {
	const banner = "Starting agent…\n{ not yet\n[1]\n\n"
	plain := inProcess(nil, probe)
	start := func(ctx context.Context, env []string, stderr io.Writer) (*scenario.Peer, error) {
		peer, err := plain(ctx, env, stderr)
		peer.Out = io.MultiReader(strings.NewReader(banner), peer.Out)
		return peer, err
	}
	synctest.Test(t, func(t *testing.T) {
		r, err := CheckAgent(t.Context(), start, &Options{Rules: []*scenario.Scenario{rule(t, "A-1", "", hello)}})
		if err != nil || len(r.Results) != 1 || r.Results[0].Verdict != Fail || !strings.Contains(r.Results[0].Message, "Starting agent") {
			t.Errorf("%v, %+v", err, r)
		}
	})
}

func TestAgentsThatCannotBeChecked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := CheckAgent(t.Context(), func(context.Context, []string, io.Writer) (*scenario.Peer, error) { return nil, errTest }, nil)
		if !errors.Is(err, ErrNoAgent) || !errors.Is(err, errTest) {
			t.Errorf("no agent: %v", err)
		}
		_, err = CheckAgent(t.Context(), inProcess(nil, extension.Extension{Name: "none"}), nil)
		if probe, ok := errors.AsType[*ProbeError](err); !ok || probe.Stderr != "it begins" {
			t.Errorf("no probe: %v", err)
		}
	})
}

func TestCheckAgentEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		var rules []*scenario.Scenario
		for _, id := range []string{"A-1", "A-2", "A-3", "A-4"} {
			rules = append(rules, rule(t, id, "", hello))
		}
		r, err := CheckAgent(ctx, inProcess(nil, probe), &Options{Rules: rules, Done: func(r *Result) {
			if r.Rule.ID == "A-2" {
				cancel(errTest)
			}
		}})
		if !errors.Is(err, errTest) || len(r.Results) < 2 || len(r.Results) > 3 {
			t.Errorf("%v after %d results", err, len(r.Results))
		}
	})
}

// A rule that was cut off when the check was stopped is not among the results.
func TestAStoppedCheckKeepsWhatWasJudged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		rules := []*scenario.Scenario{
			rule(t, "A-1", "", hello),
			rule(t, "A-2", "", "steps:\n  - client: {prompt: /hang}\n  - agent: {notify: /./}\n    within: 5m\n"),
		}
		var done []string
		r, err := CheckAgent(ctx, inProcess(nil, probe), &Options{
			Rules: rules,
			Begin: func(r *scenario.Rule) {
				if r.ID == "A-2" {
					time.AfterFunc(time.Second, func() { cancel(errTest) })
				}
			},
			Done: func(r *Result) { done = append(done, r.Rule.ID) },
		})
		if !errors.Is(err, errTest) || !slices.Equal(done, []string{"A-1"}) || len(r.Results) != 1 {
			t.Errorf("%v; done are %q, and %d results", err, done, len(r.Results))
		}
		if !r.Stopped || r.Conforms(false) {
			t.Errorf("stopped: %t, conforms: %t", r.Stopped, r.Conforms(false))
		}
		var out bytes.Buffer
		if err := WriteJSON(&out, r, nil); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadJSON(&out); err != nil || !again.Stopped || len(again.Results) != 1 {
			t.Errorf("read again: %+v, %v", again, err)
		}
	})
}

func TestProbeArgument(t *testing.T) {
	argv := []string{"a", "--load={probe}"}
	if !replace(argv, ProbeArgument, "/p.ts") || argv[1] != "--load=/p.ts" {
		t.Error(argv)
	}
}

// A rule that waits long takes no worker from the others, and is judged in its turn by
// who wants one at a time.
func TestLongRulesAreJudgedBesideTheOthers(t *testing.T) {
	var rules []*scenario.Scenario
	for _, id := range []string{"A-1", "A-2", "A-3", "A-4"} {
		rules = append(rules, rule(t, id, "", hello+"  - wait: 1500ms\n"))
	}
	rules = append(rules, rule(t, "A-5", "", hello+"  - never: {agent: {notify: x}}\n    within: 3s\n"))
	for jobs, want := range map[int]time.Duration{2: 3 * time.Second, 1: 9 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			r, err := CheckAgent(t.Context(), inProcess(nil, probe), &Options{Rules: rules, Jobs: jobs})
			if err != nil || r.Count("", Pass) != len(rules) {
				t.Fatalf("%v, %+v", err, r.Results)
			}
			if took := time.Since(begun).Truncate(time.Second); took != want {
				t.Errorf("%d jobs took %v, want %v", jobs, took, want)
			}
		})
	}
}
