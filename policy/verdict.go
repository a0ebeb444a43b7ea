package policy

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"extui/protocol"
)

// Verdict is what the rules say to a dialog, before any command is run and anybody is
// asked.
type Verdict struct {
	Rule    string // the name of the rule that matches; "" if none does
	Line    int    // where it stands in the file; 0 if none matches
	Kind    ActionKind
	Answer  protocol.Answer // nil if Kind is ask or run, and with Err
	Command []string        // if Kind is run
	Within  time.Duration   // of ask and run; 0: no limit
	// Err says why the rule's answer cannot be given. The dialog is then cancelled.
	Err error

	rule *rule
}

// Judge returns what the rules say to d. statuses are the agent's statuses by key, and may
// be nil; session is what [Options.Session] would be; open is how long the dialog has been
// open. The limit on equal questions is not among the rules and needs a [Frontend].
func (r *Rules) Judge(d protocol.Dialog, statuses map[string]string, session string, open time.Duration) Verdict {
	s := newSituation(d)
	s.statuses, s.session = maps.Clone(statuses), session
	for s.stage < len(r.stages) && r.stages[s.stage] <= open {
		s.stage++
	}
	return r.judge(s)
}

func (r *Rules) judge(s *situation) Verdict {
	if s.twofold() {
		return Verdict{Kind: ActionCancel, Err: errTwofold, rule: r.otherwise}
	}
	for _, rule := range r.rules {
		groups, ok, err := rule.when.match(s, rule.do.grants())
		if err != nil {
			// A rule that cannot be asked may have been there to say no.
			return rule.verdict(nil, fmt.Errorf("its condition cannot be evaluated: %w", err))
		}
		if !ok {
			continue
		}
		switch rule.do.kind {
		case ActionAsk, ActionRun:
			return rule.verdict(nil, nil)
		}
		answer, err := rule.do.answer(s, &rule.when, groups)
		if err == nil {
			err = checkAnswer(s.dialog, answer)
		}
		if err != nil {
			return rule.verdict(nil, err)
		}
		return rule.verdict(answer, nil)
	}
	v := Verdict{Kind: r.otherwise.do.kind, Within: r.otherwise.do.within, rule: r.otherwise}
	if v.Kind == ActionCancel {
		v.Answer = protocol.Cancelled{}
	}
	return v
}

func (r *rule) verdict(a protocol.Answer, err error) Verdict {
	return Verdict{
		Rule: r.name, Line: r.at.Line, Kind: r.do.kind, Answer: a, Command: slices.Clone(r.do.argv),
		Within: r.do.within, Err: err, rule: r,
	}
}
