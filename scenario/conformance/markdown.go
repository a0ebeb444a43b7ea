package conformance

import (
	"fmt"
	"io"
	"strings"

	"extui/internal/safetext"
)

// WriteMarkdown writes docs/conformance.md: all rules of the suite by section, with
// severity, sentence, source and the results of reports, and the deviations that are
// known with their reasons. Links lead to the rules' files, from the folder docs. The
// text depends on the reports' verdicts and names alone.
func WriteMarkdown(w io.Writer, reports []*Report) error {
	var out strings.Builder
	all := matrices(reports, true)
	out.WriteString("# Conformance\n\n" +
		"The rules of the RPC extension UI protocol, as `extui check` judges them, and who keeps them.\n" +
		"[checking.md](checking.md) says how an agent or a client is checked.\n\n" +
		"An id keeps its meaning for good and leads to the scenario that judges the rule. A rule that *must* be kept binds;\n" +
		"those that *should* or *may* be kept are reported and fail nothing. \"contract\" as a source is [rules.md](rules.md), \"pi\" and\n" +
		"\"atomic\" are the documents of those agents.\n\n")
	out.WriteString("| verdict | meaning |\n|---|---|\n" +
		"| pass | the rule is kept |\n| **FAIL** | it is not |\n" +
		"| deviates | it is not, which is known; the reasons stand [below](#known-deviations) |\n" +
		"| – | not judged: the implementation lacks what the rule needs, or nobody could choose |\n\n")
	for i := range all {
		writeMarkdownMatrix(&out, &all[i])
	}
	writeDeviations(&out, reports)
	return written(w, strings.TrimRight(out.String(), "\n")+"\n", "rules")
}

func writeMarkdownMatrix(out *strings.Builder, m *matrix) {
	fmt.Fprintf(out, "## Rules for %ss\n\n%d rules.\n\n", m.Role, m.rules())
	if len(m.Reports) > 0 {
		out.WriteString("| | pass | FAIL | deviates | not judged |\n|---|---|---|---|---|\n")
		for _, r := range m.Reports {
			failed := r.Count("", Fail) + r.Count("", Error) + r.Count("", Gone)
			fmt.Fprintf(out, "| %s | %d | %d | %d | %d |\n", cell(r.Implementation), r.Count("", Pass), failed, r.Count("", Expected), r.Count("", Skipped))
		}
		out.WriteString("\n")
	}
	for _, s := range m.Sections {
		fmt.Fprintf(out, "### %s: %s\n\n| rule | severity | what it says | source |", m.Role, s.Name)
		for _, r := range m.Reports {
			fmt.Fprintf(out, " %s |", cell(r.Implementation))
		}
		fmt.Fprintf(out, "\n|---|---|---|---|%s\n", strings.Repeat("---|", len(m.Reports)))
		for _, row := range s.Rows {
			fmt.Fprintf(out, "| [%s](../scenario/conformance/%s/%s.yaml) | %s | %s | %s |", row.Rule.ID, m.Role, row.Rule.ID, row.Rule.Severity, cell(row.Rule.Says), cell(strings.Join(row.Rule.Source, ", ")))
			for _, c := range row.Cells {
				fmt.Fprintf(out, " %s |", markdownWords(c))
			}
			out.WriteString("\n")
		}
		out.WriteString("\n")
	}
}

// markdownWords is a verdict in a cell.
func markdownWords(r *Result) string {
	switch {
	case r == nil:
		return "not checked"
	case r.Verdict == Fail, r.Verdict == Error:
		return "**FAIL**"
	case r.Verdict == Expected:
		return "deviates"
	case r.Verdict == Skipped:
		return "–"
	}
	return r.Verdict.Words()
}

func writeDeviations(out *strings.Builder, reports []*Report) {
	out.WriteString("## Known deviations\n\n")
	none := true
	for _, r := range reports {
		all := r.Deviations()
		if len(all) == 0 {
			continue
		}
		none = false
		fmt.Fprintf(out, "### %s\n\n| rule | severity | what it does instead | why |\n|---|---|---|---|\n", cell(r.Implementation))
		for _, one := range all {
			fmt.Fprintf(out, "| %s | %s | %s | %s |\n", one.Rule.ID, one.Rule.Severity, cell(one.Deviation.Says), cell(one.Deviation.Reason))
		}
		out.WriteString("\n")
	}
	if none {
		out.WriteString("None.\n")
	}
}

// cell is a text within a table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(safetext.Line(s))
}
