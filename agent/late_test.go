package agent

import (
	"errors"
	"testing"
	"time"

	"extui/protocol"
)

// A process that stood still has not seen the end of a dialog's time when the answer
// comes, and the time came first.
func TestAnswerBeforeALateTimer(t *testing.T) {
	yes := &protocol.Response{ID: protocol.StringID("1"), Confirmed: []byte("true")}
	for name, test := range map[string]struct {
		end   time.Time
		taken bool
	}{
		"over": {time.Now(), false}, "open": {time.Now().Add(time.Hour), true}, "no limit": {time.Time{}, true},
	} {
		p := &pending{id: yes.ID, end: test.end, done: make(chan struct{})}
		s := &Session{open: map[protocol.ID]*pending{p.id: p}}
		if taken := s.answer(yes); taken != test.taken || (p.outcome.response != nil) != test.taken {
			t.Errorf("%s: taken %v, outcome %+v", name, taken, p.outcome)
		}
		if !test.taken && !errors.Is(p.outcome.err, ErrTimedOut) {
			t.Errorf("%s: %v", name, p.outcome.err)
		}
	}
}
