package scenario

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// Peer is the other end of a conversation.
type Peer struct {
	// In takes what we send, Out gives what the other end sends.
	In  io.WriteCloser
	Out io.Reader
	// Signal sends one of [Signals] to the other end. nil: it is no process.
	Signal func(name string) error
	// Wait blocks until the other end is over and says how it ended. It is called at
	// most once, after Out has ended. nil: that cannot be known.
	Wait func() Exit
	// Stop ends the other end at once, so that Out ends. It may be called at any
	// time and several times. nil: closing In is all there is.
	Stop func()
}

// Exit is how a process ended.
type Exit struct {
	Code   int    // 128 and the signal's number after a signal, as a shell has it
	Reason string // in words
}

// StartProcess starts a command as a peer. env is nil for that of this process; its
// standard error goes to stderr. When ctx ends the process is killed.
func StartProcess(ctx context.Context, argv, env []string, stderr io.Writer) (*Peer, error) {
	ctx, stop := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = env
	cmd.Stderr = stderr
	// A grandchild that holds standard error open must not hold up the end.
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		stop()
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	out, outWriter, err := os.Pipe()
	if err != nil {
		stop()
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	// Not StdoutPipe, which Wait would close before all was read.
	cmd.Stdout = outWriter
	if err := cmd.Start(); err != nil {
		stop()
		return nil, errors.Join(fmt.Errorf("start %s: %w", argv[0], err), out.Close(), outWriter.Close())
	}
	outWriter.Close()
	return &Peer{
		In: in, Out: out,
		Signal: func(name string) error { return signalProcess(cmd.Process, name) },
		Stop: func() {
			stop()
			// Also where a grandchild holds the other end.
			out.Close()
		},
		Wait: func() Exit {
			err := cmd.Wait()
			stop()
			out.Close()
			if cmd.ProcessState == nil {
				return Exit{-1, err.Error()}
			}
			return exitOf(cmd.ProcessState)
		},
	}, nil
}
