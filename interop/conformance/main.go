// Conformance runs the conformance suite on extui, on the real pi and on pi's own
// clients, and writes what came of it:
//
//	go run ./interop/conformance
//
// It needs what interop/install fetches, and says so if that is missing. The results
// are in scenario/conformance/results, a file for each implementation, and make
// docs/conformance.md and docs/conformance.html. What an implementation is known to do
// otherwise stands in scenario/conformance/known, with reasons; anything else that fails
// makes the exit code 1, as does a deviation that has gone.
//
//	go run ./interop/conformance --only "pi 1.6.0 RpcClient" --jobs 2
//	go run ./interop/conformance --rule FRAME-1 --only "pi 1.6.0"    # look at one
//	go run ./interop/conformance --rule FRAME-1,FRAME-2 --merge      # after a rule was added or changed
//	go run ./interop/conformance --write-only    # after a change to how results are shown
//
// pi's clients and extui's front ends are driven by what stands in this folder: a person
// who types what EXTUI_CHOICES says.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"extui/internal/pi"
	"extui/scenario"
	"extui/scenario/conformance"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code, err := inside(ctx, os.Args[1:])
	if errors.Is(err, errOutside) {
		code, err = outside(ctx, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

var errOutside = errors.New("not started as a client under test")

// inside is what this program does as part of a check: it is the client that the
// checker starts, or the agent that a client starts.
func inside(ctx context.Context, args []string) (int, error) {
	if len(args) == 2 && args[0] == "tap" {
		return 0, tap(args[1], os.Getenv(tapVariable))
	}
	if len(args) < 2 || args[0] != "drive" {
		return 0, errOutside
	}
	agent := os.Getenv("EXTUI_AGENT")
	if args[1] == "plain" {
		return drive(ctx, &plainStyle{program: args[2]}, []string{"questionnaire", "commands", "stop"}, agent)
	}
	install := pi.Below(args[2])
	if err := install.Missing(); err != nil {
		return 1, err
	}
	switch args[1] {
	case "rpcclient":
		return runRPCClient(ctx, install, agent)
	case "tui":
		return drive(ctx, &tuiStyle{pi: install}, []string{"commands", "stop"}, agent)
	}
	return 2, fmt.Errorf("no client %q", args[1])
}

// outside runs the suite.
func outside(ctx context.Context, args []string) (int, error) {
	set := flag.NewFlagSet("conformance", flag.ContinueOnError)
	only := set.String("only", "", "check this implementation alone, and keep the results of the others")
	rule := set.String("rule", "", "check these rules alone (with commas between), print what comes of them and write nothing")
	merge := set.Bool("merge", false, "with --rule, keep the results in the place of the old ones, and write the pages")
	jobs := set.Int("jobs", runtime.NumCPU(), "how many rules are checked at once")
	writeOnly := set.Bool("write-only", false, "check nothing; write the pages from the results")
	if err := set.Parse(args); err != nil {
		return 2, err
	}
	if *merge && *rule == "" {
		return 2, errors.New("--merge goes with --rule")
	}
	module, err := pi.ModuleRoot()
	if err != nil {
		return 2, err
	}
	if *writeOnly {
		return 0, writePages(module)
	}
	bench, err := newBench(ctx, module)
	if err != nil {
		return 3, err
	}
	defer bench.close()
	subjects := slices.DeleteFunc(bench.subjects(), func(s subject) bool { return *only != "" && s.name != *only })
	if len(subjects) == 0 {
		return 2, fmt.Errorf("--only %q: there are %s", *only, strings.Join(subjectNames(), ", "))
	}
	wanted := func(string) bool { return true }
	if *rule != "" {
		ids := strings.Split(*rule, ",")
		wanted = func(id string) bool { return slices.Contains(ids, id) }
		subjects = slices.DeleteFunc(subjects, func(s subject) bool { return !hasRule(s.role, wanted) })
		if len(subjects) == 0 {
			return 2, fmt.Errorf("--rule %q: no such rule for an end of that kind", *rule)
		}
	}
	code := 0
	for _, s := range subjects {
		report, err := bench.check(ctx, s, *jobs, wanted)
		if err != nil {
			return 3, fmt.Errorf("%s: %w", s.name, err)
		}
		if *rule != "" {
			if err := printRule(report); err != nil {
				return 1, err
			}
			if !*merge {
				continue
			}
			if report, err = merged(module, s, report); err != nil {
				return 1, err
			}
		}
		if !report.Conforms(true) {
			code = 1
		}
		if err := writeResult(module, s, report); err != nil {
			return 1, err
		}
	}
	if *rule != "" && !*merge {
		return code, nil
	}
	return code, writePages(module)
}

func hasRule(role scenario.Role, wanted func(id string) bool) bool {
	return slices.ContainsFunc(conformance.Rules(role), func(s *scenario.Scenario) bool { return wanted(s.Rule.ID) })
}

// printRule shows all that is known of the rules that were checked.
func printRule(r *conformance.Report) error {
	for _, one := range r.Results {
		for _, l := range one.Wire {
			fmt.Printf("%-6s %s\n", l.From, conformance.WireText(l))
		}
		if one.Output != "" {
			fmt.Printf("%q\n", one.Output)
		}
	}
	return conformance.WriteTable(os.Stdout, r, true)
}

// bench has what the checks need: the programs, built, and pi.
type bench struct {
	module, dir, self string
	extui, client     string
	pi                pi.Install
}

// newBench makes sure that all is there before the first check.
func newBench(ctx context.Context, module string) (*bench, error) {
	b := &bench{module: module, pi: pi.Below(module)}
	if err := b.pi.Missing(); err != nil {
		return nil, err
	}
	var err error
	if b.self, err = os.Executable(); err != nil {
		return nil, err
	}
	if b.dir, err = os.MkdirTemp("", "extui-conformance"); err != nil {
		return nil, err
	}
	b.extui, b.client = filepath.Join(b.dir, "extui"), filepath.Join(b.dir, "check-client")
	for program, source := range map[string]string{b.extui: "./cmd/extui", b.client: "./examples/check-client"} {
		cmd := exec.CommandContext(ctx, "go", "build", "-o", program, source)
		cmd.Dir = module
		if out, err := cmd.CombinedOutput(); err != nil {
			b.close()
			return nil, fmt.Errorf("build %s: %w\n%s", source, err, out)
		}
	}
	return b, nil
}

func (b *bench) close() { _ = os.RemoveAll(b.dir) } // A temporary folder, which others clean too.

// check runs the suite on one implementation and says how far it is.
func (b *bench) check(ctx context.Context, s subject, jobs int, wanted func(id string) bool) (*conformance.Report, error) {
	opts := &conformance.Options{Jobs: jobs, Unattended: s.unattended}
	for _, one := range conformance.Rules(s.role) {
		if wanted(one.Rule.ID) {
			opts.Rules = append(opts.Rules, one)
		}
	}
	if len(opts.Rules) == 0 {
		return nil, fmt.Errorf("no such rule for an end of the kind of %s", s.name)
	}
	if s.known != "" {
		var err error
		if opts.Known, err = conformance.KnownList(s.known); err != nil {
			return nil, err
		}
	}
	done, last := 0, time.Now()
	opts.Done = func(r *conformance.Result) {
		done++
		if r.Fails(true) {
			fmt.Fprintf(os.Stderr, "%s: %s %s: %s\n", s.name, r.Verdict.Words(), r.Rule.ID, r.Message)
		}
		if time.Since(last) > 5*time.Second || done == len(opts.Rules) {
			last = time.Now()
			fmt.Fprintf(os.Stderr, "%s: %d of %d rules\n", s.name, done, len(opts.Rules))
		}
	}
	report, err := s.run(ctx, opts)
	if err != nil {
		return nil, err
	}
	report.Implementation = s.name
	return report, nil
}
