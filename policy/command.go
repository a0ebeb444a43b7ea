package policy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
)

const (
	maxCommandOutput = 1 << 20
	maxCommandErrors = 4 << 10 // of its standard error, the end
	maxCommands      = 8       // at once; the others wait, in their own time
)

// errAsk is a command's wish to hand the dialog on.
var errAsk = errors.New("the command hands the dialog on")

// ask puts one dialog to a command. The error says why that brought no answer, and the
// dialog must then be cancelled, but for errAsk.
func (f *Frontend) command(ctx context.Context, r *rule, d protocol.Dialog) (protocol.Answer, error) {
	late := fmt.Errorf("no answer within %v", r.do.within)
	ctx, cancel := context.WithTimeoutCause(ctx, r.do.within, late)
	defer cancel()
	select {
	case f.commands <- struct{}{}:
		defer func() { <-f.commands }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	request, err := protocol.AppendRequest(nil, d)
	if err != nil {
		return nil, err
	}
	env := append(slices.Clip(f.env()), "EXTUI_SESSION="+f.opts.Session, "EXTUI_RULE="+r.name)
	out, err := f.run(ctx, r.do.argv, env, append(request, '\n'))
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	if end, _ := ctx.Deadline(); passed(end) {
		return nil, late // and so is the timer of the context
	}
	return commandAnswer(d, out)
}

// commandAnswer reads the one JSON object that a command prints.
func commandAnswer(d protocol.Dialog, out []byte) (protocol.Answer, error) {
	wrong := func(format string, args ...any) (protocol.Answer, error) {
		return nil, fmt.Errorf("the command printed %s: %s", short(string(bytes.TrimSpace(out))), fmt.Sprintf(format, args...))
	}
	raw := jsontext.Value(bytes.TrimSpace(out))
	if len(raw) == 0 {
		return nil, errors.New("the command printed nothing")
	}
	if !raw.IsValid(jsontext.AllowInvalidUTF8(true)) || raw.Kind() != '{' {
		return wrong("it is not one JSON object")
	}
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowInvalidUTF8(true))
	var members []string
	var payload jsontext.Value
	if _, err := dec.ReadToken(); err != nil {
		return wrong("%v", err)
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return wrong("%v", err)
		}
		members = append(members, name.String())
		if payload, err = dec.ReadValue(); err != nil {
			return wrong("%v", err)
		}
		payload = payload.Clone()
	}
	if len(members) != 1 {
		return wrong("it has %d members; one of value, confirmed, answers, cancelled, ask", len(members))
	}
	r := &protocol.Response{ID: d.RequestID()}
	is := string(payload)
	switch members[0] {
	case "value":
		r.Value = payload
	case "confirmed":
		if is != "true" && is != "false" {
			return wrong("confirmed is true or false")
		}
		r.Confirmed = payload
	case "answers":
		r.Answers = payload
	case "cancelled", "ask":
		if is != "true" {
			return wrong("%s is true, or is not there", members[0])
		}
		if members[0] == "ask" {
			return nil, errAsk
		}
		return protocol.Cancelled{}, nil
	default:
		return wrong("it has none of value, confirmed, answers, cancelled, ask")
	}
	if _, isConfirm := d.(*protocol.Confirm); isConfirm != (r.Confirmed != nil) {
		return wrong("%s is no answer to a %s", members[0], d.Method())
	}
	a, err := r.Answer(d)
	if err != nil {
		return wrong("%v", err)
	}
	return a, nil
}

// runProgram runs argv with input on its standard input, and returns what it printed if it
// exits with 0. When ctx ends, it is killed with all that it has started.
func runProgram(ctx context.Context, argv, env []string, input []byte) ([]byte, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = env
	cmd.Stdin = bytes.NewReader(input)
	out, errs := &limited{max: maxCommandOutput}, &limited{max: maxCommandErrors, tail: true}
	cmd.Stdout, cmd.Stderr = out, errs
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	// What it has left behind may hold its output open.
	cmd.WaitDelay = 500 * time.Millisecond
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = errors.New("a process that it has started still holds its output")
	}
	if err != nil {
		_ = killGroup(cmd) // of what it has left behind
		return nil, fmt.Errorf("command %s: %w%s", short(argv[0]), err, errs.last())
	}
	if out.over {
		return nil, fmt.Errorf("command %s: it printed more than %d bytes", short(argv[0]), maxCommandOutput)
	}
	return out.buf, nil
}

// limited keeps the beginning, or the end, of what is written to it.
type limited struct {
	max  int
	tail bool

	mu   sync.Mutex
	buf  []byte
	over bool
}

func (l *limited) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf = append(l.buf, b...)
	if n := len(l.buf); n > l.max {
		l.over = true
		if l.tail {
			l.buf = l.buf[n-l.max:]
		} else {
			l.buf = l.buf[:l.max]
		}
	}
	return len(b), nil
}

// last is the last line for an error message, "" if there is none.
func (l *limited) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := strings.TrimSpace(string(l.buf))
	s = s[strings.LastIndexByte(s, '\n')+1:]
	if s == "" {
		return ""
	}
	return "; its last line on standard error was " + short(s)
}
