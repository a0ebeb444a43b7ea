package faulty

import (
	"bytes"
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
)

// answered replaces part of the answers to a questionnaire.
func answered(old, new string) func(*layer, []byte) []byte {
	return said(func(_ *layer, r record) {
		r["answers"] = bytes.ReplaceAll(r["answers"], []byte(old), []byte(new))
		if len(r["answers"]) == 0 {
			delete(r, "answers")
		}
	})
}

var questionnaires = []Fault{
	{Name: "option-index", Rule: "QUESTC-1", Says: "answers a question with the index of the option",
		say: answered(`"answer":"libSQL"`, `"answer":1`)},
	{Name: "no-null", Rule: "QUESTC-2", Says: "leaves out the answer null", say: answered(`"answer":null,"selected"`, `"selected"`)},
	{Name: "custom-is-option", Rule: "QUESTC-3", Says: "sends a text of one's own as an option", say: answered(`"custom"`, `"option"`)},
	{Name: "empty-chat", Rule: "QUESTC-4", Says: "sends an empty text for a chat without one",
		say: answered(`"kind":"chat","answer":null`, `"kind":"chat","answer":""`)},
	{Name: "all-answered", Rule: "QUESTC-5", Says: "answers questions that were left open",
		say: answered(`[{"questionIndex":1`, `[{"questionIndex":0,"question":"First?","kind":"option","answer":"a"},{"questionIndex":1`)},
	{Name: "counts-answers", Rule: "QUESTC-5", Says: "numbers the answers, not the questions", say: answered(`"questionIndex":1`, `"questionIndex":0`)},
	{Name: "empty-is-cancel", Rule: "QUESTC-6", Says: "dismisses a questionnaire with an empty list of answers",
		say: said(func(_ *layer, r record) {
			if r.has("cancelled") {
				delete(r, "cancelled")
				r["answers"] = jsontext.Value("[]")
			}
		})},
	{Name: "silent-questions", Rule: "QUESTC-7", Says: "says nothing to a questionnaire that it cannot read",
		hear: dropped(func(r record) bool { return r.is("method", "questionnaire") && r["questions"].Kind() != '[' })},
}

var ends = []Fault{
	{Name: "fails-open", Rule: "ENDC-1", Says: "agrees when it cannot show a confirm",
		ask: func(_ context.Context, _ *layer, d protocol.Dialog, next ask) (protocol.Answer, error) {
			a, err := next()
			if _, ok := d.(*protocol.Confirm); ok && err != nil {
				return protocol.Confirmed(true), nil
			}
			return a, err
		}},
	{Name: "fails-silently", Rule: "ENDC-1", Says: "says nothing when it cannot show a dialog",
		ask: func(ctx context.Context, _ *layer, _ protocol.Dialog, next ask) (protocol.Answer, error) {
			a, err := next()
			if err != nil {
				<-ctx.Done()
			}
			return a, err
		}},
	{Name: "leaves-at-once", Rule: "ENDC-2", Says: "leaves without cancelling what is open",
		end: func(_ context.Context, s *layer, leaves bool) {
			if leaves {
				s.w.Close()
			}
		}},
	{Name: "leaves-with-yes", Rule: "ENDC-2", Says: "agrees to what is open when it leaves",
		say: said(func(_ *layer, r record) {
			if r.is("id", "d2") {
				delete(r, "cancelled")
				r["confirmed"] = yes
			}
		})},
	{Name: "stops-reading", Rule: "ENDC-3", Says: "reads nothing more once it leaves",
		end: func(_ context.Context, s *layer, leaves bool) {
			if leaves {
				s.mu.Lock()
				s.deaf = true
				s.mu.Unlock()
			}
		}},
	{Name: "hangs", Rule: "ENDC-4", Says: "waits for its dialogs when the agent has exited",
		end: func(ctx context.Context, _ *layer, leaves bool) {
			if !leaves {
				<-ctx.Done()
			}
		}},
	{Name: "hangs-when-killed", Rule: "ENDC-5", Says: "waits for its dialogs when the agent was killed",
		end: func(ctx context.Context, _ *layer, leaves bool) {
			if !leaves {
				<-ctx.Done()
			}
		}},
	{Name: "holds-input", Rule: "ENDC-6", Says: "keeps the input of an agent open that has ended its output", holdsInput: true},
}

// Faults are all of them, in the order of the rules.
var Faults = slices.Concat(framing, answers, dialogs, requests, optIns, questionnaires, ends)
