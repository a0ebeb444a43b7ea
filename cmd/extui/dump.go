package main

import (
	"syscall"
	"time"
)

// restoreForDump gives the terminal back before SIGQUIT and SIGABRT do what they do
// in each Go program: print what all of it is doing, and end it. The terminal UI does
// so by itself. stop ends it and waits for that.
func (s *session) restoreForDump(kind string) (stop func()) {
	if kind == "terminal" {
		return func() {}
	}
	arrived, stopSignals := s.w.signals(syscall.SIGQUIT, syscall.SIGABRT)
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-over:
		case got := <-arrived:
			s.giveBack()
			raise(got.(syscall.Signal))
		}
	}()
	return func() {
		stopSignals()
		close(over)
		<-done
	}
}

// giveBack closes the front end, but does not wait long for it: such signals are for
// programs that hang.
func (s *session) giveBack() {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = s.ui.Close() // Nobody is left to be told.
	}()
	select {
	case <-closed:
	case <-time.After(time.Second):
	}
}
