package main

import (
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"golang.org/x/term"
)

// world is all that the program takes from the process around it, so that a test
// can run the whole program without one.
type world struct {
	args   []string // Without the program's name.
	env    []string // As os.Environ returns it.
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer

	// executable returns the path of this very program, which run starts as its
	// demo agent.
	executable func() (string, error)
	// signals delivers the named signals until stop is called.
	signals func(wanted ...os.Signal) (arrived <-chan os.Signal, stop func())
	// claimStdout makes whatever else in the process prints to standard output
	// print to standard error from now on. It does not change the field stdout.
	claimStdout func()
	// exit ends the process at once, for a second signal. Nothing runs after it.
	exit func(code int)
	now  func() time.Time
	// patience is how long run waits for an agent that does not answer.
	patience patience
}

// processWorld is the world of the running process.
func processWorld() *world {
	return &world{
		args:       os.Args[1:],
		env:        os.Environ(),
		stdin:      os.Stdin,
		stdout:     os.Stdout,
		stderr:     os.Stderr,
		executable: os.Executable,
		signals: func(wanted ...os.Signal) (<-chan os.Signal, func()) {
			// Room for the signals that arrive while one is being handled.
			arrived := make(chan os.Signal, 8)
			signal.Notify(arrived, wanted...)
			return arrived, func() { signal.Stop(arrived) }
		},
		claimStdout: func() { os.Stdout = os.Stderr },
		exit:        os.Exit,
		now:         time.Now,
		patience:    usualPatience,
	}
}

// getenv returns the value of an environment variable, "" if it is not set. The
// last entry of a name counts, as when a process is started.
func (w *world) getenv(name string) string {
	value := ""
	for _, entry := range w.env {
		if key, v, ok := strings.Cut(entry, "="); ok && key == name {
			value = v
		}
	}
	return value
}

// isTerminal reports whether a stream is a terminal. It does not use Fd, which
// would make later reads impossible to interrupt.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return false
	}
	terminal := false
	err = conn.Control(func(fd uintptr) { terminal = term.IsTerminal(int(fd)) })
	return err == nil && terminal
}
