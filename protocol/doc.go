// Package protocol holds the records of the RPC extension UI protocol of the pi
// and Atomic coding agents, and turns them into bytes and back.
//
// A headless agent writes JSON records, one a line, and its client writes records
// back. When an extension calls ctx.ui.confirm, this passes by:
//
//	agent  ─▶ {"type":"extension_ui_request","id":"7","method":"confirm","title":"Clear?"}
//	client ─▶ {"type":"extension_ui_response","id":"7","confirmed":true}
//
// A [Request] is a [Dialog], which blocks its extension until the client sends a
// [Response] with the same [ID], or an [Update], which nobody answers. An
// [Answer] is what a person decided, without the envelope: [Respond] puts it into
// a Response on the client's end, [Response.Answer] takes it out on the agent's,
// and both refuse what does not fit the dialog.
//
//	req, err := protocol.DecodeRequest(line)
//	switch r := req.(type) {
//	case *protocol.Confirm:
//		resp, err := protocol.Respond(r, protocol.Confirmed(false))
//		...
//	case *protocol.Notify:
//		fmt.Println(r.Message)
//	}
//
// # Dialects
//
// The types are the union of what pi, Atomic and oh-my-pi send. Members that no
// type has room for are kept in Extra, and a method that is not known becomes an
// [Unknown] with its whole record, so nothing is lost by passing a record on.
// The package schema below this one has a JSON Schema of each record.
//
// # Strings
//
// JavaScript strings are not always Unicode, and an agent may write broken bytes.
// A dialog must work all the same, so Go strings here may hold a lone surrogate
// as the three bytes that UTF-8 would give it, and bytes that are no UTF-8 as
// they came; see [AppendString]. Sanitise a text before showing it.
//
// # Bytes
//
// Records are written as pi writes them: compact, keys in the documents' order,
// absent members left out, nothing escaped that need not be. Reading is tolerant:
// unknown members and null for an absent member are fine. What is not is a
// [*FieldError] that names the member; an object with the same key twice is
// refused whole. Where a response leaves a doubt it is read as the more careful
// of the two: "cancelled":1 cancels, "confirmed":1 does not confirm.
//
// # Concurrency
//
// All functions may be called at once; none keeps its arguments or blocks. The
// record types are plain data without locks.
package protocol
