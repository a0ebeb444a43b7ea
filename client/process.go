package client

import (
	"context"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// tailSize is how much of the agent's standard error is kept.
const tailSize = 64 << 10

// process is an agent that Start started.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	tail   *tail
	exited chan struct{} // closed once the process is gone
	err    error         // how it ended; set before exited is closed; nil for code 0
}

// startProcess starts cmd. The pipes are the client's own, not exec's, since
// Wait would close those before all is read.
func startProcess(cmd Command) (*process, error) {
	p := &process{cmd: exec.Command(cmd.Path, cmd.Args...), tail: &tail{to: cmd.Stderr}, exited: make(chan struct{})}
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		inR.Close()
		inW.Close()
		return nil, err
	}
	p.stdin, p.stdout = inW, outR
	p.cmd.Env, p.cmd.Dir = cmd.Env, cmd.Dir
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inR, outW, p.tail
	// A process that the agent leaves behind may hold its standard error open.
	p.cmd.WaitDelay = exitGrace
	ownGroup(p.cmd)
	err = p.cmd.Start()
	inR.Close()
	outW.Close()
	if err != nil {
		inW.Close()
		outR.Close()
		return nil, err
	}
	go p.wait()
	return p, nil
}

// wait ends with the process, whose owner kills it if need be.
func (p *process) wait() {
	err := p.cmd.Wait()
	state := p.cmd.ProcessState
	if state == nil || !state.Success() {
		e := &ExitError{Code: -1, StderrTail: p.tail.String()}
		if state != nil {
			e.Code, e.Signal = state.ExitCode(), signalName(state)
		} else if err != nil {
			e.Signal = err.Error()
		}
		p.err = e
	}
	close(p.exited)
}

// reason is why dialogs end when the process has exited.
func (p *process) reason() error {
	if p.err != nil {
		return p.err
	}
	return errExitZero
}

// terminate waits grace for the process to exit, then again after SIGTERM, and
// then kills it and its group; it does so at once when hurry ends. It reports
// whether it had to kill.
func (p *process) terminate(hurry context.Context, grace time.Duration) (killed bool) {
	if p.waitFor(hurry, grace) {
		return false
	}
	if hurry.Err() == nil && askToEnd(p.cmd.Process) && p.waitFor(hurry, grace) {
		return false
	}
	select {
	case <-p.exited:
		return false
	default:
	}
	kill(p.cmd.Process)
	return true
}

func (p *process) waitFor(hurry context.Context, grace time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-hurry.Done():
		return false
	case <-after(grace):
		return false
	}
}

// tail keeps the end of what is written to it and passes all of it on. What it
// is passed on to cannot make the agent's writing fail.
type tail struct {
	to io.Writer // nil: nobody

	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	t.buf = append(t.buf, b[max(0, len(b)-tailSize):]...)
	if n := len(t.buf); n > 2*tailSize {
		t.buf = t.buf[:copy(t.buf, t.buf[n-tailSize:])]
	}
	t.mu.Unlock()
	if t.to != nil {
		_, _ = t.to.Write(b)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf[max(0, len(t.buf)-tailSize):])
}
