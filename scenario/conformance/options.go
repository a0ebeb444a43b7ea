package conformance

import (
	"bytes"
	"context"
	"io"
	"slices"
	"sync"
	"time"

	"extui/scenario"
)

// AgentStart starts the agent under test for one rule. env are lines NAME=VALUE to add
// to its environment. The peer is stopped when ctx ends.
type AgentStart func(ctx context.Context, env []string, stderr io.Writer) (*scenario.Peer, error)

// Options are the choices of a check. The zero value, and nil, judges all rules, one
// a time.
type Options struct {
	// Rules are those to judge; nil: all of that end.
	Rules []*scenario.Scenario
	// Jobs is how many are judged at once; 0 is one. Where it is more, those that mostly
	// wait are judged beside them, one at a time.
	Jobs int
	// Within is how long a step waits for the other end that the rule says nothing of;
	// 0: as in the rule, which is usually [scenario.DefaultWithin].
	Within time.Duration
	// Limit is how long one rule may take; 0 is a minute.
	Limit time.Duration
	// Known are the deviations that are no failures; may be nil.
	Known *Known
	// Dialect is "atomic", "pi" or "omp"; "" is found out. Rules of another dialect are
	// not judged.
	Dialect string
	// Lacks are features that the other end does not have, whatever it says.
	Lacks []string
	// Unattended says that nobody chooses for the client: rules that need it are not
	// judged.
	Unattended bool
	// Begin and Done are called as a rule is begun and judged, one call at a time, from
	// several goroutines. They may be nil.
	Begin func(*scenario.Rule)
	Done  func(*Result)
}

const defaultLimit = time.Minute

// rules are the rules to judge, with the times of the options.
func (o *Options) rules(role scenario.Role) []*scenario.Scenario {
	all := o.Rules
	if all == nil {
		all = Rules(role)
	}
	all = slices.Clone(all)
	for i, s := range all {
		if o.Within > 0 {
			one := *s
			one.Within = o.Within
			all[i] = &one
		}
	}
	return all
}

// judge calls one for each rule, some at once, and puts the results into the report in
// the order of the rules. It stops to begin more when ctx ends, and leaves out those that
// were cut off.
func (o *Options) judge(ctx context.Context, rules []*scenario.Scenario, report *Report, one func(ctx context.Context, i int) Result) {
	limit := o.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	results := make([]Result, len(rules))
	var calls sync.Mutex // held while a function of the options runs
	judgeOne := func(i int) {
		if ctx.Err() != nil {
			return
		}
		if o.Begin != nil {
			calls.Lock()
			o.Begin(rules[i].Rule)
			calls.Unlock()
		}
		begun, whole := time.Now(), ctx
		ctx, cancel := context.WithTimeoutCause(ctx, limit, errLimit)
		r := one(ctx, i)
		cancel()
		if whole.Err() != nil && r.Verdict != Pass && r.Verdict != Skipped {
			return // It was cut off, which says nothing of the other end.
		}
		r.Rule, r.Elapsed = *rules[i].Rule, time.Since(begun)
		o.Known.apply(&r)
		results[i] = r
		if o.Done != nil {
			calls.Lock()
			o.Done(&r)
			calls.Unlock()
		}
	}
	soon, long := o.lanes(rules)
	next := make(chan int, len(soon))
	for _, i := range soon {
		next <- i
	}
	close(next)
	var workers sync.WaitGroup
	for range max(1, min(o.Jobs, len(soon))) {
		workers.Go(func() {
			for i := range next {
				judgeOne(i)
			}
		})
	}
	workers.Go(func() {
		for _, i := range long {
			judgeOne(i)
		}
	})
	workers.Wait()
	for _, r := range results {
		if r.Verdict != "" {
			report.Results = append(report.Results, r)
		}
	}
}

// longWait is how long a rule waits that takes no worker from the others.
const longWait = 2 * time.Second

// lanes are the rules for the workers, and those that are judged beside them.
func (o *Options) lanes(rules []*scenario.Scenario) (soon, long []int) {
	for i, s := range rules {
		if o.Jobs > 1 && s.Waits() >= longWait {
			long = append(long, i)
		} else {
			soon = append(soon, i)
		}
	}
	return soon, long
}

// tail keeps the last that is written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

const tailSize = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = lastBytes(append(t.b, p...))
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.b))
}

// lastBytes is the end of b, whole lines if there are any.
func lastBytes(b []byte) []byte {
	if len(b) <= tailSize {
		return b
	}
	b = b[len(b)-tailSize:]
	if _, after, ok := bytes.Cut(b, []byte("\n")); ok {
		return after
	}
	return b
}
