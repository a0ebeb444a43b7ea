package conformance

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"extui/scenario"
)

// Verdict is how a rule was judged.
type Verdict string

// The verdicts.
const (
	Pass     Verdict = "pass"
	Fail     Verdict = "fail"
	Skipped  Verdict = "skipped" // not judged; the message says why
	Expected Verdict = "known"   // it fails, as the list of deviations says
	Gone     Verdict = "gone"    // it passes, although the list of deviations says that it fails
	Error    Verdict = "error"   // it could not be judged
)

// Verdicts are all of them, as reports list them.
var Verdicts = []Verdict{Pass, Fail, Error, Gone, Expected, Skipped}

// words are the verdicts for people.
var words = map[Verdict]string{
	Pass: "pass", Fail: "FAIL", Skipped: "not judged", Expected: "known deviation", Gone: "deviation gone", Error: "ERROR",
}

// Words is the verdict for people.
func (v Verdict) Words() string { return words[v] }

// Result is one rule that was judged.
type Result struct {
	Rule    scenario.Rule
	Verdict Verdict
	// Message says why it is no pass: the step, what was waited for and how what came
	// differs, a line each. "" for a pass.
	Message string
	// Deviation is the entry of the list of deviations; nil unless the verdict is
	// [Expected] or [Gone].
	Deviation *Deviation
	// Output is the last that the other end wrote to standard error, and a client to
	// standard output too; "" for a pass.
	Output string
	// Wire is what passed by.
	Wire    []scenario.WireLine
	Elapsed time.Duration

	how string // in what way it failed, without what came; "" if that says nothing
}

// Report is what came of a check.
type Report struct {
	// Role is the end that was judged.
	Role scenario.Role
	// Implementation names what was judged, Command how it was started; both are the
	// caller's and may be empty.
	Implementation string
	Command        []string
	// Dialect and Features are what an agent speaks and can do; empty for a client.
	Dialect  string
	Features []string
	// Unattended says that nobody chose for the client.
	Unattended bool
	// Stopped says that the check was ended before all rules were judged; Results has
	// those that were.
	Stopped bool
	Results []Result
	Elapsed time.Duration
}

func newReport(role scenario.Role) *Report { return &Report{Role: role} }

// Count is how many rules of a severity, or of any if that is "", have a verdict.
func (r *Report) Count(severity scenario.Severity, v Verdict) int {
	n := 0
	for i := range r.Results {
		if one := &r.Results[i]; one.Verdict == v && (severity == "" || one.Rule.Severity == severity) {
			n++
		}
	}
	return n
}

// Conforms reports whether no rule that must be kept has failed and no deviation has
// gone. strict counts all rules. It is false for a check that was stopped.
func (r *Report) Conforms(strict bool) bool {
	if r.Stopped {
		return false
	}
	for i := range r.Results {
		if r.Results[i].Fails(strict) {
			return false
		}
	}
	return true
}

// Fails reports whether a result is one for which [Report.Conforms] says no.
func (r *Result) Fails(strict bool) bool {
	switch r.Verdict {
	case Gone:
		return true
	case Fail, Error:
		return strict || r.Rule.Severity == scenario.Must
	}
	return false
}

// Deviations are the results that the list of known deviations speaks of.
func (r *Report) Deviations() []*Result {
	var all []*Result
	for i := range r.Results {
		if r.Results[i].Deviation != nil {
			all = append(all, &r.Results[i])
		}
	}
	return all
}

// result is the verdict on the rule of that id; nil if it was not judged.
func (r *Report) result(id string) *Result {
	for i := range r.Results {
		if r.Results[i].Rule.ID == id {
			return &r.Results[i]
		}
	}
	return nil
}

// resultOf is the verdict on a play.
func resultOf(p *scenario.Report) Result {
	r := Result{Verdict: Pass, Wire: p.Wire}
	switch {
	case errors.Is(p.Err, errLimit):
		r.Verdict, r.Message = Fail, strings.TrimSpace(trouble(p)+"\nit was stopped: "+errLimit.Error())
	case p.Err != nil:
		r.Verdict, r.Message = Error, p.Err.Error()
	case !p.Passed():
		r.Verdict, r.Message, r.how = Fail, trouble(p), kindOf(p.Failure())
	}
	return r
}

// trouble says where a play failed and how, a few lines.
func trouble(p *scenario.Report) string {
	s := p.Failure()
	switch {
	case s == nil && p.Err != nil:
		return p.Err.Error()
	case s == nil:
		return ""
	}
	text := s.Text
	if s.Line > 0 {
		text = fmt.Sprintf("line %d, %s", s.Line, s.Text)
	}
	if s.Message != "" {
		text += ": " + s.Message
	}
	for _, d := range s.Differ {
		text += "\n" + d.String()
	}
	return text
}
