package faulty

import (
	"strings"

	"extui/agent"
)

func commandFaults() []*Fault {
	return []*Fault{
		{Name: "lists-no-commands", Rule: "COMMAND-1", Says: "lists no commands", say: responses("get_commands", member("data", `{"commands":[]}`))},
		{Name: "describes-no-commands", Rule: "COMMAND-1", Says: "lists commands without their descriptions",
			say: responses("get_commands", member("data", `{"commands":[{"name":"probe","source":"extension"}]}`))},
		{Name: "unknown-succeeds", Rule: "COMMAND-2", Says: "says that an unknown command has succeeded", say: responses("no_such_command", member("success", "true"))},
		{Name: "unknown-is-silent", Rule: "COMMAND-2", Says: "does not answer an unknown command", hear: lines(command("no_such_command"), nil)},
		{Name: "ids-become-texts", Rule: "COMMAND-3", Says: "writes every id as a text",
			say: responses("", func(_ *layer, r *record) {
				if id := r.get("id"); id != nil && !isText(string(id)) {
					r.set("id", quoted(id))
				}
			})},
		{Name: "writes-null-ids", Rule: "COMMAND-4", Says: "writes null for an id that is not there",
			say: responses("", func(_ *layer, r *record) {
				if !r.has("id") {
					r.set("id", "null")
				}
			})},
		{Name: "silent-without-type", Rule: "COMMAND-5", Says: "does not answer a command without a type",
			hear: lines(func(line []byte) bool { r := parse(line); return r != nil && !r.has("type") }, nil)},
		{Name: "ends-on-a-numeric-type", Rule: "COMMAND-5", Says: "ends when a type is a number",
			hear: lines(func(line []byte) bool { return parse(line).is("type", "42") }, func(l *layer, _ []byte) { l.exit(1) })},
		{Name: "takes-silent-prompts", Rule: "COMMAND-5", Says: "takes a prompt without a message",
			say: responses("prompt", func(_ *layer, r *record) {
				if r.is("id", `"silent"`) {
					r.set("success", "true")
				}
			})},
		{Name: "answers-before-the-handler", Rule: "COMMAND-6", Says: "answers a slash command before its handler has ended",
			hear: func(l *layer, line []byte) []byte {
				if r := parse(line); r.str("type") == "prompt" {
					l.kept = append(l.kept, []byte(`{"id":`+string(r.get("id"))+`,"type":"response","command":"prompt","success":true}`))
				}
				return line
			},
			say: func(l *layer, line []byte) []byte {
				switch r := parse(line); {
				case r.response("prompt"):
					return nil
				case r.dialog() && len(l.kept) > 0:
					return append(append(line, '\n'), l.kept[0]...)
				}
				return line
			}},
		{Name: "answers-in-the-middle", Rule: "COMMAND-6", Says: "answers a slash command before what its handler shows",
			say: func(l *layer, line []byte) []byte {
				r := parse(line)
				if r.request("notify") {
					l.kept = append(l.kept, line)
					return nil
				}
				if r.response("prompt") && len(l.kept) > 0 {
					return append(append(line, '\n'), l.kept[0]...)
				}
				return line
			}},
		{Name: "says-no-disposition", Rule: "COMMAND-7", Says: "does not say that a command was handled", say: responses("prompt", member("data", ""))},
		{Name: "trims-arguments", Rule: "COMMAND-8", Says: "trims what stands behind a command", args: strings.TrimSpace},
		{Name: "cuts-arguments-at-the-line", Rule: "COMMAND-8", Says: "gives a command its first line",
			args: func(s string) string { head, _, _ := strings.Cut(s, "\n"); return head }},
	}
}

func errorFaults() []*Fault {
	return []*Fault{
		{Name: "swallows-errors", Rule: "ERROR-1", Says: "does not report a handler that throws", say: records(isError, nil)},
		{Name: "reports-twice", Rule: "ERROR-1", Says: "reports a handler that throws twice",
			say: func(l *layer, line []byte) []byte {
				if isError(parse(line)) {
					l.say(string(line))
				}
				return line
			}},
		{Name: "reports-no-reason", Rule: "ERROR-1", Says: "does not report what was thrown", say: records(isError, member("error", `"it failed"`))},
		{Name: "thrown-is-not-answered", Rule: "ERROR-2", Says: "does not answer a command whose handler has thrown",
			say: func(l *layer, line []byte) []byte {
				r := parse(line)
				if isError(r) {
					l.n++
				}
				if r.response("prompt") && l.n == 1 {
					return nil
				}
				return line
			}},
		{Name: "thrown-ends-it", Rule: "ERROR-2", Says: "ends when a handler throws",
			say: records(isError, func(l *layer, _ *record) { l.exit(1) })},
		{Name: "start-thrown-ends-it", Rule: "ERROR-3", Says: "ends when session_start throws",
			say: func(l *layer, line []byte) []byte {
				if r := parse(line); isError(r) && r.str("event") == "session_start" {
					l.say(string(line))
					l.exit(1)
				}
				return line
			}},
		{Name: "thrown-cancels-all", Rule: "ERROR-4", Says: "cancels every dialog when a handler throws",
			hear: func(l *layer, line []byte) []byte {
				if strings.HasPrefix(parse(line).str("message"), "/probe-throw") && len(l.open) > 0 {
					return append([]byte(`{"type":"extension_ui_response","id":`+string(l.open[0].get("id"))+`,"cancelled":true}`+"\n"), line...)
				}
				return line
			}},
	}
}

func isError(r record) bool { return r.str("type") == "extension_error" }

func lifeFaults() []*Fault {
	return []*Fault{
		{Name: "reads-after-the-start", Rule: "LIFE-1", Says: "reads nothing before session_start has ended", lateInput: true},
		{Name: "end-approves", Rule: "LIFE-2", Says: "takes an open confirm for a yes at the end of its input",
			gives: gives("confirm", "true", failed(agent.ErrDisconnected))},
		{Name: "end-is-a-failure", Rule: "LIFE-2", Says: "ends with 1 at the end of its input", exit: func(int) int { return 1 }},
		{Name: "end-is-not-seen", Rule: "LIFE-2", Says: "goes on at the end of its input", finish: func(l *layer) { <-l.over }},
		{Name: "end-settles-nothing", Rule: "LIFE-3", Says: "leaves dialogs open at the end of its input",
			finish: func(l *layer) {
				l.mu.Lock()
				defer l.mu.Unlock()
				if len(l.open) > 0 {
					l.exit(0)
				}
			}},
		{Name: "end-shuts-nothing-down", Rule: "LIFE-4", Says: "runs no session_shutdown", noShutdown: true},
		{Name: "sigterm-is-success", Rule: "LIFE-5", Says: "ends with 0 on SIGTERM", exit: func(int) int { return 0 }},
		{Name: "sighup-is-sigterm", Rule: "LIFE-6", Says: "ends with 143 on SIGHUP", exit: func(int) int { return 143 }},
		{Name: "sighup-shuts-nothing-down", Rule: "LIFE-6", Says: "runs no session_shutdown on SIGHUP", noShutdown: true},
		{Name: "keeps-the-session-id", Rule: "LIFE-7", Says: "gives a new session the old id",
			say: responses("get_state", member("data", `{"sessionId":"always","isStreaming":false}`))},
		{Name: "new-session-does-not-start", Rule: "LIFE-7", Says: "runs no session_start in a new session", noStart: true},
		{Name: "new-session-answers-first", Rule: "LIFE-7", Says: "answers new_session before it has begun",
			hear: func(l *layer, line []byte) []byte {
				if r := parse(line); r.str("type") == "new_session" {
					l.say(`{"id":` + string(r.get("id")) + `,"type":"response","command":"new_session","success":true,"data":{"cancelled":false}}`)
				}
				return line
			},
			say: responses("new_session", nil)},
		{Name: "new-session-leaves-dialogs", Rule: "LIFE-8", Says: "leaves the dialogs of the old session open",
			hear: func(l *layer, line []byte) []byte {
				if r := parse(line); r.str("type") == "new_session" && len(l.open) > 0 {
					l.say(`{"id":` + string(r.get("id")) + `,"type":"response","command":"new_session","success":true,"data":{"cancelled":false}}`)
					return nil
				}
				return line
			}},
		{Name: "abort-leaves-dialogs", Rule: "LIFE-9", Says: "leaves dialogs open on abort", hear: lines(command("abort"), abortSaid)},
		{Name: "abort-approves", Rule: "LIFE-9", Says: "takes a confirm that is aborted for a yes", gives: gives("confirm", "true", failed(agent.ErrAborted))},
		{Name: "reads-nothing-while-asking", Rule: "LIFE-10", Says: "handles no command while a dialog is open",
			hear: unsettled(func(*layer, record) bool { return true })},
	}
}

// abortSaid answers an abort.
func abortSaid(l *layer, line []byte) {
	l.say(`{"id":` + string(parse(line).get("id")) + `,"type":"response","command":"abort","success":true}`)
}
