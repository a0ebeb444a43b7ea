package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"extui/client"
	"extui/internal/pi"
)

// piPath is the real pi agent, with the extension of the figures.
type piPath struct {
	pi.Install
	extension string // testdata/pi.ts
}

// findPi returns pi as interop/install puts it, nil if it is not there.
func findPi() *piPath {
	root, err := pi.ModuleRoot()
	if err != nil {
		return nil
	}
	p := &piPath{pi.Below(root), filepath.Join(root, "bench", "testdata", "pi.ts")}
	if _, err := os.Stat(p.extension); err != nil || p.Missing() != nil {
		return nil
	}
	return p
}

// command returns how to start pi with the extension of the figures, in a home of its
// own below dir.
func (p *piPath) command(dir string) (client.Command, error) {
	home, err := os.MkdirTemp(dir, "pi-")
	if err != nil {
		return client.Command{}, fmt.Errorf("make a home for pi: %w", err)
	}
	return client.Command{Path: p.Node, Args: p.Args(p.extension), Env: pi.Env(home), Dir: home}, nil
}

func (p *piPath) start(ctx context.Context, dir string) (*session, error) {
	command, err := p.command(dir)
	if err != nil {
		return nil, err
	}
	return start(ctx, "pi", command)
}
