package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"extui/agent"
	"extui/extension"
	"extui/script"
)

// scriptFlags are the flags about extensions in TypeScript, of agent and of run.
type scriptFlags struct {
	paths  []string // files, folders, packages
	flags  []string // NAME=VALUE or NAME, of the flags that extensions register
	trust  bool
	watch  bool
	tools  bool          // stand-ins for the tools of pi
	memory int           // megabytes
	limit  time.Duration // how long one may run without a pause

	virtual bool // time is virtual
}

func (f *scriptFlags) add(set *pflag.FlagSet) {
	set.StringArrayVarP(&f.paths, "extension", "e", nil, "load this TypeScript or JavaScript extension: a file, a folder or a package (repeatable)")
	set.StringArrayVar(&f.flags, "extension-flag", nil, "set a flag of an extension: NAME=VALUE, or NAME for true (repeatable)")
	set.BoolVar(&f.trust, "trust", false, "trust the extensions that lie in the .pi or .atomic folder of this project")
	set.BoolVar(&f.watch, "watch", false, "load the extensions anew when a file of theirs changes")
	set.BoolVar(&f.tools, "stand-ins", true, "with -e, have tools named as pi's own, such as bash, that do nothing, so that gates can be tried")
	set.IntVar(&f.memory, "extension-memory", 256, "the most megabytes that an extension may use")
	set.DurationVar(&f.limit, "extension-limit", 10*time.Second, "the longest that an extension may run without a pause")
}

func (f *scriptFlags) check() error {
	switch {
	case len(f.paths) == 0 && f.watch:
		return usageError("name what to watch: -e FILE", "--watch without an extension")
	case len(f.paths) == 0:
	case f.memory <= 0:
		return usageError("--extension-memory takes a number of megabytes", "invalid --extension-memory %d", f.memory)
	case f.limit <= 0:
		return usageError("--extension-limit takes a time, such as 10s", "invalid --extension-limit %v", f.limit)
	}
	return nil
}

// arguments are the same flags, for the agent that run starts.
func (f *scriptFlags) arguments() []string {
	var args []string
	for _, p := range f.paths {
		args = append(args, "--extension="+p)
	}
	for _, v := range f.flags {
		args = append(args, "--extension-flag="+v)
	}
	if f.trust {
		args = append(args, "--trust")
	}
	if f.watch {
		args = append(args, "--watch")
	}
	if !f.tools {
		args = append(args, "--stand-ins=false")
	}
	return append(args, fmt.Sprintf("--extension-memory=%d", f.memory), fmt.Sprintf("--extension-limit=%v", f.limit))
}

// scripts are the extensions of the command line.
type scripts struct {
	loader     *script.Loader // nil if there are none
	extensions []extension.Extension
	problems   []error // of those that are left out
}

// load reads them. One that has something wrong with it is left out, and said.
func (f *scriptFlags) load(w *world, logger *slog.Logger) (*scripts, error) {
	s := &scripts{}
	if len(f.paths) == 0 {
		return s, nil
	}
	values := map[string]string{}
	var bare []string
	for _, text := range f.flags {
		name, value, found := strings.Cut(strings.TrimLeft(text, "-"), "=")
		// The last word counts.
		delete(values, name)
		if found {
			values[name] = value
		} else {
			bare = append(bare, name)
		}
	}
	var active []string
	if f.tools {
		active = activeStandIns()
	}
	s.loader = script.NewLoader(&script.Options{
		ActiveTools: active,
		Stderr:      w.stderr, Env: w.env, Logger: logger, Trusted: f.trust, Flags: values, BareFlags: bare,
		VirtualTime: f.virtual,
		Limits:      script.Limits{Memory: int64(f.memory) << 20, Run: f.limit},
	})
	for _, path := range f.paths {
		list, err := s.loader.Load(path)
		if err != nil {
			s.problems = append(s.problems, err)
			report(w.stderr, &failure{err: err})
			continue
		}
		s.extensions = append(s.extensions, list...)
	}
	if len(s.extensions) > 0 {
		return s, nil
	}
	hint := ""
	none := noneLeft{errors.Join(s.problems...)}
	if errors.Is(none, script.ErrUntrusted) {
		hint = "--trust takes it all the same: it runs with all your rights"
	}
	s.loader.Close()
	return nil, &failure{codeFailed, none, hint}
}

// noneLeft is the error where no extension could be loaded. Why has been printed, and
// is in problems for who prints elsewhere.
type noneLeft struct{ problems error }

func (noneLeft) Error() string { return "no extension is left to run" }

func (n noneLeft) Unwrap() error { return n.problems }

func (s *scripts) close() {
	if s.loader != nil {
		s.loader.Close()
	}
}

// lenient is a host of which one extension that fails to load does not end the agent.
type lenient struct {
	*extension.Host
	loader *script.Loader
	stderr io.Writer
	spare  string // names an extension that may be left out without a word
	count  int    // how many there are besides
}

func (l lenient) Load(ctx context.Context, s *agent.Session) error {
	err := l.Host.Load(ctx, s)
	if unknown := l.loader.UnknownFlags(); len(unknown) > 0 {
		// One that is left out may have it.
		unknownFlag := fmt.Errorf("no extension has a flag %q", unknown[0])
		if err == nil {
			return unknownFlag
		}
		report(l.stderr, &failure{err: unknownFlag})
	}
	if wrong := l.loader.FlagErrors(); len(wrong) > 0 {
		return errors.Join(append(wrong, err)...)
	}
	if err == nil {
		return nil
	}
	failed := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		failed = joined.Unwrap()
	}
	failed = slices.DeleteFunc(failed, func(e error) bool {
		return strings.HasPrefix(e.Error(), fmt.Sprintf("load extension %q:", l.spare))
	})
	if len(failed) >= l.count {
		return errors.Join(failed...)
	}
	for _, e := range failed {
		report(l.stderr, &failure{err: e})
	}
	return nil
}

// watchEvery is how often the files are looked at.
const watchEvery = 250 * time.Millisecond

// watch loads the extensions anew when a file of theirs changes, until ctx ends.
func (s *scripts) watch(ctx context.Context, a *agent.Agent, stderr io.Writer) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	seen := state(s.loader.Files())
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		now := state(s.loader.Files())
		if slices.Equal(now, seen) {
			continue
		}
		seen = now
		err := s.loader.Rebundle()
		if err == nil {
			_, err = a.Session().Replace(agent.ReasonReload)
		}
		if err != nil {
			report(stderr, &failure{err: fmt.Errorf("reload: %w", err)})
			continue
		}
		seen = state(s.loader.Files())
		fmt.Fprintln(stderr, "extui: reloaded")
	}
}

// state tells whether files have changed.
func state(files []string) []string {
	out := make([]string, 0, len(files))
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			out = append(out, f)
			continue
		}
		out = append(out, fmt.Sprint(f, info.ModTime().UnixNano(), info.Size()))
	}
	return out
}
