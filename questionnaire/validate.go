package questionnaire

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
)

// The limits on what an author may ask. Characters are Unicode code points.
const (
	MaxQuestions   = 4
	MinOptions     = 2
	MaxOptions     = 4
	MaxHeaderChars = 16
	MaxLabelChars  = 60
)

// Rows that a client adds by itself. An author's option must not bear such a
// label, or nobody could tell the two apart.
const (
	LabelCustom = "Type something."
	LabelChat   = "Chat about this"
	LabelNext   = "Next"
	labelOther  = "Other" // what models reach for instead of LabelCustom
)

var reserved = []string{labelOther, LabelCustom, LabelChat, LabelNext}

// QuestionError says what is wrong with the questions of a call.
type QuestionError struct {
	Code  Code   // such as [CodeReservedLabel]
	Field string // its path, such as "questions[0].options[1].label"
	Value string // what stands there, as JSON; "" if nothing does
	Want  string // what should
}

func (e *QuestionError) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("%s is missing, want %s", e.Field, e.Want)
	}
	return fmt.Sprintf("%s is %s, want %s", e.Field, e.Value, e.Want)
}

// Validate checks questions against the rules for authors. All that is wrong is
// reported, as joined [*QuestionError]s, so that a model can mend it in one go.
func Validate(questions []protocol.Question) error {
	var errs []error
	bad := func(code Code, field, value, want string) {
		errs = append(errs, &QuestionError{code, field, value, want})
	}
	quote := func(s string) string { return string(protocol.AppendString(nil, s)) }
	if n := len(questions); n == 0 {
		bad(CodeNoQuestions, "questions", "an array of 0", "1 to 4 questions")
	} else if n > MaxQuestions {
		bad(CodeTooManyQuestions, "questions", fmt.Sprintf("an array of %d", n), "1 to 4 questions")
	}
	for i, q := range questions {
		at := fmt.Sprintf("questions[%d]", i)
		if !visible(q.Question) {
			bad(CodeInvalidQuestion, at+".question", quote(q.Question), "a question that can be seen")
		}
		if slices.ContainsFunc(questions[:i], func(p protocol.Question) bool { return p.Question == q.Question }) {
			bad(CodeDuplicateQuestion, at+".question", quote(q.Question), "a text that no other question has")
		}
		if n := utf8.RuneCountInString(q.Header); n > MaxHeaderChars {
			bad(CodeHeaderTooLong, at+".header", quote(q.Header), fmt.Sprintf("at most %d characters, not %d", MaxHeaderChars, n))
		}
		if n := len(q.Options); n < MinOptions || n > MaxOptions {
			bad(CodeOptionCount, at+".options", fmt.Sprintf("an array of %d", n), "2 to 4 options")
		}
		for j, o := range q.Options {
			field := fmt.Sprintf("%s.options[%d].label", at, j)
			switch n := utf8.RuneCountInString(o.Label); {
			case !visible(o.Label):
				bad(CodeInvalidQuestion, field, quote(o.Label), "a label that can be seen")
			case n > MaxLabelChars:
				bad(CodeLabelTooLong, field, quote(o.Label), fmt.Sprintf("at most %d characters, not %d", MaxLabelChars, n))
			}
			if slices.Contains(reserved, o.Label) {
				bad(CodeReservedLabel, field, quote(o.Label), `another label: "`+strings.Join(reserved, `", "`)+`" are the client's own`)
			}
			if slices.ContainsFunc(q.Options[:j], func(p protocol.QuestionOption) bool { return p.Label == o.Label }) {
				bad(CodeDuplicateLabel, field, quote(o.Label), "a label that no other option of the question has")
			}
		}
	}
	return errors.Join(errs...)
}

// visible reports whether a text shows anything: a row of nothing can be chosen by
// mistake.
func visible(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.Is(unicode.C, r)
	})
}

// Parse reads the tool's input, {"questions":[…]}, and validates it. Errors are
// [*QuestionError]s, possibly joined, or say that the input is no JSON object.
func Parse(input jsontext.Value) ([]protocol.Question, error) {
	// A request decodes the same members, but more tolerantly than a model
	// should be treated: it may as well be told what it forgot.
	var present struct {
		Questions []struct {
			Header  *jsontext.Value `json:"header"`
			Options []struct {
				Description *jsontext.Value `json:"description"`
			} `json:"options"`
		} `json:"questions"`
	}
	record, err := asRequest(input)
	if err != nil {
		return nil, err
	}
	r, err := protocol.DecodeRequest(record)
	if fe, ok := errors.AsType[*protocol.FieldError](err); ok {
		return nil, &QuestionError{CodeInvalidQuestion, fe.Field, fe.Value, fe.Want}
	}
	if err != nil {
		return nil, fmt.Errorf("read the input of %s: %w", ToolName, err)
	}
	if err := json.Unmarshal(record, &present, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, fmt.Errorf("read the input of %s: %w", ToolName, err)
	}
	var missing []error
	for i, q := range present.Questions {
		if q.Header == nil {
			missing = append(missing, &QuestionError{CodeInvalidQuestion, fmt.Sprintf("questions[%d].header", i), "", "a string"})
		}
		for j, o := range q.Options {
			if o.Description == nil {
				missing = append(missing, &QuestionError{CodeInvalidQuestion, fmt.Sprintf("questions[%d].options[%d].description", i, j), "", "a string"})
			}
		}
	}
	questions := r.(*protocol.Questionnaire).Questions
	return questions, errors.Join(append(missing, Validate(questions))...)
}

// asRequest puts the questions of the input into a questionnaire request. Other
// members of the input are left out, for a model must not set the envelope.
func asRequest(input jsontext.Value) ([]byte, error) {
	if len(bytes.TrimSpace(input)) == 0 {
		input = jsontext.Value("{}")
	}
	if input.Kind() != '{' {
		return nil, &QuestionError{CodeInvalidQuestion, "input", string(input), "an object with questions"}
	}
	c, err := protocol.DecodeCommand(input)
	if err != nil {
		return nil, fmt.Errorf("read the input of %s: %w", ToolName, err)
	}
	record := append([]byte(nil), `{"type":"extension_ui_request","id":"","method":"questionnaire"`...)
	if v, ok := c.Raw("questions"); ok {
		record = append(append(record, `,"questions":`...), v...)
	}
	return append(record, '}'), nil
}
