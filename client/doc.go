// Package client is the client end of the RPC extension UI protocol of pi,
// Atomic and oh-my-pi: it runs a coding agent, puts the agent's questions before
// a front end, and sends the answers back.
//
//	type ask struct{} // a Frontend: a terminal, a web page, rules
//
//	func (ask) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
//		switch d := d.(type) {
//		case *protocol.Confirm:
//			return protocol.Confirmed(yesOrNo(ctx, d.Title)), nil
//		}
//		return protocol.Cancelled{}, nil
//	}
//	func (ask) Show(u protocol.Update) { log.Printf("%+v", u) }
//
//	c, err := client.Start(ctx, client.Command{Path: "pi", Args: []string{"--mode", "rpc"}},
//		&client.Options{Frontend: ask{}})
//	if err != nil { ... }
//	defer c.Close(context.Background())
//	what, err := c.Prompt(ctx, "/deploy")
//
// This is what passes between the parts:
//
//	agent ══ dialogs, updates ══▶ Client ── Ask, Show ──▶ Frontend ── First ──▶ several
//	      ◀═════ answers ════════        ◀── answer ────
//	      ◀═════ commands ═══════  Call, Prompt, NewSession, ...
//	      ══ all other records ══▶ Subscribe, DecodeEvent
//	                               Mirror: what the agent's UI shows now, for late viewers
//
// # Dialogs
//
// Every dialog ends exactly once, and only then is the agent told anything, once:
// by the answer of the front end; by its deadline, counted from its receipt; by
// the agent, which takes it back, sends another with the same id, or exits; by
// [Client.Close]. Nothing is ever approved by accident: an error, a panic, a
// missing front end, an answer that does not fit, a dialog that is malformed or
// of an unknown kind are all answered "cancelled" and reported as a
// [Diagnostic]. An answer that comes too late is dropped; see [Dropped].
//
// # Dialects
//
// One model serves all three agents: the questionnaire of Atomic and the "ask"
// of oh-my-pi are the same [protocol.Questionnaire]. The client opts in to what
// the front end can do, again after each new session, and carries on with an
// agent that has never heard of it. It does so before it knows the agent, so no
// dialog is held up; see [Auto].
//
// # Concurrency
//
// All methods may be called at once. One goroutine reads the agent; it calls
// [Frontend.Show], subscribers and, with others, OnDiagnostic, OnDialog and
// watchers of the [Mirror]. Each [Frontend.Ask] has a goroutine of its own.
// After [Client.Close] has returned nil no goroutine is left.
//
// # When something blocks
//
//   - The agent stands still: Show, a subscriber or a watcher blocks. They must
//     hand their work on.
//   - [Client.Call] does not return: the agent has not answered. Most often it
//     waits for a dialog, and whoever should answer that waits for Call.
//   - [Client.Close] takes long: the agent does not end; see [Options.Grace]. Or a
//     front end does not return from Ask though its context has ended.
//   - An agent that does not read its input blocks nothing but Calls, whose
//     contexts still work.
package client
