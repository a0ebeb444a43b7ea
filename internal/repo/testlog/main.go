// Command testlog reads what "go test -json" writes and shows what a person needs of it: one
// line a package, and the whole output of whatever failed. scripts/test runs it.
//
// A skipped test counts as a failure and is named with its reason. In scripts/test everything
// a test may need has been installed first, so that a skip there means something is not tested.
//
// # Concurrency
//
// One goroutine, which blocks on its input. It prints a package when go test has finished it;
// when nothing appears for a while, that is the tests.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

func main() {
	os.Exit(run(os.Stdin, os.Stdout))
}

// event is one line of "go test -json"; "go doc test2json" describes the fields.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// summary is what has been read so far.
type summary struct {
	out     io.Writer
	output  map[string]map[string]*strings.Builder // by package and test, "" being the package's own
	passed  int
	failed  []string
	skipped []string
}

// run returns the exit code: 0 if all tests passed, 1 if one failed, was skipped, or none ran.
func run(in io.Reader, out io.Writer) int {
	s := &summary{out: out, output: map[string]map[string]*strings.Builder{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		var e event
		if json.Unmarshal([]byte(line), &e) == nil && e.Action != "" {
			s.take(e)
		} else {
			fmt.Fprint(out, line) // The go command's own complaints are plain text.
		}
		if err != nil {
			break
		}
	}
	return s.end()
}

func (s *summary) take(e event) {
	switch e.Action {
	case "build-output":
		fmt.Fprint(s.out, e.Output)
	case "output":
		tests := s.output[e.Package]
		if tests == nil {
			tests = map[string]*strings.Builder{}
			s.output[e.Package] = tests
		}
		if tests[e.Test] == nil {
			tests[e.Test] = &strings.Builder{}
		}
		tests[e.Test].WriteString(e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			s.packageEnded(e)
		} else {
			s.testEnded(e)
		}
	}
}

func (s *summary) testEnded(e event) {
	switch e.Action {
	case "pass":
		s.passed++
	case "fail":
		s.failed = append(s.failed, e.Package+" "+e.Test)
		return // Its output stays and is printed with the package's.
	case "skip":
		s.skipped = append(s.skipped, e.Package+" "+e.Test)
		fmt.Fprint(s.out, text(s.output[e.Package][e.Test]))
	}
	delete(s.output[e.Package], e.Test)
}

// packageEnded prints the line that go test ends a package with. Of one that failed it prints
// all that is left: the failed tests', those that a crash cut off, and the package's own.
func (s *summary) packageEnded(e event) {
	tests := s.output[e.Package]
	delete(s.output, e.Package)
	if e.Action == "fail" {
		s.failed = append(s.failed, e.Package)
		for _, test := range slices.Sorted(maps.Keys(tests)) {
			if test != "" {
				fmt.Fprint(s.out, text(tests[test]))
			}
		}
		fmt.Fprint(s.out, text(tests[""]))
		return
	}
	for line := range strings.Lines(text(tests[""])) {
		if strings.HasPrefix(line, "ok ") || strings.HasPrefix(line, "?") {
			fmt.Fprint(s.out, line)
		}
	}
}

func (s *summary) end() int {
	for _, name := range s.skipped {
		fmt.Fprintln(s.out, "SKIPPED, which is a failure here:", name)
	}
	for _, name := range s.failed {
		fmt.Fprintln(s.out, "FAILED:", name)
	}
	fmt.Fprintf(s.out, "%d tests passed, %d failures, %d skipped\n", s.passed, len(s.failed), len(s.skipped))
	if s.passed == 0 || len(s.failed) > 0 || len(s.skipped) > 0 {
		return 1
	}
	return 0
}

func text(b *strings.Builder) string {
	if b == nil {
		return ""
	}
	return b.String()
}
