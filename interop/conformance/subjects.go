package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"extui/internal/pi"
	"extui/scenario"
	"extui/scenario/conformance"
)

// subject is one implementation that the suite is run on.
type subject struct {
	name string
	file string // of its results, without extension
	role scenario.Role
	// known is the list of its deviations, "" if none is allowed.
	known      string
	unattended bool
	run        func(context.Context, *conformance.Options) (*conformance.Report, error)
}

// table is what is checked, in the order of the pages.
var table = []subject{
	{name: "extui agent", file: "agent-extui", role: scenario.Agent},
	{name: "pi 1.6.0", file: "agent-pi-1.6.0", role: scenario.Agent, known: "pi-1.6.0"},
	{name: "package client", file: "client-package", role: scenario.Client},
	{name: "extui run, plain", file: "client-extui-run", role: scenario.Client, known: "extui-run-plain"},
	{name: "extui run, unattended", file: "client-extui-run-unattended", role: scenario.Client, unattended: true},
	{name: "pi 1.6.0 RpcClient", file: "client-pi-1.6.0-rpcclient", role: scenario.Client, known: "pi-1.6.0-rpcclient"},
	{name: "pi 1.6.0 example client", file: "client-pi-1.6.0-example", role: scenario.Client, known: "pi-1.6.0-example"},
}

func subjectNames() (names []string) {
	for _, s := range table {
		names = append(names, s.name)
	}
	return names
}

// subjects is the table with how each is run.
func (b *bench) subjects() []subject {
	run := map[string]func(context.Context, *conformance.Options) (*conformance.Report, error){
		"agent-extui":                 b.extuiAgent,
		"agent-pi-1.6.0":              b.piAgent,
		"client-package":              b.clientOf(b.client),
		"client-extui-run":            b.clientOf(b.self, "drive", "plain", b.extui),
		"client-extui-run-unattended": b.clientOf(b.extui, "run", "--", conformance.AgentArgument),
		"client-pi-1.6.0-rpcclient":   b.clientOf(b.self, "drive", "rpcclient", b.module),
		"client-pi-1.6.0-example":     b.clientOf(b.self, "drive", "tui", b.module),
	}
	var all []subject
	for _, s := range table {
		s.run = run[s.file]
		all = append(all, s)
	}
	return all
}

func (b *bench) extuiAgent(ctx context.Context, opts *conformance.Options) (*conformance.Report, error) {
	return checkAgent(ctx, []string{b.extui, "agent"}, os.Environ(), opts)
}

func (b *bench) piAgent(ctx context.Context, opts *conformance.Options) (*conformance.Report, error) {
	home := filepath.Join(b.dir, "pi-home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, fmt.Errorf("make a home for pi: %w", err)
	}
	return checkAgent(ctx, append([]string{b.pi.Node}, b.pi.Args()...), pi.Env(home), opts)
}

func checkAgent(ctx context.Context, argv, env []string, opts *conformance.Options) (*conformance.Report, error) {
	probe, remove, err := conformance.WriteProbe()
	if err != nil {
		return nil, err
	}
	defer remove()
	return conformance.CheckAgent(ctx, conformance.AgentCommand(argv, env, probe), opts)
}

func (b *bench) clientOf(argv ...string) func(context.Context, *conformance.Options) (*conformance.Report, error) {
	return func(ctx context.Context, opts *conformance.Options) (*conformance.Report, error) {
		return conformance.CheckClient(ctx, conformance.ClientCommand(argv, os.Environ()), []string{b.extui, "play"}, opts)
	}
}
