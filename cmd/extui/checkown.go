package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"

	"extui/agent"
	"extui/scenario"
	"extui/scenario/conformance"
)

// agentInProcess starts extui agent with the probe in this process: the whole command
// with streams, an environment and signals of its own. dialect may be "".
func agentInProcess(w *world, probe, dialect string) conformance.AgentStart {
	if !slices.Contains(agentDialects, dialect) {
		dialect = string(agent.Atomic)
	}
	return func(ctx context.Context, env []string, stderr io.Writer) (*scenario.Peer, error) {
		in, toAgent := io.Pipe()
		fromAgent, out := io.Pipe()
		signals := make(chan os.Signal, 8)
		inside := *w
		inside.args = []string{"agent", "-e", probe, "--dialect", dialect}
		inside.stdin, inside.stdout, inside.stderr = in, out, stderr
		inside.env = slices.Clone(w.env)
		for _, line := range env {
			name, value, _ := strings.Cut(line, "=")
			inside.env = scenario.SetEnv(inside.env, name, value)
		}
		// The process's own signals are for the check.
		inside.signals = func(wanted ...os.Signal) (<-chan os.Signal, func()) {
			if slices.Contains(wanted, os.Signal(syscall.SIGTERM)) {
				return signals, func() {}
			}
			return nil, func() {}
		}
		inside.claimStdout = func() {}
		inside.exit = func(code int) { out.CloseWithError(fmt.Errorf("left at once with exit code %d", code)) }
		ended := make(chan scenario.Exit, 1)
		go func() {
			code := execute(&inside)
			// Nobody reads what comes in now.
			in.Close()
			out.Close()
			ended <- scenario.Exit{Code: code, Reason: fmt.Sprintf("exit code %d", code)}
		}()
		send := func(name string) error {
			s, ok := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}[name]
			if !ok {
				return fmt.Errorf("signal %s is for a process, which extui's own agent in this one is not", name)
			}
			select {
			case signals <- s:
			default: // It has more than it can count.
			}
			return nil
		}
		stop := func() {
			_ = send("TERM")
			in.Close()
			fromAgent.Close()
		}
		context.AfterFunc(ctx, stop)
		return &scenario.Peer{In: toAgent, Out: fromAgent, Signal: send, Stop: stop, Wait: func() scenario.Exit { return <-ended }}, nil
	}
}
