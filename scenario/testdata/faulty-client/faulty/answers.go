package faulty

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
)

var yes = jsontext.Value("true")

var answers = []Fault{
	{Name: "value-for-confirm", Rule: "ANSWER-1", Says: "answers a confirm with value",
		say: said(func(_ *layer, r record) {
			if r.has("confirmed") {
				r["value"] = r["confirmed"]
				delete(r, "confirmed")
			}
		})},
	{Name: "no-is-cancel", Rule: "ANSWER-2", Says: "sends a no as a cancellation",
		say: said(func(_ *layer, r record) {
			if string(r["confirmed"]) == "false" {
				delete(r, "confirmed")
				r["cancelled"] = yes
			}
		})},
	{Name: "no-is-yes", Rule: "ANSWER-2", Says: "sends a no as a yes",
		say: said(func(_ *layer, r record) {
			if r.has("confirmed") {
				r["confirmed"] = yes
			}
		})},
	{Name: "index", Rule: "ANSWER-3", Says: "answers a select with the index of the option",
		say: said(func(_ *layer, r record) {
			if r.is("value", "Block") {
				r["value"] = jsontext.Value("1")
			}
		})},
	{Name: "text-member", Rule: "ANSWER-4", Says: "sends what was typed as text",
		say: said(func(_ *layer, r record) {
			if r.has("value") {
				r["text"] = r["value"]
				delete(r, "value")
			}
		})},
	{Name: "one-line", Rule: "ANSWER-5", Says: "sends line breaks as blanks",
		say: text(func(s string) string { return strings.ReplaceAll(s, "\n", " ") })},
	{Name: "empty-cancels", Rule: "ANSWER-6", Says: "takes an empty text for a cancellation",
		ask: func(_ context.Context, _ *layer, _ protocol.Dialog, next ask) (protocol.Answer, error) {
			a, err := next()
			if a == protocol.Answer(protocol.Value("")) {
				return protocol.Cancelled{}, nil
			}
			return a, err
		}},
	{Name: "null-cancels", Rule: "ANSWER-7", Says: "cancels with the value null",
		say: said(func(_ *layer, r record) {
			if r.has("cancelled") {
				delete(r, "cancelled")
				r["value"] = jsontext.Value("null")
			}
		})},
	{Name: "trims", Rule: "ANSWER-8", Says: "takes the blanks from an option", say: text(strings.TrimSpace)},
	{Name: "no-halves", Rule: "ANSWER-9", Says: "replaces half a surrogate pair",
		say: func(_ *layer, line []byte) []byte { return bytes.ReplaceAll(line, []byte(`\ud83d`), []byte("\uFFFD")) }},
	{Name: "utf8", Rule: "ANSWER-10", Says: "replaces what is no UTF-8",
		say: func(_ *layer, line []byte) []byte { return replaced(line) }},
	{Name: "visible", Rule: "ANSWER-11", Says: "answers with an option as it was shown, without control characters",
		say: text(func(s string) string {
			return strings.Map(func(r rune) rune {
				if unicode.IsControl(r) {
					return -1
				}
				return r
			}, s)
		})},
	{Name: "object-text", Rule: "ANSWER-12", Says: "shows an option that is an object as [object Object]",
		hear: heard(func(_ *layer, r record) {
			r["options"] = bytes.ReplaceAll(r["options"], []byte(`{"label":"Fast","description":"no tests"}`), []byte(`"[object Object]"`))
		})},
	{Name: "labels", Rule: "ANSWER-13", Says: "answers with the label of an option that has a value",
		hear: heard(func(_ *layer, r record) {
			r["options"] = bytes.ReplaceAll(r["options"], []byte(`"value"`), []byte(`"other"`))
		})},
	{Name: "no-twins", Rule: "ANSWER-14", Says: "cancels a select with the same option twice",
		ask: func(_ context.Context, _ *layer, d protocol.Dialog, next ask) (protocol.Answer, error) {
			if s, ok := d.(*protocol.Select); ok {
				for i, o := range s.Options {
					if slices.ContainsFunc(s.Options[:i], func(p protocol.Option) bool { return p.Label == o.Label }) {
						return protocol.Cancelled{}, nil
					}
				}
			}
			return next()
		}},
	{Name: "numbers", Rule: "ANSWER-15", Says: "sends what looks like a number as one",
		say: said(func(_ *layer, r record) {
			if _, err := strconv.Atoi(r.str("value")); err == nil {
				r["value"] = jsontext.Value(r.str("value"))
			}
		})},
	{Name: "twice", Rule: "ANSWER-16", Says: "sends each answer twice",
		say: func(_ *layer, line []byte) []byte {
			if parse(line).answer() {
				return bytes.Join([][]byte{line, line}, []byte("\n"))
			}
			return line
		}},
	{Name: "text-ids", Rule: "ANSWER-17", Says: "makes a text of an id that is a number",
		say: said(func(_ *layer, r record) {
			if r["id"].Kind() == '0' {
				r["id"] = quote(string(r["id"]))
			}
		})},
	{Name: "scalar-ids", Rule: "ANSWER-18", Says: "makes a text of an id that is an object",
		say: said(func(_ *layer, r record) {
			if r["id"].Kind() == '{' {
				r["id"] = quote("[object Object]")
			}
		})},
	{Name: "empty-id", Rule: "ANSWER-18", Says: "does not hear a dialog whose id is empty",
		hear: dropped(func(r record) bool { return r.request() && r.is("id", "") })},
	{Name: "float-ids", Rule: "ANSWER-19", Says: "keeps an id that is a number as floating point",
		say: said(func(_ *layer, r record) {
			if f, err := strconv.ParseFloat(string(r["id"]), 64); err == nil {
				r["id"] = jsontext.Value(strconv.FormatFloat(f, 'f', -1, 64))
			}
		})},
	{Name: "null-id", Rule: "ANSWER-20", Says: "takes an id that is null for none",
		hear: dropped(func(r record) bool { return r.request() && string(r["id"]) == "null" })},
	{Name: "composes", Rule: "ANSWER-21", Says: "composes the characters of an answer", say: text(strings.NewReplacer("e\u0301", "\u00e9").Replace)},
	{Name: "one-form", Rule: "ANSWER-21", Says: "replaces characters of an answer by those that look like them", say: text(strings.NewReplacer("\u212b", "\u00c5", "\ufb01", "fi").Replace)},
	{Name: "uuid-ids", Rule: "ANSWER-22", Says: "cuts ids to the length of a UUID", say: ids(func(id string) string { return id[:min(36, len(id))] })},
	{Name: "trims-ids", Rule: "ANSWER-22", Says: "takes the blanks from an id", say: ids(strings.TrimSpace)},
	{Name: "small-ids", Rule: "ANSWER-22", Says: "writes ids in small letters", say: ids(strings.ToLower)},
}

// ids spoils the ids of answers that are texts.
func ids(f func(string) string) func(*layer, []byte) []byte {
	return said(func(_ *layer, r record) {
		if r["id"].Kind() == '"' {
			r["id"] = quote(f(r.str("id")))
		}
	})
}
