package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"extui/client"
	"extui/internal/pi"
)

// startDemo is how soon an agent says its first word, and what it needs in memory
// then.
var startDemo = figure{"start", "extui agent --demo from its start to its first record, and its memory then", measureStart}

func measureStart(ctx context.Context, b *bench) ([]Row, error) {
	program, err := b.buildExtui(ctx)
	if err != nil {
		return nil, err
	}
	return b.measureStartOf(ctx, client.Command{Path: program, Args: []string{"agent", "--demo"}})
}

// measureStartOf measures the start of a command, beside pi's if there is one.
func (b *bench) measureStartOf(ctx context.Context, command client.Command) ([]Row, error) {
	commands := []client.Command{command}
	if b.pi != nil {
		c, err := b.pi.command(b.dir)
		if err != nil {
			return nil, err
		}
		commands = append(commands, c)
	}
	times, memory := make([]Samples, len(commands)), make([]Samples, len(commands))
	for range b.size.starts {
		for i, c := range commands {
			d, rss, err := startOnce(ctx, c)
			if err != nil {
				return nil, err
			}
			times[i] = append(times[i], float64(d)/float64(time.Millisecond))
			if rss > 0 {
				memory[i] = append(memory[i], rss)
			}
		}
	}
	rows := []Row{{Unit: "ms", Measured: times[0], Limit: atMost(50)}}
	if len(memory[0]) > 0 {
		rows = append(rows, Row{Figure: "/memory", Unit: "MB", Measured: memory[0], Limit: atMost(40)})
	}
	if len(commands) > 1 {
		rows[0].Beside = []Beside{{"pi", times[1], nil}}
		for i := range rows[1:] {
			rows[1+i].Beside = []Beside{{"pi", memory[1], nil}}
		}
	}
	return rows, nil
}

// startOnce starts an agent with a question in its input, and returns how long it
// takes until an answer is there and, on Linux, the resident memory in megabytes.
func startOnce(ctx context.Context, c client.Command) (_ time.Duration, rss float64, err error) {
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Env, cmd.Dir = c.Env, c.Dir
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	defer func() {
		in.Close()
		_, _ = io.Copy(io.Discard, out)
		err = errors.Join(err, cmd.Wait())
	}()
	if _, err := io.WriteString(in, `{"type":"get_commands","id":"1"}`+"\n"); err != nil {
		return 0, 0, fmt.Errorf("ask %s: %w", c.Path, err)
	}
	if _, err := bufio.NewReader(out).ReadSlice('\n'); err != nil && err != bufio.ErrBufferFull {
		return 0, 0, fmt.Errorf("read the first record of %s: %w", c.Path, err)
	}
	d := time.Since(begin)
	rss, err = resident(cmd.Process.Pid)
	return d, rss, err
}

// resident returns the resident memory of a process in megabytes, 0 where it is
// not known how to ask.
func resident(pid int) (float64, error) {
	if runtime.GOOS != "linux" {
		return 0, nil
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, fmt.Errorf("ask for the memory of a process: %w", err)
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0, fmt.Errorf("ask for the memory of a process: got %q", text)
	}
	pages, err := strconv.Atoi(fields[1])
	return float64(pages*os.Getpagesize()) / 1e6, err
}

// buildExtui builds the program, once a run.
func (b *bench) buildExtui(ctx context.Context) (string, error) {
	if b.extui != "" {
		return b.extui, nil
	}
	root, err := pi.ModuleRoot()
	if err != nil {
		return "", fmt.Errorf("%w: run this from within the module: %w", errSkip, err)
	}
	program := filepath.Join(b.dir, "extui")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/extui")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		first, _, _ := strings.Cut(string(out), "\n")
		return "", fmt.Errorf("%w: go build ./cmd/extui: %w: %s", errSkip, err, first)
	}
	b.extui = program
	return program, nil
}
