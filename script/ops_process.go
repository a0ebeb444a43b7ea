package script

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"
)

// processRequest is what js/node/child_process.js asks for.
type processRequest struct {
	File       string            `json:"file"`
	Args       []string          `json:"args"`
	Shell      any               `json:"shell"` // false, true or the shell's path
	Cwd        string            `json:"cwd"`
	Env        map[string]string `json:"env"`       // nil: that of the extension
	Timeout    float64           `json:"timeout"`   // milliseconds; 0: none
	MaxBuffer  float64           `json:"maxBuffer"` // bytes; 0: no limit
	Detached   bool              `json:"detached"`
	Stdio      []string          `json:"stdio"` // pipe, ignore, inherit or the number of an open file; at least three
	KillSignal string            `json:"killSignal"`
}

// command returns the process as it is to be started, without its streams.
func (e *engine) command(r *processRequest) *exec.Cmd {
	file, args := r.File, r.Args
	if shell, ok := r.Shell.(string); ok || r.Shell == true {
		line := strings.Join(append([]string{file}, args...), " ")
		file, args = "/bin/sh", []string{"-c", line}
		if runtime.GOOS == "windows" {
			file, args = "cmd.exe", []string{"/d", "/s", "/c", line}
		}
		if ok {
			file = shell
		}
	}
	env := e.env
	if r.Env != nil {
		env = []string{}
		for _, name := range slices.Sorted(maps.Keys(r.Env)) {
			env = append(env, name+"="+r.Env[name])
		}
	}
	cmd := &exec.Cmd{Args: append([]string{file}, args...), Dir: cmp.Or(r.Cwd, e.cwd), Env: env}
	cmd.Path, cmd.Err = program(file, env)
	detach(cmd, r.Detached)
	// What a grandchild holds open must not keep us waiting for ever.
	cmd.WaitDelay = time.Second
	return cmd
}

// startError is err as Node has it: a program that is not there is ENOENT, whatever
// the search for it says.
func startError(file string, err error) error {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return &fs.PathError{Op: "spawn", Path: file, Err: syscall.ENOENT}
	}
	return err
}

// child is a process that an extension has started and follows.
type child struct {
	cmd     *exec.Cmd
	inputs  map[int]*input // those of its streams that we write to, by number
	outputs map[int]output // those that we read
}

func (e *engine) processOps() hostOps {
	return hostOps{
		"spawn":     e.opSpawn,
		"spawnsync": e.opSpawnSync,
		"input":     e.opInput,
		"knowssignal": func(a arguments) (any, error) {
			_, ok := signalNumber(a.text(0))
			return ok, nil
		},
		"signal": func(a arguments) (any, error) {
			c := e.children[a.integer(0)]
			return c != nil && sendSignal(c.cmd.Process, a.text(1)) == nil, nil
		},
		"kill": func(a arguments) (any, error) {
			number, _ := signalNumber(a.text(1)) // process.js has asked
			if err := killProcess(a.integer(0), number); err != nil {
				return nil, &systemError{call: "kill", err: err}
			}
			return true, nil
		},
		"exec": e.opExec,
	}
}

// program returns the file that a name stands for: one without a separator is looked
// for where env says. env is nil for the environment of this process.
func program(name string, env []string) (string, error) {
	if env == nil || filepath.Base(name) != name || runtime.GOOS == "windows" {
		if filepath.Base(name) != name {
			return name, nil
		}
		return exec.LookPath(name)
	}
	refused := false
	for _, dir := range filepath.SplitList(cmp.Or(environment(env)["PATH"], "/usr/bin:/bin")) {
		file := filepath.Join(cmp.Or(dir, "."), name)
		info, err := os.Stat(file)
		switch {
		case err != nil || info.IsDir():
		case info.Mode()&0o111 == 0:
			refused = true
		default:
			return file, nil
		}
	}
	if refused {
		return name, syscall.EACCES
	}
	return name, exec.ErrNotFound
}

// signalNumber returns the signal of that name or number; 0 is none, which asks
// whether there is a process.
func signalNumber(name string) (syscall.Signal, bool) {
	if number, err := strconv.Atoi(name); err == nil {
		return syscall.Signal(number), number >= 0 && number < 65
	}
	s, ok := signals[name]
	return s, ok
}

// sendSignal sends the signal of that name or number.
func sendSignal(p *os.Process, name string) error {
	number, ok := signalNumber(name)
	switch {
	case !ok:
		return fmt.Errorf("unknown signal: %s", name)
	case p == nil:
		return os.ErrProcessDone
	case number == syscall.SIGKILL || runtime.GOOS == "windows" && number != 0:
		return p.Kill()
	}
	return p.Signal(number)
}

// exitOf returns how a process ended: its code, or the name of the signal that ended
// it.
func exitOf(state *os.ProcessState) (code int, signal string) {
	if state == nil {
		return -1, ""
	}
	if s, ok := state.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		for name, number := range signals {
			if number == s.Signal() {
				return -1, name
			}
		}
		return -1, "SIG" + strconv.Itoa(int(s.Signal()))
	}
	return state.ExitCode(), ""
}

// opSpawn starts a process and returns its id: child, request. Its output comes by the
// kind "child" of turn, its end too.
func (e *engine) opSpawn(a arguments) (any, error) {
	var r processRequest
	if err := a.decode(1, &r); err != nil {
		return nil, err
	}
	id := a.integer(0)
	cmd := e.command(&r)
	if err := e.connect(cmd, r.Stdio); err != nil {
		return nil, err
	}
	c := &child{cmd: cmd, inputs: map[int]*input{}, outputs: map[int]output{}}
	theirs, err := c.pipes(r.Stdio)
	if err == nil {
		err = cmd.Start()
	}
	closeFiles(theirs)
	if err != nil {
		c.closeOutputs()
		return nil, startError(r.File, err)
	}
	e.children[id] = c
	for _, in := range c.inputs {
		e.work.Go(func() { in.pump(e.ctx) })
	}
	e.work.Go(func() {
		e.follow(id, c)
		c.closeOutputs()
	})
	return cmd.Process.Pid, nil
}

// follow passes on what a child writes, and its end, which may come while others still
// hold its streams. It kills the child when the engine ends.
func (e *engine) follow(id int, c *child) {
	stop := context.AfterFunc(e.ctx, func() {
		_ = c.cmd.Process.Kill() // it may have ended already
		for _, s := range c.outputs {
			_ = s.SetDeadline(time.Now()) // an error means that it has ended
		}
	})
	defer stop()
	var readers sync.WaitGroup
	defer readers.Wait()
	for i, stream := range c.outputs {
		readers.Go(func() {
			buffer := make([]byte, 32<<10)
			for {
				n, err := stream.Read(buffer)
				if n > 0 {
					e.childEvent(id, "data", i, base64.StdEncoding.EncodeToString(buffer[:n]))
				}
				if err != nil {
					e.childEvent(id, "end", i, "")
					return
				}
			}
		})
	}
	_ = c.cmd.Wait() // its state says more than its error
	code, signal := exitOf(c.cmd.ProcessState)
	e.post(func() {
		delete(e.children, id)
		for _, in := range c.inputs {
			close(in.todo)
		}
	})
	e.childEvent(id, "exit", code, signal)
}

func (e *engine) childEvent(id int, what string, number int, text string) {
	e.post(func() {
		if err := e.enter("child", id, what, number, text); err != nil {
			e.stopped(err)
		}
	})
}

// opInput writes to a stream of a child, or closes it: promise, child, stream, bytes,
// close.
func (e *engine) opInput(a arguments) (any, error) {
	data, err := a.bytes(3)
	if err != nil {
		return nil, err
	}
	id, end := a.integer(0), a.flag(4)
	var in *input
	if c := e.children[a.integer(1)]; c != nil {
		in = c.inputs[a.integer(2)]
	}
	if in == nil {
		e.settle(id, nil, &fs.PathError{Op: "write", Path: "stdin", Err: syscall.EPIPE})
		return nil, nil
	}
	do := func() {
		_, err := in.to.Write(data)
		if end {
			err = errors.Join(err, in.end())
		}
		e.settle(id, nil, err)
	}
	select {
	case in.todo <- do:
	default:
		e.settle(id, nil, errors.New("the process does not read its input"))
	}
	return nil, nil
}

// limited is a buffer that ends its process when it is full.
type limited struct {
	bytes.Buffer
	limit  *int // bytes that may still come, shared; nil: no limit
	mu     *sync.Mutex
	exceed func()
}

func (l *limited) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(p)
	if l.limit != nil {
		if n > *l.limit {
			l.exceed()
			p = p[:max(*l.limit, 0)]
		}
		*l.limit -= len(p)
	}
	l.Buffer.Write(p) // it never fails
	return n, nil
}

// opSpawnSync runs a process to its end while JavaScript waits: request, input.
func (e *engine) opSpawnSync(a arguments) (any, error) {
	var r processRequest
	if err := a.decode(0, &r); err != nil {
		return nil, err
	}
	e.watch.pause()
	defer e.watch.resume()
	cmd := e.command(&r)
	if err := e.connect(cmd, r.Stdio); err != nil {
		return nil, err
	}
	if a.optional(1) != nil && r.Stdio[0] == "pipe" {
		data, err := a.bytes(1)
		if err != nil {
			return nil, err
		}
		cmd.Stdin = bytes.NewReader(data)
	}
	out := e.collect(cmd, r.Stdio, r.MaxBuffer, false)
	theirs, err := out.pipes(r.Stdio)
	if err == nil {
		err = cmd.Start()
	}
	closeFiles(theirs)
	if err != nil {
		out.closeExtras()
		return nil, startError(r.File, err)
	}
	timedOut := out.wait(e.ctx, r.Timeout, r.KillSignal)
	code, signal := exitOf(cmd.ProcessState)
	output := make([]any, len(r.Stdio)) // null for what is no pipe
	for i := range output {
		output[i] = out.base64(i)
	}
	return encodeJSON(map[string]any{
		"pid": cmd.Process.Pid, "status": code, "signal": signal, "timedOut": timedOut, "tooMuch": out.exceeded, "output": output,
	})
}

// collected is the output of a process that somebody waits for.
type collected struct {
	cmd      *exec.Cmd
	mu       sync.Mutex
	streams  map[int]*limited // by number
	extras   map[int]*os.File // where those after the third come from
	exceeded bool
}

// collect makes cmd write what goes into pipes into memory: at most most bytes a stream,
// or together if shared; 0 means no limit.
func (e *engine) collect(cmd *exec.Cmd, stdio []string, most float64, shared bool) *collected {
	out := &collected{cmd: cmd, streams: map[int]*limited{}, extras: map[int]*os.File{}}
	var limit *int
	for i, what := range stdio {
		if i == 0 || what != "pipe" {
			continue
		}
		if most > 0 && (limit == nil || !shared) {
			limit = new(int(min(most, 1<<31)))
		}
		out.streams[i] = &limited{limit: limit, mu: &out.mu, exceed: func() {
			if !out.exceeded {
				out.exceeded = true
				_ = cmd.Process.Kill() // it may have ended already
			}
		}}
	}
	if s := out.streams[1]; s != nil {
		cmd.Stdout = s
	}
	if s := out.streams[2]; s != nil {
		cmd.Stderr = s
	}
	return out
}

// wait waits for the end of the process, which it brings about by signal when ctx ends
// or the time is over, and by force five seconds later. It reports whether it did.
func (c *collected) wait(ctx context.Context, timeout float64, signal string) (ended bool) {
	if timeout > 0 {
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, milliseconds(timeout))
		defer cancel()
	}
	var readers sync.WaitGroup
	for i, from := range c.extras {
		readers.Go(func() { _, _ = io.Copy(c.streams[i], from) }) // what came counts
	}
	done := make(chan struct{})
	go func() {
		_ = c.cmd.Wait() // its state says more than its error
		for _, from := range c.extras {
			_ = from.SetReadDeadline(time.Now().Add(c.cmd.WaitDelay)) // others may hold it
		}
		readers.Wait()
		c.closeExtras()
		close(done)
	}()
	select {
	case <-done:
		return false
	case <-ctx.Done():
	}
	_ = sendSignal(c.cmd.Process, signal) // it may have ended already
	force := time.AfterFunc(5*time.Second, func() { _ = c.cmd.Process.Kill() })
	defer force.Stop()
	<-done
	return true
}

func (c *collected) base64(i int) any {
	if c.streams[i] == nil {
		return nil
	}
	return base64.StdEncoding.EncodeToString(c.streams[i].Bytes())
}

func (c *collected) text(i int) string {
	b := c.streams[i].Bytes()
	if utf8.Valid(b) {
		return string(b)
	}
	return toValidUTF8(b)
}

// execResult is what pi.exec returns, its members in pi's order.
type execResult struct {
	Stdout    string `json:"stdout"`
	Stderr    string `json:"stderr"`
	Code      int    `json:"code"` // 128 and its number after a signal
	Killed    bool   `json:"killed"`
	Truncated bool   `json:"truncated"`
}

// opExec is pi.exec: promise, cancellation, request. Its promise is never rejected: a
// program that cannot be started has exit code 1.
func (e *engine) opExec(a arguments) (any, error) {
	var r processRequest
	if err := a.decode(2, &r); err != nil {
		return nil, err
	}
	cancel, ok := e.cancels[a.integer(1)]
	if !ok {
		return nil, errors.New("exec: it was cancelled before it began")
	}
	e.async(a.integer(0), func() (any, error) {
		cmd := e.command(&r)
		out := e.collect(cmd, []string{"ignore", "pipe", "pipe"}, r.MaxBuffer, true)
		if err := cmd.Start(); err != nil {
			why := err.Error()
			if errors.Is(startError(r.File, err), syscall.ENOENT) {
				why = "spawn " + r.File + " ENOENT"
			}
			return encodeJSON(execResult{Stderr: why, Code: 1})
		}
		killed := out.wait(cancel.ctx, r.Timeout, "SIGTERM")
		code, signal := exitOf(cmd.ProcessState)
		if signal != "" {
			number, ok := signals[signal]
			if !ok {
				number = syscall.SIGKILL
			}
			code = 128 + int(number)
		}
		if out.exceeded && code == 0 {
			code = 1 // what is cut off must never read as success
		}
		return encodeJSON(execResult{out.text(1), out.text(2), code, killed || out.exceeded, out.exceeded})
	})
	return nil, nil
}
