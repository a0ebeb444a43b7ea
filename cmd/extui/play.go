package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"extui/internal/safetext"
	"extui/scenario"
)

func newPlay(w *world) *cobra.Command {
	var verbose, wire bool
	var junit string
	cmd := &cobra.Command{
		Use:   "play FILE [flags]",
		Short: "Be the agent of a scenario, to test a client",
		Long: lines(
			"Plays the agent of a scenario, or of a recording, on standard input and output, and judges",
			"what the client sends. Start it from your client in the place of an agent. The verdict is on",
			"standard error and in the exit code. docs/scenarios.md is the manual of the format.",
			"",
			"After the last step it waits for the client to close its side, no longer than a step may take.",
			"",
			"Exit codes:",
			"  0    the client did what the scenario says, or the code of the scenario's exit",
			"  1    it did not",
			"  2    the command line, or the scenario, makes no sense",
		),
		Example: lines(
			"# In the place of pi",
			"my-client -- extui play approve.yaml",
			"# extui as the client",
			"extui run --prompt /deploy -- extui play deploy.yaml",
		),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError("extui play FILE plays one scenario", "one scenario at a time, got %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := scenario.Load(args[0])
			if err == nil {
				err = s.CheckRole(scenario.Agent)
			}
			if err != nil {
				return &failure{codeUsage, err, "docs/scenarios.md is the manual of the format"}
			}
			w.claimStdout()
			return playAgent(w, s, verbose, wire, junit)
		},
	}
	cmd.Flags().BoolVar(&verbose, "verbose", false, "report each step, not only the one that fails")
	cmd.Flags().BoolVar(&wire, "wire", false, "show every record at the end")
	cmd.Flags().StringVar(&junit, "junit", "", "write a JUnit report to this file")
	return cmd
}

// playAgent plays the agent for whoever has started this process.
func playAgent(w *world, s *scenario.Scenario, verbose, wire bool, junit string) error {
	// A read of a process's standard input cannot be interrupted. What stands between
	// can, and the copying goroutine ends with the process.
	in, feed := io.Pipe()
	go func() {
		_, err := io.Copy(feed, w.stdin)
		feed.CloseWithError(err)
	}()
	peer := &scenario.Peer{In: outputOnly{w.stdout}, Out: in, Stop: func() { in.Close() }}
	r := s.PlayAgent(context.Background(), peer, &scenario.Options{Step: func(step scenario.StepResult) {
		if verbose || step.Status == scenario.Failed {
			fmt.Fprint(w.stderr, stepLines(step))
		}
	}})
	if wire {
		fmt.Fprint(w.stderr, wireLines(r))
	}
	verdict := "pass"
	if !r.Passed() {
		verdict = "FAIL"
	}
	fmt.Fprintf(w.stderr, "%s %s\n", verdict, safetext.Line(s.File))
	if junit != "" {
		if err := writeReport(junit, []*scenario.Report{r}); err != nil {
			return err
		}
	}
	switch {
	case r.Err != nil:
		return &failure{codeFailed, r.Err, ""}
	case !r.Passed():
		return &failure{code: codeFailed}
	case r.Kill != "":
		dieOf(r.Kill)
		return &failure{code: signalCodes[r.Kill]}
	case r.ExitCode != 0:
		return &failure{code: r.ExitCode}
	}
	return nil
}

// outputOnly is standard output, whose end is seen by closing it where that can be
// done.
type outputOnly struct{ io.Writer }

func (o outputOnly) Close() error {
	if c, ok := o.Writer.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// signalCodes are the exit codes where a process cannot send itself a signal.
var signalCodes = map[string]int{"INT": codeInterrupted, "TERM": codeTerminated, "HUP": codeHangup, "KILL": 137}

// dieOf ends this process by a signal, where the system has such.
func dieOf(name string) {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return
	}
	s := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": os.Kill}[name]
	if self.Signal(s) == nil {
		select {} // It arrives any moment, and nothing here catches it.
	}
}
