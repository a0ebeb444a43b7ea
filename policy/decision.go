package policy

import (
	"errors"
	"time"

	"extui/client"
	"extui/protocol"
)

// Outcome says how a dialog ended.
type Outcome string

// The outcomes of dialogs.
const (
	// Answered: by a rule, a command or a person. The answer may say no.
	Answered Outcome = "answered"
	// Declined: a rule, a command or a person cancelled it, or the time of a rule's ask was
	// up.
	Declined Outcome = "cancelled"
	// NoRule: cancelled, for no rule matched and nobody could be asked, or for no rule can be
	// asked about such a dialog.
	NoRule Outcome = "no-rule"
	// Failed: cancelled, for the answer of its rule, its command or the next front end could
	// not be given.
	Failed Outcome = "failed"
	// Limited: cancelled, for the same question had been answered the same way too often.
	Limited Outcome = "limited"
	// Over: it ended before there was an answer. Nothing is sent, unless whoever ended it has
	// cancelled it, see [client.Answered].
	Over Outcome = "over"
	// NotSent: its answer was given and could not be sent any more. It follows another
	// outcome of the same dialog.
	NotSent Outcome = "not-sent"
)

// sentAtEnd is what the agent gets for a dialog that is over for that reason, nil for nothing.
func sentAtEnd(why error) protocol.Answer {
	if a, ok := errors.AsType[client.Answered](why); ok {
		return a.Answer()
	}
	if errors.Is(why, client.ErrStopped) {
		return protocol.Cancelled{}
	}
	return nil
}

// response is the record of the answer, which is not nil.
func (d *Decision) response() (*protocol.Response, error) {
	if dialog, ok := d.Request.(protocol.Dialog); ok {
		return protocol.Respond(dialog, d.Answer)
	}
	return &protocol.Response{ID: d.Request.RequestID(), Cancelled: true}, nil // Nobody answers such a one otherwise.
}

// Who decided.
type Who string

// Those who decide.
const (
	ByRule    Who = "rule"
	ByCommand Who = "command"
	ByPerson  Who = "person" // the next front end
	ByNobody  Who = "none"   // cancelled for want of a decision
)

// Decision is what became of one dialog, as it is reported and logged.
type Decision struct {
	Time    time.Time
	Session string // [Options.Session]
	// Request is the dialog; shared, and must not be changed. It is a [protocol.Dialog] but
	// where Unasked is true: of that one it is what could be read.
	Request protocol.Request
	Rule    string // the name of the rule that matched, "" if none did
	Line    int    // where it stands in the file; 0 if none matched
	Outcome Outcome
	Answer  protocol.Answer // what is sent; nil if nothing is: [NotSent], and [Over] but for some
	Who     Who
	Why     string // for a cancellation and what goes beyond the rule; may be empty
	Unasked bool   // the rules were not asked, see [Frontend.Unasked]
}

// Stats counts the decisions of a [Frontend].
type Stats struct {
	Rule      int64 // answered or cancelled by a rule
	Command   int64 // by a command
	Person    int64 // by the next front end
	NoRule    int64 // cancelled for want of a rule, with those that should be asked of nobody
	Failed    int64 // cancelled, for the answer of the rule could not be given
	Limited   int64 // cancelled, for the question came too often
	Over      int64 // ended before there was an answer
	NotSent   int64 // answered too late
	AuditLost int64 // cancelled, for the audit log could not be written; also in Failed
}

// Wanting returns how many dialogs were cancelled though no rule and nobody had decided
// to: for want of a rule, of its answer, or of somebody to ask.
func (s Stats) Wanting() int64 { return s.NoRule + s.Failed + s.Limited }

func (s *Stats) count(d *Decision) {
	switch d.Outcome {
	case Answered, Declined:
		switch d.Who {
		case ByCommand:
			s.Command++
		case ByPerson:
			s.Person++
		default:
			s.Rule++
		}
	case NoRule:
		s.NoRule++
	case Failed:
		s.Failed++
	case Limited:
		s.Limited++
	case Over:
		s.Over++
	case NotSent:
		s.NotSent++
	}
}
