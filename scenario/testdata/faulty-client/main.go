// Faulty-client is examples/check-client with one deliberate fault, to see that the
// conformance suite finds it:
//
//	extui check client -- go run ./scenario/testdata/faulty-client --fault twice
//
// --list names the faults, each with the rule that is to catch it. Without a fault it
// keeps all rules.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"

	"extui/scenario/conformance/choices"
	"extui/scenario/testdata/faulty-client/faulty"
)

func main() {
	name := flag.String("fault", "", "the fault; none if empty")
	list := flag.Bool("list", false, "list the faults")
	flag.Parse()
	if *list {
		for _, f := range faulty.Faults {
			fmt.Printf("%-22s %-12s %s\n", f.Name, f.Rule, f.Says)
		}
		return
	}
	if err := run(*name, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "faulty-client:", err)
		if errors.Is(err, choices.ErrCannot) {
			os.Exit(choices.ExitCannot)
		}
		os.Exit(1)
	}
}

// run starts the agent, pi if none is named, and talks to it with that fault.
func run(fault string, agent []string) error {
	f, err := faulty.Named(fault)
	if err != nil {
		return err
	}
	if len(agent) == 0 {
		agent = []string{"pi", "--mode", "rpc"}
	}
	cmd := exec.Command(agent[0], agent[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = faulty.Run(context.Background(), f, os.Getenv, out, in)
	// How the agent ends is for the checker to judge.
	_ = cmd.Wait()
	return err
}
