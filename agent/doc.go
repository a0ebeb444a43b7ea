// Package agent is the agent end of the protocol: ctx.ui for extensions, and the
// command loop on the stdin and stdout of a headless coding agent. The whole of it:
//
//	host := extension.NewHost(myExtension) // or any Runtime
//	err := agent.New(host, nil).Serve(ctx, os.Stdin, os.Stdout)
//
// In a handler of an extension, or anywhere with the UI of an Agent:
//
//	yes, err := ui.Confirm(ctx, "Clear session?", "All messages will be lost.", nil)
//	if errors.Is(err, agent.ErrNoAnswer) {
//		return nil // dismissed, timed out, disconnected …: nobody said yes
//	}
//	err = ui.Notify(ctx, "Cleared", protocol.NotifyInfo)
//
// What passes by on the wire:
//
//	client ─▶ {"id":"1","type":"prompt","message":"/clear"}
//	agent  ─▶ {"type":"extension_ui_request","id":"…","method":"confirm","title":"Clear session?",…}
//	client ─▶ {"type":"extension_ui_response","id":"…","confirmed":true}
//	agent  ─▶ {"id":"1","type":"response","command":"prompt","success":true,"data":{"disposition":"handled"}}
//
// # Concepts
//
// A dialog is entered into a table before it is written, settled exactly once, by
// its answer or by what comes first of its timeout, the caller's context, an abort,
// a new session and the end of the connection, and then forgotten. Any number may be
// open, and may be answered in any order. Answers that come late are ignored and
// counted in [Stats].
//
// An error of a dialog says why there is no answer, and matches [ErrNoAnswer]. It is
// never consent; nor is an answer of the wrong kind, which is [ErrInvalidAnswer].
//
// A [Session] lasts until new_session replaces it. Its handles are dead afterwards:
// what an old handler still asks or shows returns [ErrSessionReplaced].
//
// A [Dialect] decides where the documents of Atomic and pi differ. Atomic is the
// default. What a client can do beyond the four plain dialogs it turns on with the
// command set_extension_ui_capabilities; with dismiss, ours, it is told when a dialog
// is over without its answer.
//
// The commands are prompt, abort, new_session, get_state, get_commands,
// set_extension_ui_capabilities and, ours, call_tool, which runs a tool as a model
// would. Any other gets pi's "Unknown command".
//
// # Concurrency
//
// One goroutine reads and never waits for a handler: answers, abort and get_state
// get through while commands ask. Every other command runs in a goroutine of its own.
// They start in the order in which they came: one starts when the one before has
// returned, has asked, streams its answer, or has run for a tenth of a second.
//
// All exported methods may be called at once. [Agent.Serve] waits for every goroutine
// that it has started, with the two exceptions that it names.
//
// # When something blocks
//
//   - A dialog blocks until somebody answers. That is the person's business; give it
//     a timeout or a context where the answer loses its worth.
//   - An update blocks when the client does not read and a megabyte is waiting. The
//     client is at fault; the caller's context works, and nothing that was accepted
//     is lost.
//   - A handler that does not return after its context has ended is at fault. Serve
//     waits [Options.Grace] for it and reports it by name, as a [*StuckError].
//   - [Agent.Serve] blocks until the input ends or its context does.
package agent
