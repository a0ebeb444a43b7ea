package policy

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"extui/internal/yamlfile"
	"extui/protocol"
)

// kind is what a value of the file is.
type kind = yamlfile.Kind

const (
	object = yamlfile.Map
	array  = yamlfile.List
	text   = yamlfile.Text
	number = yamlfile.Number
	truth  = yamlfile.Truth
	null   = yamlfile.Null
)

// value is one value of the file and where it stands.
type value struct {
	kind    kind
	text    string // of a text, number or truth
	members []member
	items   []value
	at      Pos
	block   bool // a text of several lines, which begins in the line below at
	quoted  bool // a text in quotes, whose first character is behind at
}

type member struct {
	name  string
	value value
	at    Pos
}

func (v value) get(name string) (value, bool) {
	for _, m := range v.members {
		if m.name == name {
			return m.value, true
		}
	}
	return value{}, false
}

// short is v for a message.
func (v value) short() string {
	switch v.kind {
	case text:
		return short(v.text)
	case number, truth, null:
		return v.text
	}
	return string(v.kind)
}

// short quotes a text for a message, and cuts one that would hide the rest.
func short(s string) string {
	const limit = 80
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return string(protocol.AppendString(nil, s))
}

const maxNodes = 100_000

// readYAML returns the one document of a YAML text.
func readYAML(source []byte, f *faults) (v value, ok bool) {
	if !utf8.Valid(source) {
		f.add(Pos{1, 1}, "", "", "not UTF-8")
		return value{}, false
	}
	if line, ok := directive(source); ok {
		f.add(Pos{line, 1}, "", "", "no directives (%%): a policy is read as YAML 1.2, and means the same to everybody")
		return value{}, false
	}
	tree, ok := yamlfile.Read(source, yamlfile.Options{
		Kind: "policy", MaxValues: maxNodes,
		Report: func(at yamlfile.Pos, field, got, want string) { f.add(Pos(at), field, got, "%s", want) },
		// That is what an escape for half a character becomes, and a rule must not mean
		// another text than the one that was written.
		Text: func(at yamlfile.Pos, field, s string) {
			if strings.ContainsRune(s, utf8.RuneError) {
				f.add(Pos(at), field, short(s), "a text with U+FFFD, which stands for what cannot be written")
			}
		},
	})
	return fromTree(tree), ok && len(f.all) == 0
}

func fromTree(t yamlfile.Value) value {
	v := value{kind: t.Kind, text: t.Text, at: Pos(t.At), block: t.Block, quoted: t.Quoted}
	if t.Kind == null {
		v.text = "null"
	}
	for _, m := range t.Members {
		v.members = append(v.members, member{m.Name, fromTree(m.Value), Pos(m.At)})
	}
	for _, item := range t.Items {
		v.items = append(v.items, fromTree(item))
	}
	return v
}

// directive finds a line such as %YAML 1.1, by which other words would be true or false.
// It can only stand above the document.
func directive(source []byte) (line int, ok bool) {
	for l := range bytes.Lines(yamlfile.Unified(source)) {
		line++
		if l[0] == '%' {
			return line, true
		}
		if l = bytes.TrimSpace(l); len(l) > 0 && l[0] != '#' {
			break
		}
	}
	return 0, false
}
