package main

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What docs/policy.md says that its commands print, they print, hints included. Standard
// output and standard error go to one terminal, in an order that may vary.
func TestPolicyManualShowsWhatIsPrinted(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the manual's commands are lines of a shell")
	}
	text, err := os.ReadFile("../../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := copyExamples(dir); err != nil {
		t.Fatal(err)
	}
	for file, fence := range map[string]string{"ci.policy.yaml": "```yaml\n", "requests.jsonl": "```\n"} {
		source, err := os.ReadFile("../../examples/policy/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), fence+string(source)+"```\n") {
			t.Errorf("the manual does not show %s as it is", file)
		}
	}
	shown := regexp.MustCompile("(?s)```sh\n([^`]*)```\n\n```\n([^`]*)```").FindAllStringSubmatch(string(text), -1)
	if len(shown) != 2 {
		t.Fatalf("the manual shows the output of %d commands", len(shown))
	}
	for _, s := range shown {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", s[1])
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != codeNoRule {
			t.Errorf("%s%v, want exit code %d", s[1], err, codeNoRule)
		}
		got, want := slices.Sorted(strings.Lines(string(out))), slices.Sorted(strings.Lines(s[2]))
		if !slices.Equal(got, want) {
			t.Errorf("%sprints\n%s\nand not\n%s", s[1], out, s[2])
		}
	}
}
