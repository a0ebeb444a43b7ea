package protocol

import (
	"errors"
	"fmt"
)

// ErrNotObject matches the errors of records that are not one JSON object:
// broken JSON, an object that has a key twice, or a value such as null or 42.
var ErrNotObject = errors.New("not a JSON object")

// FieldError says which field of a record is not as the protocol has it.
type FieldError struct {
	Record string // what was read, such as "select request"
	Field  string // its path, such as "options[2].label"
	Value  string // the JSON text of what stood there, shortened; "" if it was missing
	Want   string // what should stand there
}

func (e *FieldError) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("%s: field %q is missing, want %s", e.Record, e.Field, e.Want)
	}
	return fmt.Sprintf("%s: field %q is %s, want %s", e.Record, e.Field, e.Value, e.Want)
}

// AnswerError says why an answer does not fit its dialog. Such an answer is
// never taken for one that does: treat it as no answer.
type AnswerError struct {
	Method Method
	ID     ID
	Field  string // the response's field, such as "value" or "answers[1].kind"
	Value  string // the JSON text of what stood there, shortened; "" if it was missing
	Want   string // what would have been an answer
}

func (e *AnswerError) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("answer to %s %s: field %q is missing, want %s", e.Method, shorten(e.ID.String()), e.Field, e.Want)
	}
	return fmt.Sprintf("answer to %s %s: field %q is %s, want %s", e.Method, shorten(e.ID.String()), e.Field, e.Value, e.Want)
}
