package agent

import (
	"context"
	"sync"

	"extui/protocol"
)

// writtenKey is the key under which the context of [UI.Begin] has a func() to call
// when the dialog's record was handed to the writer.
type writtenKey struct{}

// Begin opens a dialog as [UI.Ask] does, but returns when its record is on its way, so
// that what the caller does next comes behind it on the wire: an event loop can ask
// without waiting. It blocks only while the client does not read. wait returns what
// Ask would, and may be called any number of times, from several goroutines at once.
func (u *UI) Begin(ctx context.Context, d protocol.Dialog) (wait func() (protocol.Answer, error)) {
	written, done := make(chan struct{}), make(chan struct{})
	var once sync.Once
	inner := context.WithValue(ctx, writtenKey{}, func() { once.Do(func() { close(written) }) })
	var answer protocol.Answer
	var err error
	go func() {
		defer close(done)
		answer, err = u.Ask(inner, d)
	}()
	select {
	case <-written:
	case <-done:
	}
	return func() (protocol.Answer, error) {
		<-done
		return answer, err
	}
}

// Streaming reports whether the answer to a prompt streams now, see [Prompt.Start].
func (s *Session) Streaming() bool { return s.streamed() != nil }

// WaitForIdle blocks until no answer streams, or ctx ends, which is its error then.
func (s *Session) WaitForIdle(ctx context.Context) error {
	for {
		ended := s.streamed()
		if ended == nil {
			return nil
		}
		select {
		case <-ended:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
