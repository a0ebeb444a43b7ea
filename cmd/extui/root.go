package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// execute runs the program in w and returns its exit code.
func execute(w *world) int {
	root := newRoot(w)
	root.SetArgs(w.args)
	root.SetIn(w.stdin)
	out := &firstError{w: w.stdout}
	root.SetOut(out)
	root.SetErr(w.stderr)
	root.SetHelpFunc(help(w))
	root.Version = buildVersion().Version
	// report prints errors, the same way on a terminal and in a log.
	root.SilenceErrors, root.SilenceUsage = true, true
	err := root.ExecuteContext(context.Background())
	if out.err != nil && (err == nil || errors.Is(err, out.err)) {
		err = printed(0, out.err)
	}
	return report(w.stderr, err)
}

// firstError keeps the first error of writing, which those who print help texts
// do not look at.
type firstError struct {
	w   io.Writer
	err error
}

func (f *firstError) Write(b []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.w.Write(b)
	f.err = err
	return n, err
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
		if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
			err = invalidValue(invalid)
		}
		return usageError(cmd.CommandPath()+" --help lists the flags", "%w", err)
	})
	root.AddCommand(newRun(w), newAgent(w), newTest(w), newPlay(w), newRecord(w), newCheck(w), newProxy(w), newPolicy(w), newSchema(w), newVersion(w))
	return root
}

// units says what the numbers of a flag count.
var units = map[string]string{"max-record": "bytes", "extension-memory": "megabytes", "jobs": "processes"}

// invalidValue says what is wrong with the value of a flag, in words of the
// command line instead of those of the parser.
func invalidValue(invalid *pflag.InvalidValueError) error {
	f := invalid.GetFlag()
	want := "not a " + f.Value.Type()
	switch f.Value.Type() {
	case "int":
		want = "not a number of " + units[f.Name]
		if errors.Is(invalid, strconv.ErrRange) {
			want = "too large"
		}
	case "bool":
		want = "neither true nor false"
	case "duration":
		want = "not a time such as 10s or 2m"
	}
	return fmt.Errorf("invalid --%s %q: it is %s", f.Name, invalid.GetValue(), want)
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
