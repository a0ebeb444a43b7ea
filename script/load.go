package script

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"extui/extension"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/go-json-experiment/json/jsontext"
)

// Options are the choices of [NewLoader]. The zero value, and nil, is what `pi -e` has:
// the user's rights and no flags.
type Options struct {
	// Limits bound each extension.
	Limits Limits
	// Stderr takes what extensions write to console, process.stdout and
	// process.stderr, and the places where their handlers threw. nil means os.Stderr. It is written to by several goroutines, one
	// at a time.
	Stderr io.Writer
	// VirtualTime says that time passes otherwise than for the system, as in a bubble of
	// testing/synctest: Date begins at the system's time then and goes on with Go's.
	VirtualTime bool
	// Cwd is the directory that extensions are told they work in, absolute. Empty
	// means that of the process.
	Cwd string
	// Env is the environment that extensions see, as os.Environ gives it. nil means
	// that of the process.
	Env []string
	// Flags are values for the flags that extensions register, by name without
	// dashes. A boolean is "true" or "false"; see [Loader.FlagErrors].
	Flags map[string]string
	// BareFlags are flags that were given without a value: a boolean is true then.
	BareFlags []string
	// Trusted says that the project's own files are trusted; ctx.isProjectTrusted, which
	// is true as well for a project that has none that would need it, as in pi.
	// It also lets [Loader.Load] take extensions from the project, see
	// [ErrUntrusted].
	Trusted bool
	// ActiveTools are the tools of the program itself that pi.getActiveTools lists from
	// the start, before those of the extensions.
	ActiveTools []string
	// Logger takes diagnostics. nil discards them. It must not write to the agent's
	// output.
	Logger *slog.Logger
	// Send takes what extensions send to a model or to the user's prompt, after the
	// handlers of input; [extension.Context.StartReplyTo] answers it. nil shows the
	// user a notice instead. It runs in a goroutine of its own and may block; an error
	// becomes an extension_error.
	Send func(ctx *extension.Context, m Message) error
}

// Message is what an extension sends with pi.sendMessage or pi.sendUserMessage.
type Message struct {
	// User is true for sendUserMessage: the text counts as typed by the user.
	User bool
	// Text is the text of the message, its text parts joined, and what handlers of
	// input have made of it.
	Text string
	// Raw is the first argument as JSON, Options the second, as they were sent.
	Raw, Options jsontext.Value
}

// ErrUntrusted is matched by the error of [Loader.Load] and [Loader.Rebundle] for an
// extension that has a file which belongs to the project in [Options.Cwd], by its name or
// by what that links to, while the project is not trusted: a folder that somebody else
// has filled must not run code because it was entered. The files of a project are those
// in the folders .pi and .atomic of the directory and of those above it, but not in those
// of the user's home directory.
var ErrUntrusted = errors.New("the extension is part of a project that is not trusted")

// Loader loads extensions that run in one agent. They share an event bus, the
// session's entries and the list of active tools, and nothing else: each has its own
// engine. Its methods may be called at once.
type Loader struct {
	opts   Options
	stderr *lockedWriter

	retired sync.WaitGroup // engines that are being closed

	mu       sync.Mutex
	host     *extension.Host
	units    []*unit
	sessions map[string]*sessionState // by the session's id
}

// NewLoader returns a Loader. opts may be nil and is copied. Nothing runs before an
// agent loads the extensions.
func NewLoader(opts *Options) *Loader {
	l := &Loader{sessions: map[string]*sessionState{}}
	if opts != nil {
		l.opts = *opts
	}
	if l.opts.Stderr == nil {
		l.opts.Stderr = os.Stderr
	}
	if l.opts.Logger == nil {
		l.opts.Logger = slog.New(slog.DiscardHandler)
	}
	if l.opts.Cwd == "" {
		// Where that cannot be known, paths are relative to wherever that is.
		l.opts.Cwd, _ = os.Getwd()
	}
	l.stderr = &lockedWriter{w: l.opts.Stderr}
	return l
}

// Load makes extensions of a file, a folder with an index, or a package, see
// [Entries]. It bundles them and finds what is wrong with their source: the errors
// are joined and are [*LoadError]s where a file is to blame, or match [ErrUntrusted].
// No code of theirs runs before an agent loads a session. Close ends them.
//
// An extension has all rights of the process: it reads and writes files, starts
// programs and uses the network. The limits are there for mistakes, not for malice.
func (l *Loader) Load(path string) ([]extension.Extension, error) {
	entries, err := Entries(path)
	if err != nil {
		return nil, err
	}
	var out []extension.Extension
	for _, entry := range entries {
		if err := l.checkTrust(entry); err != nil {
			return nil, fmt.Errorf("load extension %s: %w", entry, err)
		}
		u := &unit{loader: l, path: entry}
		if err := u.prepare(); err != nil {
			return nil, fmt.Errorf("load extension %s: %w", entry, err)
		}
		l.mu.Lock()
		l.units = append(l.units, u)
		l.mu.Unlock()
		out = append(out, extension.Extension{Name: nameOf(entry), Path: entry, Setup: u.setup})
	}
	return out, nil
}

func nameOf(entry string) string {
	base := filepath.Base(entry)
	name := base[:len(base)-len(filepath.Ext(base))]
	if name == "index" {
		return filepath.Base(filepath.Dir(entry))
	}
	return name
}

// Bind tells the loader which host its extensions are in, so that pi.getCommands and
// pi.getAllTools see what Go extensions have registered too, and ctx.executeTool can
// run their tools; it sets the host's ToolActive, so that pi.setActiveTools counts. It is
// optional, and comes before Serve.
func (l *Loader) Bind(h *extension.Host) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.host = h
	h.ToolActive = l.toolActive
}

// Files lists the files that the extensions are made of, for a watcher.
func (l *Loader) Files() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for _, u := range l.units {
		u.mu.Lock()
		out = append(append(out, u.bundle.inputs...), u.late...)
		u.mu.Unlock()
	}
	return out
}

// Rebundle reads the extensions' files again. The next session runs what they hold
// then, in a new engine. If one of them does not load, all stay as they are.
func (l *Loader) Rebundle() error {
	l.mu.Lock()
	units := l.units
	l.mu.Unlock()
	fresh := make([]*bundle, len(units))
	for i, u := range units {
		b, err := makeBundle(u.path, api.FormatESModule)
		if err == nil {
			err = l.checkTrust(b.inputs...)
		}
		if err != nil {
			return fmt.Errorf("load extension %s: %w", u.path, err)
		}
		fresh[i] = b
	}
	for i, u := range units {
		u.mu.Lock()
		u.bundle, u.outdated = fresh[i], true
		u.mu.Unlock()
	}
	return nil
}

// Close ends all engines and waits for them, child processes included. It is called
// when no agent runs the extensions any more.
func (l *Loader) Close() {
	l.mu.Lock()
	units := l.units
	l.mu.Unlock()
	for _, u := range units {
		u.mu.Lock()
		e := u.engine
		u.mu.Unlock()
		if e != nil {
			e.close()
		}
	}
	l.retired.Wait()
}

// UnknownFlags returns the flags of the [Options], sorted, that no extension has
// registered in the session that was loaded last.
func (l *Loader) UnknownFlags() []string {
	unknown := map[string]bool{}
	for name := range l.opts.Flags {
		unknown[name] = true
	}
	for _, name := range l.opts.BareFlags {
		unknown[name] = true
	}
	for name := range l.registered() {
		delete(unknown, name)
	}
	return slices.Sorted(maps.Keys(unknown))
}

// FlagErrors returns what is wrong with the values of flags that extensions have
// registered in the session that was loaded last, by name: a boolean that is neither
// "true" nor "false", another that has no value. Such a flag has its default.
func (l *Loader) FlagErrors() []error {
	kinds := l.registered()
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		for _, kind := range kinds[name] {
			if _, err := l.flagValue(name, kind); err != nil {
				wrong = append(wrong, err)
				break
			}
		}
	}
	return wrong
}

// registered returns the types that extensions have given a flag in the session that was
// loaded last, by its name.
func (l *Loader) registered() map[string][]string {
	l.mu.Lock()
	units := l.units
	l.mu.Unlock()
	kinds := map[string][]string{}
	for _, u := range units {
		u.mu.Lock()
		r := u.run
		u.mu.Unlock()
		if r == nil {
			continue
		}
		r.mu.Lock()
		for name, kind := range r.flags {
			kinds[name] = append(kinds[name], kind)
		}
		r.mu.Unlock()
	}
	return kinds
}

// flagValue returns the value of a flag as pi.getFlag gives it, a bool or a string, and
// nil if the flag was not given or its value cannot be.
func (l *Loader) flagValue(name, kind string) (any, error) {
	value, given := l.opts.Flags[name]
	bare := !given && slices.Contains(l.opts.BareFlags, name)
	switch {
	case !given && !bare:
		return nil, nil
	case kind != "boolean" && bare:
		return nil, fmt.Errorf("extension flag %q needs a value", name)
	case kind != "boolean":
		return value, nil
	case bare || value == "true":
		return true, nil
	case value == "false":
		return false, nil
	}
	return nil, fmt.Errorf("extension flag %q is true or false: invalid value %q", name, value)
}

// lockedWriter lets several engines write to one stream.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
