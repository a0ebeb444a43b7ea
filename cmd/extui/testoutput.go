package main

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"extui/internal/safetext"
	"extui/scenario"
)

// testOutput prints what happens to scenarios that are played at once, in the order
// of the command line: the first that is not over as it happens, the others when
// their turn comes.
type testOutput struct {
	f *testFlags

	mu     sync.Mutex // guards all below
	w      io.Writer
	err    error // of the first write that failed
	first  int   // the first that is not over
	parked []bytes.Buffer
	over   []bool
}

func newTestOutput(w *world, f *testFlags, n int) *testOutput {
	o := &testOutput{f: f, w: w.stdout, parked: make([]bytes.Buffer, n), over: make([]bool, n)}
	if f.tap {
		o.print(0, fmt.Sprintf("TAP version 13\n1..%d\n", n))
	}
	return o
}

func (o *testOutput) print(i int, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i != o.first {
		o.parked[i].WriteString(text)
		return
	}
	o.write(text)
}

func (o *testOutput) write(text string) {
	if _, err := io.WriteString(o.w, text); err != nil && o.err == nil {
		o.err = err
	}
}

func (o *testOutput) steps() bool { return !o.f.json && !o.f.tap && !o.f.quiet }

func (o *testOutput) begin(i int, s *scenario.Scenario) {
	if o.steps() {
		o.print(i, safetext.Line(s.File)+"\n")
	}
}

func (o *testOutput) step(i int, s scenario.StepResult) {
	if o.steps() {
		o.print(i, stepLines(s))
	}
}

// stepLines is one step for a person.
func stepLines(s scenario.StepResult) string {
	mark := map[scenario.Status]string{scenario.OK: "ok  ", scenario.Failed: "FAIL", scenario.Skipped: "skip", scenario.Updated: "new "}[s.Status]
	where := ""
	if s.Line > 0 {
		where = fmt.Sprintf("%d: ", s.Line)
	}
	text := fmt.Sprintf("  %s %s%s\n", mark, where, safetext.Line(s.Text))
	if s.Message != "" {
		text += "         " + safetext.Line(s.Message) + "\n"
	}
	for _, d := range s.Differ {
		text += "         " + safetext.Line(d.String()) + "\n"
	}
	return text
}

func (o *testOutput) finish(i int, r *scenario.Report, stderr string) {
	var text strings.Builder
	switch {
	case o.f.json:
		text.Write(append(scenario.AppendJSON(nil, r, o.f.wire), '\n'))
	case o.f.tap:
		text.WriteString(scenario.TAP(i+1, r))
	default:
		o.verdict(&text, r, stderr)
	}
	o.print(i, text.String())
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over[i] = true
	for o.first < len(o.over) && o.over[o.first] {
		o.first++
		if o.first < len(o.over) {
			o.write(o.parked[o.first].String())
			o.parked[o.first].Reset()
		}
	}
}

// wireLines are the records of a play, as docs and vectors show them.
func wireLines(r *scenario.Report) string {
	var text strings.Builder
	for _, l := range r.Wire {
		mark := "<"
		if l.From == scenario.Client {
			mark = ">"
		}
		shown := l.Text
		if l.Bytes {
			shown = "bytes " + strconv.QuoteToASCII(shown)
		}
		fmt.Fprintf(&text, "  %s %s\n", mark, safetext.Line(shown))
	}
	return text.String()
}

func (o *testOutput) verdict(text *strings.Builder, r *scenario.Report, stderr string) {
	failed := !r.Passed()
	if o.f.quiet && failed {
		text.WriteString(safetext.Line(r.Scenario.File) + "\n")
		if s := r.Failure(); s != nil {
			text.WriteString(stepLines(*s))
		}
	}
	if o.f.wire {
		text.WriteString(wireLines(r))
	}
	if r.Err != nil {
		text.WriteString("  " + strings.ReplaceAll(safetext.Block(r.Err.Error()), "\n", "\n  ") + "\n")
	}
	if failed && stderr != "" {
		text.WriteString("  the agent's standard error:\n    " + strings.ReplaceAll(safetext.Block(strings.TrimRight(stderr, "\n")), "\n", "\n    ") + "\n")
	}
	switch {
	case failed:
		fmt.Fprintf(text, "FAIL %s\n", safetext.Line(r.Scenario.File))
	case !o.f.quiet:
		clock := " of virtual time"
		if !o.f.virtual() {
			clock = ""
		}
		fmt.Fprintf(text, "pass %s (%v%s)\n", safetext.Line(r.Scenario.File), r.Elapsed.Round(time.Millisecond), clock)
	}
}

// end prints the last line.
func (o *testOutput) end(reports []*scenario.Report) error {
	passed := 0
	for _, r := range reports {
		if r.Passed() {
			passed++
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.f.json && !o.f.tap {
		o.write(fmt.Sprintf("%d of %d scenarios passed\n", passed, len(reports)))
	}
	return printed(0, o.err)
}
