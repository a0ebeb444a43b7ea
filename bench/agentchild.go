package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"extui/agent"
	"extui/extension"
	"extui/protocol"
)

// profileVariable names the folder where an agent writes its CPU profile.
const profileVariable = "EXTUI_BENCH_PROFILE"

// The agents that are measured, by the names of their children.
const (
	goAgent = "agent"
	tsAgent = "agent-ts"
)

// agentChild is an agent with one Go extension, which does on command what the
// floors replay.
func agentChild([]string) error {
	if dir := os.Getenv(profileVariable); dir != "" {
		stop, err := startProfile(filepath.Join(dir, fmt.Sprintf("agent-%d.prof", os.Getpid())))
		if err != nil {
			return err
		}
		defer stop()
	}
	return agent.New(extension.NewHost(commands), nil).Serve(context.Background(), os.Stdin, os.Stdout)
}

// commands is the extension.
var commands = extension.Extension{Name: "bench", Setup: func(api *extension.API) error {
	for name, do := range map[string]func(ctx context.Context, ui *agent.UI, n int) error{
		"ask": ask, "burst": burst, "hold": hold, "notify": notify,
	} {
		api.RegisterCommand(extension.Command{Name: name, Handler: func(ctx *extension.Context, args string) error {
			n, err := strconv.Atoi(args)
			if err != nil {
				return err
			}
			return do(ctx, ctx.UI, n)
		}})
	}
	return nil
}}

// ask asks n times, one after another.
func ask(ctx context.Context, ui *agent.UI, n int) error {
	for range n {
		if err := confirm(ctx, ui); err != nil {
			return err
		}
	}
	return ui.SetTitle(ctx, doneTitle)
}

func confirm(ctx context.Context, ui *agent.UI) error {
	yes, err := ui.Confirm(ctx, askTitle, askMessage, nil)
	if err == nil && !yes {
		err = fmt.Errorf("the driver said no")
	}
	return err
}

// burst asks n times at once.
func burst(ctx context.Context, ui *agent.UI, n int) error {
	return each(n, func() error { return confirm(ctx, ui) }, func() error { return ui.SetTitle(ctx, doneTitle) })
}

// hold opens n dialogs, which nobody answers.
func hold(ctx context.Context, ui *agent.UI, n int) error {
	return each(n, func() error {
		_, err := ui.Confirm(ctx, holdTitle, askMessage, nil)
		return err
	}, func() error { return nil })
}

// notify sends n notifications.
func notify(ctx context.Context, ui *agent.UI, n int) error {
	for range n {
		if err := ui.Notify(ctx, noteText, protocol.NotifyInfo); err != nil {
			return err
		}
	}
	return ui.SetTitle(ctx, doneTitle)
}

// each runs f n times at once and then, if all went well, after.
func each(n int, f, after func() error) error {
	var wg sync.WaitGroup
	failed := make(chan error, n)
	for range n {
		wg.Go(func() {
			if err := f(); err != nil {
				failed <- err
			}
		})
	}
	wg.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return after()
	}
}
