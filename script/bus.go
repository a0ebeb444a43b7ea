package script

import (
	"fmt"
	"slices"
	"sync/atomic"
)

// busChain is what one event of the bus sets off in other extensions, whose handlers emit
// in turn. In pi all that is one stack of calls, whose limit ends two extensions that
// answer each other for ever; here each delivery is a turn of its own.
type busChain struct {
	left atomic.Int64 // deliveries
	over atomic.Bool  // it has been ended, and that was told
}

// How many deliveries one event may set off in a row, and altogether.
const (
	maxBusDepth      = 500
	maxBusDeliveries = 100_000
)

// link is where in a chain a turn is. The zero value is none: what it emits begins one.
type link struct {
	chain *busChain
	depth int
}

// emit passes an event of the bus on to the other extensions. lost is what the copy of its
// data lacks, "" for nothing. It is called on the loop of from.
func (s *sessionState) emit(from *run, channel, data, lost string) {
	at := from.engine.turn.bus
	if at.chain == nil {
		at.chain = &busChain{}
		at.chain.left.Store(maxBusDeliveries)
	}
	at.depth++
	s.mu.Lock()
	runs := slices.Clone(s.runs)
	s.mu.Unlock()
	for _, r := range runs {
		r.mu.Lock()
		listens := r.channels[channel]
		r.mu.Unlock()
		if r == from || !listens {
			continue
		}
		if at.depth > maxBusDepth || at.chain.left.Add(-1) < 0 {
			if !at.chain.over.Swap(true) {
				from.engine.tell("events:"+channel, &Error{Message: fmt.Sprintf(
					"stopped: extensions answer the events of each other without an end, here %q: an event may set off %d in a row and %d altogether",
					channel, maxBusDepth, maxBusDeliveries)})
			}
			return
		}
		if lost != "" {
			from.warnLost(channel, lost)
			lost = ""
		}
		r.engine.post(func() {
			if at.chain.over.Load() {
				return
			}
			if err := r.engine.enterAt(at, "bus", r.number, channel, data); err != nil {
				r.engine.stopped(err)
			}
		})
	}
}

// warnLost says once for a channel that listeners in other extensions do not get all of
// the data. It is called on the loop of r.
func (r *run) warnLost(channel, lost string) {
	if r.warned[channel] {
		return
	}
	if r.warned == nil {
		r.warned = map[string]bool{}
	}
	r.warned[channel] = true
	fmt.Fprintf(r.unit.loader.stderr, "extui: %s: the data of the event %q holds %s; listeners in other extensions get it as JSON has it\n",
		r.unit.path, channel, lost)
}
