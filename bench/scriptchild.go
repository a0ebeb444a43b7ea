package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"extui/agent"
	"extui/extension"
	"extui/internal/pi"
	"extui/script"
)

// scriptChild is an agent with the extension that pi has too: what extui agent -e is.
func scriptChild([]string) error {
	if dir := os.Getenv(profileVariable); dir != "" {
		stop, err := startProfile(filepath.Join(dir, fmt.Sprintf("agent-ts-%d.prof", os.Getpid())))
		if err != nil {
			return err
		}
		defer stop()
	}
	root, err := pi.ModuleRoot()
	if err != nil {
		return err
	}
	loader := script.NewLoader(nil)
	defer loader.Close()
	extensions, err := loader.Load(filepath.Join(root, "bench", "testdata", "pi.ts"))
	if err != nil {
		return err
	}
	host := extension.NewHost(extensions...)
	loader.Bind(host)
	return agent.New(host, nil).Serve(context.Background(), os.Stdin, os.Stdout)
}
