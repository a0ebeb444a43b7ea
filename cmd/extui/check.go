package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"extui/internal/safetext"
	"extui/scenario"
	"extui/scenario/conformance"
)

// checkDialects are the values of check's --dialect.
var checkDialects = []string{"atomic", "pi", "omp"}

func newCheck(w *world) *cobra.Command {
	var probe bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Hold an agent or a client to the rules of the protocol",
		Long: lines(
			"Plays the conformance suite against an agent or a client, a process for each rule, and",
			"reports which rules it keeps. docs/conformance.md lists them, with the results of others.",
		),
		Example: lines(
			"# extui's own agent",
			"extui check agent",
			"extui check agent -- extui agent",
			"# pi, whose deviations are known",
			"extui check agent --known pi-1.6.0 -- pi --mode rpc --no-session",
			"# A client; what a person would choose stands in EXTUI_CHOICES",
			"extui check client -- my-client",
			"# The probe, to load it by hand",
			"extui check --print-probe > probe.ts",
		),
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if probe {
				return printed(w.stdout.Write(conformance.Probe()))
			}
			return cmd.Help()
		},
	}
	cmd.Flags().BoolVar(&probe, "print-probe", false, "print the extension that an agent under test loads")
	cmd.AddCommand(newCheckAgent(w), newCheckClient(w), newCheckReport(w))
	return cmd
}

// checkFlags is the command line of check agent and check client.
type checkFlags struct {
	role                           scenario.Role
	argv                           []string
	rules, sections, lacks         []string
	dialect, known, name           string
	jsonFile, html, junit          string
	within, limit                  time.Duration
	jobs                           int
	list, strict, wire, quiet, tap bool
	unattended, noProbe, probe     bool
}

func (f *checkFlags) add(set *pflag.FlagSet) {
	set.BoolVar(&f.list, "list", false, "list the rules, and check nothing")
	set.StringArrayVar(&f.rules, "rule", nil, "check this rule, by its id (repeatable)")
	set.StringArrayVar(&f.sections, "section", nil, "check the rules of this section (repeatable)")
	set.StringArrayVar(&f.lacks, "lacks", nil, "do not check what needs this feature (repeatable)")
	set.StringVar(&f.known, "known", "", "a list of known deviations: a file, or the name of one that extui has, such as pi-1.6.0")
	set.BoolVar(&f.strict, "strict", false, "let the rules that should or may be kept count too")
	set.DurationVar(&f.within, "within", 0, "how long a step waits that the rule says nothing of")
	set.DurationVar(&f.limit, "limit", time.Minute, "the longest that one rule may take")
	set.IntVar(&f.jobs, "jobs", 0, "how many rules are checked at once; 0 is one a processor")
	set.BoolVar(&f.wire, "wire", false, "show every record that passed by where a rule fails")
	set.BoolVar(&f.quiet, "quiet", false, "show failures and counts only")
	set.BoolVar(&f.tap, "tap", false, "print the Test Anything Protocol")
	set.StringVar(&f.name, "name", "", "what the reports call it; the name of the program if it is missing")
	set.StringVar(&f.jsonFile, "json", "", "write the results as JSON to this file, or - for standard output")
	set.StringVar(&f.html, "html", "", "write the results as one HTML page to this file")
	set.StringVar(&f.junit, "junit", "", "write a JUnit report to this file")
}

// checkExits are the exit codes of check agent and check client.
var checkExits = []string{
	"",
	"Exit codes:",
	"  0    no rule that must be kept has failed, but for known deviations",
	"  1    one has, or a known deviation is gone; with --strict: any rule",
	"  2    the command line makes no sense",
}

func newCheckAgent(w *world) *cobra.Command {
	f := checkFlags{role: scenario.Agent}
	cmd := &cobra.Command{
		Use:   "agent [flags] [-- AGENT ARGS...]",
		Short: "Check an agent",
		Long: lines(append([]string{
			"Starts AGENT for each rule, plays the client, and says which rules the agent keeps. The",
			"agent loads our probe, an extension that makes the calls that a rule asks for: -e and the",
			"probe's file are added to the command, or the file is put in the place of {probe}.",
			"",
			"A rule that needs what the agent cannot do is not judged, and says so.",
			"",
			"Without AGENT it is extui's own, which then runs in this process: the same as with",
			"-- extui agent, but faster.",
		}, append(slices.Clone(checkExits),
			"  3    the agent could not be started, or does not run the probe")...)...),
		Example: lines(
			"extui check agent -- extui agent",
			"# A page for people, and a file to compare with others",
			"extui check agent --html report.html --json pi.json -- pi --mode rpc --no-session",
			"# One rule, with all that passed by",
			"extui check agent --rule FRAME-3 --wire -- my-agent --load {probe}",
		),
		RunE: f.run(w),
	}
	f.add(cmd.Flags())
	cmd.Flags().StringVar(&f.dialect, "dialect", "", "whose rules apply: atomic, pi or omp; what the agent speaks if it is missing")
	cmd.Flags().BoolVar(&f.noProbe, "no-probe", false, "add nothing to the command: the agent has the probe's commands built in")
	cmd.Flags().BoolVar(&f.probe, "print-probe", false, "print the extension that the agent loads, and check nothing")
	complete(cmd, "dialect", checkDialects)
	return cmd
}

func newCheckClient(w *world) *cobra.Command {
	f := checkFlags{role: scenario.Client}
	cmd := &cobra.Command{
		Use:   "client [flags] -- CLIENT ARGS...",
		Short: "Check a client",
		Long: lines(append([]string{
			"Starts CLIENT for each rule, plays its agent, and says which rules the client keeps. The",
			"agent stands first in PATH as pi, atomic, omp and agent; its path is put in the place of",
			"{agent}, and in the variable EXTUI_AGENT.",
			"",
			"Where a person would choose, the client takes the next entry of EXTUI_CHOICES, a JSON list",
			`such as [{"value":"staging"},{"confirmed":true},{"cancelled":true}]; an entry with "for" is`,
			"for the dialog with that title, and one with \"wait\" is never chosen. EXTUI_NEEDS names what",
			"the rule needs, with commas between; a client that cannot do it exits with 77. When its",
			"agent has ended, the client is to leave.",
			"",
			"With --unattended nobody chooses: rules that need it are not judged.",
		}, append(slices.Clone(checkExits),
			"  3    the client could not be started, or starts no agent")...)...),
		Example: lines(
			"extui check client -- my-client",
			"extui check client --html report.html -- my-client --agent {agent}",
			"# A bot that answers nothing",
			"extui check client --unattended -- my-bot",
		),
		RunE: f.run(w),
	}
	f.add(cmd.Flags())
	cmd.Flags().BoolVar(&f.unattended, "unattended", false, "nobody chooses for the client")
	return cmd
}

// run is what both do.
func (f *checkFlags) run(w *world) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		dash := cmd.ArgsLenAtDash()
		if dash < 0 {
			dash = len(args)
		}
		f.argv = args[dash:]
		if f.probe {
			return printed(w.stdout.Write(conformance.Probe()))
		}
		if dash > 0 {
			return usageError("extui check "+string(f.role)+" [flags] -- COMMAND ARGS...", "%q stands before --", args[0])
		}
		rules, err := f.selected()
		if err != nil {
			return err
		}
		if f.list {
			return printed(0, conformance.WriteList(w.stdout, rules))
		}
		opts, err := f.options(rules)
		if err != nil {
			return err
		}
		return runCheck(w, f, opts)
	}
}

// selected are the rules of --rule and --section, all without them.
func (f *checkFlags) selected() ([]*scenario.Scenario, error) {
	all := conformance.Rules(f.role)
	hint := "extui check " + string(f.role) + " --list lists the rules"
	for _, id := range f.rules {
		if !slices.ContainsFunc(all, func(s *scenario.Scenario) bool { return s.Rule.ID == id }) {
			return nil, usageError(hint, "no rule %q for the %s", id, f.role)
		}
	}
	for _, name := range f.sections {
		if !slices.ContainsFunc(all, func(s *scenario.Scenario) bool { return strings.EqualFold(s.Rule.Section, name) }) {
			return nil, usageError(hint, "no section %q for the %s", name, f.role)
		}
	}
	if len(f.rules)+len(f.sections) == 0 {
		return all, nil
	}
	return slices.DeleteFunc(all, func(s *scenario.Scenario) bool {
		return !slices.Contains(f.rules, s.Rule.ID) && !slices.ContainsFunc(f.sections, func(name string) bool { return strings.EqualFold(name, s.Rule.Section) })
	}), nil
}

// options checks the command line.
func (f *checkFlags) options(rules []*scenario.Scenario) (*conformance.Options, error) {
	switch {
	case len(f.argv) == 0 && (f.role == scenario.Client || f.noProbe):
		return nil, usageError("extui check "+string(f.role)+" -- COMMAND ARGS...", "no %s to check", f.role)
	case f.dialect != "" && !slices.Contains(checkDialects, f.dialect):
		return nil, oneOf("dialect", "dialect", f.dialect, checkDialects)
	case f.jobs < 0:
		return nil, usageError("--jobs takes a number; 0 is one a processor", "invalid --jobs %d", f.jobs)
	case f.within < 0 || f.limit <= 0:
		return nil, usageError("a time such as 30s", "invalid --within or --limit")
	case f.tap && f.jsonFile == "-":
		return nil, usageError("--json FILE goes with --tap", "--json - and --tap at once")
	}
	for _, name := range f.lacks {
		if !slices.ContainsFunc(conformance.Features, func(feature conformance.Feature) bool { return feature.Name == name && feature.Role == f.role }) {
			return nil, usageError("docs/conformance.md lists what a rule may need", "no feature %q of a %s", name, f.role)
		}
	}
	if err := keepInputs(append([]string{f.known}, f.argv...), written{"json", f.jsonFile}, written{"html", f.html}, written{"junit", f.junit}); err != nil {
		return nil, err
	}
	if f.jobs == 0 {
		f.jobs = runtime.NumCPU()
	}
	if f.name == "" && len(f.argv) == 0 {
		f.name = "extui agent"
	}
	if f.name == "" {
		f.name = strings.TrimSuffix(filepath.Base(f.argv[0]), ".exe")
	}
	opts := &conformance.Options{Rules: rules, Jobs: f.jobs, Within: f.within, Limit: f.limit, Dialect: f.dialect, Lacks: f.lacks, Unattended: f.unattended}
	var err error
	if f.known != "" {
		opts.Known, err = readKnown(f.known)
	}
	return opts, err
}

// readKnown reads a list of deviations, by its file or by its name.
func readKnown(name string) (*conformance.Known, error) {
	source, err := os.ReadFile(name)
	var k *conformance.Known
	switch {
	case err == nil:
		k, err = conformance.ParseKnown(filepath.ToSlash(name), source)
	case errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(name, `/\.`) || slices.Contains(conformance.KnownNames(), name):
		k, err = conformance.KnownList(name)
	}
	if err != nil {
		return nil, usageError("--known takes a file, or the name of a list that extui has: "+strings.Join(conformance.KnownNames(), ", "), "%w", err)
	}
	return k, nil
}

// runCheck checks and reports.
func runCheck(w *world, f *checkFlags, opts *conformance.Options) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	stop := stopBySignal(w, cancel)
	defer stop()
	out := newCheckOutput(w, f, len(opts.Rules))
	opts.Begin, opts.Done = out.begin, out.done
	report, err := check(ctx, w, f, opts)
	out.clear()
	if stopped, ok := errors.AsType[stopSignal](context.Cause(ctx)); ok {
		report.Implementation, report.Command = f.name, f.argv
		if err := out.end(report); err != nil {
			return err
		}
		fmt.Fprintf(w.stderr, "extui: stopped; %d of %d rules were judged\n", len(report.Results), len(opts.Rules))
		return &failure{code: signalCode(stopped.Signal)}
	}
	if err != nil {
		return f.cannot(w, err)
	}
	report.Implementation, report.Command = f.name, f.argv
	if err := out.end(report); err != nil {
		return err
	}
	if !report.Conforms(f.strict) {
		return &failure{code: codeFailed}
	}
	return nil
}

// check calls the one or the other check.
func check(ctx context.Context, w *world, f *checkFlags, opts *conformance.Options) (*conformance.Report, error) {
	if f.role == scenario.Client {
		self, err := w.executable()
		if err != nil {
			return nil, fmt.Errorf("find this program: %w", err)
		}
		return conformance.CheckClient(ctx, conformance.ClientCommand(f.argv, w.env), []string{self, "play"}, opts)
	}
	probe := ""
	if !f.noProbe {
		name, remove, err := conformance.WriteProbe()
		if err != nil {
			return nil, err
		}
		defer remove()
		probe = name
	}
	if len(f.argv) == 0 {
		return conformance.CheckAgent(ctx, agentInProcess(w, probe, f.dialect), opts)
	}
	return conformance.CheckAgent(ctx, conformance.AgentCommand(f.argv, w.env, probe), opts)
}

// cannot is the failure of a check that was not possible.
func (f *checkFlags) cannot(w *world, err error) error {
	hint := ""
	probe, isProbe := errors.AsType[*conformance.ProbeError](err)
	switch {
	case isProbe:
		if probe.Stderr != "" {
			fmt.Fprintf(w.stderr, "the agent's standard error:\n  %s\n", strings.ReplaceAll(safetext.Block(probe.Stderr), "\n", "\n  "))
		}
		hint = "it must load the extension of extui check --print-probe: with -e FILE, or where {probe} stands"
	case errors.Is(err, conformance.ErrNoAgent):
	case errors.Is(err, conformance.ErrNoClient):
		hint = "it is to start pi, atomic, omp or agent from its PATH, or {agent}"
	default:
		return &failure{codeFailed, err, ""}
	}
	return &failure{codeNoAgent, err, hint}
}
