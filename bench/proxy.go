package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"extui/client"
)

// proxyPass is how fast the output of a busy agent passes through the proxy.
var proxyPass = figure{"proxy", "events with UI records among them through extui proxy, beside cat", measureProxyPass}

// proxyTrip is what the proxy adds to the time from one dialog to the next.
var proxyTrip = figure{"proxy-trip", "one confirm from Go to the client and back through extui proxy, beside no proxy and beside two cats", measureProxyTrip}

// benchPolicy has a rule for what no figure asks, one for a confirm of a title, and
// has the client asked the rest.
const benchPolicy = `otherwise: ask
limits: {same: 0}
rules:
  - when: {method: confirm, title: {regexp: "^Delete "}}
    cancel: true
  - when: {method: confirm, title: %q, message: %q}
    confirmed: true
`

// writePolicy writes the policy of a figure and returns its name.
func (b *bench) writePolicy(title string) (string, error) {
	name := filepath.Join(b.dir, strings.Fields(title)[0]+".policy.yaml")
	if err := os.WriteFile(name, fmt.Appendf(nil, benchPolicy, title, askMessage), 0o666); err != nil {
		return "", fmt.Errorf("write a policy: %w", err)
	}
	return name, nil
}

func measureProxyPass(ctx context.Context, b *bench) ([]Row, error) {
	program, err := b.buildExtui(ctx)
	if err != nil {
		return nil, err
	}
	cat, err := exec.LookPath("cat")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errSkip, err)
	}
	policy, err := b.writePolicy("Other?")
	if err != nil {
		return nil, err
	}
	size := b.size.eventBytes
	events, err := childCommand("events", size)
	if err != nil {
		return nil, err
	}
	behind := func(args ...string) func(context.Context) (float64, error) {
		return func(ctx context.Context) (float64, error) {
			return swallow(exec.CommandContext(ctx, program, append(append(args, "--"), events...)...), size)
		}
	}
	samples, err := turns(ctx, b.size.few(),
		contender{"proxy", behind("proxy")},
		contender{"proxy with rules", behind("proxy", "--policy", policy)},
		contender{"cat", func(ctx context.Context) (float64, error) { return throughCat(ctx, cat, events, size) }},
	)
	if err != nil {
		return nil, err
	}
	beside := []Beside{{"cat", samples[2], nil}}
	return []Row{{Unit: "MB/s", Measured: samples[0], Beside: beside}, {Figure: "/rules", Unit: "MB/s", Measured: samples[1], Beside: beside}}, nil
}

// throughCat swallows what cat passes of the output of a command.
func throughCat(ctx context.Context, cat string, command []string, size int) (float64, error) {
	from, to, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	source := exec.CommandContext(ctx, command[0], command[1:]...)
	source.Stdout, source.Stderr = to, os.Stderr
	err = source.Start()
	to.Close()
	if err != nil {
		from.Close()
		return 0, err
	}
	pass := exec.CommandContext(ctx, cat)
	pass.Stdin = from
	r, err := swallow(pass, size)
	from.Close()
	return r, errors.Join(err, source.Wait())
}

// swallow runs a command and reads size bytes from it.
func swallow(cmd *exec.Cmd, size int) (float64, error) {
	cmd.Stderr = os.Stderr
	if cmd.Stdin == nil { // The end of its input would be the end of a proxy's agent's.
		in, err := cmd.StdinPipe()
		if err != nil {
			return 0, err
		}
		defer in.Close()
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	var first time.Time
	buf, n := make([]byte, 4*pipeSize), 0
	for err == nil {
		var got int
		got, err = out.Read(buf)
		if n == 0 {
			first = time.Now()
		}
		n += got
	}
	d := time.Since(first)
	if err != io.EOF {
		return 0, errors.Join(err, cmd.Wait())
	}
	if err := cmd.Wait(); err != nil {
		return 0, err
	}
	if n != size {
		return 0, fmt.Errorf("%s passed %d of %d bytes", cmd.Path, n, size)
	}
	return rate(size, d), nil
}

func measureProxyTrip(ctx context.Context, b *bench) (rows []Row, err error) {
	program, err := b.buildExtui(ctx)
	if err != nil {
		return nil, err
	}
	other, err := b.writePolicy("Other?")
	if err != nil {
		return nil, err
	}
	ours, err := b.writePolicy(askTitle)
	if err != nil {
		return nil, err
	}
	agent, err := childCommand("agent")
	if err != nil {
		return nil, err
	}
	var sessions []*session
	defer func() { closeAll(&err, sessions...) }()
	for _, c := range []struct {
		name string
		argv []string
	}{
		{"proxy", append([]string{program, "proxy", "--"}, agent...)},
		{"rules that ask", append([]string{program, "proxy", "--policy", other, "--"}, agent...)},
		{"rules that answer", append([]string{program, "proxy", "--policy", ours, "--"}, agent...)},
		{"alone", agent},
		{"two cats", append([]string{"sh", "-c", `cat | "$@" | cat`, "sh"}, agent...)},
	} {
		s, err := start(ctx, c.name, client.Command{Path: c.argv[0], Args: c.argv[1:]})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		sessions = append(sessions, s)
	}
	n := b.size.trips
	prompt := fmt.Sprintf("/ask %d", n)
	var all []contender
	for _, s := range sessions {
		all = append(all, s.perPiece(prompt, n))
	}
	samples, err := b.turns(ctx, all...)
	if err != nil {
		return nil, err
	}
	beside := []Beside{{"alone", samples[3], nil}, {"two cats", samples[4], nil}}
	return []Row{
		{Unit: "µs", Measured: samples[0], Beside: beside},
		{Figure: "/asks", Unit: "µs", Measured: samples[1], Beside: beside},
		{Figure: "/rule", Unit: "µs", Measured: samples[2], Beside: beside},
	}, nil
}
