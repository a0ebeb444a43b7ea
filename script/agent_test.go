package script

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"extui/agent"
	"extui/extension"
)

// talk is an agent with script extensions, in process, and its client's end.
type talk struct {
	t      testing.TB
	in     *io.PipeWriter
	lines  chan string // without LF; closed at the end
	served chan error
	loader *Loader
	host   *extension.Host
	opts   *agent.Options
	agent  *agent.Agent
	log    *lockedBuffer
	stderr *lockedBuffer
	ended  bool
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// serve starts an agent with the extensions of these files. change may alter options
// before.
func serve(t testing.TB, paths []string, change func(*Options, *agent.Options)) *talk {
	t.Helper()
	c := prepare(t, paths, change)
	c.start(t)
	t.Cleanup(c.end)
	return c
}

// prepare loads extensions for an agent that is not started yet: bundling has
// goroutines that outlive it for a moment, which a synctest bubble does not have.
func prepare(t testing.TB, paths []string, change func(*Options, *agent.Options)) *talk {
	t.Helper()
	c := &talk{t: t, log: &lockedBuffer{}, stderr: &lockedBuffer{}}
	logger := slog.New(slog.NewTextHandler(c.log, nil))
	opts := &Options{Stderr: c.stderr, Logger: logger, Cwd: filepath.Dir(paths[0])}
	agentOpts := &agent.Options{Dialect: agent.Pi, Logger: logger}
	if change != nil {
		change(opts, agentOpts)
	}
	c.loader = NewLoader(opts)
	var all []extension.Extension
	for _, path := range paths {
		list, err := c.loader.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	c.host = extension.NewHost(all...)
	c.host.Cwd = opts.Cwd
	c.loader.Bind(c.host)
	c.opts = agentOpts
	return c
}

func (c *talk) start(t testing.TB) {
	c.t, c.lines, c.served = t, make(chan string, 100000), make(chan error, 1)
	c.agent = agent.New(c.host, c.opts)
	in, w := io.Pipe()
	r, out := io.Pipe()
	c.in = w
	go func() {
		c.served <- c.agent.Serve(context.Background(), in, out)
		out.Close()
	}()
	go func() {
		defer close(c.lines)
		scanner := bufio.NewScanner(r)
		scanner.Buffer(nil, 1<<24)
		for scanner.Scan() {
			c.lines <- scanner.Text()
		}
	}()
}

func (c *talk) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatalf("write to the agent: %v", err)
	}
}

func (c *talk) next() string {
	c.t.Helper()
	select {
	case line, ok := <-c.lines:
		if !ok {
			c.t.Fatalf("the agent ended: %v\nlog: %s\nstderr: %s", <-c.served, c.log, c.stderr)
		}
		return line
	case <-time.After(20 * time.Second):
		c.t.Fatalf("the agent wrote nothing\nlog: %s\nstderr: %s", c.log, c.stderr)
	}
	return ""
}

// prompt sends a command and returns what is written up to its response, that
// included, ids hidden.
func (c *talk) prompt(message string) []string {
	c.t.Helper()
	c.send(`{"type":"prompt","id":"p","message":"` + message + `"}`)
	return c.until(`{"id":"p",`)
}

func (c *talk) until(prefix string) []string {
	c.t.Helper()
	var out []string
	for {
		line := c.next()
		out = append(out, line)
		if strings.HasPrefix(line, prefix) {
			return out
		}
	}
}

// end closes the agent's input and waits for it.
func (c *talk) end() {
	if c.ended {
		return
	}
	c.ended = true
	c.in.Close()
	for range c.lines {
	}
	if err := <-c.served; err != nil {
		c.t.Errorf("serve: %v", err)
	}
	c.loader.Close()
}

// write makes a file in a temporary folder and returns its path.
func write(t testing.TB, name, text string) string {
	t.Helper()
	return writeIn(t, t.TempDir(), name, text)
}

func writeIn(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
