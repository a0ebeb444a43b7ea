package faulty

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
)

var dialogs = []Fault{
	{Name: "waits-for-hello", Rule: "ASKED-1", Says: "hears nothing before it was answered",
		hear: func(s *layer, line []byte) []byte {
			if r := parse(line); r.is("type", "response") {
				s.n++
			}
			if s.n == 0 {
				return nil
			}
			return line
		}},
	{Name: "last-id", Rule: "ASKED-2", Says: "answers every dialog under the last id",
		hear: func(s *layer, line []byte) []byte {
			if r := parse(line); r.dialog() {
				s.kept = [][]byte{r["id"]}
			}
			return line
		},
		say: said(func(s *layer, r record) {
			if len(s.kept) > 0 {
				r["id"] = s.kept[0]
			}
		})},
	{Name: "one-at-a-time", Rule: "ASKED-3", Says: "shows a dialog when the one before is answered", hear: queue, say: unqueue},
	{Name: "thirty", Rule: "ASKED-4", Says: "forgets dialogs when thirty are open",
		hear: dropped(func(r record) bool { return strings.HasPrefix(r.str("id"), "q3") })},
	{Name: "sixteen", Rule: "ASKED-4", Says: "shows no more than sixteen dialogs at once, and forgets the others",
		hear: func(s *layer, line []byte) []byte {
			if parse(line).dialog() {
				if s.n == 16 {
					return nil
				}
				s.n++
			}
			return line
		},
		say: unqueue},
	{Name: "new-types", Rule: "ASKED-5", Says: "gives up at a record of a type that it does not know",
		hear: diesAt(func(r record) bool { return r.is("type", "something_new") })},
	{Name: "ids-once", Rule: "ASKED-6", Says: "does not hear a dialog whose id it has had",
		hear: func(s *layer, line []byte) []byte {
			r := parse(line)
			if !r.dialog() {
				return line
			}
			if s.ids[string(r["id"])] {
				return nil
			}
			s.ids[string(r["id"])] = true
			return line
		}},
	{Name: "first-of-an-id", Rule: "ASKED-7", Says: "answers the old one of two open dialogs with the same id",
		hear: func(s *layer, line []byte) []byte {
			if r := parse(line); r.is("title", "Delete everything?") && r.is("id", "same") {
				return nil
			}
			return line
		}},
	{Name: "waits-for-prompt", Rule: "ASKED-8", Says: "answers nothing while a command has no response",
		say: func(s *layer, line []byte) []byte {
			r := parse(line)
			if r.is("type", "prompt") {
				s.ids["prompt"] = true
			}
			if r.answer() && s.ids["prompt"] {
				return nil
			}
			return line
		}},
	{Name: "responses-end", Rule: "ASKED-9", Says: "gives up at a response that it does not expect",
		hear: diesAt(func(r record) bool { return r.is("type", "response") && r.is("command", "extension_ui_response") })},
	{Name: "yes-in-the-end", Rule: "ASKED-10", Says: "agrees when nobody says anything for long",
		ask: inTheEnd(func(d protocol.Dialog) protocol.Answer {
			if _, ok := d.(*protocol.Confirm); ok {
				return protocol.Confirmed(true)
			}
			return nil
		})},
	{Name: "first-in-the-end", Rule: "ASKED-10", Says: "chooses the first option when nobody does for long",
		ask: inTheEnd(func(d protocol.Dialog) protocol.Answer {
			if s, ok := d.(*protocol.Select); ok {
				return protocol.Value(s.Options[0].Answer())
			}
			return nil
		})},
	{Name: "prefill-in-the-end", Rule: "ASKED-10", Says: "submits a text when nobody does for long",
		ask: inTheEnd(func(d protocol.Dialog) protocol.Answer {
			if _, ok := d.(*protocol.Editor); ok {
				return protocol.Value("")
			}
			return nil
		})},
	{Name: "yes-after-long", Rule: "ASKED-10", Says: "agrees when nobody has said anything for nine seconds",
		hear: func(s *layer, line []byte) []byte {
			if r := parse(line); r.is("method", "confirm") {
				time.AfterFunc(9*time.Second, func() {
					s.tell([]byte(`{"type":"extension_ui_response","id":` + string(r["id"]) + `,"confirmed":true}`))
				})
			}
			return line
		}},
	{Name: "remembers-yes", Rule: "ASKED-11", Says: "does not ask again what was answered with yes",
		ask: remembers(func(a protocol.Answer) bool { return a == protocol.Answer(protocol.Confirmed(true)) })},
	{Name: "remembers-choices", Rule: "ASKED-11", Says: "does not ask again what was chosen or typed before",
		ask: remembers(func(a protocol.Answer) bool { _, ok := a.(protocol.Value); return ok })},
	{Name: "over-at-the-end", Rule: "ASKED-12", Says: "forgets its dialogs when a run of the agent ends",
		hear: func(s *layer, line []byte) []byte {
			r := parse(line)
			if r.dialog() {
				s.ids[string(r["id"])] = true
			}
			s.dropAnswers = s.dropAnswers || r.is("type", "agent_end")
			return line
		},
		say: func(s *layer, line []byte) []byte {
			if r := parse(line); s.dropAnswers && r.answer() && s.ids[string(r["id"])] {
				return nil
			}
			return line
		}},

	{Name: "no-clock", Rule: "DEADLINE-1", Says: "knows no timeouts", hear: heard(func(_ *layer, r record) { delete(r, "timeout") })},
	{Name: "zero-is-now", Rule: "DEADLINE-2", Says: "takes a timeout of 0 for one that is over",
		hear: heard(func(_ *layer, r record) {
			if string(r["timeout"]) == "0" {
				r["timeout"] = jsontext.Value("1")
			}
		})},
	{Name: "no-timeouts", Rule: "DEADLINE-3", Says: "cancels a dialog that has a timeout",
		ask: func(ctx context.Context, _ *layer, d protocol.Dialog, next ask) (protocol.Answer, error) {
			if limit, ok := d.DialogTimeout().Duration(); ok && limit > time.Second && limit < time.Hour {
				return protocol.Cancelled{}, nil
			}
			return next()
		}},
	{Name: "int32", Rule: "DEADLINE-4", Says: "keeps a timeout in 32 bits, as Node's timer does",
		hear: heard(func(_ *layer, r record) {
			if len(r["timeout"]) >= 10 {
				r["timeout"] = jsontext.Value("1")
			}
		})},
	{Name: "never-takes-back", Rule: "DEADLINE-5", Says: "does not know that an agent takes dialogs back",
		hear: dropped(func(r record) bool { return r.is("method", "cancel") })},
	{Name: "cancels-cancel", Rule: "DEADLINE-6", Says: "answers the record that takes a dialog back",
		hear: func(s *layer, line []byte) []byte {
			if r := parse(line); r.is("method", "cancel") {
				s.tell(r.cancelled())
			}
			return line
		}},
	{Name: "cancel-takes-all", Rule: "DEADLINE-7", Says: "ends all dialogs when one is taken back",
		hear: func(s *layer, line []byte) []byte {
			if r := parse(line); r.is("method", "cancel") {
				s.ids["cancel"] = true
			}
			return line
		},
		say: func(s *layer, line []byte) []byte {
			if s.ids["cancel"] {
				return nil
			}
			return line
		}},
	{Name: "yes-at-the-deadline", Rule: "DEADLINE-8", Says: "agrees when the time of a confirm is over", hear: atDeadline("confirm", 0)},
	{Name: "yes-before-the-deadline", Rule: "DEADLINE-8", Says: "agrees just before the time of a confirm is over", hear: atDeadline("confirm", -20*time.Millisecond)},
	{Name: "yes-after-the-deadline", Rule: "DEADLINE-8", Says: "agrees when the time of a confirm has long been over", hear: atDeadline("confirm", 200*time.Millisecond)},
	{Name: "first-at-the-deadline", Rule: "DEADLINE-8", Says: "chooses the first option when the time of a select is over", hear: atDeadline("select", 0)},
	{Name: "submits-at-the-deadline", Rule: "DEADLINE-8", Says: "submits an empty text when the time of an input is over", hear: atDeadline("input", 0)},
}

// atDeadline agrees to dialogs of one method by itself, so much later than their time is
// over.
func atDeadline(method string, later time.Duration) func(*layer, []byte) []byte {
	return func(s *layer, line []byte) []byte {
		r := parse(line)
		limit, err := strconv.Atoi(string(r["timeout"]))
		if err != nil || !r.is("method", method) {
			return line
		}
		answer := `"value":""`
		switch method {
		case "confirm":
			answer = `"confirmed":true`
		case "select":
			var options []string
			if json.Unmarshal(r["options"], &options) == nil && len(options) > 0 {
				first, _ := json.Marshal(options[0]) // A text that was just read.
				answer = `"value":` + string(first)
			}
		}
		time.AfterFunc(time.Duration(limit)*time.Millisecond+later, func() {
			s.tell([]byte(`{"type":"extension_ui_response","id":` + string(r["id"]) + "," + answer + "}"))
		})
		return line
	}
}

// queue keeps dialogs back while one is open.
func queue(s *layer, line []byte) []byte {
	if r := parse(line); r.dialog() {
		s.n++
		if s.n > 1 {
			s.kept = append(s.kept, bytes.Clone(line))
			return nil
		}
	}
	return line
}

// unqueue counts the open dialogs. Those that are kept are never shown again, which
// no rule gets to.
func unqueue(s *layer, line []byte) []byte {
	if parse(line).answer() {
		s.n--
	}
	return line
}

// remembers answers a dialog with the same method and title as before by itself, where
// that answer is one to be kept.
func remembers(keep func(protocol.Answer) bool) func(context.Context, *layer, protocol.Dialog, ask) (protocol.Answer, error) {
	return func(_ context.Context, s *layer, d protocol.Dialog, next ask) (protocol.Answer, error) {
		what := string(d.Method()) + " " + d.DialogTitle()
		s.mu.Lock()
		a, again := s.answers[what]
		s.mu.Unlock()
		if again {
			return a, nil
		}
		a, err := next()
		if err == nil && keep(a) {
			s.mu.Lock()
			s.answers[what] = a
			s.mu.Unlock()
		}
		return a, err
	}
}

// inTheEnd answers by itself after a time.
func inTheEnd(what func(protocol.Dialog) protocol.Answer) func(context.Context, *layer, protocol.Dialog, ask) (protocol.Answer, error) {
	return func(ctx context.Context, _ *layer, d protocol.Dialog, next ask) (protocol.Answer, error) {
		a := what(d)
		if a == nil {
			return next()
		}
		select {
		case <-time.After(300 * time.Millisecond):
			return a, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
