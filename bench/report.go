package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

// A Report is the outcome of a run.
type Report struct {
	OS, Arch string
	CPUs     int
	Go       string
	Pi       bool // the real pi agent was measured too
	Rows     []Row
}

// A Row is one measured thing and what stands beside it.
type Row struct {
	Figure   string // in what a figure returns: what to append to its name
	What     string // set by the report
	Unit     string
	Measured Samples
	Limit    *Goal    `json:",omitempty"` // for Measured itself
	Beside   []Beside `json:",omitempty"`
	Skipped  bool     `json:",omitempty"` // Err says why it could not be measured here
	Err      string   `json:",omitempty"` // what failed

	err error
}

// Beside is another series from the same run, in the same unit.
type Beside struct {
	Name    string
	Samples Samples
	Goal    *Goal `json:",omitempty"` // for the ratio of Measured to this
}

// A Goal bounds a number.
type Goal struct {
	AtLeast bool // otherwise at most
	Value   float64
}

func atMost(v float64) *Goal  { return &Goal{Value: v} }
func atLeast(v float64) *Goal { return &Goal{AtLeast: true, Value: v} }

// met says what became of the goal.
func (g *Goal) met(v float64) string {
	if g.AtLeast == (v >= g.Value) || v == g.Value {
		return "met"
	}
	return "missed"
}

func (g *Goal) sign() string {
	if g.AtLeast {
		return "≥"
	}
	return "≤"
}

// Samples are the rounds of one series, in the order in which they were made.
type Samples []float64

// Median returns the middle of s, 0 if s is empty.
func (s Samples) Median() float64 {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return (sorted[(len(s)-1)/2] + sorted[len(s)/2]) / 2
}

// Spread returns half the distance between the first and the third quartile, as
// a part of the median.
func (s Samples) Spread() float64 {
	if len(s) < 2 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	quarter := (len(s) - 1) / 4
	return (sorted[len(s)-1-quarter] - sorted[quarter]) / 2 / s.Median()
}

// ratios returns the lowest and the highest ratio of a round of s to the round of
// t beside it.
func (s Samples) ratios(t Samples) (low, high float64) {
	low = math.Inf(1)
	for i := range min(len(s), len(t)) {
		low, high = min(low, s[i]/t[i]), max(high, s[i]/t[i])
	}
	return low, high
}

func (s Samples) format(unit string) string {
	return fmt.Sprintf("%s ±%.0f %%", number(s.Median(), unit), 100*s.Spread())
}

// number shows three digits, or all of a large number.
func number(v float64, unit string) string {
	switch {
	case v >= 10_000:
		return fmt.Sprintf("%.0fk %s", v/1000, unit)
	case v >= 100:
		return fmt.Sprintf("%.0f %s", v, unit)
	case v >= 10:
		return fmt.Sprintf("%.1f %s", v, unit)
	}
	return fmt.Sprintf("%.2f %s", v, unit)
}

// print writes the table.
func (r *Report) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s/%s, %d CPUs, %s; medians of interleaved rounds, ± half the interquartile range\n\n", r.OS, r.Arch, r.CPUs, r.Go)
	fmt.Fprintln(t, "figure\tmeasured\tbeside it\tratio\tlow–high\tgoal\t")
	for _, row := range r.Rows {
		row.print(t)
	}
	fmt.Fprintln(t)
	what := ""
	for _, row := range r.Rows {
		if row.What != what {
			what = row.What
			name, _, _ := strings.Cut(row.Figure, "/")
			fmt.Fprintf(t, "%s\t%s\n", name, what)
		}
	}
	return t.Flush()
}

func (row *Row) print(w io.Writer) {
	if row.Err != "" {
		fmt.Fprintf(w, "%s\t%s\n", row.Figure, row.Err)
		return
	}
	name, measured := row.Figure, row.Measured.format(row.Unit)
	if row.Limit != nil || len(row.Beside) == 0 {
		goal := ""
		if g := row.Limit; g != nil {
			goal = fmt.Sprintf("%s %s: %s", g.sign(), number(g.Value, row.Unit), g.met(row.Measured.Median()))
		}
		fmt.Fprintf(w, "%s\t%s\t\t\t\t%s\t\n", name, measured, goal)
		name, measured = "", ""
	}
	for _, b := range row.Beside {
		ratio := row.Measured.Median() / b.Samples.Median()
		low, high := row.Measured.ratios(b.Samples)
		goal := ""
		if b.Goal != nil {
			goal = fmt.Sprintf("%s %.2g: %s", b.Goal.sign(), b.Goal.Value, b.Goal.met(ratio))
		}
		fmt.Fprintf(w, "%s\t%s\t%s %s\t%.2f\t%.2f–%.2f\t%s\t\n", name, measured, b.Name, b.Samples.format(row.Unit), ratio, low, high, goal)
		name, measured = "", ""
	}
}

// failure returns what could not be measured though it should have been.
func (r *Report) failure() error {
	var all []error
	for _, row := range r.Rows {
		if row.Err != "" && !row.Skipped {
			all = append(all, fmt.Errorf("%s: %w", row.Figure, cmp.Or(row.err, errSkip)))
		}
	}
	return errors.Join(all...)
}
