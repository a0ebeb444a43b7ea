package main

import (
	"context"
	"runtime"
	"strings"

	"extui/client"
	"extui/frontend/plain"
	"extui/frontend/terminal"
	"extui/policy"
)

// ui is where a person sees the agent and answers it, or a script does. Both
// front ends are one.
type ui interface {
	client.Frontend
	Text(delta string)
	Line(s string)
	ReadPrompt(ctx context.Context) (string, error)
	CancelDialog() bool
	Close() error
}

// eventUI is a ui that shows by itself what the agent does.
type eventUI interface{ Event(client.Event) }

// readyUI is a ui that shows that the agent is being started until it is told that
// the agent has answered.
type readyUI interface{ Ready() }

// lendingUI is a ui that lends the terminal to other programs. A SIGINT that comes
// meanwhile is theirs.
type lendingUI interface{ Lent() bool }

// endingUI is a ui that notices the end of its input though no line is wanted.
type endingUI interface{ Ended() <-chan struct{} }

var (
	_ ui      = (*plain.Frontend)(nil)
	_ ui      = (*terminal.Frontend)(nil)
	_ eventUI = (*terminal.Frontend)(nil)

	_ readyUI   = (*terminal.Frontend)(nil)
	_ lendingUI = (*terminal.Frontend)(nil)

	_ endingUI = (*plain.Frontend)(nil)
)

// frontEnds are the values of --ui, the default first.
var frontEnds = []string{"auto", "terminal", "plain", "none"}

// notifications are the values of --notify, the default first.
var notifications = []string{"auto", "bell", "osc9", "osc777", "off"}

var notifyValues = map[string]terminal.Notify{
	"auto": terminal.NotifyAuto, "bell": terminal.NotifyBell, "osc9": terminal.NotifyOSC9,
	"osc777": terminal.NotifyOSC777, "off": terminal.NotifyOff,
}

// chooseUI replaces --ui auto: the terminal UI needs a terminal that can move its
// cursor.
func chooseUI(w *world, flag string) (string, error) {
	term := w.getenv("TERM")
	able := isTerminal(w.stdin) && isTerminal(w.stdout) && term != "dumb" && term != ""
	switch {
	case flag == "auto" && able:
		return "terminal", nil
	case flag == "auto":
		return "plain", nil
	case flag == "terminal" && !able:
		return "", usageError("leave --ui out to get the front end that works here",
			"--ui terminal needs a terminal on standard input and output, and TERM other than dumb")
	}
	return flag, nil
}

// keptRows is how much of the conversation stays on the terminal afterwards.
const keptRows = 60

// newUI starts the front end of kind "terminal", "plain" or "none", which is plain but is
// never asked anything. It calls interrupt for each Ctrl-C that is no signal, and says
// whether that has cancelled a dialog.
func newUI(w *world, flags runFlags, kind string, complete func(string, int) []string, interrupt func(cancelled bool)) ui {
	noColor := flags.noColor || w.getenv("NO_COLOR") != ""
	if kind == "terminal" {
		return terminal.New(w.stdin, w.stdout, &terminal.Options{
			Env:        w.env,
			NoColor:    noColor,
			KeepColors: flags.agentColors,
			Editor:     editor(w),
			Title:      "extui",
			Starting:   true,
			Notify:     notifyValues[flags.notify],
			Mouse:      flags.mouse,
			KeptRows:   keptRows,
			Complete:   complete,
			// This one leaves the dialog to whoever is told.
			Interrupt: func() { interrupt(false) },
		})
	}
	var unattended error
	if flags.policy.file != "" {
		unattended = policy.ErrNobody // which its exit code tells
	}
	return plain.New(w.stdin, w.stdout, &plain.Options{
		Unattended: unattended,
		Term:       w.getenv("TERM"),
		Color:      !noColor && isTerminal(w.stdout),
		Editor:     editor(w),
		Complete:   complete,
		Interrupt:  interrupt,
	})
}

// editor is the person's text editor with its arguments, nil if none is named.
// The file's name is put behind them.
func editor(w *world) []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if command := strings.TrimSpace(w.getenv(name)); command != "" {
			return editorCommand(command, runtime.GOOS != "windows")
		}
	}
	return nil
}

// editorCommand splits the command of an editor. With a shell, what has to be
// quoted or expanded is left to it, as git does: the same variable has to mean the
// same to both.
func editorCommand(command string, shell bool) []string {
	if shell && strings.ContainsAny(command, "|&;<>()$`\\\"'\n*?[#~=%") {
		return []string{"sh", "-c", command + ` "$@"`, command}
	}
	return strings.Fields(command)
}
