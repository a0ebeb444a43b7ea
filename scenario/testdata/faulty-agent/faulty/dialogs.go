package faulty

import (
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"extui/agent"
	"extui/extension"
	"extui/protocol"
)

func dialogFaults() []*Fault {
	return []*Fault{
		{Name: "timeout-approves", Rule: "TIME-1", Says: "takes a confirm that nobody answers for a yes",
			gives: gives("confirm", "true", failed(agent.ErrTimedOut))},
		{Name: "timeout-takes-the-first", Rule: "TIME-1", Says: "takes the first option of a select that nobody answers",
			gives: gives("select", `"red"`, failed(agent.ErrTimedOut))},
		{Name: "timeout-gives-empty", Rule: "TIME-1", Says: "gives an empty text for an input that nobody answers",
			gives: gives("input", `""`, failed(agent.ErrTimedOut))},
		{Name: "zero-is-now", Rule: "TIME-2", Says: "ends a dialog with a timeout of 0 at once", ends: endsIf(func(ms float64) bool { return ms == 0 })},
		{Name: "zero-is-not-written", Rule: "TIME-2", Says: "leaves a timeout of 0 out",
			say: requests("input", func(_ *layer, r *record) {
				if r.is("timeout", "0") {
					r.del("timeout")
				}
			})},
		{Name: "timers-of-31-bits", Rule: "TIME-3", Says: "ends a dialog with a very long timeout at once",
			ends: endsIf(func(ms float64) bool { return ms > 1<<31-1 && ms < 1e300 })},
		{Name: "negative-is-none", Rule: "TIME-4", Says: "waits with a dialog whose timeout is negative", late: true},
		{Name: "infinite-is-now", Rule: "TIME-4", Says: "ends a dialog with an infinite timeout at once", ends: endsIf(func(ms float64) bool { return ms > 1e300 })},
		{Name: "asks-although-aborted", Rule: "SIGNAL-1", Says: "asks although the signal is over", asksAborted: true},
		{Name: "ignores-signals", Rule: "SIGNAL-2", Says: "looks at no signal", noSignals: true},
		{Name: "abort-of-signal-approves", Rule: "SIGNAL-2", Says: "takes an aborted confirm for a yes",
			gives: gives("confirm", "true", failed(agent.ErrAborted))},
	}
}

func openFaults() []*Fault {
	return []*Fault{
		{Name: "one-dialog-at-a-time", Rule: "MANY-1", Says: "writes a dialog when the one before is answered",
			say: func(l *layer, line []byte) []byte {
				if parse(line).dialog() && len(l.open) > 1 {
					return nil // There is nobody to answer the one before in this rule.
				}
				return line
			}},
		{Name: "updates-overtake", Rule: "MANY-1", Says: "writes updates before the dialogs that came before them",
			say: func(l *layer, line []byte) []byte {
				r := parse(line)
				if r.dialog() {
					l.kept = append(l.kept, line)
					return nil
				}
				if len(l.kept) > 0 && r.request("") {
					out := line
					for _, kept := range l.kept {
						out = append(append(out, '\n'), kept...)
					}
					l.kept = nil
					return out
				}
				return line
			}},
		{Name: "answers-in-order-only", Rule: "MANY-2", Says: "takes each answer for one to the oldest dialog",
			hear: answers(func(l *layer, r *record) {
				if len(l.open) > 0 {
					r.set("id", string(l.open[0].get("id")))
				}
			})},
		{Name: "caps-dialogs", Rule: "MANY-3", Says: "asks a hundred dialogs at a time",
			say: func(l *layer, line []byte) []byte {
				if parse(line).dialog() {
					if l.n++; l.n > 100 {
						return nil
					}
				}
				return line
			}},
		{Name: "one-command-at-a-time", Rule: "MANY-4", Says: "begins a command when the dialogs of the one before are answered",
			hear: unsettled(func(_ *layer, r record) bool { return r.str("type") == "prompt" })},
	}
}

// endsIf ends a dialog at once, without an answer, for a timeout for which is says so.
func endsIf(is func(ms float64) bool) func(value) time.Duration {
	return func(given value) time.Duration {
		if t := given.option("timeout"); t.kind == '0' && is(t.number) {
			return time.Millisecond
		}
		return 0
	}
}

func updateFaults() []*Fault {
	widget := func(ctx *extension.Context, method string, args []value) bool {
		if method != "setWidget" || args[1].kind != function {
			return false
		}
		_ = ctx.UI.SetWidget(ctx, args[0].text, []string{"[component]"}, "")
		return true
	}
	return []*Fault{
		{Name: "notify-loses-its-type", Rule: "UPDATE-1", Says: "writes every notification as an info", say: requests("notify", member("notifyType", `"info"`))},
		{Name: "notify-warns", Rule: "UPDATE-1", Says: "takes a notification without a type for a warning",
			say: requests("notify", func(_ *layer, r *record) {
				if !r.has("notifyType") {
					r.set("notifyType", `"warning"`)
				}
			})},
		{Name: "status-has-a-text", Rule: "UPDATE-2", Says: "calls statusText text",
			say: requests("setStatus", func(_ *layer, r *record) { r.rename("statusText", "text") })},
		{Name: "empty-status-clears", Rule: "UPDATE-2", Says: "takes an empty status for none",
			say: requests("setStatus", func(_ *layer, r *record) {
				if r.is("statusText", `""`) {
					r.del("statusText")
				}
			})},
		{Name: "clears-status-with-null", Rule: "UPDATE-3", Says: "clears a status with null",
			say: requests("setStatus", func(_ *layer, r *record) {
				if !r.has("statusText") {
					r.set("statusText", "null")
				}
			})},
		{Name: "clears-widget-with-no-lines", Rule: "UPDATE-3", Says: "clears a widget with an empty list",
			say: requests("setWidget", func(_ *layer, r *record) {
				if !r.has("widgetLines") {
					r.set("widgetLines", "[]")
				}
			})},
		{Name: "widget-loses-its-place", Rule: "UPDATE-4", Says: "writes no placement", say: requests("setWidget", member("widgetPlacement", ""))},
		{Name: "widget-loses-empty-lines", Rule: "UPDATE-4", Says: "leaves empty lines of a widget out",
			say: requests("setWidget", func(_ *layer, r *record) {
				var kept []byte
				for _, line := range slices.DeleteFunc(elements(r.get("widgetLines")), func(v jsontext.Value) bool { return string(v) == `""` }) {
					kept = append(append(kept, ','), line...)
				}
				r.set("widgetLines", "["+string(kept[min(1, len(kept)):])+"]")
			})},
		{Name: "empty-widget-clears", Rule: "UPDATE-5", Says: "writes an empty widget as none",
			say: requests("setWidget", func(_ *layer, r *record) {
				if r.is("widgetLines", "[]") {
					r.del("widgetLines")
				}
			})},
		{Name: "writes-components", Rule: "UPDATE-6", Says: "writes a widget that is a component", instead: widget},
		{Name: "title-is-text", Rule: "UPDATE-7", Says: "calls the title text",
			say: requests("setTitle", func(_ *layer, r *record) { r.rename("title", "text") })},
		{Name: "editor-text-by-its-other-name", Rule: "UPDATE-7", Says: "writes setEditorText for set_editor_text",
			say: requests("set_editor_text", member("method", `"setEditorText"`))},
		{Name: "paste-does-nothing", Rule: "UPDATE-7", Says: "does nothing for pasteToEditor", calls: map[string]string{"pasteToEditor": "undefined"}},
	}
}

func degradedFaults() []*Fault {
	footer := func(ctx *extension.Context, method string, _ []value) bool {
		if method != "setFooter" && method != "setWorkingMessage" {
			return false
		}
		_ = ctx.UI.Send(ctx, &protocol.SetStatus{Key: method, Text: new("x")})
		return true
	}
	return []*Fault{
		{Name: "lacks-setHeader", Rule: "DEGRADED-1", Says: "has no setHeader", say: replaced(`\"setHeader\",`, "")},
		{Name: "mode-is-print", Rule: "DEGRADED-1", Says: "tells extensions another mode", say: replaced(`\"mode\":\"rpc\"`, `\"mode\":\"print\"`)},
		{Name: "custom-gives-null", Rule: "DEGRADED-2", Says: "gives null for custom", calls: map[string]string{"custom": "null"}},
		{Name: "terminal-input-gives-nothing", Rule: "DEGRADED-2", Says: "gives nothing for onTerminalInput", calls: map[string]string{"onTerminalInput": "undefined"}},
		{Name: "footer-is-a-status", Rule: "DEGRADED-3", Says: "writes a status for setFooter", instead: footer},
		{Name: "editor-component-gives-null", Rule: "DEGRADED-4", Says: "gives null for getEditorComponent", calls: map[string]string{"getEditorComponent": "null"}},
		{Name: "pi-expands-tools", Rule: "DEGRADED-5", Says: "keeps what setToolsExpanded is told although it is pi", calls: map[string]string{"getToolsExpanded": "true"}},
		{Name: "atomic-expands-no-tools", Rule: "DEGRADED-6", Says: "forgets what setToolsExpanded is told although it is Atomic", calls: map[string]string{"getToolsExpanded": "false"}},
		{Name: "remembers-the-editor-text", Rule: "DEGRADED-7", Says: "gives what setEditorText has set", calls: map[string]string{"getEditorText": `"x"`}},
		{Name: "has-a-theme", Rule: "DEGRADED-7", Says: "gives a theme", calls: map[string]string{"getTheme": `{"name":"dark"}`}},
		{Name: "set-theme-says-else", Rule: "DEGRADED-8", Says: "has another error for setTheme", calls: map[string]string{"setTheme": `{"success":false,"error":"no"}`}},
		{Name: "set-theme-succeeds", Rule: "DEGRADED-9", Says: "says that setTheme has succeeded", calls: map[string]string{"setTheme": `{"success":true}`}},
	}
}
