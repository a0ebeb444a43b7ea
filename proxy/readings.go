package proxy

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"extui/protocol"
)

// Readers of JSON differ where a record is not quite clean: JavaScript takes the last
// of two members of one name, others the first, those of Go do not mind the case of a
// name, and more than one goes on behind a record. Whether another end could take a
// line for a record of a certain type is decided here for all of them together.

// marked is a type that must not pass unseen.
type marked struct {
	name   string
	quoted []byte
	// tail is the end of quoted from a rare letter on, for which a line is searched many
	// times as fast. No underscore is in it.
	tail []byte
}

func mark(name string, tail int) marked {
	quoted := []byte(`"` + name + `"`)
	return marked{name, quoted, quoted[1+tail:]}
}

var (
	requests  = mark(protocol.TypeRequest, len("extension_ui_re"))
	responses = mark(protocol.TypeResponse, len("extension_ui_res"))
	chunks    = mark(typeChunk, len("rpc_c"))
)

// in reports whether some reader may take a line, or what follows a line end in it, for a
// record of the type. It errs on the side of yes for what is no clean record.
func (m *marked) in(line []byte) bool {
	if text := legible(line); len(text) < len(line) && m.in(text) {
		return true
	}
	if !bytes.Contains(line, m.tail) && !escapesLetters(line) || !bytes.Contains(line, m.quoted) && !bytes.Contains(withLetters(line), m.quoted) {
		return false
	}
	if severed(line) {
		return true
	}
	// Any object, read strictly: what has a member twice, at any depth, is none.
	c, err := protocol.DecodeCommand(line)
	if err != nil || c.Type == m.name {
		return true
	}
	for _, f := range c.Fields {
		if strings.EqualFold(f.Name, "type") && f.Value.Kind() == '"' {
			if typ, err := protocol.Unquote(f.Value); err != nil || typ == m.name {
				return true
			}
		}
	}
	return false
}

// severed reports whether a carriage return stands in a record, as JSON allows between its
// values. Readers of text take it for the end of a line, and what follows for a record.
func severed(record []byte) bool {
	record = bytes.TrimSuffix(record, []byte{'\n'})
	return bytes.IndexByte(bytes.TrimSuffix(record, []byte{'\r'}), '\r') >= 0
}

// legible is a line without the bytes that some readers skip: those that are no UTF-8, and
// zeros, which leave of UTF-16 and UTF-32 what they have of ASCII.
func legible(line []byte) []byte {
	if bytes.IndexByte(line, 0) >= 0 {
		line = bytes.ReplaceAll(line, []byte{0}, nil)
	}
	if !utf8.Valid(line) {
		line = bytes.ToValidUTF8(line, nil)
	}
	return line
}

var escape, escape6, escape7 = []byte(`\u00`), []byte(`\u006`), []byte(`\u007`)

// escapesLetters reports whether a small letter is written as an escape, which no agent
// or client does. Escapes of control characters are in all that programs print.
func escapesLetters(line []byte) bool {
	i := bytes.Index(line, escape)
	return i >= 0 && (bytes.Contains(line[i:], escape6) || bytes.Contains(line[i:], escape7))
}

// withLetters returns a line with the letters and underscores that stand in it as
// escapes.
func withLetters(line []byte) []byte {
	out := make([]byte, 0, len(line))
	for {
		i := bytes.Index(line, escape)
		if i < 0 {
			return append(out, line...)
		}
		out = append(out, line[:i]...)
		line = line[i:]
		if c, ok := letter(line); ok {
			out, line = append(out, c), line[len(escape)+2:]
		} else {
			out, line = append(out, line[:len(escape)]...), line[len(escape):]
		}
	}
}

// letter is the character that an escape at the beginning of b stands for, if it may be
// in the name of a type.
func letter(b []byte) (c byte, ok bool) {
	if len(b) < len(escape)+2 {
		return 0, false
	}
	for _, d := range b[len(escape) : len(escape)+2] {
		switch {
		case '0' <= d && d <= '9':
			d -= '0'
		case 'a' <= d|0x20 && d|0x20 <= 'f':
			d = (d | 0x20) - 'a' + 10
		default:
			return 0, false
		}
		c = c<<4 | d
	}
	return c, c == '_' || 'a' <= c && c <= 'z'
}

// unclear reports whether a record has twofold members, as it is or as some readers see it.
func unclear(record []byte) bool {
	text := legible(record)
	return twofold(record) || len(text) < len(record) && twofold(text)
}

// twofold reports whether two members of a record differ in case alone, so that readers
// that do not mind it take one for the other. The record is a valid one.
func twofold(record []byte) bool {
	c, err := protocol.DecodeCommand(record)
	if err != nil {
		return true
	}
	seen := map[string]bool{"type": true, "id": true}
	for _, f := range c.Fields {
		name := protocol.FoldName(f.Name)
		if seen[name] {
			return true
		}
		seen[name] = true
	}
	return false
}
