package policy

import (
	"time"

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
	// NoRule: cancelled, for no rule matched and nobody could be asked.
	NoRule Outcome = "no-rule"
	// Failed: cancelled, for the answer of its rule, its command or the next front end could
	// not be given.
	Failed Outcome = "failed"
	// Limited: cancelled, for the same question had been answered the same way too often.
	Limited Outcome = "limited"
	// Over: it ended before there was an answer. Nothing is sent.
	Over Outcome = "over"
	// NotSent: its answer was given and could not be sent any more. It follows another
	// outcome of the same dialog.
	NotSent Outcome = "not-sent"
)

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
	Session string          // [Options.Session]
	Request protocol.Dialog // shared; must not be changed
	Rule    string          // the name of the rule that matched, "" if none did
	Line    int             // where it stands in the file; 0 if none matched
	Outcome Outcome
	Answer  protocol.Answer // nil if none was given: [Over] and [NotSent]
	Who     Who
	Why     string // for a cancellation and what goes beyond the rule; may be empty
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
