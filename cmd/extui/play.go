package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"extui/internal/safetext"
	"extui/scenario"
	"extui/scenario/conformance"
)

func newPlay(w *world) *cobra.Command {
	var f playFlags
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
			if err := keepInputs(args, written{"junit", f.junit}, written{"verdict", f.verdict}); err != nil {
				return err
			}
			if f.within > 0 {
				s.Within = f.within
			}
			w.claimStdout()
			return playAgent(w, s, &f)
		},
	}
	set := cmd.Flags()
	set.BoolVar(&f.verbose, "verbose", false, "report each step, not only the one that fails")
	set.BoolVar(&f.wire, "wire", false, "show every record at the end")
	set.StringVar(&f.junit, "junit", "", "write a JUnit report to this file")
	// For extui check client, which starts us through a client.
	set.StringVar(&f.verdict, "verdict", "", "write the verdict to this file as it comes about")
	set.DurationVar(&f.within, "within", 0, "how long a step waits that does not say so itself")
	for _, name := range []string{"verdict", "within"} {
		if err := set.MarkHidden(name); err != nil {
			panic(err) // It is there.
		}
	}
	return cmd
}

// playFlags is the command line of play.
type playFlags struct {
	verbose, wire  bool
	junit, verdict string
	within         time.Duration
}

// playAgent plays the agent for whoever has started this process.
func playAgent(w *world, s *scenario.Scenario, f *playFlags) error {
	// A read of a process's standard input cannot be interrupted. What stands between
	// can, and the copying goroutine ends with the process.
	in, feed := io.Pipe()
	go func() {
		_, err := io.Copy(feed, w.stdin)
		feed.CloseWithError(err)
	}()
	if f.verdict != "" {
		w.stderr = io.Discard // The check tells it; what is there is the client's own.
	}
	stopSignals := endInputBySignal(w, feed)
	var verdict *conformance.VerdictWriter
	if f.verdict != "" {
		verdict = conformance.NewVerdictWriter(f.verdict, s)
	}
	peer := &scenario.Peer{In: outputOnly{w.stdout}, Out: in, Stop: func() { in.Close() }}
	r := s.PlayAgent(context.Background(), peer, &scenario.Options{Step: func(step scenario.StepResult) {
		if f.verbose || step.Status == scenario.Failed {
			fmt.Fprint(w.stderr, stepLines(step))
		}
		if verdict != nil {
			verdict.Step(step)
		}
	}})
	stopSignals()
	if verdict != nil {
		if err := verdict.End(r); err != nil {
			return &failure{codeFailed, err, ""}
		}
	}
	if f.wire {
		fmt.Fprint(w.stderr, wireLines(r))
	}
	word := "pass"
	if !r.Passed() {
		word = "FAIL"
	}
	fmt.Fprintf(w.stderr, "%s %s\n", word, safetext.Line(s.File))
	if f.junit != "" {
		if err := writeReport(f.junit, []*scenario.Report{r}); err != nil {
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

// signalGrace is how long what the client has written before a signal may take to be
// read.
const signalGrace = 100 * time.Millisecond

// endInputBySignal makes a signal end the agent's input, for that is how many clients
// stop their agent: the play is then judged by what has come. A second one ends the
// process. The function that it returns undoes that.
func endInputBySignal(w *world, feed *io.PipeWriter) (stop func()) {
	signals, stopSignals := w.signals(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// A client that no longer reads is an error of writing, and not the end.
	_, stopPipe := w.signals(syscall.SIGPIPE)
	watched := eachSignal(signals, func(got os.Signal, first bool) {
		if !first {
			w.exit(signalCode(got))
		}
		time.AfterFunc(signalGrace, func() { feed.Close() })
	})
	return func() {
		stopSignals()
		stopPipe()
		watched()
	}
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
