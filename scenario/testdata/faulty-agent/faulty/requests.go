package faulty

import (
	"slices"
	"strings"

	"extui/protocol"
)

func requestFaults() []*Fault {
	return []*Fault{
		{Name: "id-is-a-number", Rule: "REQUEST-1", Says: "numbers its requests with numbers",
			say: requests("", member("id", "17"))},
		{Name: "confirm-has-a-text", Rule: "REQUEST-1", Says: "calls the message of a confirm text",
			say: requests("confirm", func(_ *layer, r *record) { r.rename("message", "text") })},
		{Name: "timeout-in-seconds", Rule: "REQUEST-1", Says: "writes a timeout in seconds",
			say: requests("", func(_ *layer, r *record) {
				if r.is("timeout", "600000") {
					r.set("timeout", "600")
				}
			})},
		{Name: "input-has-a-message", Rule: "REQUEST-1", Says: "writes the placeholder of an input as a message too",
			say: requests("input", func(_ *layer, r *record) { r.set("message", string(r.get("placeholder"))) })},
		{Name: "writes-null-for-absent", Rule: "REQUEST-2", Says: "writes null for what an extension has not given",
			say: requests("confirm", func(_ *layer, r *record) {
				if !r.has("message") {
					r.set("message", "null")
				}
			})},
		{Name: "writes-empty-for-absent", Rule: "REQUEST-2", Says: "writes an empty text for what an extension has not given",
			say: requests("editor", func(_ *layer, r *record) {
				if !r.has("prefill") {
					r.set("prefill", `""`)
				}
			})},
		{Name: "one-id-for-updates", Rule: "REQUEST-3", Says: "gives all updates one id",
			say: records(func(r record) bool { return r.request("") && !r.dialog() }, member("id", `"update"`))},
		{Name: "escapes-for-html", Rule: "REQUEST-4", Says: "escapes characters for HTML", say: replaced("<", `\u003c`)},
		{Name: "writes-blanks", Rule: "REQUEST-4", Says: "writes blanks behind colons", say: replaced(`":"`, `": "`)},
		{Name: "sorts-members", Rule: "REQUEST-4", Says: "writes members in the order of their names",
			say: records(func(record) bool { return true }, func(_ *layer, r *record) {
				slices.SortFunc(*r, func(a, b protocol.Field) int { return strings.Compare(a.Name, b.Name) })
			})},
		{Name: "writes-all-options", Rule: "REQUEST-5", Says: "writes every option of a dialog into its request",
			asks: func(d protocol.Dialog, given value) {
				if s, ok := d.(*protocol.Select); ok && given.fields.has("color") {
					s.Extra = protocol.Extra{{Name: "color", Value: given.fields.get("color")}}
				}
			}},
		{Name: "drops-doubles", Rule: "REQUEST-6", Says: "offers each text once",
			asks: func(d protocol.Dialog, _ value) {
				if s, ok := d.(*protocol.Select); ok {
					s.Options = slices.CompactFunc(s.Options, func(a, b protocol.Option) bool { return a.Label == b.Label })
				}
			}},
		{Name: "writes-no-empty-list", Rule: "REQUEST-6", Says: "leaves an empty list of options out",
			say: requests("select", func(_ *layer, r *record) {
				if r.is("options", "[]") {
					r.del("options")
				}
			})},
		{Name: "cleans-titles", Rule: "REQUEST-7", Says: "takes escape sequences out of titles",
			asks: func(d protocol.Dialog, _ value) {
				if s, ok := d.(*protocol.Select); ok {
					s.Title = strings.ReplaceAll(s.Title, "\x1b", "")
				}
			}},
		{Name: "trims-options", Rule: "REQUEST-7", Says: "trims the options that it offers",
			asks: func(d protocol.Dialog, _ value) {
				if s, ok := d.(*protocol.Select); ok {
					for i := range s.Options {
						s.Options[i].Label = strings.TrimSpace(s.Options[i].Label)
					}
				}
			}},
		{Name: "writes-half-pairs", Rule: "REQUEST-9", Says: "writes the bytes of half a surrogate pair", say: replaced(`\ud83d`, "\xed\xa0\xbd")},
		{Name: "replaces-half-pairs", Rule: "REQUEST-8", Says: "writes U+FFFD for half of a surrogate pair",
			say: requests("select", func(_ *layer, r *record) {
				r.set("options", strings.ReplaceAll(string(r.get("options")), `\ud83d`, "\uFFFD"))
			})},
		{Name: "reads-no-half-pairs", Rule: "REQUEST-8", Says: "reads U+FFFD for half of a surrogate pair",
			hear: replaced(`\ud83d`, "\uFFFD")},
	}
}
