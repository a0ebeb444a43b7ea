package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// noAnswer is the type of the reasons for which a dialog has no answer.
type noAnswer struct{ reason string }

func (e *noAnswer) Error() string { return e.reason }

// Is makes every reason match [ErrNoAnswer].
func (e *noAnswer) Is(target error) bool { return target == ErrNoAnswer }

// ErrNoAnswer is matched by every error that means "nobody decided": treat it as
// a no. The other errors of the dialog methods are mistakes of the caller, such as
// a select without options.
var ErrNoAnswer = errors.New("no answer")

// Why a dialog has no answer. Each matches [ErrNoAnswer] as well; the errors that
// the dialog methods return wrap one of them.
var (
	// ErrDismissed: the person, or the client, cancelled the dialog.
	ErrDismissed error = &noAnswer{"dismissed"}
	// ErrTimedOut: the dialog's own timeout passed.
	ErrTimedOut error = &noAnswer{"timed out"}
	// ErrAborted: the caller's context ended, or the client sent an abort. It comes
	// with the context's error and its cause, both wrapped.
	ErrAborted error = &noAnswer{"aborted"}
	// ErrDisconnected: the client is gone, or the agent is ending.
	ErrDisconnected error = &noAnswer{"disconnected"}
	// ErrNoUI: nobody is attached: before [Agent.Serve], after it, or a zero [UI].
	ErrNoUI error = &noAnswer{"no client is attached"}
	// ErrNoQuestionnaire: the client has not turned the questionnaire capability on.
	ErrNoQuestionnaire error = &noAnswer{"the client does not show questionnaires"}
	// ErrInvalidAnswer: the client answered with something that is no answer to
	// this dialog. It comes with a *[protocol.AnswerError] that says what.
	ErrInvalidAnswer error = &noAnswer{"invalid answer"}
	// ErrSessionReplaced: a new session has taken the place of the one that the UI
	// belongs to.
	ErrSessionReplaced error = &noAnswer{"the session was replaced"}
	// ErrUnsupported: the method needs a real terminal and does nothing in RPC mode.
	ErrUnsupported error = &noAnswer{"not supported in RPC mode"}
)

// Errors that a [Runtime] returns.
var (
	// ErrUnhandled is what [Runtime.Prompt] returns for a text that nobody takes.
	ErrUnhandled = errors.New("nothing handles this prompt")
	// ErrUnknownTool is matched by what [Runtime.CallTool] returns for a tool that
	// is not there.
	ErrUnknownTool = errors.New("unknown tool")
)

// errAbortCommand is the cause with which contexts end on the client's abort.
var errAbortCommand = errors.New("the client sent abort")

// aborted returns ErrAborted with what ended ctx.
func aborted(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if cause == nil || cause == err {
		return fmt.Errorf("%w: %w", ErrAborted, err)
	}
	return fmt.Errorf("%w: %w: %w", ErrAborted, err, cause)
}

// StuckError reports handlers that did not return although their contexts had
// ended. Their goroutines are still running: the fault is theirs.
type StuckError struct {
	// Names says which, such as "command /deploy" or "session_start", sorted.
	Names []string
}

func (e *StuckError) Error() string {
	return "did not return after its context ended: " + strings.Join(e.Names, ", ")
}
