package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"extui/scenario"
)

// testFlags is the command line of test.
type testFlags struct {
	files, argv                  []string
	scripts                      scriptFlags
	dialect, junit               string
	within, limit                time.Duration
	jobs                         int
	demo, realTime, wire, update bool
	json, tap, quiet             bool
}

func newTest(w *world) *cobra.Command {
	var f testFlags
	var schema bool
	cmd := &cobra.Command{
		Use:   "test FILE... [flags] [-- AGENT ARGS...]",
		Short: "Test an agent, or an extension, with scenarios",
		Long: lines(
			"Plays the client of each scenario against AGENT, which is started anew for each, and says",
			"for each step whether the agent did what the file says. FILE is a scenario or a folder with",
			"scenarios. docs/scenarios.md is the manual of the format.",
			"",
			"Without AGENT the agent is extui's own, with the extensions of -e and of the file. Its time",
			"is virtual: it jumps to the next timeout when nothing else is left to do, so that waiting",
			"costs nothing.",
			"",
			"Exit codes:",
			"  0    all scenarios passed",
			"  1    one did not",
			"  2    the command line, or a scenario, makes no sense",
			"  3    the agent could not be started",
		),
		Example: lines(
			"# An extension",
			"extui test gate.yaml -e my-gate.ts",
			"# Another agent, with what passed by",
			"extui test scenarios/ --wire -- pi --mode rpc --no-session",
			"# For a build server",
			"extui test scenarios/ -e my-gate.ts --junit report.xml",
		),
		RunE: func(cmd *cobra.Command, args []string) error {
			if schema {
				return printed(w.stdout.Write(scenario.Schema()))
			}
			f.files = args
			if dash := cmd.ArgsLenAtDash(); dash >= 0 {
				f.files, f.argv = args[:dash], args[dash:]
			}
			if err := f.check(); err != nil {
				return err
			}
			return runTests(w, &f)
		},
	}
	set := cmd.Flags()
	set.StringArrayVarP(&f.scripts.paths, "extension", "e", nil, "load this extension into extui's own agent: a file, a folder or a package (repeatable)")
	set.StringArrayVar(&f.scripts.flags, "extension-flag", nil, "set a flag of an extension: NAME=VALUE, or NAME for true (repeatable)")
	set.BoolVar(&f.scripts.trust, "trust", false, "trust the extensions that lie in the .pi or .atomic folder of this project")
	set.BoolVar(&f.demo, "demo", false, "test the demo agent")
	set.StringVar(&f.dialect, "dialect", "", "whose methods and texts extui's own agent has: atomic or pi")
	set.BoolVar(&f.realTime, "real-time", false, "let time pass as it does elsewhere")
	set.DurationVar(&f.limit, "limit", time.Minute, "the longest that one scenario may take of real time")
	set.DurationVar(&f.within, "within", 0, "how long a step waits that does not say so itself")
	set.IntVar(&f.jobs, "jobs", 0, "how many scenarios are played at once; 0 is one a processor")
	set.BoolVar(&f.update, "update", false, "accept what the agent says: rewrite the steps that differ in a value")
	set.BoolVar(&f.wire, "wire", false, "show every record that passes by")
	set.BoolVar(&f.quiet, "quiet", false, "show failures only")
	set.BoolVar(&f.json, "json", false, "print one JSON object a scenario")
	set.BoolVar(&f.tap, "tap", false, "print the Test Anything Protocol")
	set.StringVar(&f.junit, "junit", "", "write a JUnit report to this file")
	set.BoolVar(&schema, "print-schema", false, "print the JSON Schema of a scenario file, for editors")
	complete(cmd, "dialect", agentDialects)
	return cmd
}

func (f *testFlags) check() error {
	if f.jobs == 0 {
		f.jobs = runtime.NumCPU()
	}
	f.scripts.memory, f.scripts.limit = 256, 10*time.Second
	own := len(f.scripts.paths) > 0 || f.demo || f.dialect != ""
	switch {
	case len(f.files) == 0:
		return usageError("extui test FILE names scenarios, or folders with them", "no scenario to play")
	case f.dialect != "" && !slices.Contains(agentDialects, f.dialect):
		return oneOf("dialect", "dialect", f.dialect, agentDialects)
	case own && len(f.argv) > 0:
		return usageError("-e, --demo and --dialect are for extui's own agent", "two agents to test: extui's own and %s", f.argv[0])
	case f.json && f.tap:
		return usageError("--junit goes with either", "--json and --tap at once")
	case f.jobs < 0:
		return usageError("--jobs takes a number; 0 is one a processor", "invalid --jobs %d", f.jobs)
	case f.within < 0 || f.limit <= 0:
		return usageError("a time such as 30s", "invalid --within or --limit")
	}
	return nil
}

// scenarios parses the files of the command line, and those in its folders.
func scenarios(files []string) ([]*scenario.Scenario, error) {
	var all []*scenario.Scenario
	var problems []error
	for _, name := range files {
		list := []string{name}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			yaml, _ := filepath.Glob(filepath.Join(name, "*.yaml"))
			yml, _ := filepath.Glob(filepath.Join(name, "*.yml"))
			list = append(yaml, yml...)
			slices.Sort(list)
			if len(list) == 0 {
				problems = append(problems, fmt.Errorf("no scenario (*.yaml) in folder %s", name))
			}
		}
		for _, file := range list {
			s, err := scenario.Load(file)
			if err == nil {
				err = s.CheckRole(scenario.Client)
			}
			if err != nil {
				problems = append(problems, err)
				continue
			}
			all = append(all, s)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, &failure{codeUsage, err, "docs/scenarios.md is the manual of the format"}
	}
	return all, nil
}

// inputs are the files that are read, or run.
func (f *testFlags) inputs(all []*scenario.Scenario) []string {
	names := slices.Concat(f.files, f.scripts.paths, f.argv)
	for _, s := range all {
		names = append(append(names, s.File), s.Extensions...)
	}
	return names
}

// runTests plays all scenarios and prints what came of them.
func runTests(w *world, f *testFlags) error {
	all, err := scenarios(f.files)
	if err != nil {
		return err
	}
	if err := keepInputs(f.inputs(all), written{"junit", f.junit}); err != nil {
		return err
	}
	if len(f.argv) == 0 {
		var missing []error
		for _, s := range all {
			missing = append(missing, s.CheckExtensions())
		}
		if err := errors.Join(missing...); err != nil {
			return &failure{codeUsage, err, "extensions are named beside the scenario's folder"}
		}
	}
	for _, s := range all {
		if len(s.Env) > 0 && len(f.argv) == 0 {
			return usageError("-- AGENT names an agent that is a process", "%s sets environment variables, and extui's own agent runs in this process", s.File)
		}
		if f.within > 0 {
			s.Within = f.within
		}
		if len(f.argv) == 0 && !f.demo && len(f.scripts.paths)+len(s.Extensions) == 0 {
			return usageError("-e FILE names an extension, -- AGENT another agent", "no agent to test with %s", s.File)
		}
	}
	out := newTestOutput(w, f, len(all))
	reports := playAll(w, f, all, out)
	if err := out.end(reports); err != nil {
		return err
	}
	if f.junit != "" {
		if err := writeReport(f.junit, reports); err != nil {
			return err
		}
	}
	failed, code := 0, codeFailed
	for _, r := range reports {
		if !r.Passed() {
			failed++
		}
		if errors.Is(r.Err, errNoAgent) {
			code = codeNoAgent
		}
	}
	if failed > 0 {
		return &failure{code: code}
	}
	return nil
}

// virtual reports whether time passes as fast as it can: where all that is played is
// in this process.
func (f *testFlags) virtual() bool { return len(f.argv) == 0 && !f.realTime }

func writeReport(name string, reports []*scenario.Report) error {
	file, err := os.Create(name)
	if err == nil {
		err = errors.Join(scenario.WriteJUnit(file, reports), file.Close())
	}
	if err != nil {
		return &failure{codeFailed, fmt.Errorf("write JUnit report: %w", err), ""}
	}
	return nil
}

// accept writes what a scenario accepted into its file.
func accept(r *scenario.Report) error {
	source, ok := r.Update()
	if !ok {
		if r.Passed() && slices.ContainsFunc(r.Steps, func(s scenario.StepResult) bool { return s.Status == scenario.Updated }) {
			return fmt.Errorf("update scenario: %s cannot be rewritten so that it says what came, and is left as it is", r.Scenario.File)
		}
		return nil
	}
	if err := os.WriteFile(r.Scenario.File, source, 0o666); err != nil {
		return fmt.Errorf("update scenario: %w", err)
	}
	return nil
}
