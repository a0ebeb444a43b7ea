package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"extui/policy"
)

func newPolicy(w *world) *cobra.Command {
	var schema bool
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Check and try rules that answer dialogs",
		Long: lines(
			"A policy is a file of rules that answer an agent's dialogs in the place of a person, for",
			"extui run --policy. docs/policy.md is the manual of the format.",
			"",
			"Nothing is ever approved that no rule grants: what no rule covers is cancelled.",
		),
		Example: lines(
			"extui policy check ci.policy.yaml",
			"extui policy test ci.policy.yaml < requests.jsonl",
			"extui run --policy ci.policy.yaml --ui none --prompt /deploy -- pi --mode rpc",
		),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError("extui policy --help lists the commands", "unknown command %q", "policy "+args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if schema {
				return printed(w.stdout.Write(policy.Schema()))
			}
			return cmd.Help()
		},
	}
	cmd.Flags().BoolVar(&schema, "print-schema", false, "print the JSON Schema of a policy file, for editors")
	cmd.AddCommand(newPolicyCheck(w), newPolicyTest(w))
	return cmd
}

func newPolicyCheck(w *world) *cobra.Command {
	var strict bool
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Say what is wrong with policy files",
		Long: lines(
			"Reads each FILE and prints its mistakes, each with its line, column and key; and warnings of",
			"rules that approve more than it seems, such as those that approve by a broad pattern.",
			"",
			"Exit codes:",
			"  0    all files are policies; there may be warnings",
			"  1    one is not; with --strict also if there are warnings",
			"  2    the command line makes no sense",
		),
		Example: "extui policy check ci.policy.yaml",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("extui policy check FILE", "no policy to check")
			}
			return checkPolicies(w, args, strict)
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "exit with 1 for a warning, too")
	return cmd
}

func checkPolicies(w *world, files []string, strict bool) error {
	bad := false
	for _, file := range files {
		rules, err := policy.Load(file)
		if err != nil {
			bad = true
			if _, err := fmt.Fprintln(w.stdout, err); err != nil {
				return printed(0, err)
			}
			continue
		}
		warnings := rules.Warnings()
		bad = bad || strict && len(warnings) > 0
		for _, warning := range warnings {
			if _, err := fmt.Fprintln(w.stdout, warning); err != nil {
				return printed(0, err)
			}
		}
		if _, err := fmt.Fprintf(w.stdout, "%s: ok, %s\n", file, counted(rules.Len(), "rule")); err != nil {
			return printed(0, err)
		}
	}
	if bad {
		return &failure{code: codeFailed}
	}
	return nil
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// loadPolicy reads the policy of a command line.
func loadPolicy(file string) (*policy.Rules, error) {
	rules, err := policy.Load(file)
	if err == nil {
		return rules, nil
	}
	hint := "put the path of a policy file there"
	if errors.Is(err, policy.ErrSyntax) {
		hint = "docs/policy.md is the manual of the format"
	}
	return nil, &failure{codeUsage, err, hint}
}
