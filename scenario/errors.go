package scenario

import (
	"errors"
	"fmt"
)

// Pos is a place in a scenario file; both numbers count from 1.
type Pos struct{ Line, Column int }

// ErrSyntax is matched by every error about what a scenario file says, in contrast
// to those about reading it.
var ErrSyntax = errors.New("not a scenario")

// SyntaxError is one mistake in a scenario file. It matches [ErrSyntax].
type SyntaxError struct {
	File string
	Pos
	Field string // its path, such as "steps[2].agent.options"; may be empty
	Value string // what stands there, shortened; "" if it is missing
	Want  string // what is wrong with it, or what should stand there
}

// Error is "file:line:column: field: want (got value)".
func (e *SyntaxError) Error() string {
	s := fmt.Sprintf("%s:%d:%d: ", e.File, e.Line, e.Column)
	if e.Field != "" {
		s += e.Field + ": "
	}
	s += e.Want
	if e.Value != "" {
		s += " (got " + e.Value + ")"
	}
	return s
}

// Is reports whether target is [ErrSyntax].
func (e *SyntaxError) Is(target error) bool { return target == ErrSyntax }
