// Package proxy stands between a coding agent and the client that started it, and
// gives that client what it lacks: rules that answer dialogs, questionnaires as
// plain dialogs, an end for dialogs that have none.
//
//	p := proxy.New(proxy.Stream{In: agentStdin, Out: agentStdout},
//		proxy.Stream{In: os.Stdout, Out: os.Stdin}, &proxy.Options{Rules: rules})
//	err := p.Run(ctx)
//
// # Concepts
//
// What the proxy has no business with passes as the bytes that came, in their
// order: events, commands, responses, updates, and the dialogs that the client is
// to answer together with its answers. Whole lines pass, so that a record of the
// proxy's own never ends up within another. A last line without its LF passes
// without one, behind all that the proxy says itself.
//
// Readers of JSON differ: about a member that is there twice, about the case of
// names, about what stands behind a record. A line that any of them might take for
// a dialog that no rule has seen, or for an answer that the proxy has not, does not
// pass.
//
// A dialog goes first to the rules. What they answer never reaches the client;
// what they hand on is written to the client in its place in the stream. An answer
// counts only while its dialog is open and only if the client was asked: any other
// goes nowhere.
//
// A dialog with the id of one that is open is cancelled together with that one. With the
// id of one that is over it reaches the client under another id until the client has
// answered the first: no answer is ever taken for that to another dialog.
//
// Ids that the proxy makes are random, so that they meet neither those of the
// client's commands nor those of the agent's dialogs.
//
// Where the client closes its side, the agent's input ends as it would without a
// proxy. What the client was never asked is cancelled before.
//
// # What is never approved
//
// A dialog that ends without an answer is cancelled: because no rule covers it and
// the client is gone, because its time is over, because a request cannot be read.
// When the proxy itself ends, the agent's input ends, which cancels what is open.
//
// # Concurrency
//
// Run reads the agent in the calling goroutine and the client in one more. Each
// open dialog has a goroutine, for which Run waits; another one settles it when its
// time is over. The one that reads the client is left behind if the agent ends
// first, for a read of a pipe cannot be interrupted: closing the client's Out ends
// it.
//
// # When something blocks
//
// A client that does not read stops the agent's output, as without a proxy. An
// agent that does not read its input stops the client's. A rule's command blocks
// its own dialog alone.
package proxy
