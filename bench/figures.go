package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"
)

// figures is what is measured, in the order of the table.
func figures() []figure {
	return []figure{
		roundTrip,
		roundTripScript,
		openAtOnce,
		openAtOnceScript,
		crowded,
		notifications,
		notificationsScript,
		notificationsBare,
		busyAgent,
		proxyPass,
		proxyTrip,
		keyToFrame,
		startDemo,
		startScript,
	}
}

// A figure is one thing that is measured.
type figure struct {
	name    string // what --only takes
	what    string // one line for the table
	measure func(ctx context.Context, b *bench) ([]Row, error)
}

// errSkip is wrapped by a figure that cannot be measured on this machine.
var errSkip = errors.New("not measured")

// sizes are how much of everything a run does.
type sizes struct {
	rounds     int // of each figure and its floor; see few
	trips      int // round trips in a round
	open       int // dialogs open at once
	crowd      int // dialogs that stay open meanwhile
	notes      int // notifications in a round
	eventBytes int // bytes of events in a round
	starts     int // of each program
}

var (
	normal = sizes{rounds: 7, trips: 2000, open: 2000, crowd: 10_000, notes: 60_000, eventBytes: 512 << 20, starts: 7}
	small  = sizes{rounds: 3, trips: 1000, open: 2000, crowd: 10_000, notes: 20_000, eventBytes: 64 << 20, starts: 3}
)

// few is how many rounds a figure makes whose rounds are long.
func (s sizes) few() int { return min(s.rounds, 3) }

// bench is one run of the program.
type bench struct {
	size     sizes
	dir      string // belongs to this run and is removed after it
	progress io.Writer
	profile  string  // where agents write CPU profiles; "": they do not
	pi       *piPath // nil: not installed, or not wanted
	extui    string  // the program, once startDemo has built it
}

// report measures the figures one after another.
func (b *bench) report(ctx context.Context, all []figure) *Report {
	rep := &Report{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), Go: runtime.Version(), Pi: b.pi != nil}
	for _, f := range all {
		begin := time.Now()
		fmt.Fprintf(b.progress, "bench: %s: %s\n", f.name, f.what)
		rows, err := f.measure(ctx, b)
		if err != nil {
			rows = append(rows, Row{Skipped: errors.Is(err, errSkip), Err: err.Error(), err: err})
		}
		for i := range rows {
			rows[i].Figure, rows[i].What = f.name+rows[i].Figure, f.what
		}
		rep.Rows = append(rep.Rows, rows...)
		fmt.Fprintf(b.progress, "bench: %s: %.1f s\n", f.name, time.Since(begin).Seconds())
		if ctx.Err() != nil {
			break
		}
	}
	return rep
}
