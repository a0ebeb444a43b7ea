package main

import (
	"io"
	"os"
	"syscall"
	"testing"
	"time"
)

// stuckWriter takes nothing until it is released.
type stuckWriter struct{ released chan struct{} }

func (w stuckWriter) Write(b []byte) (int, error) {
	<-w.released
	return len(b), nil
}

// A client that does not read holds up the agent's end for a grace of seconds. A
// second signal does not wait for that.
func TestSecondSignalExitsAtOnce(t *testing.T) {
	stdin, client := io.Pipe()
	signals := make(chan os.Signal)
	stdout := stuckWriter{make(chan struct{})}
	exits := make(chan int, 1)
	claimed := false
	w := &world{
		args:  []string{"agent", "--demo"},
		stdin: stdin, stdout: stdout, stderr: io.Discard,
		signals: func(wanted ...os.Signal) (<-chan os.Signal, func()) {
			if wanted[0] == syscall.SIGPIPE {
				return nil, func() {}
			}
			return signals, func() {}
		},
		claimStdout: func() { claimed = true },
		exit:        func(code int) { exits <- code; close(stdout.released) },
		now:         time.Now,
	}
	code := make(chan int, 1)
	go func() { code <- execute(w) }()
	signals <- syscall.SIGTERM
	signals <- syscall.SIGHUP
	if got := <-exits; got != codeHangup {
		t.Errorf("exit code %d, want that of the second signal, %d", got, codeHangup)
	}
	if got := <-code; got != codeTerminated {
		t.Errorf("the first signal gave %d, want %d", got, codeTerminated)
	}
	if !claimed {
		t.Error("standard output was left to whoever prints")
	}
	client.Close()
}
