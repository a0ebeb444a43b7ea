package policy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Pos is a place in a policy file; both numbers count from 1, columns in characters.
type Pos struct{ Line, Column int }

// ErrSyntax is matched by every error about what a policy file says, in contrast to
// those about reading it.
var ErrSyntax = errors.New("not a policy")

// ErrNobody is why a dialog that should be asked is cancelled: there is no next front end.
// One whose person has left, such as at the end of its input, returns an error that matches
// it from its Ask, and the dialog counts as one that nobody was asked: [NoRule], [ByNobody].
var ErrNobody = errors.New("there is nobody to ask")

// SyntaxError is one mistake in a policy file. It matches [ErrSyntax].
type SyntaxError struct {
	File string
	Pos
	Field string // its path, such as "rules[2].when.title"; may be empty
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

// Warning is something in a policy file that works, but perhaps not as it was meant:
// above all a rule that approves more than it seems to.
type Warning struct {
	File string
	Pos
	Field string // as in [SyntaxError]
	Text  string // a sentence without its full stop
}

// String is "file:line:column: warning: field: text".
func (w Warning) String() string {
	return fmt.Sprintf("%s:%d:%d: warning: %s: %s", w.File, w.Line, w.Column, w.Field, w.Text)
}

// faults collects what is wrong with a file.
type faults struct {
	file string
	all  []*SyntaxError
}

func (f *faults) add(at Pos, where, got, format string, args ...any) {
	f.all = append(f.all, &SyntaxError{f.file, at, where, got, fmt.Sprintf(format, args...)})
}

// err is all of them in the order of the file. What is wrong with an anchor is wrong
// wherever it is used, and said once.
func (f *faults) err() error {
	slices.SortStableFunc(f.all, func(a, b *SyntaxError) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column)
	})
	var errs []error
	for i, e := range f.all {
		if !slices.ContainsFunc(f.all[:i], func(b *SyntaxError) bool { return b.Pos == e.Pos && b.Want == e.Want && b.Value == e.Value }) {
			errs = append(errs, e)
		}
	}
	return errors.Join(errs...)
}
