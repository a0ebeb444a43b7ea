package main

import (
	"context"
	"fmt"
)

// openAtOnce is the share of one dialog when many are opened together, all are
// open at the same time, and then all are answered.
var openAtOnce = figure{"open-at-once", "each of 2,000 confirms from Go that are open at once, then answered", func(ctx context.Context, b *bench) ([]Row, error) {
	return b.measureOpen(ctx, goAgent, atMost(0.5))
}}

// openAtOnceScript is the same from TypeScript.
var openAtOnceScript = figure{"open-at-once-ts", "the same from TypeScript", func(ctx context.Context, b *bench) ([]Row, error) {
	return b.measureOpen(ctx, tsAgent, nil)
}}

func (b *bench) measureOpen(ctx context.Context, agent string, pi *Goal) (rows []Row, err error) {
	n := b.size.open
	prompt := fmt.Sprintf("/burst %d", n)
	sessions, err := b.sessions(ctx, agent, "burst", n)
	defer closeAll(&err, sessions...)
	if err != nil {
		return nil, err
	}
	var all []contender
	for _, s := range sessions {
		c := s.perPiece(prompt, n)
		all = append(all, contender{s.name, func(ctx context.Context) (float64, error) {
			s.front.gate.Store(newGate(n))
			return c.round(ctx)
		}})
	}
	samples, err := b.turns(ctx, all...)
	if err != nil {
		return nil, err
	}
	return []Row{compare("µs", samples, nil, pi)}, nil
}

// crowded is whether a dialog costs more when many others are open.
var crowded = figure{"crowded", "one confirm with 10,000 others open, beside one alone", measureCrowded}

func measureCrowded(ctx context.Context, b *bench) (rows []Row, err error) {
	full, err := b.startAgent(ctx, goAgent)
	if err != nil {
		return nil, err
	}
	defer closeAll(&err, full)
	alone, err := b.startAgent(ctx, goAgent)
	if err != nil {
		return nil, err
	}
	defer closeAll(&err, alone)

	full.begin(ctx, fmt.Sprintf("/hold %d", b.size.crowd))
	if err := full.waitHeld(ctx, b.size.crowd); err != nil {
		return nil, err
	}
	n := b.size.trips
	prompt := fmt.Sprintf("/ask %d", n)
	samples, err := b.turns(ctx, full.perPiece(prompt, n), alone.perPiece(prompt, n))
	if err != nil {
		return nil, err
	}
	return []Row{{Unit: "µs", Measured: samples[0], Beside: []Beside{{"alone", samples[1], atMost(1.5)}}}}, nil
}
