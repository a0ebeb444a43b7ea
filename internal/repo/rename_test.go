package repo

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"extui/internal/long"
)

// write puts files into a new directory and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// The module of this test has a name of its own, so that renaming the real one
// leaves the test's text alone.
func TestRenameTellsPathsFromWords(t *testing.T) {
	root := write(t, map[string]string{
		"go.mod":        "module wxyz\n\ngo 1.26\n",
		"client/c.go":   "package client\n",
		"cmd/wxyz/m.go": "package main\n",
		"a/b/x.go": "package b\n\nimport (\n\t\"wxyz/client\"\n\t\"fmt\"\n\n\t\"github.com/x/y\"\n)\n\n" +
			"// See [wxyz/client.Client], wxyz/nothing.\n//\n//go:generate go run wxyz/cmd/wxyz\n" +
			"var _, _ = fmt.Print, \"other/wxyz/client\"\n",
		"doc.md": "wxyz run, ./cmd/wxyz/m.go, go test wxyz/... and go doc wxyz/client; /tmp/wxyz/client",
		"bin":    "\xff\"wxyz/client\"",
	})
	if _, err := Rename(root, "zz.org/m"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"go.mod": "module zz.org/m\n\ngo 1.26\n",
		"a/b/x.go": "package b\n\nimport (\n\t\"fmt\"\n\t\"zz.org/m/client\"\n\n\t\"github.com/x/y\"\n)\n\n" +
			"// See [zz.org/m/client.Client], wxyz/nothing.\n//\n//go:generate go run zz.org/m/cmd/wxyz\n" +
			"var _, _ = fmt.Print, \"other/wxyz/client\"\n",
		"doc.md": "wxyz run, ./cmd/wxyz/m.go, go test zz.org/m/... and go doc zz.org/m/client; /tmp/wxyz/client",
		"bin":    "\xff\"wxyz/client\"",
	} {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
		}
	}
}

func TestRenameRefusesWhatIsNoPath(t *testing.T) {
	root := write(t, map[string]string{"go.mod": "module extui\n"})
	for _, path := range []string{"", " ", "/a", "a/", "a//b", "a b", "a\"b", "-x"} {
		if _, err := Rename(root, path); !errors.Is(err, ErrBadPath) {
			t.Errorf("Rename to %q: error %v, want one that matches ErrBadPath", path, err)
		}
	}
	if _, err := Rename(write(t, map[string]string{"go.mod": "go 1.26\n"}), "a"); !errors.Is(err, ErrNoModule) {
		t.Errorf("a go.mod without a module line: error %v, want one that matches ErrNoModule", err)
	}
}

// TestRenamedModuleBuilds runs the command on a copy of this very module, builds what comes out
// without the network, and renames it back, which must give the same bytes again.
func TestRenamedModuleBuilds(t *testing.T) {
	long.Test(t)
	root, files := tree(t)
	from, err := ModulePath(root)
	if err != nil {
		t.Fatal(err)
	}
	to := "example.org/some/thing"
	if from == to {
		to = "example.net/another"
	}
	original := map[string]string{}
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		original[name] = string(text)
	}
	copied := write(t, original)
	command := func(name string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = copied
		cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath -buildvcs=false", "GOPROXY=off", "GOWORK=off", "PWD="+copied)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
	}

	command("go", "run", "./internal/repo/rename", to)
	for name := range original {
		text, err := os.ReadFile(filepath.Join(copied, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".go") && !strings.HasPrefix(name, "internal/repo/") && bytes.Contains(text, []byte(`"`+from+`/`)) {
			t.Errorf("%s still imports the old path", name)
		}
	}
	packages := []string{"./internal/..."}
	if _, err := os.Stat(filepath.Join(root, "protocol")); err == nil {
		packages = append(packages, "./protocol")
	}
	command("go", append([]string{"build"}, packages...)...)
	command("go", "vet", "./internal/repo/rename")

	if _, err := Rename(copied, from); err != nil {
		t.Fatal(err)
	}
	for name, want := range original {
		got, err := os.ReadFile(filepath.Join(copied, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is not the same after renaming there and back", name)
		}
	}
}
