package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"extui/internal/safetext"
	"extui/policy"
	"extui/proxy"
	"extui/scenario"
)

// proxyFlags is the command line of proxy.
type proxyFlags struct {
	client         string
	questionnaires string
	dialogTimeout  time.Duration
	maxRecord      int
	record         string
	policy         policyFlags
	agent          []string
}

// proxyClients are the values of --client, the default first.
var proxyClients = []string{"pi", "omp"}

var proxyQuestionnaires = []string{"walk", "pass"}

func newProxy(w *world) *cobra.Command {
	var flags proxyFlags
	cmd := &cobra.Command{
		Use:   "proxy [flags] -- AGENT ARGS...",
		Short: "Stand in an agent's place, and give its client what that lacks",
		Long: lines(
			"Starts AGENT and passes what it and the client that has started extui say to each other.",
			"An editor, a bot or an IDE starts it where it started the agent. What extui has no business",
			"with passes as the bytes that came.",
			"",
			"A questionnaire is asked as plain dialogs, one after the other, unless the client has asked",
			"for questionnaires itself. Requests that the client does not know are put so that it does,",
			"or cancelled. With --dialog-timeout every dialog has an end. With --policy a file of rules",
			"answers dialogs, and the client is asked those that it hands on.",
			"",
			"Nothing is ever approved but by the client or a rule: an answer to a dialog that is not open",
			"for the client goes nowhere. If extui ends for whatever reason, the agent's input ends, at",
			"which no agent approves anything.",
			"",
			"It exits as the agent does. Where that is 0, otherwise:",
			"  1  the client stopped reading, or the recording could not be written",
			"  2  the command line, or the policy, makes no sense",
			"  3  the agent could not be started",
			"  5  all went well, but a dialog was cancelled that no rule of the policy answered: none",
			"     matched, or its answer could not be given",
		),
		Example: lines(
			"# Where the client would start: pi --mode rpc",
			"extui proxy -- pi --mode rpc",
			"# Rules answer what they cover, and all that they do is logged",
			"extui proxy --policy bot.policy.yaml --audit audit.jsonl -- pi --mode rpc",
			"# No dialog stays open for ever",
			"extui proxy --dialog-timeout 10m -- pi --mode rpc",
			"# Keep what was said, as a scenario",
			"extui proxy --record session.yaml -- pi --mode rpc",
		),
		RunE: func(cmd *cobra.Command, args []string) error {
			if dash := cmd.ArgsLenAtDash(); dash != 0 || len(args) == 0 || args[0] == "" {
				return usageError("extui proxy [flags] -- AGENT ARGS...", "the agent's command line stands behind --")
			}
			flags.agent = args
			if err := flags.check(); err != nil {
				return err
			}
			return runProxy(w, &flags)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := cmd.Flags()
	f.StringVar(&flags.client, "client", "pi", "whose requests the client knows: pi, which is Atomic's too, or omp")
	f.StringVar(&flags.questionnaires, "questionnaires", "walk", "walk asks a questionnaire as plain dialogs, pass passes it as it is")
	f.DurationVar(&flags.dialogTimeout, "dialog-timeout", 0, "cancel a dialog without a timeout after this long; 0 for never")
	f.IntVar(&flags.maxRecord, "max-record", 0, "drop records of either side longer than this many bytes; 0 for no limit")
	f.StringVar(&flags.record, "record", "", "write what the agent says and is told to this file, as a scenario")
	flags.policy.add(f)
	complete(cmd, "client", proxyClients)
	complete(cmd, "questionnaires", proxyQuestionnaires)
	return cmd
}

func (f *proxyFlags) check() error {
	if err := oneOf("client", "client", f.client, proxyClients); err != nil {
		return err
	}
	if err := oneOf("questionnaires", "way with questionnaires", f.questionnaires, proxyQuestionnaires); err != nil {
		return err
	}
	if f.dialogTimeout < 0 {
		return usageError("a time such as 10m, or 0 for never", "invalid --dialog-timeout %v: it is negative", f.dialogTimeout)
	}
	if err := checkMaxRecord(f.maxRecord); err != nil {
		return err
	}
	return f.policy.check("extui proxy --policy FILE -- AGENT answers dialogs by rules", "")
}

// agentGrace is how long an agent may take to end once its client is gone.
const agentGrace = 5 * time.Second

// runProxy starts the agent and stands between it and standard input and output.
func runProxy(w *world, f *proxyFlags) error {
	w.claimStdout()
	report := func(format string, args ...any) {
		fmt.Fprintf(w.stderr, "extui: %s\n", safetext.Line(fmt.Sprintf(format, args...)))
	}
	opts := &proxy.Options{
		Client:             map[string]proxy.Knows{"pi": proxy.KnowsPi, "omp": proxy.KnowsOhMyPi}[f.client],
		PassQuestionnaires: f.questionnaires == "pass",
		DialogTimeout:      f.dialogTimeout,
		MaxRecord:          f.maxRecord,
		Report:             func(err error) { report("%v", err) },
	}
	rules, err := openPolicy(w, f.policy)
	if err != nil {
		return err
	}
	defer rules.close()
	if rules != nil {
		opts.Rules = rules.proxied(func(d policy.Decision) {
			// The proxy itself reports what it does not ask.
			if d.Who != policy.ByPerson && d.Outcome != policy.Over && !(d.Unasked && d.Outcome == policy.NoRule) {
				report("%s", decisionText(d))
			}
		})
	}
	tape, err := newTape(f.record, append(rules.usedFiles(), argued(f.agent)...))
	if err != nil {
		return err
	}
	// Before the agent starts, so that no signal leaves it behind.
	arrived, stopSignals := w.signals(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stopSignals()
	// A client that is gone is an error of writing, after which the agent can still be
	// stopped, and not the end of the process.
	_, stopPipe := w.signals(syscall.SIGPIPE)
	defer stopPipe()
	// In a process group of its own: a signal to that of the proxy is passed on, and would
	// come twice. What the agent leaves behind is its own affair, as without a proxy.
	peer, err := scenario.StartApart(context.Background(), f.agent, w.env, w.stderr)
	if err != nil {
		return errors.Join(&failure{codeNoAgent, err, ""}, tape.discard())
	}
	if err := tape.begin(w.env); err != nil {
		peer.Stop()
		peer.Wait()
		return err
	}
	passed := passSignals(arrived, peer)
	opts.ClientGone = func() { time.AfterFunc(agentGrace, peer.Stop) }
	p := proxy.New(tape.agent(peer), proxy.Stream{In: nopCloser{w.stdout}, Out: w.stdin}, opts)
	failed := p.Run(context.Background())
	if out, ok := w.stdout.(io.Closer); ok {
		_ = out.Close() // The client sees the end of the agent's output though the agent goes on.
	}
	if failed != nil {
		report("%v", failed)
	}
	exit := peer.Wait()
	passed()
	if exit.Held {
		report("%s", outputHeld)
	}
	if tape != nil {
		defer warnOfSize(w, tape.file.Name())
	}
	if err := tape.close(exit); err != nil {
		report("%v", err)
		failed = err
	}
	switch {
	case exit.Code != 0:
		return &failure{code: exit.Code}
	case failed != nil:
		return &failure{code: codeFailed}
	}
	return rules.unanswered(nil)
}

// outputHeld is said of an agent that has ended so.
const outputHeld = "the agent has ended, but a process that it has started still holds its output: what that writes from now on is lost"

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// tape records what an agent says and is told; a nil one nothing.
type tape struct {
	file   *os.File
	unused func() error // closes a file in which nothing is to be written
	r      *scenario.Recorder
}

// newTape opens the file of --record, "" for none, which must be none of those used.
func newTape(name string, used []usedFile) (*tape, error) {
	if name == "" {
		return nil, nil
	}
	file, discard, err := openRecording(name, used)
	if err != nil {
		return nil, err
	}
	return &tape{file: file, unused: discard}, nil
}

// begin makes the file this session's, once there is an agent.
func (t *tape) begin(env []string) error {
	if t == nil {
		return nil
	}
	if err := emptied(t.file); err != nil {
		return errors.Join(&failure{codeUsage, fmt.Errorf("record: %w", err), ""}, t.file.Close())
	}
	t.r = scenario.NewRecorder(t.file, "Recorded with extui proxy.", scenario.NewMasker(nil, env))
	return nil
}

// discard leaves an older recording as it is.
func (t *tape) discard() error {
	if t == nil {
		return nil
	}
	return t.unused()
}

// agent is a peer as a stream, with what passes kept.
func (t *tape) agent(peer *scenario.Peer) proxy.Stream {
	if t == nil {
		return proxy.Stream{In: peer.In, Out: peer.Out}
	}
	return proxy.Stream{
		In:  recordingIn{recording{t.r, scenario.Client, peer.In}, peer.In, func() { t.r.End(scenario.Client, scenario.Exit{}) }},
		Out: recordingOut{t.r, peer.Out},
	}
}

// close ends the recording with how the agent ended.
func (t *tape) close(exit scenario.Exit) error {
	if t == nil {
		return nil
	}
	t.r.End(scenario.Agent, exit)
	if err := errors.Join(t.r.Close(), t.file.Close()); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}

// recordingIn keeps what an agent is told.
type recordingIn struct {
	recording
	to  io.Closer
	end func()
}

func (r recordingIn) Close() error {
	r.end()
	return r.to.Close()
}

// recordingOut keeps what an agent says.
type recordingOut struct {
	r    *scenario.Recorder
	from io.Reader
}

func (r recordingOut) Read(b []byte) (int, error) {
	n, err := r.from.Read(b)
	r.r.Write(scenario.Agent, b[:n])
	return n, err
}
