package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"strconv"

	"extui/protocol"
)

// The texts of the dialogs and notifications, the same in the Go agent, in the
// floors and in testdata/pi.ts.
const (
	askTitle   = "Allow this command?"
	askMessage = "rm -rf build && make all"
	holdTitle  = "Which database?"
	noteText   = "Indexed 128 files"
	doneTitle  = "done"
)

// step is one move of a process that parses nothing: it waits for lines, no
// matter what they hold, and then writes bytes.
type step struct {
	lines int
	out   []byte
}

// pipeSize is what a pipe of Linux holds, and the most that is written at once.
const pipeSize = 64 << 10

// replay plays the steps over and over until its input ends, counting the line
// feeds of what it reads. It is the floor of everything an agent does: the same
// reads and writes of the same bytes.
func replay(steps []step, in io.Reader, out io.Writer) error {
	buf := make([]byte, pipeSize)
	at, waiting := 0, steps[0].lines
	for {
		n, err := in.Read(buf)
		for lines := bytes.Count(buf[:n], []byte{'\n'}); lines > 0; {
			take := min(lines, waiting)
			lines -= take
			if waiting -= take; waiting > 0 {
				break
			}
			if err := writeChunks(out, steps[at].out); err != nil {
				return err
			}
			at = (at + 1) % len(steps)
			waiting = steps[at].lines
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func writeChunks(out io.Writer, b []byte) error {
	for len(b) > 0 {
		n := min(len(b), pipeSize)
		if _, err := out.Write(b[:n]); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// uuid returns an id as long as those of agents.
func uuid() protocol.ID {
	var b [16]byte
	rand.Read(b[:])
	return protocol.StringID(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]))
}

// line returns the record of r with its line feed.
func line(r protocol.Request) []byte {
	record, err := protocol.AppendRequest(nil, r)
	if err != nil {
		panic(err) // only an Extra could be wrong, and there is none
	}
	return append(record, '\n')
}

func confirmLine() []byte {
	return line(&protocol.Confirm{ID: uuid(), Title: askTitle, Message: new(askMessage)})
}

func doneLine() []byte { return line(&protocol.SetTitle{ID: uuid(), Title: doneTitle}) }

// bounceChild is the floor of N dialogs one after another: each line that comes
// is followed by the next dialog.
func bounceChild(args []string) error {
	n, err := oneNumber(args)
	if err != nil {
		return err
	}
	ask := confirmLine()
	var steps []step
	for range n {
		steps = append(steps, step{1, ask})
	}
	return replay(append(steps, step{1, doneLine()}), os.Stdin, os.Stdout)
}

// burstChild is the floor of N dialogs open at once.
func burstChild(args []string) error {
	n, err := oneNumber(args)
	if err != nil {
		return err
	}
	var all []byte
	for range n {
		all = append(all, confirmLine()...)
	}
	return replay([]step{{1, all}, {n, doneLine()}}, os.Stdin, os.Stdout)
}

// floodChild is the floor of N notifications in a row.
func floodChild(args []string) error {
	n, err := oneNumber(args)
	if err != nil {
		return err
	}
	var all []byte
	for range n {
		all = append(all, line(&protocol.Notify{ID: uuid(), Message: noteText, Type: protocol.NotifyInfo})...)
	}
	return replay([]step{{1, append(all, doneLine()...)}}, os.Stdin, os.Stdout)
}

func oneNumber(args []string) (int, error) {
	if len(args) != 1 {
		return 0, fmt.Errorf("want one argument, got %q", args)
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 {
		return 0, fmt.Errorf("want a positive number, got %q", args[0])
	}
	return n, nil
}
