package main

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

func TestActivityWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newActivity()
		a.change(func(d *doing) { d.dialogs = 2 })
		result := make(chan error, 1)
		go func() { result <- a.wait(t.Context(), func(d doing) bool { return d.dialogs == 0 }) }()
		for range 2 {
			synctest.Wait()
			select {
			case err := <-result:
				t.Fatalf("wait returned %v while a dialog was open", err)
			default:
			}
			a.change(func(d *doing) { d.dialogs-- })
		}
		if err := <-result; err != nil {
			t.Fatal(err)
		}

		why := errors.New("the agent is gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() { result <- a.wait(ctx, func(doing) bool { return false }) }()
		synctest.Wait()
		cancel(why)
		if err := <-result; !errors.Is(err, why) {
			t.Fatalf("got %v, want the cause", err)
		}
	})
}
