package protocol

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// literal holds the members of a dialog that are written as they are.
type literal []Field

// memberNames are the members that each method has besides its envelope.
var memberNames = map[Method][]string{
	MethodSelect:  {"title", "options", "timeout"},
	MethodConfirm: {"title", "message", "timeout"},
	MethodInput:   {"title", "placeholder", "timeout"},
	MethodEditor:  {"title", "prefill", "timeout"},
}

// Literal returns a copy of d that is written with the values of members in place of
// its own: any JSON values, in the places that the documents give to members of
// these names, and a member whose Value is nil not at all. The fields of d still say
// how the agent's end understands the dialog, such as which texts choose an option.
//
// It is for an agent whose extensions are written in a language without types: pi
// passes on whatever they give. A client need not understand the result, and the one
// of this module does not; it is told which member is wrong.
//
// d is a *[Select], *[Confirm], *[Input] or *[Editor], and members are among "title",
// "options", "message", "placeholder", "prefill" and "timeout", as far as d has them.
// Anything else is an error, and so is a value that is not JSON.
func Literal(d Dialog, members ...Field) (Dialog, error) {
	for _, m := range members {
		if !slices.Contains(memberNames[d.Method()], m.Name) {
			return nil, fmt.Errorf("write a %s request with a value for %s: it has no such member", d.Method(), shorten(m.Name))
		}
		if m.Value == nil {
			continue
		}
		if err := validate(m.Value); err != nil {
			return nil, fmt.Errorf("write a %s request with %s for %s: %w", d.Method(), shorten(m.Value), m.Name, err)
		}
	}
	switch d := d.(type) {
	case *Select:
		c := *d
		c.literal = members
		return &c, nil
	case *Confirm:
		c := *d
		c.literal = members
		return &c, nil
	case *Input:
		c := *d
		c.literal = members
		return &c, nil
	case *Editor:
		c := *d
		c.literal = members
		return &c, nil
	}
	return d, nil // a questionnaire, and no members
}

// literally writes the member of that name if a literal takes its place.
func (e *encoder) literally(name string) bool {
	for _, m := range e.literal {
		if m.Name == name {
			if m.Value != nil {
				e.key(name)
				e.dst = appendRaw(e.dst, jsontext.Value(m.Value))
			}
			return true
		}
	}
	return false
}
