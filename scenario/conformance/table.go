package conformance

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"extui/internal/safetext"
	"extui/scenario"
)

// WriteTable writes a report for a terminal or a log: a line for each rule if rules is
// true, what is known of deviations, and counts by severity.
func WriteTable(w io.Writer, r *Report, rules bool) error {
	var out strings.Builder
	section := ""
	for i := range r.Results {
		one := &r.Results[i]
		if !rules && one.Verdict != Gone {
			continue
		}
		if one.Rule.Section != section {
			section = one.Rule.Section
			fmt.Fprintf(&out, "\n%s\n", section)
		}
		fmt.Fprintf(&out, "  %-15s %-11s %-6s %s\n", one.Verdict.Words(), one.Rule.ID, one.Rule.Severity, one.Rule.Says)
		if why := one.remark(); why != "" {
			fmt.Fprintf(&out, "  %-15s %-11s %-6s   %s\n", "", "", "", safetext.Line(why))
		}
	}
	if out.Len() > 0 {
		out.WriteString("\n")
	}
	columns := []Verdict{Pass, Fail}
	for _, v := range []Verdict{Error, Gone, Expected, Skipped} {
		if r.Count("", v) > 0 {
			columns = append(columns, v)
		}
	}
	out.WriteString("        ")
	for _, v := range columns {
		fmt.Fprintf(&out, "  %s", v.Words())
	}
	out.WriteString("\n")
	for _, s := range scenario.Severities {
		fmt.Fprintf(&out, "  %-6s", s)
		for _, v := range columns {
			fmt.Fprintf(&out, "  %*d", len(v.Words()), r.Count(s, v))
		}
		out.WriteString("\n")
	}
	if cause := r.Cause(); cause != "" {
		fmt.Fprintf(&out, "%s\n", safetext.Line(cause))
	}
	fmt.Fprintf(&out, "%s\n", r.Summary())
	return written(w, out.String(), "table")
}

// remark is a line about a verdict that is neither pass nor failure.
func (r *Result) remark() string {
	switch {
	case r.Verdict == Expected:
		return r.Deviation.Says + "; " + r.Deviation.Reason
	case r.Verdict == Skipped || r.Verdict == Gone:
		return r.Message
	}
	return ""
}

// Summary is the report in one line.
func (r *Report) Summary() string {
	passed := r.Count("", Pass)
	judged := len(r.Results) - r.Count("", Skipped)
	text := fmt.Sprintf("%d of %d rules kept", passed, judged)
	if n := r.Count("", Expected); n > 0 {
		text += fmt.Sprintf(", %d known deviations", n)
	}
	if n := r.Count("", Gone); n > 0 {
		text += fmt.Sprintf(", %d known deviations gone", n)
	}
	if n := r.Count("", Skipped); n > 0 {
		text += fmt.Sprintf(", %d not judged", n)
	}
	if r.Elapsed > 0 {
		text += fmt.Sprintf(" (%.1f s)", r.Elapsed.Seconds())
	}
	return text
}

// WriteList writes rules, a line each, by section.
func WriteList(w io.Writer, rules []*scenario.Scenario) error {
	var out strings.Builder
	section := ""
	for _, s := range rules {
		if s.Rule.Section != section {
			if section != "" {
				out.WriteString("\n")
			}
			section = s.Rule.Section
			fmt.Fprintf(&out, "%s\n", section)
		}
		needs := ""
		if len(s.Rule.Needs) > 0 {
			needs = " [needs " + strings.Join(s.Rule.Needs, ", ") + "]"
		}
		fmt.Fprintf(&out, "  %-11s %-6s %s%s\n", s.Rule.ID, s.Rule.Severity, s.Rule.Says, needs)
	}
	return written(w, out.String(), "list of rules")
}

// wireLimit is how much of a record reports show.
const wireLimit = 2000

// WireText is a record, or bytes, as reports show it: > from the client, < from the
// agent, and the beginning if it is long.
func WireText(l scenario.WireLine) string {
	mark := "<"
	if l.From == scenario.Client {
		mark = ">"
	}
	text := l.Text
	more := ""
	if len(text) > wireLimit {
		text, more = text[:wireLimit], fmt.Sprintf("… (%d bytes)", len(text))
	}
	if l.Bytes {
		return mark + " bytes " + strconv.QuoteToASCII(text) + more
	}
	return mark + " " + strings.ToValidUTF8(text, "\uFFFD") + more
}

// TAP is the lines of one result in the Test Anything Protocol 13; number counts from
// 1. The caller writes version and plan.
func TAP(number int, r *Result) string {
	clean := func(s string) string {
		return strings.NewReplacer("\\", "\\\\", "#", "\\#", "\n", " ").Replace(safetext.Line(s))
	}
	line := fmt.Sprintf("%d - %s %s", number, r.Rule.ID, clean(r.Rule.Says))
	switch r.Verdict {
	case Pass:
		return "ok " + line + "\n"
	case Skipped:
		return "ok " + line + " # SKIP " + clean(r.Message) + "\n"
	case Expected:
		return "not ok " + line + " # TODO " + clean(r.Deviation.Reason) + "\n"
	}
	return fmt.Sprintf("not ok %s\n  ---\n  severity: %s\n  message: |\n    %s\n  ...\n", line, r.Rule.Severity,
		strings.ReplaceAll(safetext.Block(r.Message), "\n", "\n    "))
}

func written(w io.Writer, text, what string) error {
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("write %s: %w", what, err)
	}
	return nil
}
