package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// dialects are the values of run's --dialect, the default first.
var dialects = []string{"auto", "pi", "atomic", "omp"}

// runFlags is the command line of run.
type runFlags struct {
	ui           string
	dialect      string
	maxRecord    int
	noColor      bool
	verbose      bool
	notify       string
	mouse        bool
	agentColors  bool
	prompts      []string
	exitWhenIdle bool
	policy       policyFlags
	scripts      scriptFlags
	agent        []string // Path or name, and arguments; empty for the demo agent.
}

func newRun(w *world) *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "run [flags] [-- AGENT ARGS...]",
		Short: "Run an agent and answer its dialogs here",
		Long: lines(
			"Starts AGENT in its RPC mode and puts the dialogs of its extensions in front of you.",
			"Without AGENT it starts the demo agent: type /demo. With -e it starts an agent without a",
			"model that runs these extensions of pi or Atomic, so that you can try their dialogs.",
			"",
			"What you type goes to the agent, and its text streams back. /help lists the commands,",
			"those of the agent and those of extui: /call /new /abort /state /commands /help /quit.",
			"Ctrl-C cancels the open dialog or aborts what the agent does; twice in a row leaves.",
			"",
			"Input from a pipe works too. A line is read only when it is wanted, by an open dialog",
			"or as the next prompt. At the end of the input, open dialogs are cancelled, the agent",
			"is stopped and extui exits.",
			"",
			"With --policy a file of rules answers dialogs, and you those that it hands on. Nothing is",
			"ever approved unless you, a line of the input, or a rule says so.",
			"",
			"Exit codes:",
			"  0    all went well",
			"  1    the agent reported an error: a prompt or command from --prompt or a pipe failed,",
			"       or it stopped with an exit code of its own when asked to; or output was lost",
			"  2    the command line makes no sense",
			"  3    the agent could not be started",
			"  4    the agent ended without being asked to",
			"  5    all went well, but a dialog was cancelled that no rule of the policy answered: none",
			"       matched, its answer could not be given, or there was nobody to ask",
			"  130  left with Ctrl-C",
			"  129, 143  stopped by SIGHUP, SIGTERM",
		),
		Example: lines(
			"# The demo agent; type /demo",
			"extui run",
			"# pi, without a session on disk",
			"extui run -- pi --mode rpc --no-session",
			"# Answer from a script: start a tool, allow it",
			`printf '/call bash rm -rf build\n1\n' | extui run`,
			"# Try an extension, loaded anew on each save",
			"extui run -e my-extension.ts --watch",
			"# One prompt, then leave; dialogs are still asked here",
			`extui run --prompt /demo --exit-when-idle`,
			"# Unattended: rules answer, and all that they do is logged",
			`extui run --policy ci.policy.yaml --audit audit.jsonl --ui none --prompt /deploy -- pi --mode rpc`,
		),
		Args: func(cmd *cobra.Command, args []string) error {
			if dash := cmd.ArgsLenAtDash(); len(args) > 0 && dash != 0 {
				return usageError("put -- in front of the agent: extui run [flags] -- "+args[0], "unexpected argument %q", args[0])
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			flags.agent = args
			if err := flags.check(); err != nil {
				return err
			}
			return runAgent(w, flags)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := cmd.Flags()
	f.StringVar(&flags.ui, "ui", "auto", "front end that shows the dialogs: terminal, plain, auto, which is terminal on a terminal, or none, with --policy")
	f.StringVar(&flags.notify, "notify", "auto", "how to call you to a dialog while the terminal has no focus: auto, bell, osc9, osc777 or off (terminal UI)")
	f.BoolVar(&flags.mouse, "mouse", false, "scroll with the wheel and open tool calls with a click (terminal UI)")
	f.BoolVar(&flags.agentColors, "agent-colors", true, "let widgets, statuses and notifications keep the agent's colors (terminal UI)")
	f.StringVar(&flags.dialect, "dialect", "auto", "what the agent speaks: auto, pi, atomic or omp")
	f.IntVar(&flags.maxRecord, "max-record", 0, "drop records of the agent longer than this many bytes; 0 for no limit")
	f.BoolVar(&flags.noColor, "no-color", false, "no colors, as with the environment variable NO_COLOR")
	f.BoolVar(&flags.verbose, "verbose", false, "report on standard error when a dialog opens and how it ends")
	f.StringArrayVar(&flags.prompts, "prompt", nil, "send this once the agent runs, each after the one before was handled (repeatable)")
	flags.policy.add(f)
	f.BoolVar(&flags.exitWhenIdle, "exit-when-idle", false, "exit once the prompts are handled, no dialog is open and the agent is idle")
	flags.scripts.add(f)
	complete(cmd, "ui", frontEnds)
	complete(cmd, "notify", notifications)
	complete(cmd, "dialect", dialects)
	return cmd
}

func (f *runFlags) check() error {
	if err := oneOf("ui", "front end", f.ui, frontEnds); err != nil {
		return err
	}
	if err := oneOf("notify", "notification", f.notify, notifications); err != nil {
		return err
	}
	if err := oneOf("dialect", "dialect", f.dialect, dialects); err != nil {
		return err
	}
	if err := f.policy.check("extui run --policy FILE answers dialogs by rules", f.ui); err != nil {
		return err
	}
	for _, text := range f.prompts {
		if strings.TrimSpace(text) == "" {
			return usageError("--prompt takes what to send to the agent", "invalid --prompt %q: it is empty", text)
		}
	}
	if err := checkMaxRecord(f.maxRecord); err != nil {
		return err
	}
	if len(f.agent) > 0 && len(f.scripts.paths) > 0 {
		return usageError("give the extension to the agent itself: extui run -- pi --mode rpc -e FILE", "-e runs an agent of its own, and there is one behind --")
	}
	if err := f.scripts.check(); err != nil {
		return err
	}
	if len(f.agent) > 0 && f.agent[0] == "" {
		return usageError("put the agent's command behind --", "the agent's name is empty")
	}
	return nil
}

// complete makes the shell complete the values of a flag.
func complete(cmd *cobra.Command, flag string, values []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(slices.Clone(values), cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(fmt.Sprintf("completion of --%s: %v", flag, err)) // The flag does not exist.
	}
}

func checkMaxRecord(n int) error {
	if n < 0 {
		return usageError("--max-record takes a number of bytes, or 0 for no limit", "invalid --max-record %d: it is negative", n)
	}
	return nil
}
