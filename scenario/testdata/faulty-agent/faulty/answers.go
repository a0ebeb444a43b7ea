package faulty

import (
	"bytes"
	"strings"

	"extui/agent"
	"extui/protocol"
)

func answerFaults() []*Fault {
	return []*Fault{
		{Name: "select-gives-an-index", Rule: "SELECT-1", Says: "gives the index of the chosen option",
			gives: gives("select", "1", func(e *ended) bool { return e.answer != nil })},
		{Name: "select-passes-unknown-option", Rule: "SELECT-2", Says: "gives a value that was not offered", gives: passed("select", isText)},
		{Name: "select-ignores-case", Rule: "SELECT-2", Says: "takes allow for Allow",
			hear: answers(func(_ *layer, r *record) {
				if r.is("value", `"allow"`) {
					r.set("value", `"Allow"`)
				}
			})},
		{Name: "select-takes-the-first-if-unknown", Rule: "SELECT-2", Says: "takes the first option for a value that was not offered",
			gives: gives("select", `"Allow"`, failed(agent.ErrInvalidAnswer))},
		{Name: "select-passes-numbers", Rule: "SELECT-3", Says: "gives a value that is no text", gives: passed("select", isNoText)},
		{Name: "select-takes-confirmed", Rule: "SELECT-4", Says: "takes confirmed for the choice of a select",
			hear: answers(func(_ *layer, r *record) {
				if r.has("confirmed") && !r.has("value") {
					r.set("value", quoted(r.get("confirmed")))
				}
			})},
		{Name: "confirm-answered-is-yes", Rule: "CONFIRM-1", Says: "takes any answer to a confirm for a yes",
			gives: gives("confirm", "true", func(e *ended) bool { return e.answer != nil })},
		{Name: "confirm-gives-no-for-yes", Rule: "CONFIRM-1", Says: "gives false for everything",
			gives: gives("confirm", "false", func(*ended) bool { return true })},
		{Name: "confirm-value-true-approves", Rule: "CONFIRM-2", Says: "takes the value true for a yes",
			gives: gives("confirm", "true", func(e *ended) bool { return e.said.is("value", "true") })},
		{Name: "confirm-value-yes-approves", Rule: "CONFIRM-2", Says: "takes the value Yes for a yes",
			gives: gives("confirm", "true", func(e *ended) bool { return e.said.is("value", `"Yes"`) })},
		{Name: "confirm-nothing-approves", Rule: "CONFIRM-2", Says: "takes a response that does not say no for a yes",
			gives: gives("confirm", "true", func(e *ended) bool { return e.said != nil && !e.said.has("confirmed") && !e.said.has("value") })},
		{Name: "confirm-truthy-approves", Rule: "CONFIRM-3", Says: "takes what is no boolean in confirmed for a yes",
			gives: gives("confirm", "true", func(e *ended) bool { return e.said.has("confirmed") && !e.said.is("confirmed", "false") })},
		{Name: "confirm-passes-confirmed", Rule: "CONFIRM-3", Says: "gives what is in confirmed, whatever it is",
			gives: func(_ *layer, e *ended) string { return string(e.said.get("confirmed")) }},
		{Name: "input-trims", Rule: "INPUT-1", Says: "trims what was entered",
			hear: answers(func(_ *layer, r *record) {
				if isText(string(r.get("value"))) {
					r.set("value", string(quote(strings.TrimSpace(r.str("value")))))
				}
			})},
		{Name: "editor-loses-carriage-returns", Rule: "INPUT-1", Says: "takes carriage returns out of texts", hear: replaced(`\r`, "")},
		{Name: "input-empty-cancels", Rule: "INPUT-2", Says: "takes an empty text for a cancellation",
			gives: gives("input", "undefined", func(e *ended) bool { return e.said.is("value", `""`) })},
		{Name: "editor-empty-cancels", Rule: "INPUT-2", Says: "takes an emptied editor for a cancellation",
			gives: gives("editor", "undefined", func(e *ended) bool { return e.said.is("value", `""`) })},
		{Name: "input-passes-numbers", Rule: "INPUT-3", Says: "gives a value that is no text", gives: passed("input", isNoText)},
		{Name: "editor-without-timeout", Rule: "EDITOR-1", Says: "gives an editor no timeout",
			asks: func(d protocol.Dialog, _ value) {
				if e, ok := d.(*protocol.Editor); ok {
					e.Timeout = protocol.Timeout{}
				}
			}},
		{Name: "editor-without-signal", Rule: "EDITOR-1", Says: "looks at no signal of an editor", noSignals: true},
	}
}

func settleFaults() []*Fault {
	return []*Fault{
		{Name: "late-answer-goes-to-the-next", Rule: "SETTLE-1", Says: "takes a late answer for one to the dialog that is open", hear: readdressed},
		{Name: "late-answer-is-an-error", Rule: "SETTLE-1", Says: "answers a late answer with an error",
			hear: answers(func(l *layer, r *record) {
				if !l.isOpen(string(r.get("id"))) {
					l.say(`{"type":"response","command":"extension_ui_response","success":false,"error":"no such dialog"}`)
				}
			})},
		{Name: "last-answer-counts", Rule: "SETTLE-2", Says: "takes the last of two answers", hear: heldBack},
		{Name: "second-answer-ends-it", Rule: "SETTLE-2", Says: "ends when a dialog is answered twice",
			hear: answers(func(l *layer, r *record) {
				if l.seen[string(r.get("id"))] {
					l.exit(1)
				}
				l.seen[string(r.get("id"))] = true
			})},
		{Name: "answers-answers", Rule: "SETTLE-3", Says: "answers an answer",
			hear: answers(func(l *layer, r *record) {
				l.say(`{"id":` + string(r.get("id")) + `,"type":"response","command":"extension_ui_response","success":true}`)
			})},
		{Name: "any-id-will-do", Rule: "SETTLE-3", Says: "takes an answer under any id for one to the dialog that is open", hear: readdressed},
		{Name: "answer-beats-cancelled", Rule: "SETTLE-4", Says: "takes an answer that is cancelled too",
			hear: answers(func(_ *layer, r *record) {
				if r.has("confirmed") || r.has("value") {
					r.del("cancelled")
				}
			})},
		{Name: "any-cancelled-cancels", Rule: "SETTLE-5", Says: "takes cancelled:false for a cancellation",
			hear: answers(func(_ *layer, r *record) {
				if r.has("cancelled") {
					r.set("cancelled", "true")
				}
			})},
		{Name: "cancelled-gives-empty", Rule: "SETTLE-6", Says: "gives an empty text for a cancelled input",
			gives: gives("input", `""`, failed(agent.ErrDismissed))},
		{Name: "cancelled-gives-prefill", Rule: "SETTLE-6", Says: "gives what an editor was filled with when it is cancelled",
			gives: gives("editor", `"one"`, failed(agent.ErrDismissed))},
		{Name: "cancelled-approves", Rule: "SETTLE-6", Says: "takes a cancelled confirm for a yes",
			gives: gives("confirm", "true", failed(agent.ErrDismissed))},
	}
}

// quoted is JSON as a text.
func quoted(v []byte) string { return string(quote(string(v))) }

// readdressed takes an answer to no dialog for one to the last that is open.
func readdressed(l *layer, line []byte) []byte {
	r := parse(line)
	if !r.answer() || len(l.open) == 0 || l.isOpen(string(r.get("id"))) {
		return line
	}
	r.set("id", string(l.open[len(l.open)-1].get("id")))
	return r.line()
}

// heldBack passes on an answer when the next line comes, unless that is another one to
// the same dialog.
func heldBack(l *layer, line []byte) []byte {
	var before []byte
	r := parse(line)
	if len(l.kept) > 0 {
		if before = l.kept[0]; r.answer() && string(r.get("id")) == string(parse(before).get("id")) {
			before = nil
		}
		l.kept = nil
	}
	if r.answer() {
		l.kept = [][]byte{line}
		return before
	}
	return bytes.TrimPrefix(bytes.Join([][]byte{before, line}, []byte("\n")), []byte("\n"))
}
