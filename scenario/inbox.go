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
	v   value  // an object; kind null if raw is no record
	// twice are the members that stand twice: raw is then no record, and read is what one
	// makes of it that takes the last of each.
	twice []string
	read  value
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

// arrived is a line as a record, if it is one.
func arrived(raw []byte, end string) arrival {
	a := arrival{raw: raw, end: end, v: value{kind: null}}
	v, err := decode(raw)
	if err != nil || v.kind != object {
		return a
	}
	if a.read = v.lasts(&a.twice); len(a.twice) == 0 {
		a.v = v
	}
	return a
}

// noRecord says why a line is none.
func (a *arrival) noRecord() string {
	if len(a.twice) > 0 {
		return "this is no record: the key " + textValue(a.twice[0]).short() + " stands twice in it"
	}
	return "this is no record"
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
			a := arrived(slices.Clone(raw), r.LineEnd())
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
