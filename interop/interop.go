// Package interop runs the real pi agent as the other end in tests.
//
//	func TestAgainstPi(t *testing.T) {
//		command := interop.Pi(t, interop.Probe(t))
//		cmd := command.Exec(t.Context())
//		… pipes, cmd.Start, records in, records out …
//	}
//
// The folder of this package pins npm packages: the agent, the Node.js binary
// that it needs, so that nothing depends on what else a machine has, and an
// extension by others, @juicesharp/rpiv-ask-user-question. The script install
// in this folder fetches them into node_modules. Until it has
// run, a test that asks for pi is skipped and says so; where the environment
// variable EXTUI_REQUIRE_INTEROP is 1, as in scripts/test, the test fails
// instead, so that no green run has quietly left pi out.
//
// # The probe and the vectors
//
// testdata/probe.ts is an extension with one command for each call on ctx.ui.
// testdata/pi holds what pi writes for each of them, as vectors (package
// internal/vectors). A test here runs them all against pi again, which shows
// that they are still what pi does. Another plays the agent's part of them to
// package client, without pi, and package extension the client's part to
// extui's own agent; both list where extui differs on purpose, and why.
//
// # By hand
//
// The script pi in this folder runs the installed pi with the installed
// Node.js, away from the settings of any other pi:
//
//	extui run -- interop/pi --mode rpc --no-session
//
// # What pi cannot touch
//
// Each process has a home, an agent folder and a working folder of its own,
// below the test's temporary folder, an environment with nothing of the user's
// but PATH, and is told to stay off the network. It has no model: a prompt that
// is no extension command is refused. A test that needs one loads
// testdata/model.ts, a model that follows a script, or has pi talk to a model
// behind HTTP on loopback, which the test plays.
//
// # Concurrency
//
// All functions may be called at once, from the goroutine that runs the test as
// testing demands. None blocks and none starts a process.
package interop

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"extui/internal/pi"
)

// RequireVariable names the environment variable that turns a missing pi from a
// skipped test into a failed one. Its one meaningful value is "1".
const RequireVariable = "EXTUI_REQUIRE_INTEROP"

// A Command is how to start one pi process. The fields are those of
// [os/exec.Cmd], but Args does not begin with the program.
type Command struct {
	Path string
	Args []string
	Env  []string
	Dir  string
}

// Exec returns the command as an [os/exec.Cmd] that is not started. When ctx
// ends, the process is killed.
func (c Command) Exec(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Env = c.Env
	cmd.Dir = c.Dir
	return cmd
}

// Pi returns the command that starts pi in RPC mode with the given extension
// files, absolute paths, and no others. Pi is ready for commands within about a
// second; it writes nothing on its own account before.
//
// If pi is not installed the test is skipped, or fails (see the package
// comment), and Pi does not return.
func Pi(t testing.TB, extensions ...string) Command {
	t.Helper()
	install := installed(t)
	for _, extension := range extensions {
		if !filepath.IsAbs(extension) {
			t.Fatalf("interop: extension %s: the path must be absolute, pi runs in a folder of its own", extension)
		}
	}
	home := t.TempDir()
	work := filepath.Join(home, "work")
	if err := os.Mkdir(work, 0o777); err != nil {
		t.Fatalf("interop: make a working folder for pi: %v", err)
	}
	return Command{Path: install.Node, Args: install.Args(extensions...), Env: pi.Env(home), Dir: work}
}

// Probe returns the absolute path of the extension that the vectors were
// recorded with. It needs no pi.
func Probe(t testing.TB) string {
	t.Helper()
	return filepath.Join(folder(t), "testdata", "probe.ts")
}

// Vectors returns the absolute path of the folder of recorded conversations. It
// needs no pi.
func Vectors(t testing.TB) string {
	t.Helper()
	return filepath.Join(folder(t), "testdata", "pi")
}

// Example returns the absolute path of one of pi's own example extensions, such
// as "rpc-demo.ts". If pi is not installed it does what [Pi] does.
func Example(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(installed(t).Package, "examples", "extensions", name)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("interop: pi's example %s: %v", name, err)
	}
	return path
}

// installed returns where pi is, once it is known to be there.
func installed(t testing.TB) pi.Install {
	t.Helper()
	install := pi.Below(filepath.Dir(folder(t)))
	if err := install.Missing(); err != nil {
		if os.Getenv(RequireVariable) == "1" {
			t.Fatalf("interop: %v; this is a %s/%s machine, and %s=1 requires it", err, runtime.GOOS, runtime.GOARCH, RequireVariable)
		}
		t.Skipf("interop: NOT TESTED AGAINST THE REAL PI AGENT: %v", err)
	}
	return install
}

// folder finds this package's folder from the working folder of the test, which
// is a folder of this module.
func folder(t testing.TB) string {
	t.Helper()
	module, err := pi.ModuleRoot()
	if err != nil {
		t.Fatalf("interop: %v", err)
	}
	return filepath.Join(module, "interop")
}
