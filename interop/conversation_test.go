package interop_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"extui/internal/vectors"
	"extui/interop"
)

// patience is how long pi may take for one line. It ends a test that hangs; a
// test that passes waits for none of it.
const patience = 2 * time.Minute

// A conversation is one pi process that runs the probe, and its pipes. It uses
// nothing of extui's own protocol code, so that a mistake there cannot hide one
// here.
type conversation struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr bytes.Buffer
	lines  chan string // pi's lines without their LF; closed at the end of its output
	reader sync.WaitGroup
	// words are the placeholders of the vectors and what stands for them in
	// this run, as inside a JSON string.
	words map[string]string
}

func startPi(t *testing.T) *conversation {
	t.Helper()
	probe := interop.Probe(t)
	c := &conversation{
		t:     t,
		cmd:   interop.Pi(t, probe).Exec(t.Context()),
		lines: make(chan string, 100),
		words: map[string]string{
			"$PROBE": inJSON(t, probe),
			"$PI":    inJSON(t, filepath.Dir(filepath.Dir(filepath.Dir(interop.Example(t, "rpc-demo.ts"))))),
		},
	}
	c.cmd.Stderr = &c.stderr
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.stdin = stdin
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatalf("start pi: %v", err)
	}
	c.reader.Go(func() { c.read(stdout) })
	// After a failure; a test that passes has waited for pi in end.
	t.Cleanup(func() {
		if c.cmd.ProcessState == nil {
			c.cmd.Process.Kill()
			c.reader.Wait()
			c.cmd.Wait()
		}
	})
	return c
}

func inJSON(t *testing.T, s string) string {
	t.Helper()
	quoted, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(quoted[1 : len(quoted)-1])
}

func (c *conversation) read(stdout io.Reader) {
	defer close(c.lines)
	in := bufio.NewReader(stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			select {
			case c.lines <- string(bytes.TrimSuffix(line, []byte{'\n'})):
			case <-c.t.Context().Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// next waits for pi's next line. It returns false at the end of pi's output,
// or when there was none for that long.
func (c *conversation) next(wait time.Duration) (line string, ok bool) {
	select {
	case line, ok = <-c.lines:
		return line, ok
	case <-time.After(wait):
		return "", false
	}
}

func (c *conversation) send(line []byte) {
	c.t.Helper()
	if _, err := c.stdin.Write(append(bytes.Clone(line), '\n')); err != nil {
		c.t.Fatalf("write to pi: %v\npi's stderr: %s", err, &c.stderr)
	}
}

// hide is a line from pi as a vector has it.
func (c *conversation) hide(ids *vectors.IDs, line string) []byte {
	hidden := ids.Hide([]byte(line))
	for word, real := range c.words {
		hidden = bytes.ReplaceAll(hidden, []byte(real), []byte(word))
	}
	return hidden
}

// replay plays the client's part of one case, and requires pi to write the
// lines of the case and no other. A line too many is seen at the next case, or
// in end.
func (c *conversation) replay(v vectors.Case) {
	c.t.Helper()
	var ids vectors.IDs
	for i, line := range v.Wire {
		if line.ToAgent {
			c.send(ids.Reveal(line.Text))
			continue
		}
		got, ok := c.next(patience)
		if !ok {
			c.t.Fatalf("%s: pi wrote nothing, want line %d of the wire:\n%s", v.Name, i+1, line.Text)
		}
		if hidden := c.hide(&ids, got); !bytes.Equal(hidden, line.Text) {
			c.t.Fatalf("%s: line %d of the wire: pi wrote\n%s\nwant\n%s", v.Name, i+1, hidden, line.Text)
		}
	}
}

// record plays the client's part of one case, and returns the case with what
// pi wrote. Between two lines of the client it waits for as many lines as the
// case has there, and at the end until pi is quiet.
func (c *conversation) record(v vectors.Case) vectors.Case {
	c.t.Helper()
	const quiet = 700 * time.Millisecond // longer than any timeout of the probe
	var ids vectors.IDs
	recorded := vectors.Case{Name: v.Name, About: v.About}
	for _, line := range v.Wire {
		if line.ToAgent {
			c.send(ids.Reveal(line.Text))
			recorded.Wire = append(recorded.Wire, line)
		} else if got, ok := c.next(patience); ok {
			recorded.Wire = append(recorded.Wire, vectors.Line{Text: c.hide(&ids, got)})
		}
	}
	for {
		got, ok := c.next(quiet)
		if !ok {
			return recorded
		}
		recorded.Wire = append(recorded.Wire, vectors.Line{Text: c.hide(&ids, got)})
	}
}

// end closes pi's input, requires that pi writes nothing more, and returns its
// exit code.
func (c *conversation) end() int {
	c.t.Helper()
	if err := c.stdin.Close(); err != nil {
		c.t.Errorf("close pi's input: %v", err)
	}
	for {
		select {
		case line, ok := <-c.lines:
			if ok {
				c.t.Errorf("pi wrote a line too many: %s", line)
				continue
			}
		case <-time.After(patience):
			c.t.Fatalf("pi did not end")
		}
		break
	}
	c.reader.Wait()
	var exit *exec.ExitError
	if err := c.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		c.t.Fatalf("wait for pi: %v", err)
	}
	return c.cmd.ProcessState.ExitCode()
}
