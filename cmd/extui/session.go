package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"extui/client"
)

// session is one call of extui run: an agent, a front end and a person or a
// script.
type session struct {
	w     *world
	flags runFlags
	// person says that somebody types. Lines are then taken at any time, and
	// otherwise only when everything before has been handled.
	person bool

	ui        ui
	notes     *notes
	stderr    *lineWriter    // The agent's standard error.
	client    *client.Client // Set before anything uses it.
	act       *activity
	events    events
	names     commandNames
	interrupt chan bool // Ctrl-C, pressed where the terminal sends no signal; true if it cancelled a dialog.
	work      sync.WaitGroup
	failures  atomic.Int64 // Prompts and commands of a script that failed.
	heard     atomic.Bool  // The agent has answered a command.
	alive     atomic.Bool  // It has done that, or shown something.
	learning  atomic.Bool  // The agent was asked for its commands and has not answered yet.
	cutShort  atomic.Bool  // The agent went away with something unanswered.
}

// errLeave is why the conversation ends when somebody typed /quit.
var errLeave = errors.New("asked to leave")

// runAgent starts the agent, talks to it and stops it. Its error has an exit code.
func runAgent(w *world, flags runFlags) error {
	command, err := agentCommand(w, flags)
	if err != nil {
		return err
	}
	kind, err := chooseUI(w, flags.ui)
	if err != nil {
		return err
	}
	rules, err := openPolicy(w, flags.policy)
	if err != nil {
		return err
	}
	defer rules.close()
	s := newSession(w, flags, kind)
	// Before the agent starts, so that no signal leaves it behind.
	signals, stopSignals := w.signals(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stopSignals()
	// Somebody who no longer reads is an error of writing, after which the agent can
	// still be stopped, and not the end of this process.
	_, stopPipe := w.signals(syscall.SIGPIPE)
	defer stopPipe()
	defer s.ui.Close()
	defer s.restoreForDump(kind)()

	s.stderr = &lineWriter{line: func(text string) { s.notes.print("agent", text) }}
	command.Stderr = s.stderr
	s.client, err = client.Start(context.Background(), command, &client.Options{
		Frontend:     rules.frontend(s, kind),
		Dialect:      clientDialect(flags.dialect),
		MaxRecord:    flags.maxRecord,
		OnDiagnostic: s.diagnostic,
		OnDialog:     s.dialogChanged,
		Subscribe:    s.record,
	})
	if err != nil {
		return &failure{codeNoAgent, err, "put the agent's command behind --, such as: extui run -- pi --mode rpc"}
	}
	err = s.supervise(signals)
	s.stderr.flush()
	return unseen(rules.unanswered(err), s.ui.Close())
}

// unseen adds to err, the outcome of a session, that some of it could not be shown:
// whoever reads the output must not take it for all there was.
func unseen(err, lost error) error {
	if lost == nil || errors.Is(err, lost) {
		return err
	}
	lost = fmt.Errorf("not everything could be shown: %w", lost)
	f, ok := errors.AsType[*failure](err)
	switch {
	case !ok:
		return &failure{codeFailed, lost, ""}
	case f.err == nil:
		return &failure{f.code, lost, f.hint}
	}
	return &failure{f.code, fmt.Errorf("%w; %w", f.err, lost), f.hint}
}

func newSession(w *world, flags runFlags, kind string) *session {
	s := &session{
		w: w, flags: flags, person: isTerminal(w.stdin), act: newActivity(),
		interrupt: make(chan bool, 8),
	}
	s.ui = newUI(w, flags, kind, s.names.complete, func(cancelled bool) {
		select {
		case s.interrupt <- cancelled:
		default: // Eight presses wait already.
		}
	})
	s.notes = newNotes(w, s.ui, s.person)
	s.events.ui, s.events.act = s.ui, s.act
	return s
}

// agentCommand is what to start: what stands behind --, or this program.
func agentCommand(w *world, flags runFlags) (client.Command, error) {
	if len(flags.agent) > 0 {
		return client.Command{Path: flags.agent[0], Args: flags.agent[1:], Env: w.env}, nil
	}
	self, err := w.executable()
	if err != nil {
		return client.Command{}, &failure{codeNoAgent, fmt.Errorf("find this program to start its demo agent: %w", err),
			"name an agent: extui run -- AGENT ARGS"}
	}
	dialect := "atomic"
	if flags.dialect == "pi" {
		dialect = "pi"
	}
	args := []string{"agent", "--dialect", dialect}
	if len(flags.scripts.paths) == 0 {
		return client.Command{Path: self, Args: append(args, "--demo"), Env: w.env}, nil
	}
	if flags.verbose {
		args = append(args, "--verbose")
	}
	return client.Command{Path: self, Args: append(args, flags.scripts.arguments()...), Env: w.env}, nil
}

// clientDialect translates --dialect.
func clientDialect(flag string) client.Dialect {
	switch flag {
	case "pi":
		return client.Pi
	case "atomic":
		return client.Atomic
	case "omp":
		return client.OhMyPi
	}
	return client.Auto
}

// supervise talks to the agent until one side has had enough, and ends the other.
func (s *session) supervise(signals <-chan os.Signal) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	talked := make(chan error, 1)
	go func() {
		err := s.talk(ctx)
		s.work.Wait()
		talked <- err
	}()

	var ctrlC ctrlC
	defer ctrlC.aborts.Wait()
	for {
		cancelled := false
		select {
		case err := <-talked:
			if s.cutShort.Load() {
				return s.agentEnded() // Done is about to be closed.
			}
			return s.leave(signals, err)
		case <-s.client.Done():
			cancel(client.ErrAgentGone)
			<-talked
			return s.agentEnded()
		case cancelled = <-s.interrupt:
		case got := <-signals:
			if got != os.Interrupt {
				cancel(errLeave)
				return s.stopped(signals, talked, signalCode(got))
			}
			if front, ok := s.ui.(lendingUI); ok && front.Lent() {
				continue
			}
		}
		if ctrlC.press(s, cancelled) {
			cancel(errLeave)
			return s.stopped(signals, talked, codeInterrupted)
		}
	}
}

// stopped ends a conversation that a signal has cut short.
func (s *session) stopped(signals <-chan os.Signal, talked <-chan error, code int) error {
	// How the agent ends no longer matters; nobody is left to care.
	_ = s.leave(signals, nil)
	<-talked
	return &failure{code: code}
}

// leave stops the agent after the conversation ended with err. A signal while it
// waits makes it hurry.
func (s *session) leave(signals <-chan os.Signal, err error) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- s.client.Close(ctx) }()
	code := 0
	for waiting := true; waiting; {
		var got os.Signal = os.Interrupt
		select {
		case stopErr := <-closed:
			if err == nil && stopErr != nil {
				err = stopErr
			}
			waiting = false
			continue
		case <-s.interrupt:
		case got = <-signals:
		}
		code = signalCode(got)
		cancel()
	}
	switch {
	case code != 0:
		return &failure{code: code}
	case err != nil:
		return &failure{codeFailed, err, ""}
	case s.client.Err() != nil:
		return &failure{codeFailed, fmt.Errorf("the agent failed when it was asked to stop: %w", s.client.Err()), ""}
	case s.failures.Load() > 0:
		return &failure{codeFailed, fmt.Errorf("%d of the prompts and commands failed; the lines above say why", s.failures.Load()), ""}
	}
	return nil
}

// agentEnded explains an end that nobody asked for. An agent that had nothing
// left to do and says that all is well, as after an extension's shutdown(), is
// not at fault.
func (s *session) agentEnded() error {
	// The process is gone; what is left are calls of the front end.
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = s.client.Close(ctx) // It cannot do worse than the agent did.
	err := s.client.Err()
	if err == nil && s.heard.Load() && !s.cutShort.Load() && !s.act.look().running {
		s.ui.Line("[the agent has ended]")
		if s.failures.Load() > 0 {
			return &failure{codeFailed, fmt.Errorf("%d of the prompts and commands failed", s.failures.Load()), ""}
		}
		return nil
	}
	if err == nil {
		err = errors.New("exit code 0")
	}
	s.stderr.flush()
	hint := "what it wrote to standard error is above"
	if !s.stderr.any {
		hint = "it wrote nothing to standard error; an agent must be told to speak the RPC protocol, as in: extui run -- pi --mode rpc"
	}
	return &failure{codeAgentEnded, fmt.Errorf("the agent ended unexpectedly: %w", err), hint}
}

// talk sends what the flags and the person say, and returns nil when there is no
// more to say.
func (s *session) talk(ctx context.Context) error {
	// What a person has started and not waited for ends with the conversation.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(errLeave)
	if !s.person {
		s.work.Go(func() { s.awaitLife(ctx, cancel) })
	}
	var ended <-chan struct{} // Nil: there is more to do than the input says.
	if in, ok := s.ui.(endingUI); ok && len(s.flags.prompts) == 0 && !s.flags.exitWhenIdle {
		ended = in.Ended()
	}
	s.learnCommands(ctx, ended)
	for _, text := range s.flags.prompts {
		if err := s.line(ctx, text, true); err != nil {
			return quiet(err)
		}
	}
	if s.flags.exitWhenIdle {
		return quiet(s.idle(ctx))
	}
	for {
		if !s.person {
			if err := s.act.wait(ctx, func(d doing) bool { return d.dialogs == 0 }); err != nil {
				return quiet(err)
			}
		}
		text, err := s.ui.ReadPrompt(ctx)
		switch {
		case err == io.EOF:
			return nil
		case ctx.Err() != nil:
			return quiet(context.Cause(ctx))
		case err != nil:
			return fmt.Errorf("read the next prompt: %w", err)
		}
		if s.person {
			err = s.background(ctx, text)
		} else {
			err = s.line(ctx, text, true)
		}
		if err != nil {
			return quiet(err)
		}
	}
}

// quiet drops the errors that only say that the conversation is to end; whoever
// ended it has the exit code.
func quiet(err error) error {
	if errors.Is(err, errLeave) || errors.Is(err, client.ErrAgentGone) {
		return nil
	}
	return err
}

// ctrlCWindow is how soon a second Ctrl-C must follow to mean "leave".
const ctrlCWindow = 2 * time.Second

// ctrlC decides what a press of Ctrl-C means.
type ctrlC struct {
	last   time.Time
	aborts sync.WaitGroup // Abort commands under way; they end with the client.
}

// press handles one Ctrl-C and reports whether to leave. cancelled says that the
// front end has cancelled a dialog for it. The second in a row leaves whatever
// the first one did: an agent that asks again and again must not hold anybody.
func (c *ctrlC) press(s *session, cancelled bool) (leave bool) {
	now := s.w.now()
	if !s.person || !c.last.IsZero() && now.Sub(c.last) < ctrlCWindow {
		return true
	}
	c.last = now
	if cancelled || s.ui.CancelDialog() {
		s.ui.Line("[dialog cancelled; Ctrl-C again leaves]")
		return false
	}
	if d := s.act.look(); d.running || d.prompts > 0 {
		s.ui.Line("[abort sent; Ctrl-C again leaves]")
		c.aborts.Go(func() { s.report(s.client.Abort(context.Background())) })
		return false
	}
	s.ui.Line("[Ctrl-C again leaves]")
	return false
}
