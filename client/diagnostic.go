package client

import (
	"fmt"

	"extui/protocol"
)

// DiagnosticKind says what a [Diagnostic] is about.
type DiagnosticKind string

// The kinds of diagnostics. None of them is fatal.
const (
	// KindBanner is output before the first record that is no record.
	KindBanner DiagnosticKind = "banner"
	// KindBadRecord is a line after the first record that is no JSON object.
	KindBadRecord DiagnosticKind = "bad-record"
	// KindOversize is a record that was longer than [Options.MaxRecord]. If it
	// was a dialog it has been cancelled, where its first bytes gave its id.
	KindOversize DiagnosticKind = "oversize"
	// KindBadRequest is a UI request with a missing or wrong field. A dialog has
	// been cancelled, an update shown as far as it could be read.
	KindBadRequest DiagnosticKind = "bad-request"
	// KindUnknownMethod is a UI request of a kind that the client does not know.
	// It has been cancelled unless it is known to want no answer.
	KindUnknownMethod DiagnosticKind = "unknown-method"
	// KindDeclined is a dialog that was cancelled because no front end could
	// show it.
	KindDeclined DiagnosticKind = "declined"
	// KindNoOptions is a select without options, which was cancelled.
	KindNoOptions DiagnosticKind = "no-options"
	// KindDuplicateID is a dialog with the id of an open one, which it replaced.
	KindDuplicateID DiagnosticKind = "duplicate-id"
	// KindFrontend is a front end that failed, panicked, or gave an answer that
	// does not fit. The dialog has been cancelled.
	KindFrontend DiagnosticKind = "front-end"
	// KindBadResponse is a response to a command that could not be read.
	KindBadResponse DiagnosticKind = "bad-response"
	// KindOptIn is an agent that refused, other than by not knowing it, what
	// the client asked for in order to get more than the base methods.
	KindOptIn DiagnosticKind = "opt-in"
	// KindBadChunk is a record of oh-my-pi that came in parts which do not fit
	// together. It has been dropped.
	KindBadChunk DiagnosticKind = "bad-chunk"
	// KindTrimmed is an editor dialog of oh-my-pi whose text may have been cut
	// by its transport. It has been cancelled, or the cut text could go back as
	// the person's own.
	KindTrimmed DiagnosticKind = "trimmed"
)

// Diagnostic reports something that is wrong and that the client has coped
// with. Each kind is reported the first time it happens, for each method where
// it is about a UI request, and again in a new session; [Client.Counts] has the
// rest.
type Diagnostic struct {
	Kind   DiagnosticKind
	Method protocol.Method // of the UI request it is about, "" if it is about none
	ID     protocol.ID     // of the same; may be absent
	// Bytes is the size of the record it is about, 0 if it is about none.
	Bytes int64
	// Err says what was wrong. It is never nil.
	Err error
}

// String is one line for a log. It may hold text of the agent.
func (d Diagnostic) String() string {
	s := string(d.Kind)
	if d.Method != "" {
		s += fmt.Sprintf(": %q", d.Method)
	}
	if d.Bytes > 0 {
		s += fmt.Sprintf(": record of %d bytes", d.Bytes)
	}
	return s + ": " + d.Err.Error()
}

// Count is how often one kind of [Diagnostic] has happened.
type Count struct {
	N     int64 // how often, reported or not
	Bytes int64 // the sizes of the records taken together
}
