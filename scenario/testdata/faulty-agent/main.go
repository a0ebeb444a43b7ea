// Faulty-agent is extui's own agent, with the commands of the conformance suite's probe
// built in and with one deliberate fault, to see that the suite finds it:
//
//	go build -o faulty-agent ./scenario/testdata/faulty-agent
//	extui check agent --no-probe -- ./faulty-agent --fault exits-on-null
//
// --list names the faults, each with the rule that is to catch it. Without a fault it
// keeps all rules.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"extui/scenario/testdata/faulty-agent/faulty"
)

func main() {
	name := flag.String("fault", "", "the fault; none if empty")
	dialect := flag.String("dialect", "atomic", "atomic or pi")
	list := flag.Bool("list", false, "list the faults")
	flag.Parse()
	if *list {
		for _, f := range faulty.Faults() {
			fmt.Printf("%-32s %-12s %s\n", f.Name, f.Rule, f.Says)
		}
		return
	}
	fault, err := faulty.Named(*name)
	if err != nil {
		fmt.Fprintln(os.Stderr, "faulty-agent:", err)
		os.Exit(2)
	}
	os.Exit(faulty.Run(context.Background(), &faulty.Process{
		Fault: fault, Dialect: *dialect, Getenv: os.Getenv, In: os.Stdin, Out: os.Stdout, Stderr: os.Stderr, Signals: signals(),
	}))
}

// signals are the names of those that end the agent, as they come.
func signals() <-chan string {
	came := make(chan os.Signal, 2)
	signal.Notify(came, syscall.SIGTERM, syscall.SIGHUP)
	names := make(chan string, 2)
	go func() {
		for s := range came {
			if s == syscall.SIGHUP {
				names <- "HUP"
			} else {
				names <- "TERM"
			}
		}
	}()
	return names
}
