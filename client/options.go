package client

import (
	"io"
	"time"
)

// Dialect is the kind of agent at the other end.
type Dialect string

// The dialects. All of them are read the same way; they differ in what the
// client sends to opt in to more than the nine base methods.
const (
	// Auto is right for every agent. It opts in as for Atomic, which pi and
	// oh-my-pi answer with a harmless "Unknown command", and recognises oh-my-pi
	// by its ready record.
	Auto Dialect = ""
	// Pi sends nothing to opt in.
	Pi Dialect = "pi"
	// Atomic opts in with set_extension_ui_capabilities.
	Atomic Dialect = "atomic"
	// OhMyPi opts in with negotiate_protocol and set_ask_dialog once the ready
	// record has come.
	OhMyPi Dialect = "oh-my-pi"
)

// Options are the choices of [Start] and [Attach]. The zero value is ready to
// use. They are copied; what its functions may do is said with each.
type Options struct {
	// Frontend answers the dialogs and shows the updates. nil: every dialog is
	// cancelled at once, and a [Diagnostic] says so once for each method.
	Frontend Frontend
	// Dialect is Auto unless something is known about the agent.
	Dialect Dialect
	// MaxRecord is the most bytes that one record of the agent may have. A longer
	// one is dropped and reported. 0: no limit, as Atomic's document wants.
	MaxRecord int
	// Grace is how long Close waits for an agent to end by itself, and then
	// again for it to obey SIGTERM. 0: 3 seconds.
	Grace time.Duration

	// OnDiagnostic is told what the agent, or the front end, did wrong. nil: such
	// things are only counted. Calls come one at a time and in order, from
	// various goroutines, the reading one among them: it must not block.
	OnDiagnostic func(Diagnostic)
	// OnDialog is told when a dialog opens and closes. nil: nobody is told. Calls
	// come one at a time and in order, each close after its open. It must not
	// block.
	OnDialog func(DialogEvent)
	// Subscribe gets every record that is neither a UI request nor the response
	// to one of the client's commands, from the first on. See [Client.Subscribe].
	Subscribe func(record []byte)
}

// Command is the agent that [Start] starts.
type Command struct {
	Path string   // the program; looked up in PATH if it holds no separator
	Args []string // its arguments, without the program's name
	Env  []string // its whole environment as KEY=value; nil: this process's own
	Dir  string   // where it runs; "": this process's directory

	// Stderr gets what the agent writes to its standard error. nil: nobody does.
	// The last 64 KiB are kept for [ExitError] in any case.
	Stderr io.Writer
}

const defaultGrace = 3 * time.Second
