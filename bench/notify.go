package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// notifications is how fast notifications come out of an agent and arrive in a
// front end.
var notifications = figure{"notify", "notifications from Go, each handed to a front end by the client", func(ctx context.Context, b *bench) ([]Row, error) {
	return b.measureNotify(ctx, goAgent, atLeast(0.5), nil)
}}

// notificationsScript is the same from TypeScript.
var notificationsScript = figure{"notify-ts", "the same from TypeScript", func(ctx context.Context, b *bench) ([]Row, error) {
	return b.measureNotify(ctx, tsAgent, nil, atLeast(1))
}}

func (b *bench) measureNotify(ctx context.Context, agent string, floor, pi *Goal) (rows []Row, err error) {
	n := b.size.notes
	sessions, err := b.sessions(ctx, agent, "flood", n)
	defer closeAll(&err, sessions...)
	if err != nil {
		return nil, err
	}
	var all []contender
	for _, s := range sessions {
		all = append(all, contender{s.name, func(ctx context.Context) (float64, error) {
			d, err := s.round(ctx, fmt.Sprintf("/notify %d", n))
			return float64(n) / d.Seconds(), err
		}})
	}
	samples, err := b.turns(ctx, all...)
	if err != nil {
		return nil, err
	}
	return []Row{compare("/s", samples, floor, pi)}, nil
}

// notificationsBare is the same without the client, which is the slower end: a
// loop that looks for line feeds reads what the agent writes. It shows what the
// agent alone can do, and how much its encoding costs.
var notificationsBare = figure{"notify-bare", "notifications from Go, read by a loop that only counts lines", measureNotifyBare}

func measureNotifyBare(ctx context.Context, b *bench) (rows []Row, err error) {
	n := b.size.notes
	var all []contender
	for _, name := range []string{"agent", "flood"} {
		p, err := startLines(ctx, name, n)
		if err != nil {
			return nil, err
		}
		defer p.close()
		all = append(all, contender{name, func(ctx context.Context) (float64, error) {
			d, err := p.flood(n)
			return float64(n) / d.Seconds(), err
		}})
	}
	samples, err := b.turns(ctx, all...)
	if err != nil {
		return nil, err
	}
	return []Row{compare("/s", samples, nil, nil)}, nil
}

// lines is a child without a client.
type lines struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startLines(ctx context.Context, name string, args ...any) (*lines, error) {
	command, err := childCommand(name, args...)
	if err != nil {
		return nil, err
	}
	p := &lines{cmd: exec.CommandContext(ctx, command[0], command[1:]...)}
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(out, 2*pipeSize)
	return p, p.cmd.Start()
}

// flood asks for n notifications and returns how long it took until the title
// behind them was there.
func (p *lines) flood(n int) (time.Duration, error) {
	begin := time.Now()
	if _, err := fmt.Fprintf(p.in, `{"type":"prompt","message":"/notify %d"}`+"\n", n); err != nil {
		return 0, err
	}
	for {
		line, err := p.out.ReadSlice('\n')
		if err != nil {
			return 0, fmt.Errorf("read notifications: %w", err)
		}
		// The titles are the only lines with this word.
		if bytes.Contains(line, []byte(`"setTitle"`)) {
			return time.Since(begin), nil
		}
	}
}

// close ends the child, whose exit code says nothing that its output did not.
func (p *lines) close() {
	p.in.Close()
	_, _ = io.Copy(io.Discard, p.out)
	_ = p.cmd.Wait()
}
