package main

import (
	"fmt"
	"os"
	"strings"
)

// childWord, as the first argument, makes this program one of the processes that
// it measures. It is no flag: nobody is meant to use it.
const childWord = "bench-child"

// children are the processes by name.
func children() map[string]func(args []string) error {
	return map[string]func([]string) error{
		"agent":    agentChild,
		"agent-ts": scriptChild,
		"bounce":   bounceChild,
		"burst":    burstChild,
		"flood":    floodChild,
		"events":   eventsChild,
	}
}

// childArgs reports whether the arguments of this process ask for a child.
func childArgs(args []string) (name string, rest []string, ok bool) {
	if len(args) < 3 || args[1] != childWord {
		return "", nil, false
	}
	return args[2], args[3:], true
}

// runChild is the whole life of a child; it returns the exit code.
func runChild(name string, args []string) int {
	child := children()[name]
	if child == nil {
		fmt.Fprintf(os.Stderr, "bench: no child process %q\n", name)
		return 2
	}
	if err := child(args); err != nil {
		fmt.Fprintf(os.Stderr, "bench: %s: %v\n", strings.TrimSpace(name+" "+strings.Join(args, " ")), err)
		return 1
	}
	return 0
}

// childCommand returns the command that starts a child.
func childCommand(name string, args ...any) ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	command := []string{self, childWord, name}
	for _, a := range args {
		command = append(command, fmt.Sprint(a))
	}
	return command, nil
}
