package script

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// input is a stream of a child that we write to.
type input struct {
	to   io.Writer
	end  func() error // tells the child that no more comes
	todo chan func()  // what to do with it, in order; closed when the child has ended
}

// pump does what is to be done, one thing after the other.
func (in *input) pump(ctx context.Context) {
	for {
		select {
		case do, open := <-in.todo:
			if !open {
				return
			}
			do()
		case <-ctx.Done():
			return
		}
	}
}

// output is a stream of a child that we read: a pipe, or one that goes both ways.
type output interface {
	io.ReadCloser
	SetDeadline(time.Time) error
}

// connect gives a child those streams that stdio says are there already: open files by
// their numbers, and our own. Its pipes are made by others.
func (e *engine) connect(cmd *exec.Cmd, stdio []string) error {
	cmd.ExtraFiles = make([]*os.File, max(len(stdio)-3, 0))
	for i, what := range stdio {
		if what == "pipe" || what == "ignore" {
			continue
		}
		number := i // inherit
		if what != "inherit" {
			var err error
			if number, err = strconv.Atoi(what); err != nil {
				return fmt.Errorf("stream %d of a child cannot be %q", i, what)
			}
		}
		own := number < 3
		var file *os.File
		if !own {
			if file = e.files.get(number); file == nil {
				return syscall.EBADF
			}
		}
		switch {
		case i == 0 && own: // our standard input carries the protocol: it reads nothing
		case i == 0:
			cmd.Stdin = file
		case i < 3:
			var to io.Writer = e.stderr // for stdout too, as ours carries the protocol
			if !own {
				to = file
			}
			if i == 1 {
				cmd.Stdout = to
			} else {
				cmd.Stderr = to
			}
		case own:
			return fmt.Errorf("stream %d of a child cannot be one of the agent's own here", i)
		default:
			cmd.ExtraFiles[i-3] = file
		}
	}
	return nil
}

// pipes makes the pipes of a child that is followed. Those after the third go both ways.
// theirs are the child's ends, to be closed once it has started or failed to.
func (c *child) pipes(stdio []string) (theirs []*os.File, err error) {
	for i, what := range stdio {
		if what != "pipe" {
			continue
		}
		switch i {
		case 0:
			stdin, err := c.cmd.StdinPipe()
			if err != nil {
				return theirs, err
			}
			c.inputs[i] = newInput(stdin, stdin.Close)
		case 1, 2:
			ours, end, err := os.Pipe()
			if err != nil {
				return theirs, err
			}
			c.outputs[i], theirs = ours, append(theirs, end)
			if i == 1 {
				c.cmd.Stdout = end
			} else {
				c.cmd.Stderr = end
			}
		default:
			ours, end, err := socketPair()
			if err != nil {
				return theirs, err
			}
			c.outputs[i], theirs = ours, append(theirs, end)
			c.inputs[i] = newInput(ours, ours.CloseWrite)
			c.cmd.ExtraFiles[i-3] = end
		}
	}
	return theirs, nil
}

func newInput(to io.Writer, end func() error) *input {
	return &input{to: to, end: end, todo: make(chan func(), 64)}
}

func (c *child) closeOutputs() {
	for _, s := range c.outputs {
		_ = s.Close() // what was to be read is read
	}
}

// pipes makes those after the third of a child that somebody waits for; see child.pipes.
func (c *collected) pipes(stdio []string) (theirs []*os.File, err error) {
	for i := 3; i < len(stdio); i++ {
		if stdio[i] != "pipe" {
			continue
		}
		ours, end, err := os.Pipe()
		if err != nil {
			return theirs, err
		}
		c.extras[i], theirs = ours, append(theirs, end)
		c.cmd.ExtraFiles[i-3] = end
	}
	return theirs, nil
}

func (c *collected) closeExtras() {
	for _, f := range c.extras {
		_ = f.Close() // what was to be read is read
	}
}

func closeFiles(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // the child has its own
	}
}
