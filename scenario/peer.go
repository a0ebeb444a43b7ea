package scenario

import (
	"context"
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
	// Signal is that of [Signals] which ended it; "" if none did, or another.
	Signal string
}

// StartProcess starts a command as a peer. env is nil for that of this process; its
// standard error goes to stderr. When ctx ends the process is killed.
func StartProcess(ctx context.Context, argv, env []string, stderr io.Writer) (*Peer, error) {
	return startProcess(ctx, argv, env, nil, stderr, false)
}

// StartGroup is [StartProcess] in a process group of its own, where the system has
// such: Stop, the end of ctx and the end of the process kill all that it has started
// in that group. The terminal's Ctrl-C does not reach it, so ctx must end then.
//
// With a stdout, which may be nil, its standard output goes there, and the peer has no
// Out.
func StartGroup(ctx context.Context, argv, env []string, stdout *os.File, stderr io.Writer) (*Peer, error) {
	return startProcess(ctx, argv, env, stdout, stderr, true)
}

func startProcess(ctx context.Context, argv, env []string, stdout *os.File, stderr io.Writer, group bool) (*Peer, error) {
	ctx, stop := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env, cmd.Stderr = env, stderr
	if stdout != nil {
		cmd.Stdout = stdout
	}
	if group {
		ownGroup(cmd)
		cmd.Cancel = func() error {
			killGroup(cmd.Process)
			return nil
		}
	}
	// A grandchild that holds standard error open must not hold up the end.
	cmd.WaitDelay = time.Second
	peer := &Peer{}
	closeOut, closeOurs := func() {}, func() {}
	in, err := cmd.StdinPipe()
	if err == nil && stdout == nil {
		// Not StdoutPipe, which Wait would close before all was read.
		var out, outWriter *os.File
		if out, outWriter, err = os.Pipe(); err == nil {
			cmd.Stdout, peer.Out = outWriter, out
			closeOut, closeOurs = func() { out.Close() }, func() { outWriter.Close() }
		}
	}
	if err == nil {
		err = cmd.Start()
	}
	closeOurs()
	if err != nil {
		stop()
		closeOut()
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	peer.In = in
	peer.Signal = func(name string) error { return signalProcess(cmd.Process, name) }
	peer.Stop = func() {
		stop()
		// Also where a grandchild holds the other end.
		closeOut()
	}
	peer.Wait = func() Exit {
		err := cmd.Wait()
		stop()
		closeOut()
		if group {
			killGroup(cmd.Process)
		}
		if cmd.ProcessState == nil {
			return Exit{Code: -1, Reason: err.Error()}
		}
		return exitOf(cmd.ProcessState)
	}
	return peer, nil
}
