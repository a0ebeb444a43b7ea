//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// raise lets a signal do to this process what it does by default.
func raise(s syscall.Signal) {
	signal.Reset(s)
	_ = syscall.Kill(os.Getpid(), s) // one's own process can be signalled
	time.Sleep(time.Second)          // by then it has arrived
	os.Exit(128 + int(s))
}
