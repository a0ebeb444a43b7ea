package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"extui/policy"
)

func newPolicyCheck(w *world) *cobra.Command {
	c := policyCheck{w: w.stdout}
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Say what is wrong with policy files",
		Long: lines(
			"Reads each FILE and prints its mistakes, each with its line, column and key; and warnings of",
			"rules that approve more than it seems: those for which it is not certain that what they",
			"match holds a text that somebody wrote down, and those that approve by a broad pattern.",
			"",
			"With --json it prints nothing but one JSON object a line for each of them: file, line, column,",
			"severity (error or warning), field, value and message. What there is none of is left out.",
			"",
			"Exit codes:",
			"  0    all files are policies; there may be warnings",
			"  1    one is not; with --strict also if there are warnings",
			"  2    the command line makes no sense, or a file cannot be read",
		),
		Example: lines(
			"extui policy check ci.policy.yaml",
			"extui policy check --strict --json *.policy.yaml",
		),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("extui policy check FILE", "no policy to check")
			}
			return c.all(args)
		},
	}
	cmd.Flags().BoolVar(&c.strict, "strict", false, "exit with 1 for a warning, too")
	cmd.Flags().BoolVar(&c.json, "json", false, "print one JSON object for each mistake and warning")
	return cmd
}

// policyCheck prints what is wrong with policies.
type policyCheck struct {
	w            io.Writer
	strict, json bool
	bad          bool // A file is no policy, or not good enough.
}

// finding is one mistake or warning. Its members are documented in docs/policy.md.
type finding struct {
	File     string `json:"file"`
	Line     int    `json:"line,omitzero"`
	Column   int    `json:"column,omitzero"`
	Severity string `json:"severity"`
	Field    string `json:"field,omitzero"`
	Value    string `json:"value,omitzero"`
	Message  string `json:"message"`
}

// all checks each file once.
func (c *policyCheck) all(files []string) error {
	var unread []error
	for i, file := range files {
		if slices.Contains(files[:i], file) {
			continue
		}
		rules, err := policy.Load(file)
		switch {
		case err == nil:
			err = c.good(file, rules)
		case errors.Is(err, policy.ErrSyntax):
			err = c.mistakes(err)
		default:
			unread = append(unread, err)
			err = nil
			if c.json {
				err = c.print(finding{File: file, Severity: "error", Message: unread[len(unread)-1].Error()}, "")
			}
		}
		if err != nil {
			return printed(0, err)
		}
	}
	switch {
	case unread != nil && c.json:
		return &failure{code: codeUsage}
	case unread != nil:
		return unreadPolicy(errors.Join(unread...))
	case c.bad:
		return &failure{code: codeFailed}
	}
	return nil
}

// good prints the warnings of a policy.
func (c *policyCheck) good(file string, rules *policy.Rules) error {
	for _, x := range rules.Warnings() {
		c.bad = c.bad || c.strict
		f := finding{File: x.File, Line: x.Line, Column: x.Column, Severity: "warning", Field: x.Field, Message: x.Text}
		if err := c.print(f, x.String()); err != nil {
			return err
		}
	}
	if c.json {
		return nil
	}
	_, err := fmt.Fprintf(c.w, "%s: ok, %s\n", file, counted(rules.Len(), "rule"))
	return err
}

// mistakes prints the syntax errors in err.
func (c *policyCheck) mistakes(err error) error {
	c.bad = true
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	for _, err := range all {
		f := finding{Severity: "error", Message: err.Error()}
		if x, ok := errors.AsType[*policy.SyntaxError](err); ok {
			f = finding{File: x.File, Line: x.Line, Column: x.Column, Severity: "error", Field: x.Field, Value: x.Value, Message: x.Want}
		}
		if err := c.print(f, err.Error()); err != nil {
			return err
		}
	}
	return nil
}

// print prints one finding, which text is for a person.
func (c *policyCheck) print(f finding, text string) error {
	if c.json {
		b, err := json.Marshal(f, jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return err
		}
		text = string(b)
	}
	_, err := fmt.Fprintln(c.w, text)
	return err
}
