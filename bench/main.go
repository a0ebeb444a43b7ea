package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"strings"
)

func main() {
	if name, args, ok := childArgs(os.Args); ok {
		os.Exit(runChild(name, args))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run is the program: arguments in, the table on stdout, progress on stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	only := flags.String("only", "", "run the figures whose `NAMES` begin so, separated by commas")
	quick := flags.Bool("quick", false, "smaller sizes and fewer rounds: a first idea, in seconds")
	asJSON := flags.Bool("json", false, "print every sample as JSON instead of the table")
	rounds := flags.Int("rounds", 0, "make `N` rounds of each figure instead of the usual number (at most 3 of those that take long)")
	noPi := flags.Bool("no-pi", false, "leave out the real pi agent though it is installed")
	profile := flags.String("profile", "", "write CPU profiles of this process and of its agents to `FOLDER`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	chosen, err := choose(figures(), *only)
	if err != nil {
		return err
	}
	b := &bench{size: normal, progress: stderr}
	if *quick {
		b.size = small
	}
	if *rounds < 0 {
		return fmt.Errorf("--rounds %d: want a positive number", *rounds)
	}
	if *rounds > 0 {
		b.size.rounds, b.size.starts = *rounds, *rounds
	}
	if !*noPi {
		b.pi = findPi()
	}
	if b.dir, err = os.MkdirTemp("", "extui-bench-"); err != nil {
		return fmt.Errorf("make a folder for this run: %w", err)
	}
	defer os.RemoveAll(b.dir)
	if *profile != "" {
		if b.profile, err = filepath.Abs(*profile); err != nil {
			return fmt.Errorf("write profiles: %w", err)
		}
		if err := os.MkdirAll(b.profile, 0o777); err != nil {
			return fmt.Errorf("write profiles: %w", err)
		}
		stop, err := startProfile(filepath.Join(b.profile, "client.prof"))
		if err != nil {
			return err
		}
		defer stop()
	}
	rep := b.report(ctx, chosen)
	if *asJSON {
		out := json.NewEncoder(stdout)
		out.SetIndent("", "  ")
		err = out.Encode(rep)
	} else {
		err = rep.print(stdout)
	}
	if err != nil {
		return fmt.Errorf("print the figures: %w", err)
	}
	return rep.failure()
}

// choose returns the figures whose names begin with one of the names in only,
// all if that is empty.
func choose(all []figure, only string) ([]figure, error) {
	if only == "" {
		return all, nil
	}
	var chosen []figure
	for name := range strings.SplitSeq(only, ",") {
		before := len(chosen)
		for _, f := range all {
			if strings.HasPrefix(f.name, name) {
				chosen = append(chosen, f)
			}
		}
		if len(chosen) == before {
			var names []string
			for _, f := range all {
				names = append(names, f.name)
			}
			return nil, fmt.Errorf("--only %q: no figure has a name that begins so; there are %s", name, strings.Join(names, ", "))
		}
	}
	return chosen, nil
}

// startProfile writes a CPU profile to path until stop is called.
func startProfile(path string) (stop func(), err error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("write a profile: %w", err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("write the profile %s: %w", path, err)
	}
	return func() {
		pprof.StopCPUProfile()
		f.Close()
	}, nil
}
