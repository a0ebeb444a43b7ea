package conformance

import (
	"strings"
	"testing"
	"time"

	"extui/scenario"
)

// One fault makes many rules fail, and the report says so.
func TestCause(t *testing.T) {
	failed := func(id, message string) Result {
		s := scenario.StepResult{Line: 1, Text: "client answer true: x", Status: scenario.Failed, Message: message}
		r := resultOf(&scenario.Report{Steps: []scenario.StepResult{s}})
		r.Rule.ID = id
		return r
	}
	twice := `no step expects this answer: {"id":"d`
	report := &Report{Results: []Result{
		failed("A-1", twice+"1"), failed("A-2", twice+"2"), failed("A-3", "nothing of the kind within 5s"), failed("A-4", twice+"3"),
		{Rule: scenario.Rule{ID: "A-5"}, Verdict: Pass}, failed("ANSWER-16", twice+"4"),
	}}
	if got := report.Cause(); got != "" {
		t.Errorf("four failures say %q", got)
	}
	report.Results = append(report.Results, failed("A-6", twice+"5"))
	want := "5 of 6 failures are of one kind (no step expects this answer) and may have one cause: look at ANSWER-16 first"
	if got := report.Cause(); got != want {
		t.Errorf("got %q", got)
	}
	var table strings.Builder
	if err := WriteTable(&table, report, false); err != nil || !strings.Contains(table.String(), want+"\n1 of 7 rules kept") {
		t.Errorf("%v, %s", err, table.String())
	}
	for range 3 {
		report.Results = append(report.Results, failed("A-7", "another"))
	}
	for range 9 {
		report.Results = append(report.Results, failed("A-8", "it came otherwise: x"))
	}
	if got := report.Cause(); got != "" {
		t.Errorf("failures of all kinds say %q", got)
	}
}

// A client that never leaves is waited for three times, and one that has ever left each
// time.
func TestAClientThatNeverLeavesIsNotWaitedForEachTime(t *testing.T) {
	var l lateness
	for range 3 {
		if got := l.patience(time.Second); got != time.Second {
			t.Fatalf("got %v", got)
		}
		l.note(true)
	}
	if got := l.patience(time.Second); got != hasty {
		t.Errorf("got %v", got)
	}
	l.note(false)
	if got := l.patience(time.Second); got != time.Second {
		t.Errorf("got %v", got)
	}

	var rules []*scenario.Scenario
	for _, id := range []string{"C-1", "C-2", "C-3", "C-4", "C-5"} {
		rules = append(rules, rule(t, id, "", "within: 400ms\nsteps:\n  - agent: {confirm: Sure?}\n"))
	}
	stays := pretend{stays: true, play: finish(step(scenario.OK))}
	var run ClientRun
	r, err := CheckClient(t.Context(), stays.start(rules[0], &run), []string{"plays"}, &Options{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"400ms", "400ms", "400ms", "300ms", "300ms"} {
		if got := r.Results[i]; got.Verdict != Fail || got.Message != "the client has not left within "+want+" of the end of its agent" {
			t.Errorf("%s: %s with %q, want %s", got.Rule.ID, got.Verdict, got.Message, want)
		}
	}
	if got := r.Cause(); !strings.HasPrefix(got, "5 of 5 failures are of one kind (the client has not left)") {
		t.Errorf("got %q", got)
	}
}
