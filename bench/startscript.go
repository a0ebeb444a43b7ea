package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"extui/client"
	"extui/internal/pi"
)

// startScript is the same as startDemo with an extension in TypeScript: pi's own
// example where pi is installed.
var startScript = figure{"start-ts", "extui agent -e with an extension in TypeScript, likewise", measureStartScript}

func measureStartScript(ctx context.Context, b *bench) ([]Row, error) {
	program, err := b.buildExtui(ctx)
	if err != nil {
		return nil, err
	}
	root, err := pi.ModuleRoot()
	if err != nil {
		return nil, err
	}
	extension := filepath.Join(root, "bench", "testdata", "pi.ts")
	example := filepath.Join(pi.Below(root).Package, "examples", "extensions", "rpc-demo.ts")
	if _, err := os.Stat(example); err == nil {
		extension = example
	}
	rows, err := b.measureStartOf(ctx, client.Command{Path: program, Args: []string{"agent", "-e", extension}})
	if err != nil {
		return nil, fmt.Errorf("start with %s: %w", extension, err)
	}
	return rows, nil
}
