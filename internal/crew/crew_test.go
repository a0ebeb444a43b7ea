package crew

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Crew
		if err := c.Wait(t.Context()); err != nil {
			t.Errorf("with nobody: %v", err)
		}
		began := time.Now()
		c.Start(func() {
			time.Sleep(2 * time.Second)
			c.Start(func() { time.Sleep(time.Second) })
		})
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := c.Wait(short); !errors.Is(err, context.DeadlineExceeded) || !strings.HasPrefix(err.Error(), "1 calls") {
			t.Errorf("before it is done: %v", err)
		}
		if err := c.Wait(t.Context()); err != nil || time.Since(began) != 3*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		// Those who waited and those who come later are both let go.
		c.Enter()
		done := make(chan error, 2)
		for range cap(done) {
			go func() { done <- c.Wait(t.Context()) }()
		}
		synctest.Wait()
		c.Leave()
		for range cap(done) {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestGuard(t *testing.T) {
	if err := Guard(func() {}); err != nil {
		t.Errorf("no panic: %v", err)
	}
	cause := errors.New("the cause")
	err := Guard(func() { panic(cause) })
	p, ok := errors.AsType[*PanicError](err)
	if !ok || !errors.Is(err, cause) || p.Value != cause || !strings.Contains(string(p.Stack), "TestGuard") {
		t.Errorf("%#v", err)
	}
	if err := Traced(func() { panic(cause) }); !errors.Is(err, cause) || !strings.Contains(err.Error(), "TestGuard") {
		t.Errorf("with its stack: %v", err)
	}
	if err := Traced(func() {}); err != nil {
		t.Errorf("no panic: %v", err)
	}
	if err := Guard(func() { panic("text") }); err == nil || errors.Unwrap(err) != nil {
		t.Errorf("no error in it: %#v", err)
	}
}
