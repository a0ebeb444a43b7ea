package agent

import (
	"context"
	"sync/atomic"
)

type breakKey struct{}

// NoteBreaks returns a context for code whose return means leave to do something, such as a
// gate of tool calls, and a function that reports whether a dialog of that context, or of
// one made from it, has ended or was refused since because the client has sent an abort, was
// gone, or the session ended. Such code may have taken the outcome for its default, and the
// contexts of what it belongs to may end only later: its leave is none then. A dialog whose
// own time is over, or that a person has cancelled, is no break.
func NoteBreaks(ctx context.Context) (noting context.Context, broken func() bool) {
	noted := new(atomic.Bool)
	return context.WithValue(ctx, breakKey{}, noted), noted.Load
}

// noteBreak tells who has called NoteBreaks for ctx, if somebody has.
func noteBreak(ctx context.Context) {
	if noted, ok := ctx.Value(breakKey{}).(*atomic.Bool); ok {
		noted.Store(true)
	}
}
