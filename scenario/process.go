package scenario

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"time"
)

// outputGrace is how long something that a process has left behind may hold its output
// open before that counts as ended.
const outputGrace = time.Second

// StartProcess starts a command as a peer. env is nil for that of this process; its
// standard error goes to stderr. When ctx ends the process is killed.
//
// Its Out ends a second after the process at the latest, or, where others still write
// there, when they have been silent for that long.
func StartProcess(ctx context.Context, argv, env []string, stderr io.Writer) (*Peer, error) {
	return startProcess(ctx, argv, env, nil, stderr, shared)
}

// StartGroup is [StartProcess] in a process group of its own, where the system has
// such: Stop, the end of ctx and the end of the process kill all that it has started
// in that group. The terminal's Ctrl-C does not reach it, so ctx must end then. Out
// ends a second after the process, whoever still writes there.
//
// With a stdout, which may be nil, its standard output goes there, and the peer has no
// Out.
func StartGroup(ctx context.Context, argv, env []string, stdout *os.File, stderr io.Writer) (*Peer, error) {
	return startProcess(ctx, argv, env, stdout, stderr, ended)
}

// StartApart is [StartProcess] in a process group of its own, where the system has
// such: Stop and the end of ctx kill all that it has started in that group, but what is
// left of it when the process has ended by itself goes on. A signal to the group of the
// caller does not reach it.
func StartApart(ctx context.Context, argv, env []string, stderr io.Writer) (*Peer, error) {
	return startProcess(ctx, argv, env, nil, stderr, apart)
}

// grouping is which process group a process is in.
type grouping int

const (
	shared grouping = iota // that of its parent
	apart                  // its own
	ended                  // its own, which ends with it
)

func startProcess(ctx context.Context, argv, env []string, stdout *os.File, stderr io.Writer, in grouping) (*Peer, error) {
	ctx, stop := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = env
	if in != shared {
		ownGroup(cmd)
		cmd.Cancel = func() error {
			killGroup(cmd.Process)
			return nil
		}
	}
	r := &running{cmd: cmd, stop: stop, group: in, exited: make(chan struct{}), told: make(chan struct{})}
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = r.pipes(stdout, stderr)
	}
	if err == nil {
		err = cmd.Start()
	}
	for _, f := range r.theirs {
		f.Close()
	}
	if err != nil {
		stop()
		r.close(r.out, r.errs)
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	go r.await()
	go r.tell(stderr)
	peer := &Peer{In: stdin, Wait: r.wait, Signal: func(name string) error { return signalProcess(cmd.Process, name) }}
	peer.Stop = func() {
		select {
		case <-r.exited:
		default:
			r.stopped.Store(true)
		}
		stop()
		// Also where something outside the group holds the other end.
		r.close(r.out)
	}
	if r.out != nil {
		peer.Out = r.out
	}
	return peer, nil
}

// running is a process that has been started.
type running struct {
	cmd    *exec.Cmd
	stop   context.CancelFunc
	group  grouping
	theirs []*os.File // the process's ends of the pipes
	// out is what it writes, nil if that goes elsewhere; errs is its standard error, nil
	// if that goes to a file.
	out, errs *output
	exited    chan struct{} // closed once the process is gone
	err       error         // of waiting for it; set before exited is closed
	stopped   atomic.Bool   // before it was gone, by Stop
	told      chan struct{} // closed once all of errs has been passed on
}

// pipes makes the streams. These are not those of package exec, which would be closed
// before all was read, or hold up the end as long as anybody can write to them.
func (r *running) pipes(stdout *os.File, stderr io.Writer) (err error) {
	if r.cmd.Stdout = stdout; stdout == nil {
		if r.out, err = r.pipe(&r.cmd.Stdout); err != nil {
			return err
		}
		r.out.renew = r.group != ended
	}
	file, ok := stderr.(*os.File)
	if stderr == nil || ok && file == nil {
		return nil
	}
	if ok {
		r.cmd.Stderr = file
		return nil
	}
	r.errs, err = r.pipe(&r.cmd.Stderr)
	return err
}

func (r *running) pipe(to *io.Writer) (*output, error) {
	from, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	*to = theirs
	r.theirs = append(r.theirs, theirs)
	return &output{file: from, exited: r.exited}, nil
}

func (r *running) close(all ...*output) {
	for _, o := range all {
		if o != nil {
			o.file.Close()
		}
	}
}

// await ends with the process.
func (r *running) await() {
	r.err = r.cmd.Wait()
	r.stop()
	close(r.exited)
	for _, o := range []*output{r.out, r.errs} {
		if o != nil {
			o.limit()
		}
	}
}

// tell passes on the standard error to its end.
func (r *running) tell(stderr io.Writer) {
	defer close(r.told)
	if r.errs != nil {
		_, _ = io.Copy(stderr, r.errs) // Whoever takes it knows of its own errors.
		r.close(r.errs)
	}
}

func (r *running) wait() Exit {
	<-r.exited
	r.close(r.out)
	if r.group == ended {
		killGroup(r.cmd.Process)
	}
	// Where files have no deadlines, only the end of all who hold it ends it.
	late := time.NewTimer(2 * outputGrace)
	defer late.Stop()
	select {
	case <-r.told:
	case <-late.C:
	}
	if r.cmd.ProcessState == nil {
		return Exit{Code: -1, Reason: r.err.Error()}
	}
	exit := exitOf(r.cmd.ProcessState)
	exit.Stopped = r.stopped.Load()
	for _, o := range []*output{r.out, r.errs} {
		exit.Held = exit.Held || o != nil && o.held.Load()
	}
	return exit
}

// output reads what a process writes. Once that has exited, it ends although another
// process could still write.
type output struct {
	file   *os.File
	exited <-chan struct{}
	// renew gives what is written after the exit as much time again.
	renew bool
	held  atomic.Bool // it has ended so
}

func (o *output) Read(b []byte) (int, error) {
	if o.renew {
		select {
		case <-o.exited:
			o.limit()
		default:
		}
	}
	n, err := o.file.Read(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		o.held.Store(true)
		err = io.EOF
	} else if errors.Is(err, os.ErrClosed) {
		err = io.EOF
	}
	return n, err
}

// limit gives what is still to come some time. An error means that this is no file with
// deadlines, and then only its end ends it.
func (o *output) limit() { _ = o.file.SetReadDeadline(time.Now().Add(outputGrace)) }
