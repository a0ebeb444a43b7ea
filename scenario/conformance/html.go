package conformance

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"extui/internal/safetext"
	"extui/scenario"
)

//go:embed page.html
var pageSource string

// page is parsed when it is needed: every start of the program would pay for it.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"words":      Verdict.Words,
		"severities": func() []scenario.Severity { return scenario.Severities },
		"verdicts":   func() []Verdict { return Verdicts },
		"join":       func(all []string) string { return strings.Join(all, ", ") },
		"shown":      safetext.Block,
		"wire":       func(l scenario.WireLine) string { return safetext.Line(WireText(l)) },
		"quoted":     quotedCommand,
		"title":      func(r scenario.Role) string { return strings.ToUpper(string(r[:1])) + string(r[1:]) + "s" },
		"wide":       func(m matrix) int { return 3 + len(m.Reports) },
	}).Parse(pageSource))
})

// WriteHTML writes reports as one page that needs nothing else: for agents and for
// clients a table of rules by implementations, and each failure with what was
// otherwise.
func WriteHTML(w io.Writer, reports []*Report) error {
	var out strings.Builder
	if err := page().Execute(&out, matrices(reports, false)); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return written(w, out.String(), "page")
}

// quotedCommand is a command line as a shell takes it.
func quotedCommand(argv []string) string {
	var all []string
	for _, arg := range argv {
		if arg == "" || strings.ContainsAny(arg, " \t\n'\"\\$`*?;&|<>()[]{}#~") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		all = append(all, safetext.Line(arg))
	}
	return strings.Join(all, " ")
}
