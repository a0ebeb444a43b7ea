package main

import (
	"context"
	"fmt"
)

// roundTrip is the time from one dialog to the next, when each is answered at
// once: two pipes, two processes, the client's and the agent's work in between.
var roundTrip = figure{"round-trip", "one confirm from Go through two pipes and back, one after another", func(ctx context.Context, b *bench) ([]Row, error) {
	return b.measureRoundTrip(ctx, goAgent, atMost(1.3), nil)
}}

// roundTripScript is the same from TypeScript: a promise is settled on the event loop
// of an engine for each.
var roundTripScript = figure{"round-trip-ts", "the same from TypeScript", func(ctx context.Context, b *bench) ([]Row, error) {
	return b.measureRoundTrip(ctx, tsAgent, atMost(1.5), atMost(1))
}}

func (b *bench) measureRoundTrip(ctx context.Context, agent string, floor, pi *Goal) (rows []Row, err error) {
	n := b.size.trips
	prompt := fmt.Sprintf("/ask %d", n)
	sessions, err := b.sessions(ctx, agent, "bounce", n)
	defer closeAll(&err, sessions...)
	if err != nil {
		return nil, err
	}
	var all []contender
	for _, s := range sessions {
		all = append(all, s.perPiece(prompt, n))
	}
	samples, err := b.turns(ctx, all...)
	if err != nil {
		return nil, err
	}
	return []Row{compare("µs", samples, floor, pi)}, nil
}

// sessions starts an agent, the floor with its argument, and pi if there is one.
func (b *bench) sessions(ctx context.Context, agent, floor string, args ...any) ([]*session, error) {
	var all []*session
	s, err := b.startAgent(ctx, agent)
	if err == nil {
		all = append(all, s)
		s, err = startChild(ctx, floor, args...)
	}
	if err == nil {
		all = append(all, s)
	}
	if err == nil && b.pi != nil {
		if s, err = b.pi.start(ctx, b.dir); err == nil {
			all = append(all, s)
		}
	}
	return all, err
}

// compare makes a row of the samples of sessions: measured, floor, pi if it is
// there. The goals are for the ratios; nil is none.
func compare(unit string, samples []Samples, floor, pi *Goal) Row {
	row := Row{Unit: unit, Measured: samples[0], Beside: []Beside{{"floor", samples[1], floor}}}
	if len(samples) > 2 {
		row.Beside = append(row.Beside, Beside{"pi", samples[2], pi})
	}
	return row
}
