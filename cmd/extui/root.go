package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// execute runs the program in w and returns its exit code.
func execute(w *world) int {
	root := newRoot(w)
	root.SetArgs(w.args)
	root.SetIn(w.stdin)
	text := &trimmed{w: w.stdout}
	root.SetOut(text)
	if isTerminal(w.stdout) {
		root.SetOut(w.stdout) // Itself, so that its width and colors are found.
	}
	root.SetErr(w.stderr)
	err := fang.Execute(context.Background(), root,
		fang.WithoutManpage(),
		fang.WithVersion(buildVersion().Version),
		fang.WithColorSchemeFunc(fang.AnsiColorScheme),
		// report prints errors, the same way on a terminal and in a log.
		fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}),
	)
	if lost := text.flush(); lost != nil && (err == nil || errors.Is(err, lost)) {
		err = printed(0, lost)
	}
	return report(w.stderr, err)
}

// trimmed takes the blanks off the ends of lines: help texts are padded to the
// width of a terminal, which a file or a pager has no use for.
type trimmed struct {
	w    io.Writer
	rest []byte // Of a line that has not ended.
	err  error  // The first of writing.
}

func (t *trimmed) Write(b []byte) (int, error) {
	t.rest = append(t.rest, b...)
	for t.err == nil {
		line, rest, found := bytes.Cut(t.rest, []byte("\n"))
		if !found {
			return len(b), nil
		}
		_, t.err = t.w.Write(append(bytes.TrimRight(line, " "), '\n'))
		t.rest = rest
	}
	return 0, t.err
}

// flush writes a last line without an end. It returns the first error of all
// writing, which those who print help texts do not look at.
func (t *trimmed) flush() error {
	if t.err == nil && len(t.rest) > 0 {
		_, t.err = t.w.Write(bytes.TrimRight(t.rest, " "))
		t.rest = nil
	}
	return t.err
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
	root.AddCommand(newRun(w), newAgent(w), newSchema(w), newVersion(w))
	return root
}

// units says what the numbers of a flag count.
var units = map[string]string{"max-record": "bytes", "extension-memory": "megabytes"}

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
