package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"extui/agent"
	"extui/extension"
	"extui/extension/demo"
)

// agentDialects are the values of agent's --dialect, the default first.
var agentDialects = []string{"atomic", "pi"}

func newAgent(w *world) *cobra.Command {
	var demo, walk, verbose bool
	var dialect string
	cmd := &cobra.Command{
		Use:   "agent --demo [flags]",
		Short: "Be an agent on standard input and output",
		Long: lines(
			"Speaks the RPC protocol: reads commands from standard input, one JSON record a line,",
			"and writes responses, events and the dialogs of its extensions to standard output.",
			"It has no model. --demo gives it an extension that shows every method, and there is",
			"the tool ask_user_question, which a client calls with call_tool.",
			"",
			"Exit codes:",
			"  0    the input ended",
			"  1    standard input or output failed",
			"  2    the command line makes no sense",
			"  130, 129, 143  stopped by SIGINT, SIGHUP, SIGTERM; a second signal exits at once",
		),
		Example: lines(
			"# What a client would see",
			`printf '{"type":"get_commands","id":"1"}\n' | extui agent --demo`,
			"# The same behind a client of your own",
			"my-client -- extui agent --demo --dialect pi",
		),
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if err := oneOf("dialect", "dialect", dialect, agentDialects); err != nil {
				return err
			}
			if !demo {
				return usageError("extui agent --demo is the demo agent", "no extension to run")
			}
			return serveDemo(w, agent.Dialect(dialect), walk, verbose)
		},
	}
	cmd.Flags().BoolVar(&demo, "demo", false, "load the demo extension")
	cmd.Flags().StringVar(&dialect, "dialect", "atomic", "whose methods and texts: atomic or pi")
	cmd.Flags().BoolVar(&walk, "walk-questionnaires", false, "ask a client that cannot show a questionnaire with plain dialogs instead")
	cmd.Flags().BoolVar(&verbose, "verbose", false, "log to standard error what clients and extensions do wrong")
	complete(cmd, "dialect", agentDialects)
	return cmd
}

// stopSignal is why an agent ends that a signal has stopped.
type stopSignal struct{ os.Signal }

func (s stopSignal) Error() string { return "stopped by signal: " + s.String() }

// serveDemo is the demo agent on the program's own streams until its input ends
// or a signal comes.
func serveDemo(w *world, dialect agent.Dialect, walk, verbose bool) error {
	w.claimStdout()
	opts := &agent.Options{Dialect: dialect}
	if verbose {
		opts.Logger = slog.New(slog.NewTextHandler(w.stderr, nil))
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals, stopSignals := w.signals(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// A client that is gone is an error of writing, after which the extensions can
	// still shut down, and not the end of the process.
	_, stopPipe := w.signals(syscall.SIGPIPE)
	defer stopPipe()
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for first := true; ; first = false {
			select {
			case got := <-signals:
				if !first {
					w.exit(signalCode(got))
				}
				cancel(stopSignal{got})
			case <-done:
				return
			}
		}
	})
	// Without its Close: a read of a process's standard input cannot be interrupted
	// by that, and Serve would wait for it.
	err := agent.New(demo.NewHost(extension.Questions(walk)), opts).Serve(ctx, struct{ io.Reader }{w.stdin}, w.stdout)
	close(done)
	watching.Wait()
	stopSignals()
	stopped, bySignal := errors.AsType[stopSignal](err)
	switch {
	case err == nil:
		return nil
	case bySignal:
		return &failure{code: signalCode(stopped.Signal)}
	}
	return &failure{codeFailed, err, ""}
}
