package conformance

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"extui/scenario"
)

// firstOf are the rules to look at first where most others fail in one way.
var firstOf = map[string]string{
	"no step expects this answer": "ANSWER-16",
	notLeft:                       "ENDC-4",
}

// fewFailures are too few to say that they have one cause.
const fewFailures = 5

// kindOf is in what way a play failed, without what came; "" if that says nothing.
func kindOf(s *scenario.StepResult) string {
	how, _, _ := strings.Cut(s.Message, ": ")
	if how == "it came otherwise" {
		return "" // That is what rules are about.
	}
	return how
}

// Cause is a line that says that most failures are of one kind, and which rule to look
// at first; "" if they are not. It knows nothing of a report that was read from a file.
func (r *Report) Cause() string {
	byKind := map[string][]string{}
	failed := 0
	most := ""
	for i := range r.Results {
		one := &r.Results[i]
		if one.Verdict != Fail {
			continue
		}
		failed++
		if one.how == "" {
			continue
		}
		byKind[one.how] = append(byKind[one.how], one.Rule.ID)
		if len(byKind[one.how]) > len(byKind[most]) {
			most = one.how
		}
	}
	alike := byKind[most]
	if len(alike) < fewFailures || 3*len(alike) < 2*failed {
		return ""
	}
	first := firstOf[most]
	if !slices.Contains(alike, first) {
		first = alike[0]
	}
	return fmt.Sprintf("%d of %d failures are of one kind (%s) and may have one cause: look at %s first", len(alike), failed, most, first)
}

// notLeft is the kind of failure of a client that stays.
const notLeft = "the client has not left"

// lateness is how long clients under test may take to leave. One that has never left in
// time is not waited for each time again: that would take minutes and say nothing new.
type lateness struct {
	mu         sync.Mutex // guards both
	late, left int
}

const (
	// chronic is after how many rules a client that has never left counts as one that
	// does not, and hasty how long it then gets.
	chronic = 3
	hasty   = 300 * time.Millisecond
)

func (l *lateness) note(late bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if late {
		l.late++
	} else {
		l.left++
	}
}

// patience is how long to wait where a rule allows within.
func (l *lateness) patience(within time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left == 0 && l.late >= chronic {
		return min(within, hasty)
	}
	return within
}
