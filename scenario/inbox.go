package scenario

import (
	"io"
	"slices"
	"sync"
	"time"

	"extui/internal/jsonl"
)

// arrival is one record of the other end.
type arrival struct {
	raw []byte
	end string // of its line, as it came
	v   value  // an object; kind null if raw is none
	// heard: it was taken before, and put back. dated: it came before the end of a step
	// that waits.
	heard, dated bool
}

// inbox takes in what the other end writes, whether anybody waits for it or not:
// an end that does not read could stop the other one from reading too.
type inbox struct {
	mu      sync.Mutex // guards items, ended and endedAt
	items   []arrival
	ended   bool
	endedAt time.Time
	// ready has a token when there may be something new.
	ready chan struct{}
	// over is closed when ended is set.
	over chan struct{}
}

func newInbox() inbox {
	return inbox{ready: make(chan struct{}, 1), over: make(chan struct{})}
}

// fill reads until the stream ends.
func (b *inbox) fill(src io.Reader, seen func(arrival)) {
	r := jsonl.NewReader(src, nil)
	for {
		raw, err := r.Next()
		b.mu.Lock()
		if err != nil {
			b.ended, b.endedAt = true, time.Now()
			close(b.over)
		} else {
			a := arrival{raw: slices.Clone(raw), end: r.LineEnd()}
			if v, err := decode(raw); err == nil && v.kind == object {
				a.v = v
			} else {
				a.v.kind = null
			}
			seen(a)
			b.items = append(b.items, a)
		}
		b.mu.Unlock()
		select {
		case b.ready <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// take waits until deadline for the next record; ended means that there is none to
// come, and neither that the time is over.
func (b *inbox) take(deadline time.Time) (a arrival, ok, ended bool) {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	for late := false; ; {
		b.mu.Lock()
		if len(b.items) > 0 {
			a = b.items[0]
			b.items = b.items[1:]
			b.mu.Unlock()
			return a, true, false
		}
		ended = b.ended
		b.mu.Unlock()
		if ended || late {
			return arrival{}, false, ended
		}
		select {
		case <-b.ready:
		case <-timer.C:
			// What came at the same moment is in time.
			late = true
		}
	}
}

// back puts a record back to the front.
func (b *inbox) back(a arrival) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = slices.Insert(b.items, 0, a)
}

// date marks what has come by now.
func (b *inbox) date() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.items {
		b.items[i].dated = true
	}
}

// end is when the other end ended its output; false if it has not.
func (b *inbox) end() (time.Time, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.endedAt, b.ended
}
