package policy

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"sync"

	"extui/protocol"
)

// remembered is among how many different questions one still counts as coming again: an
// agent that goes in circles may ask two or three in turn.
const remembered = 8

// streaks counts how often the same question was answered the same way in a row.
type streaks struct {
	mu   sync.Mutex
	last []streak // the latest question first; at most remembered
}

type streak struct {
	question, answer [sha256.Size]byte
	n                int
}

// count enters an answer of the rules and returns how often in a row it was given.
func (s *streaks) count(d protocol.Dialog, a protocol.Answer) int {
	now := streak{questionKey(d), answerKey(d, a), 1}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.last, func(x streak) bool { return x.question == now.question }); i >= 0 {
		if s.last[i].answer == now.answer {
			now.n = s.last[i].n + 1
		}
		s.last = slices.Delete(s.last, i, i+1)
	}
	s.last = slices.Insert(s.last, 0, now)
	s.last = s.last[:min(len(s.last), remembered)]
	return now.n
}

// questionKey is the same for dialogs that ask the same.
func questionKey(d protocol.Dialog) [sha256.Size]byte {
	h := sha256.New()
	put := func(t string) {
		h.Write(strconv.AppendInt(nil, int64(len(t)), 10))
		h.Write([]byte{':'})
		h.Write([]byte(t))
	}
	put(string(d.Method()))
	s := newSituation(d)
	for t := range s.texts {
		put(t)
	}
	for _, o := range s.options {
		put(o.Answer())
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func answerKey(d protocol.Dialog, a protocol.Answer) [sha256.Size]byte {
	r, err := protocol.Respond(d, a)
	if err != nil {
		r = &protocol.Response{Cancelled: true} // which is what will be sent
	}
	r.ID = protocol.ID{}
	return sha256.Sum256(protocol.AppendResponse(nil, r))
}
