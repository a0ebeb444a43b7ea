package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"extui/internal/safetext"
)

// The exit codes. They are documented in docs/run.md and in the help, and scripts
// depend on them.
const (
	codeFailed      = 1 // The agent, or a command that was sent to it, failed.
	codeUsage       = 2 // The command line makes no sense.
	codeNoAgent     = 3 // The agent could not be started.
	codeAgentEnded  = 4 // The agent ended although nobody had asked it to.
	codeNoRule      = 5 // All went well, but a dialog was cancelled that no rule of the policy answers.
	codeHangup      = 129
	codeInterrupted = 130
	codeTerminated  = 143
)

// failure is an error at the edge of the program: with the exit code, and a hint
// that tells the person what to do.
type failure struct {
	code int
	err  error  // nil: exit without a message.
	hint string // May be empty.
}

func (f *failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit code %d", f.code)
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

func usageError(hint, format string, args ...any) error {
	return &failure{codeUsage, fmt.Errorf(format, args...), hint}
}

// report prints err for a person and returns the exit code. An error without a
// code of its own comes from cobra and is about the command line.
func report(w io.Writer, err error) int {
	if err == nil {
		return 0
	}
	f, ok := errors.AsType[*failure](err)
	if !ok {
		f = &failure{codeUsage, err, "extui --help lists the commands and their flags"}
	}
	if f.err != nil {
		// Names of files, keys and flags, and what others have sent, may stand in either.
		fmt.Fprintf(w, "extui: %s\n", safetext.Block(err.Error()))
		if f.hint != "" {
			fmt.Fprintf(w, "hint: %s\n", safetext.Block(f.hint))
		}
	}
	return f.code
}

// signalCode is the exit code after a signal: 128 and its number, as a shell
// reports it.
func signalCode(s os.Signal) int {
	switch s {
	case os.Interrupt:
		return codeInterrupted
	case syscall.SIGHUP:
		return codeHangup
	default:
		return codeTerminated
	}
}
