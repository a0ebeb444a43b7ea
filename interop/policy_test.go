package interop_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"extui/internal/long"
	"extui/interop"
)

// The policies of examples/policy with the real pi: it has the conversations that their
// scenarios describe, and says what it would say after them.
func TestPolicies(t *testing.T) {
	long.Test(t)
	t.Parallel()
	folder, err := filepath.Abs("../examples/policy")
	if err != nil {
		t.Fatal(err)
	}
	interop.Pi(t) // skips before anything is built
	program := buildProgram(t)
	run := func(t *testing.T, input string, wantCode int, args ...string) (stdout, stderr string) {
		t.Helper()
		command := interop.Pi(t, filepath.Join(folder, "release.ts"))
		agent := append([]string{"--", command.Path}, command.Args...)
		command.Path, command.Args = program, append(args, agent...)
		cmd := command.Exec(t.Context())
		var out, errs bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
		if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != wantCode {
			t.Errorf("%q: %v, want exit code %d\n%s%s", args, err, wantCode, &out, &errs)
		}
		return out.String(), errs.String()
	}
	for _, name := range []string{"ci", "bot"} {
		run(t, "", 0, "test", "--quiet", "--within", "30s", filepath.Join(folder, name+".yaml"))
	}
	out, _ := run(t, "", 5, "run", "--policy", filepath.Join(folder, "ci.policy.yaml"), "--ui", "none", "--prompt", "/release", "--prompt", "/hotfix")
	for _, want := range []string{"Released 1.4.2 to staging, old builds kept", "Nothing released"} {
		if !strings.Contains(out, want) {
			t.Errorf("CI: the output lacks %q:\n%s", want, out)
		}
	}
	out, _ = run(t, "/release\ny\n/hotfix\n", 0, "run", "--policy", filepath.Join(folder, "bot.policy.yaml"))
	for _, want := range []string{"Released 1.4.2 to production, old builds deleted", "Nothing released"} {
		if !strings.Contains(out, want) {
			t.Errorf("bot: the output lacks %q:\n%s", want, out)
		}
	}
}
