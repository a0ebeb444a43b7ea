package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"extui/internal/yamlfile"
	"extui/policy"
	"extui/scenario"
)

func newRecord(w *world) *cobra.Command {
	var output string
	var masks []string
	var plain bool
	cmd := &cobra.Command{
		Use:   "record -o FILE [flags] -- AGENT ARGS...",
		Short: "Record what a client and an agent say, as a scenario",
		Long: lines(
			"Starts AGENT and stands between it and the client that has started extui: all bytes pass as",
			"they are. What was said is written to FILE as a scenario, which extui play replays as the",
			"agent, and extui test as the client.",
			"",
			"Secrets are masked in FILE, and nowhere else: keys and tokens of well-known services, the",
			"values of environment variables that are called so, answers to dialogs that ask for one, and",
			"what --mask matches.",
			"",
			"It exits as the agent does. A recording that could not be written makes that 1, if the agent",
			"exits with 0; 2 is a command line that makes no sense, 3 an agent that could not be started.",
		),
		Example: lines(
			"my-client -- extui record -o session.yaml -- pi --mode rpc",
			"extui run -- extui record -o session.yaml -- pi --mode rpc",
			"# And without pi",
			"my-client -- extui play session.yaml",
		),
		RunE: func(cmd *cobra.Command, args []string) error {
			if dash := cmd.ArgsLenAtDash(); dash != 0 || len(args) == 0 {
				return usageError("extui record -o FILE -- AGENT ARGS...", "the agent's command line stands behind --")
			}
			if output == "" {
				return usageError("-o FILE names it", "no file to record to")
			}
			patterns := make([]*regexp.Regexp, len(masks))
			for i, text := range masks {
				var err error
				if patterns[i], err = regexp.Compile(text); err != nil {
					return usageError("--mask takes a regular expression", "invalid --mask %q: %w", text, err)
				}
			}
			mask := scenario.NewMasker(patterns, w.env)
			if plain {
				mask = nil
			}
			return record(w, output, mask, args)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "write the scenario to this file, which only you can read")
	cmd.Flags().StringArrayVar(&masks, "mask", nil, "mask also what this regular expression matches (repeatable)")
	cmd.Flags().BoolVar(&plain, "no-mask", false, "mask nothing")
	return cmd
}

// record passes everything between the client and an agent, and keeps it.
func record(w *world, output string, mask *scenario.Masker, argv []string) error {
	w.claimStdout()
	file, discard, err := openRecording(output, argued(argv))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	peer, err := scenario.StartProcess(ctx, argv, w.env, w.stderr)
	if err != nil {
		return errors.Join(&failure{codeNoAgent, err, ""}, discard())
	}
	if err := emptied(file); err != nil {
		peer.Stop()
		peer.Wait()
		return errors.Join(&failure{codeUsage, fmt.Errorf("record: %w", err), ""}, file.Close())
	}
	r := scenario.NewRecorder(file, "Recorded with extui record.", mask)
	// A client's signal is for the agent, whose end is ours.
	signals, stopSignals := w.signals(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	passed := passSignals(signals, peer)
	// Left behind where the agent ends first: a read of standard input cannot be
	// interrupted.
	go func() {
		if _, err := io.Copy(recording{r, scenario.Client, peer.In}, w.stdin); err == nil {
			r.End(scenario.Client, scenario.Exit{})
		}
		_ = peer.In.Close()
	}()
	_, copyErr := io.Copy(recording{r, scenario.Agent, w.stdout}, peer.Out)
	if copyErr != nil {
		peer.Stop() // The client does not read any more.
	}
	exit := peer.Wait()
	passed()
	stopSignals()
	if exit.Held {
		fmt.Fprintf(w.stderr, "extui: %s\n", outputHeld)
	}
	r.End(scenario.Agent, exit)
	if err := errors.Join(r.Close(), file.Close()); err != nil {
		report(w.stderr, &failure{err: err})
		if exit.Code == 0 {
			return &failure{code: codeFailed}
		}
	}
	warnOfSize(w, output)
	if exit.Code != 0 {
		return &failure{code: exit.Code}
	}
	return nil
}

// warnOfSize says that a recording has become larger than what can be played.
func warnOfSize(w *world, name string) {
	if info, err := os.Stat(name); err == nil && info.Size() > yamlfile.MaxSource {
		report(w.stderr, &failure{err: fmt.Errorf("the recording %s has %d bytes, and none of more than %d can be played", name, info.Size(), yamlfile.MaxSource)})
	}
}

// openRecording opens the file of a recording and leaves what is in it: there is
// nothing better to put there until the agent runs. A file of the session that the recording
// would destroy is refused. discard closes the file, and removes it if it is new. An
// error is a failure of the command line.
func openRecording(name string, used []usedFile) (file *os.File, discard func() error, err error) {
	// A secret that is known later is looked for in what is there already, by reading it.
	file, err = os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	discard = func() error { return errors.Join(file.Close(), os.Remove(name)) }
	if errors.Is(err, os.ErrExist) {
		// O_CREATE for a link to a file that is yet to come.
		file, err = os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
		discard = func() error { return file.Close() }
	}
	if err != nil {
		return nil, nil, &failure{codeUsage, fmt.Errorf("record: %w", err), ""}
	}
	what, err := usedAs(file, name, used)
	if what != "" {
		err = fmt.Errorf("record to %s: it is %s", name, what)
	}
	if err != nil {
		return nil, nil, errors.Join(&failure{codeUsage, err, "give the recording a file of its own"}, discard())
	}
	return file, discard, nil
}

// usedFile is a file that a session reads or writes, or will.
type usedFile struct{ path, what string }

// usedAs says which of the used files a recording would be written to, whatever links lead
// to it, and "" if it is none of them. What is no file keeps nothing that could be destroyed.
func usedAs(file *os.File, name string, used []usedFile) (what string, err error) {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "", err
	}
	for _, u := range used {
		if other, err := os.Stat(u.path); err == nil && os.SameFile(info, other) || filepath.Clean(u.path) == filepath.Clean(name) {
			return u.what, nil
		}
	}
	return "", nil
}

// usedByPolicy are the files of a policy and of its log, "" for none, with the names under
// which that is put aside.
func usedByPolicy(rules, audit string, opts policy.AuditOptions) []usedFile {
	used := []usedFile{{rules, "the policy"}}
	if audit == "" {
		return used
	}
	used = append(used, usedFile{audit, "the audit log"})
	const usual = 9 // are kept if the policy does not say
	for i := range max(opts.Keep, usual) {
		used = append(used, usedFile{fmt.Sprintf("%s.%d", audit, i+1), "a part of the audit log"})
	}
	return used
}

// usedFiles are the files of a policy. A nil one has none.
func (r *ruled) usedFiles() []usedFile {
	if r == nil {
		return nil
	}
	return r.used
}

// argued are the files that an agent is given by its command line.
func argued(argv []string) (used []usedFile) {
	for _, arg := range argv {
		used = append(used, usedFile{arg, "the agent's: its command line names it"})
		if _, value, ok := strings.Cut(arg, "="); ok {
			used = append(used, usedFile{value, "the agent's: its command line names it"})
		}
	}
	return used
}

// emptied takes away an older recording, and the right of others to read the file.
// What is no file, such as a terminal, stays as it is.
func emptied(file *os.File) error {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	return errors.Join(file.Truncate(0), file.Chmod(0o600))
}

// recording keeps what is written before it passes it on, so that no answer to it
// is kept first.
type recording struct {
	r    *scenario.Recorder
	from scenario.Role
	to   io.Writer
}

func (r recording) Write(p []byte) (int, error) {
	r.r.Write(r.from, p)
	return r.to.Write(p)
}
