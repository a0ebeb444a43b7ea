package policy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"extui/protocol"
)

func readLines(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func openAudit(t *testing.T, path string, opts *AuditOptions) *Audit {
	t.Helper()
	a, err := OpenAudit(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

func entry(title string) Decision {
	return Decision{Time: time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC), Session: "s", Request: input(title), Rule: "r", Line: 3,
		Outcome: Answered, Answer: protocol.Value("v"), Who: ByRule}
}

func TestAuditFormat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	a := openAudit(t, path, nil)
	broken := entry("a")
	broken.Request = decode(t, "\"method\":\"confirm\",\"title\":\"a\xff\\ud800\\u2028\"")
	broken.Answer, broken.Outcome, broken.Why, broken.Rule = nil, Over, "ended", ""
	for _, d := range []Decision{entry("x"), broken} {
		if err := a.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		`{"time":"2026-01-02T03:04:05.006Z","session":"s","request":{"type":"extension_ui_request","id":"i","method":"input","title":"x"},` +
			`"rule":"r","line":3,"outcome":"answered","answer":{"type":"extension_ui_response","id":"i","value":"v"},"who":"rule"}`,
		`{"time":"2026-01-02T03:04:05.006Z","session":"s","request":{"type":"extension_ui_request","id":"x","method":"confirm","title":"a` + "\ufffd" + `\ud800` + "\u2028" + `"},` +
			`"outcome":"over","who":"rule","why":"ended"}`,
	}
	got := readLines(t, path)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; only its owner may read it", info.Mode(), err)
	}
}

// What is logged is on the disk before the answer is given.
func TestLoggedBeforeAnswered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	f := New(mustParse(t, approveDeploy), &Options{Audit: openAudit(t, path, nil), OnDecision: func(Decision) {
		if n := len(readLines(t, path)); n != 1 {
			t.Errorf("%d lines when the decision is reported", n)
		}
	}})
	if a, err := f.Ask(t.Context(), confirm("Deploy to staging?", "")); a != protocol.Confirmed(true) || err != nil {
		t.Errorf("%#v, %v", a, err)
	}
}

func TestRotation(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "audit.jsonl")
	size := int64(len(func() []byte { b, _ := appendDecision(nil, entry("0")); return b }()))
	a := openAudit(t, path, &AuditOptions{MaxBytes: 2 * size, Keep: 2})
	for i := range 9 {
		if err := a.Write(entry(string(rune('0' + i)))); err != nil {
			t.Fatal(err)
		}
	}
	titles := func(name string) string {
		var all string
		for _, line := range readLines(t, filepath.Join(dir, name)) {
			var e struct{ Request struct{ Title string } }
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Errorf("%s: %v: %s", name, err, line)
			}
			all += e.Request.Title
		}
		return all
	}
	for name, want := range map[string]string{"audit.jsonl": "8", "audit.jsonl.1": "67", "audit.jsonl.2": "45"} {
		if got := titles(name); got != want {
			t.Errorf("%s has %q, want %q", name, got, want)
		}
	}
	if all, _ := os.ReadDir(dir); len(all) != 3 {
		t.Errorf("%d files, want 3", len(all))
	}
	// One that is too large has a file of its own.
	if err := a.Write(entry(strings.Repeat("x", int(3*size)))); err != nil {
		t.Fatal(err)
	}
	if got := titles("audit.jsonl.1"); got != "8" {
		t.Errorf("put aside: %q", got)
	}
	// A file that cannot be put aside is a log that cannot be written, until it can.
	if err := os.RemoveAll(path + ".2"); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(path+".2/x", 0o700); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.Write(entry("y")); !errors.Is(err, ErrAudit) {
			t.Errorf("error %v", err)
		}
	}
	if err := os.RemoveAll(path + ".2"); err != nil {
		t.Fatal(err)
	}
	if err := a.Write(entry("z")); err != nil {
		t.Errorf("once it can be put aside: %v", err)
	}
	if got := titles("audit.jsonl"); got != "z" {
		t.Errorf("the new file has %q", got)
	}
}

// A log that somebody has put aside or removed goes on under its name.
func TestAuditMovedByOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	a := openAudit(t, path, nil)
	if err := a.Write(entry("1")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	if err := a.Write(entry("2")); err != nil {
		t.Fatal(err)
	}
	if n, m := len(readLines(t, path)), len(readLines(t, path+".old")); n != 1 || m != 1 {
		t.Errorf("%d lines and %d lines", n, m)
	}
}

// A link that somebody has put in the log's place is not written through, be it to the log.
func TestAuditReplacedByALink(t *testing.T) {
	for name, target := range map[string]string{"the log": "audit.jsonl.old", "another file": "other", "nothing": "gone"} {
		dir := t.TempDir()
		path := filepath.Join(dir, "audit.jsonl")
		if err := os.WriteFile(filepath.Join(dir, "other"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		a := openAudit(t, path, nil)
		if err := a.Write(entry("1")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path, path+".old"); err != nil {
			t.Skipf("rename an open file: %v", err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Skipf("make a link: %v", err)
		}
		for range 2 {
			if err := a.Write(entry("2")); !errors.Is(err, ErrAudit) || !strings.Contains(err.Error(), "a symbolic link") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n := len(readLines(t, path+".old")); n != 1 {
			t.Errorf("%s: %d lines", name, n)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := a.Write(entry("3")); err != nil {
			t.Errorf("%s: without the link: %v", name, err)
		}
	}
}

// Half a line of a crash does not spoil the next one.
func TestAuditAfterACrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(path, []byte("{\"time\":\n{\"ti"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := openAudit(t, path, nil)
	for range 2 {
		if err := a.Write(entry("x")); err != nil {
			t.Fatal(err)
		}
	}
	if lines := readLines(t, path); len(lines) != 4 || lines[1] != `{"ti` || !json.Valid([]byte(lines[2])) || !json.Valid([]byte(lines[3])) {
		t.Errorf("%q", lines)
	}
}

func TestAuditErrors(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "no", "such", "folder")} {
		if _, err := OpenAudit(path, nil); !errors.Is(err, ErrAudit) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := OpenAudit(filepath.Join(dir, "a"), &AuditOptions{Keep: -1}); !errors.Is(err, ErrAudit) {
		t.Errorf("negative: %v", err)
	}
	a := openAudit(t, filepath.Join(dir, "a"), nil)
	a.Close()
	if err := a.Write(entry("x")); !errors.Is(err, ErrAudit) || !errors.Is(err, os.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Errorf("close again: %v", err)
	}
}

// Two processes may log to one file.
func TestAuditShared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	var wg sync.WaitGroup
	for range 2 {
		var ids atomic.Int64
		f := New(mustParse(t, "limits: {same: 0}\n"+approveDeploy), &Options{Audit: openAudit(t, path, nil)})
		for range 4 {
			wg.Go(func() {
				for range 5 {
					d := confirm("Deploy to staging?", "")
					d.ID = protocol.StringID(fmt.Sprint(ids.Add(1)))
					if a, err := f.Ask(context.Background(), d); a != protocol.Confirmed(true) || err != nil {
						t.Errorf("%#v, %v", a, err)
					}
				}
			})
		}
	}
	wg.Wait()
	lines := readLines(t, path)
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("broken line %s", line)
		}
	}
	if len(lines) != 40 {
		t.Errorf("%d lines, want 40", len(lines))
	}
}

// What keeps no entries is no log, and is left as it is.
func TestAuditRefusesOtherFiles(t *testing.T) {
	dir := t.TempDir()
	policy := filepath.Join(dir, "p.yaml")
	if err := os.WriteFile(policy, []byte("rules: []"), 0o644); err != nil {
		t.Fatal(err)
	}
	rules, err := Load(policy)
	if err != nil {
		t.Fatal(err)
	}
	_, opts := rules.AuditLog()
	for path, want := range map[string]string{policy: "the policy file itself", dir: "a folder", os.DevNull: "a device"} {
		if _, err := OpenAudit(path, &opts); !errors.Is(err, ErrAudit) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	if info, err := os.Stat(policy); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o644 {
		t.Errorf("the policy file has become %v, %v", info.Mode(), err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "no-such"), link); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	if _, err := OpenAudit(link, nil); !errors.Is(err, ErrAudit) || !strings.Contains(err.Error(), "a symbolic link") {
		t.Errorf("link: %v", err)
	}
	fifo := filepath.Join(dir, "fifo")
	if err := exec.Command("mkfifo", fifo).Run(); err != nil {
		t.Skip("no named pipes: ", err)
	}
	if _, err := OpenAudit(fifo, nil); !errors.Is(err, ErrAudit) || !strings.Contains(err.Error(), "a named pipe") {
		t.Errorf("pipe: %v", err)
	}
}

func TestAuditOfOthersIsClosed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such modes")
	}
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	openAudit(t, path, nil)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
