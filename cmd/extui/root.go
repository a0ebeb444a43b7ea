package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
)

// execute runs the program in w and returns its exit code.
func execute(w *world) int {
	root := newRoot(w)
	root.SetArgs(w.args)
	root.SetIn(w.stdin)
	root.SetOut(w.stdout)
	root.SetErr(w.stderr)
	err := fang.Execute(context.Background(), root,
		fang.WithoutManpage(),
		fang.WithVersion(buildVersion().Version),
		fang.WithColorSchemeFunc(fang.AnsiColorScheme),
		// report prints errors, the same way on a terminal and in a log.
		fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}),
	)
	return report(w.stderr, err)
}

func newRoot(w *world) *cobra.Command {
	root := &cobra.Command{
		Use:   "extui",
		Short: "Answer the dialogs of a coding agent's extensions",
		Long: lines(
			"A coding agent such as pi, Atomic or oh-my-pi that runs without a screen sends the",
			"questions of its extensions to its client. extui is that client, and that agent too.",
			"",
			"Try it: extui run starts a demo agent. Type /demo there.",
		),
		Example: lines(
			"# The demo agent",
			"extui run",
			"# pi",
			"extui run -- pi --mode rpc",
		),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			hint := "extui --help lists the commands"
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				hint = "did you mean " + strings.Join(near, " or ") + "?"
			}
			return usageError(hint, "unknown command %q", args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError(cmd.CommandPath()+" --help lists the flags", "%w", err)
	})
	root.AddCommand(newRun(w), newAgent(w), newSchema(w), newVersion(w))
	return root
}

// lines joins the lines of a help text.
func lines(all ...string) string { return strings.Join(all, "\n") }

// noArguments is the Args of a command that takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError(cmd.CommandPath()+" --help shows how to call it", "%s takes no arguments, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// oneOf returns an error unless value is one of known.
func oneOf(flag, what, value string, known []string) error {
	for _, k := range known {
		if k == value {
			return nil
		}
	}
	return usageError(fmt.Sprintf("--%s takes one of: %s", flag, strings.Join(known, ", ")), "unknown %s %q", what, value)
}
