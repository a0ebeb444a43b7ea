package faulty

import (
	"bytes"
	"unicode/utf8"
)

var framing = []Fault{
	{Name: "crlf", Rule: "FRAMEC-1", Says: "does not hear a record with CR before its LF",
		hear: func(_ *layer, line []byte) []byte {
			if bytes.HasSuffix(line, []byte("\r")) {
				return nil
			}
			return line
		}},
	{Name: "blank-ends", Rule: "FRAMEC-2", Says: "takes a blank line for the end",
		hear: dies(func(_ *layer, line []byte) bool { return len(bytes.TrimSpace(line)) == 0 })},
	{Name: "unicode-lines", Rule: "FRAMEC-3", Says: "ends lines as Unicode does",
		chunk: func(b []byte) []byte {
			for _, end := range []string{"\u2028", "\u2029", "\u0085"} {
				b = bytes.ReplaceAll(b, []byte(end), []byte("\n"))
			}
			return b
		}},
	{Name: "decodes-reads", Rule: "FRAMEC-4", Says: "decodes each read by itself", chunk: replaced},
	{Name: "whole-reads", Rule: "FRAMEC-4", Says: "takes each read for a line", chunk: func(b []byte) []byte {
		if len(b) > 0 && !bytes.HasSuffix(b, []byte("\n")) {
			b = append(bytes.Clone(b), '\n')
		}
		return b
	}},
	{Name: "garbage-ends", Rule: "FRAMEC-5", Says: "gives up at a line that is no JSON",
		hear: dies(func(_ *layer, line []byte) bool {
			return len(bytes.TrimSpace(line)) > 0 && bytes.TrimSpace(line)[0] != '[' && parse(line) == nil
		})},
	{Name: "null-ends", Rule: "FRAMEC-6", Says: "gives up at the line null",
		hear: dies(func(_ *layer, line []byte) bool { return string(line) == "null" })},
	{Name: "lists-too", Rule: "FRAMEC-6", Says: "takes a list of records for records",
		hear: func(_ *layer, line []byte) []byte {
			if bytes.HasPrefix(line, []byte("[{")) {
				return bytes.Trim(line, "[]")
			}
			return line
		}},
	{Name: "wants-last-lf", Rule: "FRAMEC-7", Says: "drops the last record if no LF ends it",
		hear: func(_ *layer, line []byte) []byte { return line }, wantsLF: true},
	{Name: "small-lines", Rule: "FRAMEC-8", Says: "gives up at a line of more than 64 KiB",
		hear: dies(func(_ *layer, line []byte) bool { return len(line) > 64<<10 })},
	{Name: "last-wins", Rule: "FRAMEC-9", Says: "takes the last of two members of one name",
		hear: func(_ *layer, line []byte) []byte {
			if r := parse(line); r != nil {
				return r.line()
			}
			return line
		}},
	{Name: "strict-utf8", Rule: "FRAMEC-10", Says: "does not hear what is no UTF-8",
		hear: func(_ *layer, line []byte) []byte {
			if !utf8.Valid(line) {
				return nil
			}
			return line
		}},
	{Name: "one-a-read", Rule: "FRAMEC-11", Says: "hears only the first record of each read",
		chunk: func(b []byte) []byte {
			if i := bytes.IndexByte(b, '\n'); i >= 0 {
				return b[:i+1]
			}
			return b
		}},
	{Name: "banner-ends", Rule: "FRAMEC-12", Says: "gives up if the first line is no record",
		hear: dies(func(s *layer, line []byte) bool {
			s.n++
			return s.n == 1 && parse(line) == nil && bytes.HasPrefix(line, []byte("("))
		})},
	{Name: "no-blanks", Rule: "FRAMEC-13", Says: "knows records by how they begin",
		hear: func(_ *layer, line []byte) []byte {
			if bytes.HasPrefix(line, []byte(" ")) {
				return nil
			}
			return line
		}},
	{Name: "raw-breaks", Rule: "FRAMEC-14", Says: "writes the line breaks of a text as they are",
		say: func(_ *layer, line []byte) []byte { return bytes.ReplaceAll(line, []byte(`\n`), []byte("\n")) }},
	{Name: "type-first", Rule: "FRAMEC-15", Says: "wants the type to stand first",
		hear: func(_ *layer, line []byte) []byte {
			if parse(line).request() && !bytes.HasPrefix(bytes.TrimSpace(line), []byte(`{"type"`)) && bytes.HasPrefix(line, []byte("{")) && !bytes.HasPrefix(line, []byte("{\t")) {
				return nil
			}
			return line
		}},
	{Name: "carriage-returns", Rule: "FRAMEC-16", Says: "ends what it writes with a carriage return and a line feed",
		say: func(_ *layer, line []byte) []byte { return append(bytes.Clone(line), '\r') }},
}
