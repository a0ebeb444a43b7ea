package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

const raceSetting, raceValue = "GORACE", "atexit_sleep_ms=0"

// leakChecked fails a run of the tests that leaves goroutines behind.
type leakChecked struct{ m *testing.M }

func (c leakChecked) Run() int {
	code := c.m.Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return code
}

// TestMain puts the program itself, as this test binary, into PATH as extui.
func TestMain(m *testing.M) {
	// The race detector makes each process sleep for a second at its exit, and
	// there are some hundred here.
	os.Setenv(raceSetting, raceValue)
	testscript.Main(leakChecked{m}, map[string]func(){"extui": main})
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
			env.Setenv(raceSetting, raceValue)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
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
