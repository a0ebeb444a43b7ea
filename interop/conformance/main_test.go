package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"extui/internal/long"
	"extui/internal/pi"
	"extui/scenario"
	"extui/scenario/conformance"
)

// The test binary is the client under test where the checker starts it as one.
func TestMain(m *testing.M) {
	code, err := inside(context.Background(), os.Args[1:])
	if errors.Is(err, errOutside) {
		goleak.VerifyTestMain(m)
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func module(t *testing.T) string {
	t.Helper()
	root, err := pi.ModuleRoot()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// The pages are what the rules and the results give.
func TestPagesAreCurrent(t *testing.T) {
	root := module(t)
	all, err := readResults(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, page := range pages {
		var want bytes.Buffer
		if err := page(&want, all); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want.Bytes()) {
			t.Errorf("docs/%s is not what the rules and results give; run go run ./interop/conformance --write-only", name)
		}
	}
}

// The result of one rule takes the place of the old one, and the others stay as they are.
func TestMergedKeepsTheOthers(t *testing.T) {
	root := module(t)
	for _, s := range table {
		old, err := readResult(root, s)
		if err != nil {
			t.Fatal(err)
		}
		rule := conformance.Rules(s.role)[3].Rule
		fresh := conformance.Result{Rule: *rule, Verdict: conformance.Fail, Message: "new"}
		r, err := merged(root, s, &conformance.Report{Results: []conformance.Result{fresh}})
		if err != nil {
			t.Fatal(err)
		}
		for i, one := range r.Results {
			if one.Rule.ID == rule.ID {
				if one.Message != "new" {
					t.Errorf("%s: %s is still %q", s.name, rule.ID, one.Message)
				}
				r.Results[i] = old.Results[i]
			}
		}
		dir := t.TempDir()
		if err := writeResult(dir, s, r); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(resultFile(dir, s))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(resultFile(root, s))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the results of the other rules have changed; got\n%s", s.name, got)
		}
	}
}

// Each rule was judged, and what failed is a deviation with its reason.
func TestResultsAreWhole(t *testing.T) {
	root := module(t)
	all, err := readResults(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(table) {
		t.Fatalf("results of %d implementations, want %d; run go run ./interop/conformance", len(all), len(table))
	}
	for i, s := range table {
		judged, says := map[string]conformance.Verdict{}, map[string]string{}
		for _, r := range all[i].Results {
			judged[r.Rule.ID], says[r.Rule.ID] = r.Verdict, string(r.Rule.Severity)+": "+r.Rule.Says
			if r.Fails(true) {
				t.Errorf("%s: %s: %s: %s", s.name, r.Rule.ID, r.Verdict, r.Message)
			}
		}
		for _, rule := range conformance.Rules(s.role) {
			if judged[rule.Rule.ID] == "" {
				t.Errorf("%s: %s was not judged; run go run ./interop/conformance --merge --rule %[2]s", s.name, rule.Rule.ID)
			} else if now := string(rule.Rule.Severity) + ": " + rule.Rule.Says; says[rule.Rule.ID] != now {
				t.Errorf("%s: %s was judged when it said %q; run go run ./interop/conformance --merge --rule %[2]s", s.name, rule.Rule.ID, says[rule.Rule.ID])
			}
			delete(judged, rule.Rule.ID)
		}
		for id := range judged {
			t.Errorf("%s: there is no rule %s any more", s.name, id)
		}
	}
}

// sample is how many rules are judged anew of those that an implementation keeps: every
// twelfth of an agent's and every 24th of a client's. All of them are what
// go run ./interop/conformance judges.
var sample = map[scenario.Role]int{scenario.Agent: 12, scenario.Client: 24}

// pi, its clients and our own do what the results say: each listed deviation is one
// still, and none has come to a sample of the others.
func TestResultsAreStillSo(t *testing.T) {
	long.Test(t)
	root := module(t)
	b, err := newBench(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	kept, err := readResults(root)
	if err != nil || len(kept) != len(table) {
		t.Fatalf("%d results, %v", len(kept), err)
	}
	for i, s := range b.subjects() {
		t.Run(s.file, func(t *testing.T) {
			was, seen := map[string]conformance.Verdict{}, 0
			for _, r := range kept[i].Results {
				was[r.Rule.ID] = r.Verdict
			}
			changed := b.changed(t, s, 3, was, func(id string) bool {
				if was[id] == conformance.Skipped {
					return false
				}
				seen++
				return was[id] != conformance.Pass || seen%sample[s.role] == 1
			})
			if len(changed) == 0 {
				return
			}
			// A machine that is too busy for three at once may not be too busy for one.
			for id, what := range b.changed(t, s, 1, was, func(id string) bool { return changed[id] != "" }) {
				t.Errorf("%s %s", id, what)
			}
		})
	}
}

// changed judges rules and says which have another verdict than they had.
func (b *bench) changed(t *testing.T, s subject, jobs int, was map[string]conformance.Verdict, wanted func(id string) bool) map[string]string {
	t.Helper()
	report, err := b.check(t.Context(), s, jobs, wanted)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	changed := map[string]string{}
	for _, r := range report.Results {
		if r.Verdict != was[r.Rule.ID] {
			changed[r.Rule.ID] = fmt.Sprintf("is %q now and was %q: %s", r.Verdict, was[r.Rule.ID], r.Message)
		}
	}
	return changed
}
