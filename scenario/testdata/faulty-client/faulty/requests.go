package faulty

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// answersTo answers the requests for which is says so, with a cancellation.
func answersTo(is func(r record) bool) func(*layer, []byte) []byte {
	return func(s *layer, line []byte) []byte {
		if r := parse(line); r.request() && is(r) {
			s.tell(r.cancelled())
		}
		return line
	}
}

var passive = []string{"notify", "setStatus", "setWidget", "setTitle", "set_editor_text"}

var requests = []Fault{
	{Name: "answers-notify", Rule: "UPDATEC-1", Says: "answers a notification", hear: answersTo(func(r record) bool { return r.is("method", "notify") })},
	{Name: "answers-editor-text", Rule: "UPDATEC-1", Says: "answers set_editor_text", hear: answersTo(func(r record) bool { return r.is("method", "set_editor_text") })},
	{Name: "wants-text", Rule: "UPDATEC-2", Says: "gives up at a status without a text",
		hear: diesAt(func(r record) bool { return r.is("method", "setStatus") && !r.has("statusText") })},
	{Name: "wants-kind", Rule: "UPDATEC-3", Says: "gives up at a notification of another kind",
		hear: diesAt(func(r record) bool { return r.is("notifyType", "fatal") })},
	{Name: "wants-lines", Rule: "UPDATEC-4", Says: "gives up at a widget whose lines are no list",
		hear: diesAt(func(r record) bool { return r.has("widgetLines") && r["widgetLines"].Kind() != '[' })},
	{Name: "thousand", Rule: "UPDATEC-5", Says: "hears a thousand records and no more",
		hear: dies(func(s *layer, _ []byte) bool { s.n++; return s.n > 1000 })},
	{Name: "cancels-urls", Rule: "UPDATEC-6", Says: "cancels open_url", hear: answersTo(func(r record) bool { return r.is("method", "open_url") })},

	{Name: "silent", Rule: "REQUESTC-1", Says: "says nothing to a method that it does not know",
		hear: dropped(func(r record) bool { return r.is("method", "pickColour") })},
	{Name: "any-case", Rule: "REQUESTC-2", Says: "takes Confirm for confirm",
		hear: heard(func(_ *layer, r record) {
			if r.is("method", "Confirm") {
				r["method"] = quote("confirm")
			}
		})},
	{Name: "wants-message", Rule: "REQUESTC-3", Says: "does not hear a confirm without a message",
		hear: dropped(func(r record) bool { return r.is("method", "confirm") && !r.has("message") })},
	{Name: "known-members", Rule: "REQUESTC-4", Says: "does not hear a request with members that it does not know",
		hear: dropped(func(r record) bool { return r.request() && r.has("toolCallId") })},
	{Name: "wants-options", Rule: "REQUESTC-5", Says: "says nothing to a select without options",
		hear: dropped(func(r record) bool { return r.is("method", "select") && r["options"].Kind() != '[' })},
	{Name: "nothing-to-choose", Rule: "REQUESTC-6", Says: "leaves a select without an option to choose open",
		hear: dropped(func(r record) bool { return string(r["options"]) == "[]" })},
	{Name: "any-title", Rule: "REQUESTC-7", Says: "shows a dialog without a title",
		hear: heard(func(_ *layer, r record) {
			if r.dialog() && r["title"].Kind() != '"' && !r.has("questions") {
				r["title"] = quote("And this?")
			}
		})},
	{Name: "makes-ids", Rule: "REQUESTC-8", Says: "answers a dialog without an id under one of its own",
		hear: heard(func(_ *layer, r record) {
			if !r.has("id") {
				r["id"] = quote("undefined")
			}
		})},
	{Name: "any-type", Rule: "REQUESTC-9", Says: "takes whatever has a method for a request",
		hear: func(_ *layer, line []byte) []byte {
			if r := parse(line); r != nil && r.has("method") && !slices.Contains(passive, r.str("method")) {
				r["type"] = quote("extension_ui_request")
				return r.line()
			}
			return line
		}},
	{Name: "any-option", Rule: "REQUESTC-10", Says: "shows an option that is no text as one",
		hear: heard(func(_ *layer, r record) {
			if bytes.HasPrefix(r["options"], []byte("[1,")) {
				r["options"] = jsontext.Value(`["1"]`)
			}
		})},
}

const capabilities = "set_extension_ui_capabilities"

var optIns = []Fault{
	{Name: "says-it-twice", Rule: "OPTIN-1", Says: "says what it can do twice",
		say: func(_ *layer, line []byte) []byte {
			if parse(line).is("type", capabilities) {
				return bytes.Join([][]byte{line, line}, []byte("\n"))
			}
			return line
		}},
	{Name: "says-it-again", Rule: "OPTIN-2", Says: "asks again an agent that has never heard of it",
		hear: func(s *layer, line []byte) []byte {
			if r := parse(line); r.is("command", capabilities) && strings.Contains(r.str("error"), "Unknown") {
				s.tell([]byte(`{"type":"` + capabilities + `","questionnaire":true}`))
			}
			return line
		}},
	{Name: "says-it-once", Rule: "OPTIN-3", Says: "does not say again what it can do after a new session",
		say: func(s *layer, line []byte) []byte {
			if parse(line).is("type", capabilities) {
				if s.n++; s.n > 1 {
					return nil
				}
			}
			return line
		}},
	{Name: "says-it-anew", Rule: "OPTIN-4", Says: "asks again after a new session though the agent does not know it",
		hear: func(s *layer, line []byte) []byte {
			if r := parse(line); r.is("command", "new_session") {
				s.tell([]byte(`{"type":"` + capabilities + `","questionnaire":true}`))
			}
			return line
		}},
	{Name: "waits-for-leave", Rule: "OPTIN-5", Says: "answers nothing before the agent has said what it knows",
		say: func(s *layer, line []byte) []byte {
			r := parse(line)
			if r.is("type", capabilities) {
				s.ids["asked"] = true
			}
			if r.answer() && s.ids["asked"] {
				return nil
			}
			return line
		}},
}
