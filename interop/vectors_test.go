package interop_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"extui/internal/long"
	"extui/internal/vectors"
	"extui/interop"
)

var update = flag.Bool("update", false, "record the vectors in testdata/pi anew from the real pi agent")

// What is recorded in testdata/pi is what the real pi writes today, line for
// line. This also shows that the probe makes the calls that the vectors are
// about.
func TestRecordedVectorsStillHold(t *testing.T) {
	long.Test(t)
	t.Parallel()
	pi := startPi(t)
	run(t, pi, func(name string) bool { return !strings.HasPrefix(name, "bad-") })
	if code := pi.end(); code != 0 {
		t.Errorf("pi ended with status %d after its input was closed, want 0", code)
	}
}

// The same for input that is no good. It has a process of its own, since the
// last case ends it.
func TestRecordedVectorsOfBadInputStillHold(t *testing.T) {
	long.Test(t)
	t.Parallel()
	const last = "bad-null"
	pi := startPi(t)
	run(t, pi, func(name string) bool { return strings.HasPrefix(name, "bad-") && name != last })
	run(t, pi, func(name string) bool { return name == last })
	if code := pi.end(); code != 1 {
		t.Errorf("pi ended with status %d after the line null, want 1", code)
	}
}

// run replays the cases with the wanted names, or records them where -update is
// set.
func run(t *testing.T, pi *conversation, wanted func(name string) bool) {
	t.Helper()
	cases, err := vectors.Load(interop.Vectors(t))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, v := range cases {
		if !wanted(v.Name) {
			continue
		}
		ran++
		if !*update {
			pi.replay(v)
			continue
		}
		path := filepath.Join(interop.Vectors(t), v.Name+".txt")
		if err := os.WriteFile(path, vectors.Format(pi.record(v)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if ran == 0 {
		t.Fatal("no case ran")
	}
}

// The pinned packages are fetched from whatever registry a machine is set up
// for, so the lock file names none, nor anybody's home page.
func TestLockFileNamesNoHost(t *testing.T) {
	lock, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if host := regexp.MustCompile(`"resolved"|://[^"]*`).Find(lock); host != nil {
		t.Errorf("package-lock.json has %s; remove the fields resolved and funding after npm changed the file", host)
	}
	if !strings.Contains(string(lock), `"integrity": "sha512-`) {
		t.Error("package-lock.json has no checksums")
	}
}
