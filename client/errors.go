package client

import (
	"errors"
	"fmt"
	"strings"
)

// Why the context of [Frontend.Ask] ended; use errors.Is with [context.Cause].
// [DialogEvent.Why] and [Dropped] have the same errors.
var (
	// ErrExpired: the dialog's timeout passed. The agent has gone on with its
	// default.
	ErrExpired = errors.New("the dialog's time ran out")
	// ErrTakenBack: the agent no longer wants an answer. The error is a
	// [*TakenBackError].
	ErrTakenBack = errors.New("the agent took the dialog back")
	// ErrReplaced: the agent sent another dialog with the same id.
	ErrReplaced = errors.New("another dialog has taken this one's id")
	// ErrAnsweredElsewhere: another front end of [First] was faster.
	ErrAnsweredElsewhere = errors.New("answered elsewhere")
	// ErrAgentGone: the agent has exited, or can no longer be reached. The error
	// wraps the reason, an [*ExitError] for instance.
	ErrAgentGone = errors.New("the agent is gone")
	// ErrStopped: [Client.Close] was called; the dialog was cancelled.
	ErrStopped = errors.New("the client was stopped")
)

// ErrUnknownCommand matches the [*CommandError] of an agent that does not know
// a command.
var ErrUnknownCommand = errors.New("unknown command")

// TakenBackError is the [ErrTakenBack] of one dialog.
type TakenBackError struct {
	// Reason is the agent's word for it: timeout, aborted, answered or session
	// from our agent, empty from oh-my-pi.
	Reason string
}

func (e *TakenBackError) Error() string {
	if e.Reason == "" {
		return ErrTakenBack.Error()
	}
	return fmt.Sprintf("%v: %s", ErrTakenBack, e.Reason)
}

// Is makes the error match [ErrTakenBack].
func (e *TakenBackError) Is(target error) bool { return target == ErrTakenBack }

// CommandError is a command that the agent answered with success:false.
type CommandError struct {
	Command string // the command's type
	Message string // the agent's error text
}

func (e *CommandError) Error() string {
	return fmt.Sprintf("command %s: %s", e.Command, e.Message)
}

// Is makes the error match [ErrUnknownCommand] if the agent says so.
func (e *CommandError) Is(target error) bool {
	return target == ErrUnknownCommand && strings.HasPrefix(e.Message, "Unknown command")
}

// ExitError is how an agent that [Start] started ended, if not with code 0.
type ExitError struct {
	// Code is the exit code, -1 if a signal ended the process.
	Code int
	// Signal is the signal's name, "" if none ended the process.
	Signal string
	// StderrTail is the end of what the agent wrote to its standard error, at
	// most 64 KiB. It is the agent's text: sanitise it before showing it.
	StderrTail string
}

func (e *ExitError) Error() string {
	how := fmt.Sprintf("exit code %d", e.Code)
	if e.Signal != "" {
		how = "signal: " + e.Signal
	}
	if line := lastLine(e.StderrTail); line != "" {
		// Not as the reason: it may have been written long before.
		return fmt.Sprintf("%s; its last line on standard error was %q", how, line)
	}
	return how
}

// lastLine returns the last line that is not blank, shortened.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	s = s[strings.LastIndexByte(s, '\n')+1:]
	if len(s) > 200 {
		s = s[:200] + "…"
	}
	return s
}
