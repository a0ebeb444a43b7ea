package conformance

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"extui/scenario"
	"extui/scenario/conformance/choices"
)

// NotJudged is the exit code with which a client under test says that it cannot do
// what EXTUI_NEEDS lists.
const NotJudged = choices.ExitCannot

// ClientRun is one start of the client under test.
type ClientRun struct {
	// Agent is the path of the agent that the client is to start, Dir the folder with
	// all its names that is to stand first in PATH.
	Agent, Dir string
	// Env are lines NAME=VALUE to add to its environment.
	Env []string
	// Output takes its standard output and error.
	Output *os.File
}

// Client is a client under test that runs.
type Client struct {
	// Wait blocks until it has ended. It is called once.
	Wait func() scenario.Exit
	// Leave tells it that its agent has ended, in a way that it may not notice.
	Leave func()
	// Stop ends it at once, and what it has started. It may be called several times.
	Stop func()
}

// ClientStart starts the client under test for one rule. It is stopped when ctx ends.
type ClientStart func(ctx context.Context, run *ClientRun) (*Client, error)

// CheckClient judges a client, which start starts once for each rule. player is the
// command line that plays the agent of a rule: behind it come --verdict and the name of
// a file for [VerdictWriter], --within and a time where [Options] has one, and the
// rule's file. It blocks until all are judged or ctx has ended; the report then has
// those that were, and the error is that of ctx. An error that matches [ErrNoClient]
// says that no rule was judged, since the client did not start its agent.
func CheckClient(ctx context.Context, start ClientStart, player []string, opts *Options) (*Report, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	begun := time.Now()
	report := newReport(scenario.Client)
	report.Unattended = o.Unattended
	rules := o.rules(scenario.Client)
	if o.Within > 0 {
		player = append(player[:len(player):len(player)], "--within", o.Within.String())
	}
	// All before the first client: a script that is open for writing while another
	// process is started cannot be run by then.
	stages, clean, err := setStages(rules, player)
	if err != nil {
		return report, err
	}
	defer clean()
	var leaving lateness
	o.judge(ctx, rules, report, func(ctx context.Context, i int) Result {
		if why := beyond(rules[i], &o); why != "" {
			return Result{Verdict: Skipped, Message: why}
		}
		return judgeClient(ctx, start, rules[i], stages[i], &leaving)
	})
	report.Elapsed = time.Since(begun)
	if err := context.Cause(ctx); err != nil {
		report.Stopped = true
		return report, fmt.Errorf("check client: %w", err)
	}
	if n := report.Count("", Error); n > 0 && n+report.Count("", Skipped) == len(report.Results) {
		for _, r := range report.Results {
			if r.Verdict == Error {
				return report, fmt.Errorf("%w: %s", ErrNoClient, strings.TrimSpace(r.Message+"\n"+r.Output))
			}
		}
	}
	return report, nil
}

// beyond says why a client is not judged by a rule, "" if it is.
func beyond(s *scenario.Scenario, o *Options) string {
	if s.Dialect != "" && o.Dialect != "" && s.Dialect != o.Dialect {
		return "a rule of the " + s.Dialect + " dialect"
	}
	for _, need := range s.Rule.Needs {
		for _, lack := range o.Lacks {
			if need == lack {
				return "needs " + need + ", which the client does not have"
			}
		}
	}
	if o.Unattended {
		for _, c := range s.Choices {
			if c.Kind != "wait" {
				return "somebody has to choose, and the client is unattended"
			}
		}
	}
	return ""
}

// lookEvery is how often it is seen whether a play is over.
const lookEvery = 10 * time.Millisecond

// judgeClient runs the client once.
func judgeClient(ctx context.Context, start ClientStart, s *scenario.Scenario, at *stage, leaving *lateness) Result {
	output, err := os.Create(at.path("output"))
	if err != nil {
		return Result{Verdict: Error, Message: fmt.Sprintf("keep what the client prints: %v", err)}
	}
	defer output.Close()
	client, err := start(ctx, &ClientRun{Agent: at.path(AgentNames[0]), Dir: at.dir, Env: clientEnv(s, at), Output: output})
	if err != nil {
		return Result{Verdict: Error, Message: fmt.Sprintf("%v: %v", ErrNoClient, err)}
	}
	w := &watch{s: s, at: at, client: client, exited: make(chan scenario.Exit, 1), leaving: leaving}
	go func() { w.exited <- client.Wait() }()
	r := w.judge(ctx)
	if r.Verdict != Pass {
		if text, err := os.ReadFile(output.Name()); err == nil {
			r.Output = strings.TrimSpace(string(lastBytes(text)))
		}
	}
	return r
}

// watch waits for a client and for the play that it has started.
type watch struct {
	s      *scenario.Scenario
	at     *stage
	client *Client
	exited chan scenario.Exit
	play   *verdictFile     // nil: none was started yet
	report *scenario.Report // of the play
	err    error            // of reading it
	late   bool             // the client has not left in time
	// leaving is shared by all rules; patience is what the client has got.
	leaving  *lateness
	patience time.Duration
}

// judge blocks until both have ended.
func (w *watch) judge(ctx context.Context) Result {
	exit := w.await(ctx)
	w.client.Stop()
	// The play sees the end of its input now, and is over soon.
	deadline := time.Now().Add(w.s.Within + time.Second)
	if w.look(); w.play == nil {
		deadline = time.Now().Add(200 * time.Millisecond) // It may have been started just before.
	}
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for !w.over() && time.Now().Before(deadline) && ctx.Err() == nil {
		<-ticker.C
		w.look()
	}
	if w.play != nil && !w.over() {
		// Out of the reach of Stop, in a process group of its own for one.
		if p, err := os.FindProcess(w.play.PID); err == nil {
			_ = p.Kill() // It may have ended meanwhile.
		}
	}
	return w.verdict(ctx, exit)
}

// await returns when the client has ended, and stops it where it stays although the
// play is over.
func (w *watch) await(ctx context.Context) scenario.Exit {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	var overSince time.Time
	for {
		select {
		case exit := <-w.exited:
			return exit
		case <-ctx.Done():
			w.client.Stop()
			return <-w.exited
		case now := <-ticker.C:
			w.look()
			switch {
			case !w.over():
			case overSince.IsZero():
				overSince = now
				w.patience = w.leaving.patience(w.s.Within)
				w.client.Leave()
			case now.Sub(overSince) > w.patience:
				w.late = true
				w.client.Stop()
				return <-w.exited
			}
		}
	}
}

func (w *watch) over() bool { return w.play != nil && w.play.Over || w.err != nil }

func (w *watch) look() {
	if w.over() {
		return
	}
	play, report, err := readVerdict(w.at.path("verdict.json"), w.s)
	if err != nil {
		w.err = err
	} else if play != nil {
		w.play, w.report = play, report
	}
}

func (w *watch) verdict(ctx context.Context, exit scenario.Exit) Result {
	switch cause := context.Cause(ctx); {
	case w.err != nil:
		return Result{Verdict: Error, Message: w.err.Error()}
	case exit.Code == NotJudged:
		return Result{Verdict: Skipped, Message: "the client says that it cannot do this: " + strings.Join(append([]string{"exit code 77"}, w.s.Rule.Needs...), ", ")}
	case w.play == nil && cause != nil:
		return Result{Verdict: Error, Message: "the client has not started its agent: " + cause.Error()}
	case w.play == nil:
		return Result{Verdict: Error, Message: fmt.Sprintf("the client has not started its agent, and ended: %s", exit.Reason)}
	case !w.play.Over && w.report.Failure() == nil:
		return Result{Verdict: Fail, Message: fmt.Sprintf("the agent was killed after %d steps, or did not end: %s", len(w.report.Steps), w.lastStep())}
	}
	w.leaving.note(w.late)
	r := resultOf(w.report)
	if r.Verdict == Pass && w.late {
		r.Verdict, r.how = Fail, notLeft
		r.Message = fmt.Sprintf("%s within %v of the end of its agent", notLeft, w.patience)
	}
	return r
}

// lastStep is the step that a play came to.
func (w *watch) lastStep() string {
	if n := len(w.report.Steps); n > 0 {
		return "the last was " + w.report.Steps[n-1].Text
	}
	return "it came to none"
}
