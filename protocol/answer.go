package protocol

// Answer is what a person, or a rule, decided: a response without its
// envelope. It is a [Value], [Confirmed], [Answers] or [Cancelled]; no other
// type can be one.
type Answer interface{ isAnswer() }

// Value answers a select with the text of an option ([Option.Answer]), an input
// or an editor with what was typed. The empty string is an answer.
type Value string

// Confirmed answers a confirm. Only true is consent.
type Confirmed bool

// Answers answers a questionnaire: at most one answer a question, and none for
// a question that was left open. Empty is an answer as well: nothing was chosen.
type Answers []QuestionAnswer

// Cancelled dismisses any dialog.
type Cancelled struct {
	// TimedOut says that time ran out rather than that a person declined. Only
	// oh-my-pi has a field for it.
	TimedOut bool
}

func (Value) isAnswer()     {}
func (Confirmed) isAnswer() {}
func (Answers) isAnswer()   {}
func (Cancelled) isAnswer() {}

// AnswerKind says what a person chose for one question.
type AnswerKind string

// The kinds of section "questionnaire".
const (
	KindOption AnswerKind = "option" // Answer is the label of an option
	KindMulti  AnswerKind = "multi"  // Selected holds labels; Answer is nil
	KindCustom AnswerKind = "custom" // Answer is a text typed instead
	KindChat   AnswerKind = "chat"   // the person wants to talk; Answer is a text or nil
)

// QuestionAnswer answers one question of a questionnaire.
type QuestionAnswer struct {
	QuestionIndex int    // 0 is the first question
	Question      string // the question's text, repeated
	Kind          AnswerKind
	Answer        *string  // nil is written as null
	Selected      []string // only for KindMulti, where it may be empty
	// Preview repeats the preview of the chosen option where a result wants it.
	// Clients leave it nil.
	Preview *string
}
