package faulty

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

func isJSON(line []byte) bool {
	return jsontext.Value(line).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// isOther reports whether a line is JSON but no object.
func isOther(line []byte) bool { return isJSON(line) && parse(line) == nil }

func framingFaults() []*Fault {
	return []*Fault{
		{Name: "keeps-the-carriage-return", Rule: "FRAME-1", Says: "takes a carriage return in front of the line feed for a part of the record",
			hear: lines(func(line []byte) bool { return bytes.HasSuffix(line, []byte("\r")) }, refuse)},
		{Name: "loses-answers-with-a-carriage-return", Rule: "FRAME-1", Says: "does not hear an answer with a carriage return in front of its line feed",
			hear: lines(func(line []byte) bool { return bytes.HasSuffix(line, []byte("\r")) && parse(line).answer() }, nil)},
		{Name: "splits-on-u2028", Rule: "FRAME-2", Says: "ends a record at U+2028",
			chunk: func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\u2028"), []byte("\n")) }},
		{Name: "splits-on-u0085", Rule: "FRAME-2", Says: "ends a record at U+0085",
			chunk: func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\u0085"), []byte("\n")) }},
		{Name: "stops-at-nul", Rule: "FRAME-2", Says: "ends a text at NUL",
			gives: func(_ *layer, e *ended) string {
				if head, _, cut := bytes.Cut(e.said.get("value"), []byte(`\u0000`)); cut {
					return string(head) + `"`
				}
				return ""
			}},
		{Name: "writes-lines-at-u2029", Rule: "FRAME-3", Says: "breaks what it writes at U+2029", say: replaced("\u2029", "\n")},
		{Name: "decodes-each-read", Rule: "FRAME-4", Says: "decodes UTF-8 one read at a time",
			chunk: func(b []byte) []byte { return bytes.ToValidUTF8(b, []byte("\uFFFD")) }},
		{Name: "takes-a-read-for-a-record", Rule: "FRAME-4", Says: "takes what comes in one read for a record",
			chunk: func(b []byte) []byte {
				if len(b) == 0 || bytes.HasSuffix(b, []byte("\n")) {
					return b
				}
				return append(b, '\n')
			}},
		{Name: "one-record-a-read", Rule: "FRAME-5", Says: "looks at the first record of each read only",
			chunk: func(b []byte) []byte {
				if i := bytes.IndexByte(b, '\n'); i >= 0 {
					return b[:i+1]
				}
				return b
			}},
		{Name: "wants-the-last-line-feed", Rule: "FRAME-6", Says: "drops a last record that no line feed ends", wantsLF: true},
	}
}

func notJSONFaults() []*Fault {
	return []*Fault{
		{Name: "silent-on-bad-json", Rule: "FRAME-7", Says: "drops what is no JSON without a word",
			hear: lines(func(line []byte) bool { return !isJSON(line) }, nil)},
		{Name: "exits-on-bad-json", Rule: "FRAME-7", Says: "ends when a line is no JSON",
			hear: lines(func(line []byte) bool { return !isJSON(line) }, func(l *layer, _ []byte) { l.exit(1) })},
		{Name: "exits-on-null", Rule: "FRAME-8", Says: "ends when a line is null",
			hear: lines(text("null"), func(l *layer, _ []byte) { l.exit(1) })},
		{Name: "silent-on-arrays", Rule: "FRAME-9", Says: "drops a line that is an array without a word", hear: lines(text("[]"), nil)},
		{Name: "answers-numbers-twice", Rule: "FRAME-9", Says: "answers a line that is a number twice",
			hear: func(l *layer, line []byte) []byte {
				if string(line) == "42" {
					l.refuse()
				}
				return line
			}},
		{Name: "takes-numbers-for-commands", Rule: "FRAME-10", Says: "takes a number for a command that it does not know",
			hear: lines(isOther, func(l *layer, _ []byte) {
				l.say(`{"type":"response","success":false,"error":"Unknown command: undefined"}`)
			})},
		{Name: "answers-blank-lines", Rule: "FRAME-11", Says: "answers a blank line as one that is no JSON",
			hear: func(l *layer, line []byte) []byte {
				if len(bytes.TrimSpace(line)) == 0 {
					l.refuse()
				}
				return line
			}},
		{Name: "last-key-wins", Rule: "FRAME-12", Says: "takes the last of two members of one name",
			hear: func(_ *layer, line []byte) []byte {
				all := parse(line)
				if all == nil {
					return line
				}
				var r record
				for _, f := range all {
					r.set(f.Name, string(f.Value))
				}
				return r.line()
			}},
		{Name: "drops-bad-utf8", Rule: "FRAME-13", Says: "drops a record with a byte that is no UTF-8",
			hear: lines(func(line []byte) bool { return !utf8.Valid(line) }, nil)},
		{Name: "ends-at-bad-utf8", Rule: "FRAME-13", Says: "ends at a byte that is no UTF-8",
			hear: lines(func(line []byte) bool { return !utf8.Valid(line) }, func(l *layer, _ []byte) { l.exit(1) })},
		{Name: "caps-what-it-reads", Rule: "FRAME-14", Says: "drops records of more than 64 KB",
			hear: lines(func(line []byte) bool { return len(line) > 64<<10 }, refuse)},
		{Name: "trims-what-it-writes", Rule: "FRAME-14", Says: "shortens texts of more than 64 KB",
			say: requests("editor", func(_ *layer, r *record) {
				if prefill := r.get("prefill"); len(prefill) > 64<<10 {
					r.set("prefill", string(prefill[:64<<10])+`"`)
				}
			})},
		{Name: "prints-to-stdout", Rule: "FRAME-15", Says: "lets an extension print to standard output",
			say: func(l *layer, line []byte) []byte {
				if parse(line).str("message") == "probe printed" {
					l.say("this is no record")
				}
				return line
			}},
		{Name: "wants-the-type-first", Rule: "FRAME-16", Says: "reads the type where it usually stands",
			hear: lines(func(line []byte) bool {
				return !bytes.HasPrefix(line, []byte(`{"type":"`)) && !bytes.HasPrefix(line, []byte(`{"id":"`))
			}, refuse)},
		{Name: "refuses-unknown-members", Rule: "FRAME-16", Says: "refuses a command with a member that it does not know",
			hear: lines(func(line []byte) bool { return parse(line).has("color") }, refuse)},
		{Name: "writes-carriage-returns", Rule: "FRAME-17", Says: "ends what it writes with a carriage return and a line feed",
			say: func(_ *layer, line []byte) []byte { return append(line, '\r') }},
		{Name: "writes-dialogs-with-carriage-returns", Rule: "FRAME-17", Says: "writes a carriage return behind its dialogs",
			say: func(_ *layer, line []byte) []byte {
				if parse(line).dialog() {
					return append(line, '\r')
				}
				return line
			}},
	}
}
