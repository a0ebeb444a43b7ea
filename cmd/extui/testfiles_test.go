package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A report does not take the place of what it is about, by whatever name.
func TestReportsKeepTheirInputs(t *testing.T) {
	dir := t.TempDir()
	const text = "steps:\n  - client: {prompt: /demo}\n"
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Mkdir(at("folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"u.yaml", "x.ts", "known.yaml", "r.json", "folder/in.yaml"} {
		if err := os.WriteFile(at(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(at("u.yaml"), at("link")); err != nil {
		t.Fatal(err)
	}
	other := dir + string(filepath.Separator) + "." + string(filepath.Separator) + "u.yaml"
	for _, args := range [][]string{
		{"test", "--demo", at("u.yaml"), "--junit", at("u.yaml")},
		{"test", "--demo", at("u.yaml"), "--junit", other},
		{"test", "--demo", at("u.yaml"), "--junit", at("link")},
		{"test", "--demo", at("folder"), "--junit", at("folder/in.yaml")},
		{"test", at("u.yaml"), "-e", at("x.ts"), "--junit", at("x.ts")},
		{"test", at("u.yaml"), "--junit", at("x.ts"), "--", "sh", at("x.ts")},
		{"play", at("u.yaml"), "--junit", at("u.yaml")},
		{"check", "agent", "--rule", "FRAME-1", "--json", at("known.yaml"), "--", "sh", at("known.yaml")},
		{"check", "agent", "--rule", "FRAME-1", "--html", at("x.ts"), "--", at("x.ts")},
		{"check", "client", "--junit", at("x.ts"), "--", at("x.ts")},
		{"check", "report", at("r.json"), "--html", at("r.json")},
		{"check", "report", at("r.json"), "--markdown", at("r.json")},
	} {
		_, stderr, code := inProcess(t, args...)
		if code != codeUsage || !strings.Contains(stderr, "would overwrite") {
			t.Errorf("%v: exit code %d, %s", args, code, stderr)
		}
	}
	for _, name := range []string{"u.yaml", "x.ts", "known.yaml", "r.json", "folder/in.yaml"} {
		if got, err := os.ReadFile(at(name)); err != nil || string(got) != text {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
}

// Another file is written, also over one that is there.
func TestReportIsWrittenAnew(t *testing.T) {
	dir := t.TempDir()
	name, report := filepath.Join(dir, "u.yaml"), filepath.Join(dir, "report.xml")
	if err := os.WriteFile(name, []byte("steps:\n  - client: {command: get_state}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		stdout, stderr, code := inProcess(t, "test", "--demo", name, "--junit", report)
		if got, err := os.ReadFile(report); code != 0 || err != nil || !strings.Contains(string(got), "<testsuite") {
			t.Errorf("exit code %d, %s%s%v", code, stdout, stderr, err)
		}
	}
}
