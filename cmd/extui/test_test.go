package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inProcess runs the program with args and returns its output and exit code.
func inProcess(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	w := processWorld()
	w.args, w.stdin, w.stdout, w.stderr = args, strings.NewReader(""), &out, &errs
	code = execute(w)
	return out.String(), errs.String(), code
}

const gateExample = "../../examples/permission-gate/gate.yaml"

// The example of docs/testing-extensions.md: 30 seconds of waiting pass at once.
func TestExampleGatePasses(t *testing.T) {
	stdout, stderr, code := inProcess(t, "test", gateExample)
	if code != 0 || !strings.Contains(stdout, "pass "+gateExample+" (30s of virtual time)\n1 of 1 scenarios passed\n") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// The scenario notices each way in which the gate may let a command through.
func TestExampleGateCatchesFaults(t *testing.T) {
	dir := filepath.Dir(gateExample)
	gate, err := os.ReadFile(filepath.Join(dir, "permission-gate.ts"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(gateExample)
	if err != nil {
		t.Fatal(err)
	}
	for name, fault := range map[string][2]string{
		"a cancelled question approves": {`answer === "Allow"`, `answer !== "Block"`},
		"Block approves":                {`answer === "Allow"`, `answer !== undefined`},
		"it does not ask":               {`!deletes.test(command)`, `true`},
		"it forgets to block":           {`block: true`, `block: false`},
		"the options are swapped":       {`["Allow", "Block"]`, `["Block", "Allow"]`},
		"there is no timeout":           {`, { timeout: 30_000 }`, ``},
		"it asks about everything":      {`if (!deletes.test(command)) return;`, ``},
		"it does not load":              {`export default`, `export`},
	} {
		t.Run(name, func(t *testing.T) {
			to := t.TempDir()
			broken := strings.Replace(string(gate), fault[0], fault[1], 1)
			if broken == string(gate) {
				t.Fatal("the fault is not in the example")
			}
			for base, text := range map[string]string{"permission-gate.ts": broken, "gate.yaml": string(file)} {
				if err := os.WriteFile(filepath.Join(to, base), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			stdout, stderr, code := inProcess(t, "test", "--quiet", filepath.Join(to, "gate.yaml"))
			if code == 0 || !strings.Contains(stdout, "0 of 1 scenarios passed") {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
		})
	}
}
