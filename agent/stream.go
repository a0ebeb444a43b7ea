package agent

import "context"

// Stream is an answer that streams in a [Session]: one at a time. It goes through two
// ends, as in pi. When it settles, nothing more comes of it but what tells the client and
// the extensions so; Streaming is false then. When it has ended, that is told as well, and
// what waits for it goes on: WaitForIdle, the response to abort, the next prompt.
type Stream struct {
	session *Session
	ended   chan struct{}

	// Guarded by session.mu.
	settled bool
	over    bool // ended is closed
}

// Settle ends the answer, and calls tell in between to say so: the client that is told may
// send its next prompt at once, which waits until tell has returned. It does nothing if
// the answer has settled before. tell runs in the caller's goroutine.
func (a *Stream) Settle(tell func()) {
	a.session.mu.Lock()
	first := !a.settled
	a.settled = true
	a.session.mu.Unlock()
	if first {
		defer a.End()
		tell()
	}
}

// End ends the answer at once, if it has not ended.
func (a *Stream) End() {
	s := a.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if !a.over {
		a.settled, a.over = true, true
		close(a.ended)
	}
}

// BeginAnswer says that an answer streams from now until the Stream ends, as
// [Prompt.Start] does for the answer to a prompt. It fails if one streams already; one
// that has settled does not.
func (s *Session) BeginAnswer() (*Stream, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.streaming() {
		return nil, errStreaming
	}
	s.stream = &Stream{session: s, ended: make(chan struct{})}
	return s.stream, nil
}

// Streaming reports whether an answer streams now, see [Prompt.Start].
func (s *Session) Streaming() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streaming()
}

// streaming is Streaming for who holds s.mu.
func (s *Session) streaming() bool { return s.stream != nil && !s.stream.settled }

// WaitForIdle blocks until no answer streams, or ctx ends, which is its error then.
func (s *Session) WaitForIdle(ctx context.Context) error {
	return s.waitForStream(ctx, func(a *Stream) bool { return !a.settled })
}

// WaitSettled blocks while it is being told that an answer has settled, so that what the
// caller begins comes behind that, or until ctx ends, which is its error then. The handlers
// that are told must not call it.
func (s *Session) WaitSettled(ctx context.Context) error {
	return s.waitForStream(ctx, func(a *Stream) bool { return a.settled && !a.over })
}

// waitForStream waits for the ends of answers while busy says so; it holds s.mu for busy.
func (s *Session) waitForStream(ctx context.Context, busy func(*Stream) bool) error {
	for {
		s.mu.Lock()
		a := s.stream
		wait := a != nil && busy(a)
		s.mu.Unlock()
		if !wait {
			return nil
		}
		select {
		case <-a.ended:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// streamed returns a channel that is closed when the answer that streams or settles now
// has ended, or nil if none does.
func (s *Session) streamed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stream == nil || s.stream.over {
		return nil
	}
	return s.stream.ended
}
