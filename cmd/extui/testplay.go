package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"extui/agent"
	"extui/extension"
	"extui/scenario"
)

// errNoAgent is matched where the agent could not be started.
var errNoAgent = errors.New("the agent could not be started")

// playAll plays the scenarios, some at once, and returns their reports in order.
func playAll(w *world, f *testFlags, all []*scenario.Scenario, out *testOutput) []*scenario.Report {
	reports := make([]*scenario.Report, len(all))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(f.jobs, len(all)) {
		workers.Go(func() {
			for i := range next {
				out.begin(i, all[i])
				stderr := &lockedBuffer{}
				r := playOne(w, f, all[i], stderr, func(s scenario.StepResult) { out.step(i, s) })
				if f.update && r.Err == nil {
					r.Err = accept(r)
				}
				reports[i] = r
				out.finish(i, r, stderr.String())
			}
		})
	}
	for i := range all {
		next <- i
	}
	close(next)
	workers.Wait()
	return reports
}

// playOne plays the client of one scenario.
func playOne(w *world, f *testFlags, s *scenario.Scenario, stderr io.Writer, step func(scenario.StepResult)) *scenario.Report {
	opts := &scenario.Options{Step: step, Update: f.update}
	var report *scenario.Report
	play := func() {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var peer *scenario.Peer
		closing := func() {}
		var err error
		if len(f.argv) > 0 {
			peer, err = scenario.StartProcess(ctx, f.argv, s.Environ(w.env), stderr)
		} else {
			peer, closing, err = ownAgent(w, f, s, stderr)
		}
		if err != nil {
			report = &scenario.Report{Scenario: s, Err: errors.Join(err, errNoAgent)}
			return
		}
		if !f.virtual() {
			stop := time.AfterFunc(f.limit, cancel)
			defer stop.Stop()
		}
		report = s.TestAgent(ctx, peer, opts)
		closing()
	}
	if !f.virtual() {
		play()
		return report
	}
	begun := time.Now()
	if err := scenario.InVirtualTime(f.limit, play); err != nil {
		// What is left behind may still write to the report that it has.
		return &scenario.Report{Scenario: s, Elapsed: f.limit, Err: fmt.Errorf("%w; an extension that computes without an end? --real-time stops it", err)}
	}
	report.Virtual, report.Real = true, time.Since(begun)
	return report
}

// ownAgent starts extui's own agent in this process with the extensions of the
// command line and of the scenario.
func ownAgent(w *world, f *testFlags, s *scenario.Scenario, stderr io.Writer) (*scenario.Peer, func(), error) {
	world := *w
	world.stderr = stderr
	own := agentFlags{dialect: agent.Dialect(f.dialect), demo: f.demo, scripts: f.scripts}
	if own.dialect == "" {
		own.dialect = agent.Dialect(s.Dialect)
	}
	own.scripts.virtual = f.virtual()
	own.scripts.paths = append(slices.Clone(f.scripts.paths), s.Extensions...)
	for _, name := range slices.Sorted(maps.Keys(s.Flags)) {
		own.scripts.flags = append(slices.Clone(own.scripts.flags), name+"="+s.Flags[name])
	}
	logger := slog.New(slog.DiscardHandler)
	scripts, err := own.scripts.load(&world, logger)
	if none, ok := errors.AsType[noneLeft](err); ok {
		err = none.problems
	}
	if err != nil {
		return nil, nil, err
	}
	if err := errors.Join(scripts.problems...); err != nil {
		scripts.close()
		return nil, nil, err
	}
	if len(s.Tools) > 0 {
		scripts.extensions = append(scripts.extensions, standIns(s.Tools))
	}
	ids := 0
	var mu sync.Mutex
	a := agent.New(own.host(&world, scripts), &agent.Options{Dialect: own.dialect, Logger: logger, NewID: func() string {
		mu.Lock()
		defer mu.Unlock()
		ids++
		return fmt.Sprintf("id-%d", ids)
	}})
	return serveInProcess(a, stderr), scripts.close, nil
}

// serveInProcess is an agent in this process as a peer.
func serveInProcess(a *agent.Agent, stderr io.Writer) *scenario.Peer {
	inReader, inWriter := io.Pipe()
	outReader, outWriter := io.Pipe()
	ctx, cancel := context.WithCancelCause(context.Background())
	done := make(chan error, 1)
	go func() {
		err := a.Serve(ctx, inReader, outWriter)
		inReader.Close()
		outWriter.Close()
		done <- err
	}()
	return &scenario.Peer{
		In: inWriter, Out: outReader,
		Stop: func() {
			cancel(nil)
			outReader.Close()
		},
		Signal: func(name string) error {
			s, ok := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}[name]
			if !ok {
				return fmt.Errorf("extui's own agent runs in this process, which %s would end too", name)
			}
			cancel(stopSignal{s})
			return nil
		},
		Wait: func() scenario.Exit {
			err := <-done
			cancel(nil)
			if stopped, ok := errors.AsType[stopSignal](err); ok {
				return scenario.Exit{Code: signalCode(stopped.Signal), Reason: stopped.Error()}
			}
			if err != nil && !errors.Is(err, context.Canceled) {
				fmt.Fprintln(stderr, err)
				return scenario.Exit{Code: codeFailed, Reason: err.Error()}
			}
			return scenario.Exit{Reason: "its input ended"}
		},
	}
}

// standIns is an extension with the tools of a scenario, which only return a text.
func standIns(tools map[string]string) extension.Extension {
	return extension.Extension{Name: "tools of the scenario", Setup: func(api *extension.API) error {
		for _, name := range slices.Sorted(maps.Keys(tools)) {
			api.RegisterTool(extension.Tool{Name: name, Execute: func(*extension.Context, jsontext.Value) (extension.ToolResult, error) {
				return *agent.TextResult(tools[name]), nil
			}})
		}
		return nil
	}}
}

// lockedBuffer is a buffer that several goroutines write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
