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
	if errors.Is(err, policy.ErrSyntax) {
		return nil, &failure{codeUsage, err, "docs/policy.md is the manual of the format"}
	}
	return nil, unreadPolicy(err)
}

// unreadPolicy is the outcome of every command that cannot read its policy.
func unreadPolicy(err error) error {
	return &failure{codeUsage, err, "put the path of a policy file there"}
}
