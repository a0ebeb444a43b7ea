package interop_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"extui/agent"
	"extui/extension"
	"extui/internal/long"
	"extui/interop"
	"extui/script"
)

var exampleRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (same|same but for .+|not possible without .+) \\|$")

// TestExamplesTable checks docs/examples.md: it has a row for each example, its counts
// are right, what is possible loads and starts, and what is not does not load.
func TestExamplesTable(t *testing.T) {
	long.Test(t)
	t.Parallel()
	folder := filepath.Dir(interop.Example(t, "rpc-demo.ts"))
	text, err := os.ReadFile(filepath.Join(moduleRoot, "docs", "examples.md"))
	if err != nil {
		t.Fatal(err)
	}
	table, counts := map[string]string{}, map[string]int{}
	for _, m := range exampleRow.FindAllStringSubmatch(string(text), -1) {
		table[m[1]] = m[2]
		kind, _, _ := strings.Cut(m[2], " ")
		if strings.HasPrefix(m[2], "same but") {
			kind = "but"
		}
		counts[kind]++
	}
	flat := strings.Join(strings.Fields(string(text)), " ")
	for _, want := range []string{
		fmt.Sprintf("each of its %d does", len(table)), fmt.Sprintf("%d are the same,", counts["same"]),
		fmt.Sprintf("%d are the same but for", counts["but"]), fmt.Sprintf("and %d is not possible", counts["not"]),
	} {
		if !strings.Contains(flat, want) {
			t.Errorf("docs/examples.md does not say %q", want)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		} else if filepath.Ext(name) != ".ts" {
			continue
		}
		row, ok := table[name]
		delete(table, name)
		if !ok {
			t.Errorf("docs/examples.md has no row for %s", name)
			continue
		}
		if err := loads(t, filepath.Join(folder, name)); (err == nil) == strings.HasPrefix(row, "not possible") {
			t.Errorf("%s: %q, but loading it gives %v", name, row, err)
		}
	}
	for name := range table {
		t.Errorf("docs/examples.md has a row for %s, which is no example", name)
	}
}

// loads runs an extension from its start to its end.
func loads(t *testing.T, path string) error {
	t.Helper()
	loader := script.NewLoader(&script.Options{Stderr: io.Discard, Cwd: t.TempDir()})
	defer loader.Close()
	list, err := loader.Load(path)
	if err != nil {
		return err
	}
	host := extension.NewHost(list...)
	loader.Bind(host)
	return agent.New(host, nil).Serve(t.Context(), strings.NewReader(""), io.Discard)
}
