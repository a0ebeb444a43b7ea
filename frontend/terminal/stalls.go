package terminal

import (
	"io"
	"os"
	"sync"
	"time"
)

// stalls is a terminal to write to that remembers when it did not take what was
// written: a link that stands still, or somebody who has stopped the output. What is
// drawn meanwhile is seen by nobody, while keys are still pressed.
type stalls struct {
	to io.Writer

	mu    sync.Mutex
	since time.Time // when the write that is under way began; zero: none is
	until time.Time // when the last long one ended
}

// longWrite is how long a write takes for which keys may have waited.
const longWrite = 150 * time.Millisecond

func (s *stalls) Write(p []byte) (int, error) {
	s.mu.Lock()
	s.since = time.Now()
	s.mu.Unlock()
	n, err := s.to.Write(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if end := time.Now(); end.Sub(s.since) >= longWrite {
		s.until = end
	}
	s.since = time.Time{}
	return n, err
}

// last returns the time until which nothing that was drawn has got to the terminal,
// zero if all has.
func (s *stalls) last(now time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.since.IsZero() && now.Sub(s.since) >= longWrite {
		return now
	}
	return s.until
}

// stallsFile is one of a file, which bubbletea asks whether it is a terminal.
type stallsFile struct {
	*os.File
	writes *stalls
}

func (s stallsFile) Write(p []byte) (int, error) { return s.writes.Write(p) }

// watched returns out as a writer whose stalls are remembered.
func watched(out io.Writer) (io.Writer, *stalls) {
	s := &stalls{to: out}
	if file, ok := out.(*os.File); ok {
		return stallsFile{file, s}, s
	}
	return s, s
}
