package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"extui/internal/safetext"
	"extui/scenario/conformance"
)

func newCheckReport(w *world) *cobra.Command {
	var html, markdown string
	cmd := &cobra.Command{
		Use:   "report RESULT.json... [flags]",
		Short: "Make one page of several results",
		Long: lines(
			"Reads the files that check agent --json and check client --json wrote, and writes one page",
			"with a table of rules by implementations: --html is complete in itself, --markdown is",
			"docs/conformance.md, with all rules of the suite. Without either it prints a line for each.",
		),
		Example: lines(
			"extui check report extui.json pi.json --html conformance.html",
			"extui check report *.json --markdown -",
		),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("extui check agent --json FILE -- AGENT makes one", "no results to report")
			}
			if err := keepInputs(args, written{"html", html}, written{"markdown", markdown}); err != nil {
				return err
			}
			var reports []*conformance.Report
			for _, name := range args {
				r, err := readResults(name)
				if err != nil {
					return &failure{codeUsage, fmt.Errorf("%s: %w", name, err), "results are what extui check agent --json FILE writes"}
				}
				reports = append(reports, r)
			}
			if html == "" && markdown == "" {
				for _, r := range reports {
					if _, err := fmt.Fprintf(w.stdout, "%-7s %s: %s\n", r.Role, safetext.Line(r.Implementation), r.Summary()); err != nil {
						return printed(0, err)
					}
				}
				return nil
			}
			return errors.Join(
				writeTo(html, w.stdout, func(out io.Writer) error { return conformance.WriteHTML(out, reports) }),
				writeTo(markdown, w.stdout, func(out io.Writer) error { return conformance.WriteMarkdown(out, reports) }),
			)
		},
	}
	cmd.Flags().StringVar(&html, "html", "", "write one HTML page to this file, or - for standard output")
	cmd.Flags().StringVar(&markdown, "markdown", "", "write Markdown to this file, or - for standard output")
	return cmd
}

func readResults(name string) (*conformance.Report, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return conformance.ReadJSON(file)
}

// writeTo writes to a file, to stdout if its name is -, and not at all if it has none.
func writeTo(name string, stdout io.Writer, write func(io.Writer) error) error {
	switch name {
	case "":
		return nil
	case "-":
		return printed(0, write(stdout))
	}
	file, err := os.Create(name)
	if err == nil {
		err = errors.Join(write(file), file.Close())
	}
	if err != nil {
		return &failure{codeFailed, err, ""}
	}
	return nil
}
