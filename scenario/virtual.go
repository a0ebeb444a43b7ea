package scenario

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// ErrStuck is matched by the error of [InVirtualTime] for a function that has not
// returned.
var ErrStuck = errors.New("no progress")

// InVirtualTime calls fn in a goroutine for which, and for those that it starts,
// time does not pass while any of them runs, and jumps to the next timer when all
// of them wait for each other. Waiting for a file, a socket or a child process
// counts as running: that takes as long as it takes.
//
// Channels, timers and contexts that fn uses must be made within it, and it must end
// the goroutines that it starts. When it returns, those of others that only finish
// something get a minute of that time. One that even then waits for ever is left
// behind.
//
// The clock stands still for a goroutine that never waits, so that no timeout of it
// comes. After limit of real time the call therefore returns an error that matches
// [ErrStuck], as it does when all goroutines wait for each other for ever, and leaves
// them behind.
func InVirtualTime(limit time.Duration, fn func()) error {
	ended := make(chan error, 1)
	go func() {
		returned := false
		defer func() {
			if fault := recover(); fault != nil && !returned {
				ended <- fmt.Errorf("%w: %v", ErrStuck, fault)
				return
			}
			ended <- nil
		}()
		// The only way to such a clock is the one for tests. It needs a T to report
		// to and nothing of what a test binary has.
		synctest.Test(new(testing.T), func(*testing.T) {
			fn()
			returned = true
			time.Sleep(time.Minute)
		})
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-ended:
		return err
	case <-timer.C:
		return fmt.Errorf("%w: it has run for %v of real time", ErrStuck, limit)
	}
}
