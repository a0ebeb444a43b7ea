package faulty

import (
	"errors"
	"strings"

	"extui/agent"
)

func toolFaults() []*Fault {
	call := func(change func(l *layer, r *record)) spoil { return responses("call_tool", change) }
	succeeds := call(func(_ *layer, r *record) {
		r.set("data", strings.Replace(string(r.get("data")), `"isError":true`, `"isError":false`, 1))
	})
	return []*Fault{
		{Name: "questionnaires-unasked", Rule: "CAP-1", Says: "sends questionnaires to clients that have not asked for them",
			begin: func(l *layer) {
				l.feed([]byte(`{"id":"layer","type":"set_extension_ui_capabilities","questionnaire":true}`))
			},
			say: records(func(r record) bool { return r.is("id", `"layer"`) }, nil)},
		{Name: "new-session-forgets-capabilities", Rule: "CAP-1", Says: "forgets capabilities in a new session",
			hear: func(_ *layer, line []byte) []byte {
				if command("new_session")(line) {
					line = append(line, "\n"+`{"id":"layer","type":"set_extension_ui_capabilities","questionnaire":false}`...)
				}
				return line
			},
			say: records(func(r record) bool { return r.is("id", `"layer"`) }, nil)},
		{Name: "capabilities-stay-on", Rule: "CAP-1", Says: "does not turn a capability off", hear: replaced(`"questionnaire":false`, `"questionnaire":true`)},
		{Name: "dismisses-nothing", Rule: "CAP-2", Says: "does not say that a dialog has ended", say: records(isCancel, nil)},
		{Name: "dismisses-twice", Rule: "CAP-2", Says: "says twice that a dialog has ended",
			say: func(l *layer, line []byte) []byte {
				if isCancel(parse(line)) {
					l.say(string(line))
				}
				return line
			}},
		{Name: "dismisses-another", Rule: "CAP-2", Says: "says of another dialog that it has ended", say: records(isCancel, member("targetId", `"another"`))},

		{Name: "gate-opens-on-any-answer", Rule: "TOOL-1", Says: "runs a tool whatever its gate is told",
			gate: func(string, error) (bool, error) { return true, nil }},
		{Name: "gate-opens-without-an-answer", Rule: "TOOL-1", Says: "runs a tool whose gate is not answered",
			gate: func(choice string, err error) (bool, error) {
				return choice == "Allow" || errors.Is(err, agent.ErrDismissed), nil
			}},
		{Name: "gate-stays-closed", Rule: "TOOL-1", Says: "runs no tool at all", gate: func(string, error) (bool, error) { return false, nil }},
		{Name: "broken-gate-opens", Rule: "TOOL-2", Says: "runs a tool whose gate throws",
			gate: func(choice string, err error) (bool, error) {
				return choice == "Allow" || !errors.Is(err, agent.ErrNoAnswer), nil
			}},
		{Name: "abort-runs-tools", Rule: "TOOL-3", Says: "runs a tool whose gate is aborted",
			say: call(member("data", `{"content":[{"type":"text","text":"ran {\"n\":1}"}],"isError":false}`))},
		{Name: "abort-leaves-gates", Rule: "TOOL-3", Says: "leaves a gate open on abort", hear: lines(command("abort"), abortSaid)},

		{Name: "loses-multi-select", Rule: "QUEST-1", Says: "does not say that a question takes several options", say: replaced(`"multiSelect":true`, `"multiSelect":false`)},
		{Name: "loses-descriptions", Rule: "QUEST-1", Says: "does not write what options mean", say: replaced(`,"description":"a file"`, "")},
		{Name: "loses-selected", Rule: "QUEST-2", Says: "gives the model one label of several", hear: replaced(`["test","lint"]`, `["test"]`)},
		{Name: "loses-what-is-typed", Rule: "QUEST-2", Says: "gives the model another text than was typed", hear: replaced("punch cards", "tape")},
		{Name: "wrong-answers-succeed", Rule: "QUEST-3", Says: "lets a tool succeed whose answers are wrong", say: succeeds},
		{Name: "wants-all-answers", Rule: "QUEST-4", Says: "rejects a questionnaire that is not answered in full",
			hear: answers(func(_ *layer, r *record) {
				if strings.Count(string(r.get("answers")), "questionIndex") == 1 {
					r.set("answers", `[{"questionIndex":9}]`)
				}
			})},
		{Name: "cancelled-takes-the-first", Rule: "QUEST-5", Says: "takes the first options of a questionnaire that is cancelled",
			hear: answers(func(_ *layer, r *record) {
				if r.is("cancelled", "true") {
					r.del("cancelled")
					r.set("answers", `[{"questionIndex":0,"question":"Which storage?","kind":"option","answer":"SQLite"}]`)
				}
			})},
	}
}

func isCancel(r record) bool { return r.request("cancel") }
