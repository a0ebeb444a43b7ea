package terminal

import (
	"testing"
	"testing/synctest"
	"time"

	"extui/protocol"
)

type writerFunc func([]byte) (int, error)

func (w writerFunc) Write(p []byte) (int, error) { return w(p) }

func TestStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slowly := func(d time.Duration) writerFunc {
			return func(p []byte) (int, error) {
				time.Sleep(d)
				return len(p), nil
			}
		}
		_, s := watched(slowly(100 * time.Millisecond))
		s.Write([]byte("x"))
		if at := s.last(time.Now()); !at.IsZero() {
			t.Errorf("a short write is one until %v", at)
		}
		out, s := watched(slowly(time.Minute))
		go out.Write([]byte("x"))
		time.Sleep(time.Second)
		if at := s.last(time.Now()); !at.Equal(time.Now()) {
			t.Errorf("a write that goes on is one until %v", at)
		}
		time.Sleep(time.Hour)
		if at := s.last(time.Now()); time.Since(at) != time.Hour-59*time.Second {
			t.Errorf("a long write ended %v ago", time.Since(at))
		}
	})
}

// Keys that were pressed while the terminal took nothing, and come all at once when it
// does again, answer nothing.
func TestKeysOfAStalledTerminalDoNotAnswer(t *testing.T) {
	s := newScreen(t, 80, 24)
	var until time.Time
	s.m.cfg.stalled = func(time.Time) time.Time { return until }
	id := s.ask(&protocol.Select{Title: "Run it?", Options: protocol.Options("Block", "Allow")})
	s.wait(time.Minute)
	until = s.at
	for _, key := range []string{"down", "down", "enter"} {
		s.keys(key)
		s.wait(10 * time.Millisecond)
	}
	if a, answered := s.answers[id]; answered {
		t.Fatalf("answered %v", a)
	}
	s.settle()
	s.keys("down", "enter")
	if s.answers[id] != protocol.Value("Block") {
		t.Errorf("afterwards: %v", s.answers[id])
	}
}
