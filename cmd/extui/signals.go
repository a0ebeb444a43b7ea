package main

import (
	"context"
	"os"
	"sync"
	"syscall"

	"extui/scenario"
)

// eachSignal calls fn for every signal that arrives, until the function that it
// returns is called, which waits for the last call to end. first is true for the first
// signal only.
func eachSignal(arrived <-chan os.Signal, fn func(s os.Signal, first bool)) (stop func()) {
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for first := true; ; first = false {
			select {
			case s := <-arrived:
				fn(s, first)
			case <-done:
				return
			}
		}
	})
	return func() {
		close(done)
		watching.Wait()
	}
}

// stopBySignal cancels with a stopSignal when a signal comes, and ends the process when
// a second one does. The function that it returns undoes that.
func stopBySignal(w *world, cancel context.CancelCauseFunc) (stop func()) {
	signals, stopSignals := w.signals(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	watched := eachSignal(signals, func(got os.Signal, first bool) {
		if !first {
			w.exit(signalCode(got))
		}
		cancel(stopSignal{got})
	})
	return func() {
		stopSignals()
		watched()
	}
}

// passSignals gives an agent the signals that extui gets, until stop is called.
func passSignals(arrived <-chan os.Signal, peer *scenario.Peer) (stop func()) {
	return eachSignal(arrived, func(s os.Signal, _ bool) {
		name := map[int]string{codeInterrupted: "INT", codeHangup: "HUP", codeTerminated: "TERM"}[signalCode(s)]
		if peer.Signal(name) != nil {
			peer.Stop()
		}
	})
}
