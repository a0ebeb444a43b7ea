package extension_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"extui/agent"
	"extui/extension"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client speaks raw lines with an agent in memory.
type client struct {
	t      *testing.T
	agent  *agent.Agent
	in     *io.PipeWriter
	out    *bufio.Reader
	result chan error
}

// start serves host. The ids are id-1, the session, id-2 and so on.
func start(t *testing.T, host *extension.Host, opts agent.Options) *client {
	t.Helper()
	var n atomic.Int64
	opts.NewID = func() string { return fmt.Sprintf("id-%d", n.Add(1)) }
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, agent: agent.New(host, &opts), in: inW, out: bufio.NewReader(outR), result: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	go func() {
		c.result <- c.agent.Serve(ctx, inR, outW)
		outW.Close()
	}()
	return c
}

func (c *client) send(lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(c.in, line+"\n"); err != nil {
			c.t.Fatalf("send %s: %v", line, err)
		}
	}
}

func (c *client) line() string {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("read: %v (%q)", err, line)
	}
	return strings.TrimSuffix(line, "\n")
}

func (c *client) expect(want ...string) {
	c.t.Helper()
	for _, w := range want {
		if got := c.line(); got != w {
			c.t.Fatalf("got  %s\nwant %s", got, w)
		}
	}
}

// end closes the input and returns the rest of the output.
func (c *client) end() string {
	c.t.Helper()
	c.in.Close()
	rest, err := io.ReadAll(c.out)
	if err != nil {
		c.t.Error(err)
	}
	if err := <-c.result; err != nil {
		c.t.Errorf("serve: %v", err)
	}
	return strings.TrimSuffix(string(rest), "\n")
}

func ext(name string, setup func(*extension.API)) extension.Extension {
	return extension.Extension{Name: name, Path: name + ".ts", Setup: func(a *extension.API) error { setup(a); return nil }}
}

func prompt(message string) string { return `{"id":"p","type":"prompt","message":"` + message + `"}` }

func call(tool, input string) string {
	return `{"id":"t","type":"call_tool","toolName":"` + tool + `","input":` + input + `}`
}

func notify(id, message string) string {
	return `{"type":"extension_ui_request","id":"` + id + `","method":"notify","message":"` + message + `"}`
}

func result(text string, isError bool) string {
	return fmt.Sprintf(`{"id":"t","type":"response","command":"call_tool","success":true,"data":{"content":[{"type":"text","text":%q}],"isError":%t}}`, text, isError)
}

func blocked(text string) string {
	return fmt.Sprintf(`{"id":"t","type":"response","command":"call_tool","success":true,"data":{"content":[{"type":"text","text":%q}],"details":{},"isError":true}}`, text)
}

const handled = `{"id":"p","type":"response","command":"prompt","success":true,"data":{"disposition":"handled"}}`
