package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"extui/scenario"
)

// outputGrace is how long the output of an agent that has exited may be silent,
// while something else holds it open, before it counts as ended.
const outputGrace = time.Second

// behindProxy starts the agent of a proxy. Unlike an agent of extui run it is left
// alone when it ends, with all that it has started. It has a process group of its
// own: a signal to that of the proxy is passed on, and would come twice.
func behindProxy(argv, env []string, stderr io.Writer) (*scenario.Peer, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env, cmd.Stderr = env, stderr
	// What the agent leaves behind may hold its standard error open.
	cmd.WaitDelay = outputGrace
	ownGroup(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	// Not StdoutPipe, which Wait would close before all was read.
	out, outWriter, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	cmd.Stdout = outWriter
	err = cmd.Start()
	outWriter.Close()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", argv[0], err), out.Close())
	}
	a := &agentOutput{file: out, exited: make(chan struct{})}
	var exit scenario.Exit
	go func() {
		err := cmd.Wait()
		if state := cmd.ProcessState; state != nil {
			exit = scenario.Exit{Code: exitCode(state), Reason: state.String()}
		} else {
			exit = scenario.Exit{Code: -1, Reason: err.Error()}
		}
		close(a.exited)
		a.limit()
	}()
	return &scenario.Peer{
		In: in, Out: a,
		Signal: func(name string) error { return signalAgent(cmd.Process, name) },
		Stop: func() {
			killGroup(cmd.Process)
			out.Close() // Also where something outside the group holds the other end.
		},
		Wait: func() scenario.Exit {
			<-a.exited
			out.Close()
			return exit
		},
	}, nil
}

// agentOutput reads what an agent writes. Once the agent has exited, it ends when
// there is no more, also if another process could still write.
type agentOutput struct {
	file   *os.File
	exited chan struct{}
}

func (a *agentOutput) Read(b []byte) (int, error) {
	select {
	case <-a.exited:
		a.limit()
	default:
	}
	n, err := a.file.Read(b)
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
		err = io.EOF
	}
	return n, err
}

// limit gives what is still to come some time. An error means that this is no file
// with deadlines, and then only its end ends it.
func (a *agentOutput) limit() { _ = a.file.SetReadDeadline(time.Now().Add(outputGrace)) }
