package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"extui/internal/long"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

// leakChecked fails a run of the tests that leaves goroutines behind.
type leakChecked struct{ m *testing.M }

func (c leakChecked) Run() int {
	// Most tests wait for other processes and for terminals, not for a processor.
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		if err := f.Value.Set("6"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	code := c.m.Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return code
}

// TestMain puts the program itself into PATH as extui: as this test binary or, with
// the race detector, built without it. The scripts start some hundred processes,
// and each would take a quarter of a second to start and one to exit. What the
// detector is for is covered by the tests that run the program in this process.
func TestMain(m *testing.M) {
	if !raceDetector {
		testscript.Main(leakChecked{m}, map[string]func(){"extui": main})
	}
	os.Exit(runBuilt(leakChecked{m}))
}

// runBuilt runs the tests with the program built into a directory in front of PATH.
func runBuilt(m testscript.TestingM) int {
	dir, err := os.MkdirTemp("", "extui-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	build := exec.Command("go", "build", "-o", dir+string(os.PathSeparator), ".")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program for the tests: %v\n", err)
		return 1
	}
	os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return m.Run()
}

// TestScript runs the program as its users do. Beside the usual commands, scripts
// have "exits CODE PROGRAM ARGS…", which runs a program and checks its exit code.
// With -update, outputs that are compared with cmp are rewritten.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			return copyExamples(env.WorkDir)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Condition: func(name string) (bool, error) {
			if name != "all" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return long.Wanted(), nil
		},
	})
}

// copyExamples puts the examples of policies into the folder of a script, which cannot
// name them where they are.
func copyExamples(dir string) error {
	files, err := filepath.Glob("../../examples/policy/*")
	if err != nil {
		return err
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), source, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
