package agent

import (
	"fmt"
	"log/slog"
	"time"

	"extui/internal/uuid"
	"extui/protocol"
)

// Dialect says which of the two documents decides where they differ.
type Dialect string

// The dialects. They differ in the tool expansion state, in chat render settings
// and in whether the client may turn capabilities on.
const (
	Atomic Dialect = "atomic"
	Pi     Dialect = "pi"
)

// Options are the choices of [New]. The zero value, and nil, is an agent of the
// Atomic dialect without limits.
type Options struct {
	// Dialect is Atomic if it is empty. Any other text than the two is a
	// programmer's error.
	Dialect Dialect
	// Logger takes diagnostics: unsupported methods, invalid answers, stuck
	// handlers. nil discards them. It must not write to the agent's output.
	Logger *slog.Logger
	// NewID makes the ids of requests and of sessions. They must differ from each
	// other. nil makes random UUIDs. It may be called from several goroutines at once.
	NewID func() string
	// MaxRecord is the most bytes that one record of the client may have; a larger
	// one is dropped and answered with an error. 0 means no limit.
	MaxRecord int
	// Grace is how long the end of Serve waits: for handlers whose contexts have
	// ended, then for shutdown handlers, then for the client to take the rest of
	// the output; for each of the three. 0 means five seconds.
	Grace time.Duration
	// Capabilities are those that a client may turn on. nil means all of them in
	// the Atomic dialect and none in pi's, which has no such command.
	Capabilities *protocol.Capabilities
}

const defaultGrace = 5 * time.Second

// withDefaults returns a copy of o without nil and zero, and panics on
// contradictions.
func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	switch out.Dialect {
	case "":
		out.Dialect = Atomic
	case Atomic, Pi:
	default:
		panic(fmt.Sprintf("agent: unknown dialect %q", out.Dialect))
	}
	if out.MaxRecord < 0 || out.Grace < 0 {
		panic(fmt.Sprintf("agent: negative MaxRecord %d or Grace %v", out.MaxRecord, out.Grace))
	}
	if out.Logger == nil {
		out.Logger = slog.New(slog.DiscardHandler)
	}
	if out.NewID == nil {
		out.NewID = uuid.New
	}
	if out.Grace == 0 {
		out.Grace = defaultGrace
	}
	supported := protocol.Capabilities{Questionnaire: out.Dialect == Atomic, Dismiss: out.Dialect == Atomic}
	if out.Capabilities != nil {
		supported = *out.Capabilities
	}
	out.Capabilities = &supported
	return out
}

// Stats counts what an agent has seen. All counts are totals since [New].
type Stats struct {
	OpenDialogs    int    // dialogs that wait for an answer now
	Dialogs        uint64 // dialogs written
	Updates        uint64 // fire-and-forget requests written, dismissals not among them
	Dismissals     uint64 // dismissals (protocol.Cancel) written
	InvalidAnswers uint64 // dialogs that ended with ErrInvalidAnswer
	IgnoredAnswers uint64 // answers for a dialog that is over, was answered already, or never was
	BadRecords     uint64 // records that were no JSON object, or too large
	Unsupported    uint64 // methods used that RPC mode does not support, each once a session
}
