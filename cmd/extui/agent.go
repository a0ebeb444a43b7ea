package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"slices"
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
	var scripts scriptFlags
	cmd := &cobra.Command{
		Use:   "agent [--demo] [-e FILE]... [flags]",
		Short: "Be an agent on standard input and output",
		Long: lines(
			"Speaks the RPC protocol: reads commands from standard input, one JSON record a line,",
			"and writes responses, events and the dialogs of its extensions to standard output.",
			"It has no model. --demo gives it an extension that shows every method, -e those of pi and",
			"Atomic in TypeScript, as they are. There is the tool ask_user_question, which a client",
			"calls with call_tool.",
			"",
			"An extension runs with all your rights. Those of the project that you are in, in its",
			"folder .pi or .atomic, are refused without --trust.",
			"",
			"Exit codes:",
			"  0    the input ended",
			"  1    standard input or output failed, or no extension could be loaded",
			"  2    the command line makes no sense",
			"  130, 129, 143  stopped by SIGINT, SIGHUP, SIGTERM; a second signal exits at once",
		),
		Example: lines(
			"# What a client would see",
			`printf '{"type":"get_commands","id":"1"}\n' | extui agent --demo`,
			"# The same behind a client of your own",
			"my-client -- extui agent --demo --dialect pi",
			"# An extension in TypeScript, loaded anew on each save",
			"my-client -- extui agent -e my-extension.ts --watch",
		),
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if err := oneOf("dialect", "dialect", dialect, agentDialects); err != nil {
				return err
			}
			if err := scripts.check(); err != nil {
				return err
			}
			if !demo && len(scripts.paths) == 0 {
				return usageError("extui agent --demo is the demo agent, extui agent -e FILE runs an extension", "no extension to run")
			}
			return serveAgent(w, &agentFlags{agent.Dialect(dialect), demo, walk, verbose, scripts})
		},
	}
	cmd.Flags().BoolVar(&demo, "demo", false, "load the demo extension")
	cmd.Flags().StringVar(&dialect, "dialect", "atomic", "whose methods and texts: atomic or pi")
	cmd.Flags().BoolVar(&walk, "walk-questionnaires", false, "let ask_user_question ask a client that cannot show it with plain dialogs instead")
	cmd.Flags().BoolVar(&verbose, "verbose", false, "log to standard error what clients and extensions do wrong")
	scripts.add(cmd.Flags())
	complete(cmd, "dialect", agentDialects)
	return cmd
}

// agentFlags is the command line of agent.
type agentFlags struct {
	dialect             agent.Dialect
	demo, walk, verbose bool
	scripts             scriptFlags
}

// host returns the extensions as a host.
func (f *agentFlags) host(w *world, s *scripts) agent.Runtime {
	// Behind the scripts: one that brings a tool of that name has its own.
	questions := extension.Questions(f.walk)
	all := append(slices.Clone(s.extensions), questions)
	count := len(s.extensions)
	var h *extension.Host
	if f.demo {
		h = demo.NewHost(all...)
		count++
	} else {
		if len(f.scripts.paths) > 0 && f.scripts.tools {
			all = append(all, standInExtension())
		}
		h = extension.NewHost(all...)
	}
	// Where that cannot be known, extensions are told of no directory.
	h.Cwd, _ = os.Getwd()
	if s.loader == nil {
		return h
	}
	s.loader.Bind(h)
	// The questionnaire tool alone is not worth an agent.
	return lenient{h, s.loader, w.stderr, questions.Name, count}
}

// stopSignal is why an agent ends that a signal has stopped.
type stopSignal struct{ os.Signal }

func (s stopSignal) Error() string { return "stopped by signal: " + s.String() }

// serveAgent is the agent on the program's own streams until its input ends or a
// signal comes.
func serveAgent(w *world, f *agentFlags) error {
	w.claimStdout()
	opts := &agent.Options{Dialect: f.dialect}
	if f.verbose {
		opts.Logger = slog.New(slog.NewTextHandler(w.stderr, nil))
	}
	scripts, err := f.scripts.load(w, opts.Logger)
	if err != nil {
		return err
	}
	defer scripts.close()
	a := agent.New(f.host(w, scripts), opts)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	stopSignals := stopBySignal(w, cancel)
	// A client that is gone is an error of writing, after which the extensions can
	// still shut down, and not the end of the process.
	_, stopPipe := w.signals(syscall.SIGPIPE)
	defer stopPipe()
	var watching sync.WaitGroup
	serving, served := context.WithCancel(ctx)
	if f.scripts.watch {
		watching.Go(func() { scripts.watch(serving, a, w.stderr) })
	}
	// Without its Close: a read of a process's standard input cannot be interrupted
	// by that, and Serve would wait for it.
	err = a.Serve(ctx, struct{ io.Reader }{w.stdin}, w.stdout)
	served()
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
