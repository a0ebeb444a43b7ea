package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"extui/scenario"
)

var errLimit = errors.New("the rule takes too long")

// CheckAgent judges an agent, which start starts once more than there are rules to
// judge. It blocks until all are judged or ctx has ended; the report then has those
// that were, and the error is that of ctx. An error that matches [ErrNoAgent] or
// [ProbeError] says that the agent cannot be checked at all.
func CheckAgent(ctx context.Context, start AgentStart, opts *Options) (*Report, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	begun := time.Now()
	report := newReport(scenario.Agent)
	features, dialect, err := detect(ctx, start)
	if err != nil {
		report.Stopped = ctx.Err() != nil
		return report, err
	}
	if o.Dialect != "" {
		dialect = o.Dialect
	}
	features = slices.DeleteFunc(features, func(f string) bool { return slices.Contains(o.Lacks, f) })
	report.Features, report.Dialect = features, dialect
	rules := o.rules(scenario.Agent)
	o.judge(ctx, rules, report, func(ctx context.Context, i int) Result {
		if why := unfit(rules[i], features, dialect); why != "" {
			return Result{Verdict: Skipped, Message: why}
		}
		return judgeAgent(ctx, start, rules[i])
	})
	report.Elapsed = time.Since(begun)
	if err := context.Cause(ctx); err != nil {
		report.Stopped = true
		return report, fmt.Errorf("check agent: %w", err)
	}
	return report, nil
}

// unfit says why a rule is not judged, "" if it is.
func unfit(s *scenario.Scenario, features []string, dialect string) string {
	if s.Dialect != "" && s.Dialect != dialect {
		return "a rule of the " + s.Dialect + " dialect; this agent speaks " + dialect
	}
	if missing := lacking(s.Rule.Needs, features); len(missing) > 0 {
		return "needs " + strings.Join(missing, ", ") + ", which the agent does not have"
	}
	return ""
}

func judgeAgent(ctx context.Context, start AgentStart, s *scenario.Scenario) Result {
	stderr := &tail{}
	peer, err := start(ctx, envLines(s.Env), stderr)
	if err != nil {
		return Result{Verdict: Error, Message: fmt.Sprintf("%v: %v", ErrNoAgent, err)}
	}
	r := resultOf(s.TestAgent(ctx, peer, nil))
	if r.Verdict != Pass {
		r.Output = stderr.String()
	}
	return r
}

func envLines(env map[string]string) []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		lines = append(lines, name+"="+env[name])
	}
	return lines
}

// ProbeArgument stands for the path of the probe in a command line.
const ProbeArgument = "{probe}"

// AgentCommand starts a command line as the agent under test, each in a process group
// of its own. env is its environment, as os.Environ gives it. probe is the path of the
// probe: it is put in the place of [ProbeArgument], or, where that does not stand,
// behind the others after -e. With an empty probe the command line stays as it is.
func AgentCommand(argv, env []string, probe string) AgentStart {
	argv = slices.Clone(argv)
	if probe != "" && !replace(argv, ProbeArgument, probe) {
		argv = append(argv, "-e", probe)
	}
	return func(ctx context.Context, extra []string, stderr io.Writer) (*scenario.Peer, error) {
		return scenario.StartGroup(ctx, argv, withEnv(env, extra), nil, stderr)
	}
}

// replace puts value in the place of a name in all arguments, and reports whether it
// stood in any.
func replace(argv []string, name, value string) bool {
	found := false
	for i, arg := range argv {
		if strings.Contains(arg, name) {
			argv[i], found = strings.ReplaceAll(arg, name, value), true
		}
	}
	return found
}

func withEnv(env, extra []string) []string {
	env = slices.Clone(env)
	for _, line := range extra {
		name, value, _ := strings.Cut(line, "=")
		env = scenario.SetEnv(env, name, value)
	}
	return env
}

// WriteProbe writes the probe to a temporary file. remove deletes it.
func WriteProbe() (name string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "extui-probe")
	if err != nil {
		return "", nil, fmt.Errorf("write probe: %w", err)
	}
	remove = func() { _ = os.RemoveAll(dir) } // A temporary folder, which others clean too.
	name = filepath.Join(dir, "probe.ts")
	if err := os.WriteFile(name, Probe(), 0o600); err != nil {
		remove()
		return "", nil, fmt.Errorf("write probe: %w", err)
	}
	return name, remove, nil
}
