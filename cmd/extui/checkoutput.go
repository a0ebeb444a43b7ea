package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"extui/internal/safetext"
	"extui/scenario"
	"extui/scenario/conformance"
)

// checkOutput prints what comes of the rules: failures as they come, and where the
// check is on standard error. Its methods are called one at a time.
type checkOutput struct {
	f      *checkFlags
	w      io.Writer // standard output
	stdout io.Writer // the same, even if w is not to be seen
	status io.Writer // standard error
	line   bool      // status is a terminal, and its last line ours
	total  int
	judged int
	failed int
	last   time.Time // of the last line that tells where the check is
	now    func() time.Time
	err    error // of the first write to w that failed
}

func newCheckOutput(w *world, f *checkFlags, total int) *checkOutput {
	o := &checkOutput{f: f, w: w.stdout, stdout: w.stdout, status: w.stderr, line: isTerminal(w.stderr), total: total, now: w.now, last: w.now()}
	if f.jsonFile == "-" {
		o.w = io.Discard
	}
	if f.tap {
		o.print(fmt.Sprintf("TAP version 13\n1..%d\n", total))
	}
	return o
}

func (o *checkOutput) print(text string) {
	if _, err := io.WriteString(o.w, text); err != nil && o.err == nil {
		o.err = err
	}
}

// begin shows on a terminal which rule is checked.
func (o *checkOutput) begin(rule *scenario.Rule) {
	if o.line {
		fmt.Fprintf(o.status, "\r\x1b[K%s %s", o.where(), rule.ID)
	}
}

// where is how far the check is.
func (o *checkOutput) where() string {
	return fmt.Sprintf("%d of %d, %d failed:", o.judged, o.total, o.failed)
}

// clear removes the line that begin has left.
func (o *checkOutput) clear() {
	if o.line {
		fmt.Fprint(o.status, "\r\x1b[K")
	}
}

// tellEvery is how often a log is told where a long check is.
const tellEvery = 10 * time.Second

func (o *checkOutput) done(r *conformance.Result) {
	o.judged++
	bad := r.Verdict == conformance.Fail || r.Verdict == conformance.Error || r.Verdict == conformance.Gone
	if bad {
		o.failed++
	}
	o.clear()
	switch {
	case o.f.tap:
		o.print(conformance.TAP(o.judged, r))
	case bad:
		o.print(o.failure(r))
	}
	if now := o.now(); !o.line && now.Sub(o.last) >= tellEvery {
		o.last = now
		fmt.Fprintf(o.status, "extui: %s %s\n", o.where(), r.Rule.ID)
	}
}

// failure is a rule that failed: its sentence, what was otherwise, and what passed by.
func (o *checkOutput) failure(r *conformance.Result) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s %s (%s) %s\n", r.Verdict.Words(), r.Rule.ID, r.Rule.Severity, r.Rule.Says)
	indented := func(s string) string { return strings.ReplaceAll(safetext.Block(s), "\n", "\n     ") }
	fmt.Fprintf(&text, "     %s\n", indented(r.Message))
	if o.f.wire {
		for _, l := range r.Wire {
			fmt.Fprintf(&text, "     %s\n", safetext.Line(conformance.WireText(l)))
		}
	}
	if r.Output != "" {
		fmt.Fprintf(&text, "     what the %s printed:\n     | %s\n", o.f.role, strings.ReplaceAll(safetext.Block(r.Output), "\n", "\n     | "))
	}
	return text.String()
}

// end prints the table and writes the files.
func (o *checkOutput) end(r *conformance.Report) error {
	if !o.f.tap {
		if err := conformance.WriteTable(o.w, r, !o.f.quiet); err != nil && o.err == nil {
			o.err = err
		}
	}
	if o.err != nil {
		return printed(0, o.err)
	}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{o.f.jsonFile, func(w io.Writer) error {
			return conformance.WriteJSON(w, r, &conformance.JSONOptions{Wire: o.f.wire, Times: true})
		}},
		{o.f.html, func(w io.Writer) error { return conformance.WriteHTML(w, []*conformance.Report{r}) }},
		{o.f.junit, func(w io.Writer) error { return conformance.WriteJUnit(w, r, o.f.strict) }},
	} {
		if err := writeTo(file.name, o.stdout, file.write); err != nil {
			return err
		}
	}
	return nil
}
