package protocol

import "github.com/go-json-experiment/json/jsontext"

// Method is the "method" of an extension_ui_request.
type Method string

// The methods of the two documents. A dialog method waits for an answer, a
// fire-and-forget method does not.
const (
	MethodSelect        Method = "select"
	MethodConfirm       Method = "confirm"
	MethodInput         Method = "input"
	MethodEditor        Method = "editor"
	MethodQuestionnaire Method = "questionnaire" // Atomic, after opting in

	MethodNotify        Method = "notify"
	MethodSetStatus     Method = "setStatus"
	MethodSetWidget     Method = "setWidget"
	MethodSetTitle      Method = "setTitle"
	MethodSetEditorText Method = "set_editor_text"
)

// Methods beyond the documents.
const (
	MethodAsk     Method = "ask"      // oh-my-pi's questionnaire
	MethodCancel  Method = "cancel"   // oh-my-pi, and ours after opting in to dismiss
	MethodOpenURL Method = "open_url" // oh-my-pi
)

// Request is one extension_ui_request. It is one of the [Dialog] or [Update]
// types of this package, as a pointer; no other type can be one.
type Request interface {
	// RequestID returns the id. It is absent in a request that an agent end has
	// not sent yet.
	RequestID() ID
	// Method returns the method as it is on the wire.
	Method() Method
	isRequest()
}

// Dialog is a request that waits for an answer: *[Select], *[Confirm],
// *[Input], *[Editor] or *[Questionnaire].
type Dialog interface {
	Request
	// DialogTitle returns what to show above the dialog in a list of several.
	DialogTitle() string
	// DialogTimeout returns how long the agent will wait.
	DialogTimeout() Timeout
	isDialog()
}

// Update is a request that wants no answer: *[Notify], *[SetStatus],
// *[SetWidget], *[SetTitle], *[SetEditorText], *[OpenURL], *[Cancel] or
// *[Unknown].
type Update interface {
	Request
	isUpdate()
}

// Field is one member of a JSON object: its name and the JSON text of its value.
type Field struct {
	Name  string
	Value jsontext.Value
}

// Extra holds the members of a record that this package does not know, in the
// order in which they came. They are written back behind the known ones.
type Extra []Field

// Select asks for one of a list. Section "select" of both documents.
type Select struct {
	ID      ID
	Title   string
	Options []Option // in the order to show; the same text may stand in it twice
	Timeout Timeout
	Extra   Extra

	literal literal // see Literal
}

// Option is one choice of a [Select]. In the documents it is a plain string,
// its Label; some agents add a description or a value of its own.
type Option struct {
	Label       string
	Description string // may be empty
	// Value is what to answer instead of the label; nil: the label. If it came
	// as something else than a string it is the JSON text of that, which is also
	// how it is answered.
	Value *string

	came *cameOption // nil for an option that writing it anew gives back
}

// cameOption is what an option was on the wire.
type cameOption struct {
	option jsontext.Value // nil if it is written anew
	answer jsontext.Value // the bytes that answer it; nil if they are written anew
	detail jsontext.Value // its element of optionDetails, nil if there was none

	label, description, value string // what was read from these
}

// wire returns what the option was on the wire, and nothing once somebody has
// changed it: what a person sees and what is answered must be the same thing.
func (o Option) wire() cameOption {
	if c := o.came; c != nil && o.Label == c.label && o.Description == c.description && o.Answer() == c.value {
		return *c
	}
	return cameOption{}
}

// appendAnswer appends the bytes that choose this option.
func (o Option) appendAnswer(dst []byte) jsontext.Value {
	if w := o.wire(); w.answer != nil {
		return appendRaw(dst, w.answer)
	}
	return AppendString(dst, o.Answer())
}

// Options returns one Option for each label.
func Options(labels ...string) []Option {
	out := make([]Option, len(labels))
	for i, l := range labels {
		out[i].Label = l
	}
	return out
}

// Answer returns the text that chooses this option.
func (o Option) Answer() string {
	if o.Value != nil {
		return *o.Value
	}
	return o.Label
}

// Confirm asks for yes or no. Section "confirm".
type Confirm struct {
	ID      ID
	Title   string
	Message *string // nil: absent; the dialog then has its title alone
	Timeout Timeout
	Extra   Extra

	literal literal // see Literal
}

// Input asks for one line of text. Section "input".
type Input struct {
	ID          ID
	Title       string
	Placeholder *string // nil: absent
	Timeout     Timeout
	Extra       Extra

	literal literal // see Literal
}

// Editor asks for a text of any number of lines. Section "editor". The
// documents give it no timeout, and pi drops one that is passed; this package
// reads and writes it as for the other dialogs.
type Editor struct {
	ID      ID
	Title   string
	Prefill *string // nil: absent; the exact text to start from otherwise
	Timeout Timeout
	Extra   Extra

	literal literal // see Literal
}

// Questionnaire asks one to four questions at once. Section "questionnaire" of
// Atomic's document; oh-my-pi's "ask" is read into it as well.
type Questionnaire struct {
	ID        ID
	Questions []Question
	Timeout   Timeout
	// Ask makes the request, and its response, travel as oh-my-pi's "ask".
	Ask   bool
	Extra Extra
}

// Question is one question of a [Questionnaire].
type Question struct {
	Question    string // the text; answers repeat it
	Header      string // a few words for a tab or a heading; may be empty with oh-my-pi
	Options     []QuestionOption
	MultiSelect bool // any number of options may be chosen, none too
	Extra       Extra

	ID          string // oh-my-pi's name of the question, "" otherwise
	Recommended *int   // oh-my-pi: index of the option to point out, nil for none
}

// QuestionOption is one option of a [Question].
type QuestionOption struct {
	Label       string
	Description string  // may be empty with oh-my-pi
	Preview     *string // Markdown that shows what the option means; nil: none
	Extra       Extra
}

// NotifyType is the severity of a [Notify]. The empty one is absent and means
// info; any text that an agent sends is kept.
type NotifyType string

// The severities of the documents.
const (
	NotifyInfo    NotifyType = "info"
	NotifyWarning NotifyType = "warning"
	NotifyError   NotifyType = "error"
)

// Level returns the severity to show: info for the empty and for unknown ones.
func (t NotifyType) Level() NotifyType {
	if t == NotifyWarning || t == NotifyError {
		return t
	}
	return NotifyInfo
}

// Notify shows a message. Section "notify".
type Notify struct {
	ID      ID
	Message string
	Type    NotifyType
	Extra   Extra
}

// SetStatus sets or clears the entry of one key in the status bar. Section
// "setStatus".
type SetStatus struct {
	ID    ID
	Key   string
	Text  *string // nil clears the entry
	Extra Extra
}

// Placement is where a widget stands. The empty one is absent and means
// [AboveEditor]; any text that an agent sends is kept.
type Placement string

// The placements of the documents, and the four that pi has besides: one line
// each, in a corner of the editor's border.
const (
	AboveEditor       Placement = "aboveEditor"
	BelowEditor       Placement = "belowEditor"
	BorderTopLeft     Placement = "borderTopLeft"
	BorderTopRight    Placement = "borderTopRight"
	BorderBottomLeft  Placement = "borderBottomLeft"
	BorderBottomRight Placement = "borderBottomRight"
)

// Normal returns the placement to show: [AboveEditor] for the empty and for
// unknown ones.
func (p Placement) Normal() Placement {
	switch p {
	case BelowEditor, BorderTopLeft, BorderTopRight, BorderBottomLeft, BorderBottomRight:
		return p
	}
	return AboveEditor
}

// SetWidget sets or clears the block of lines of one key. Section "setWidget".
type SetWidget struct {
	ID        ID
	Key       string
	Lines     []string // nil: absent; nil and empty both clear the widget
	Placement Placement
	Extra     Extra
}

// SetTitle sets the title of the window or tab. Section "setTitle".
type SetTitle struct {
	ID    ID
	Title string
	Extra Extra
}

// SetEditorText sets the text of the prompt that a person is typing. Section
// "set_editor_text".
type SetEditorText struct {
	ID    ID
	Text  string
	Extra Extra
}

// OpenURL asks that a page be opened, for a login for instance. oh-my-pi.
type OpenURL struct {
	ID           ID
	URL          string
	LaunchURL    string // a short form to copy; may be empty
	Instructions string // may be empty
	Extra        Extra
}

// Cancel says that a dialog is over without its answer. oh-my-pi sends it, and
// our agent to a client that opted in to dismiss.
type Cancel struct {
	ID       ID
	TargetID ID     // the dialog's
	Reason   string // ours: timeout, aborted, answered or session; may be empty
	Extra    Extra
}

// Unknown is a request whose method this package does not know.
type Unknown struct {
	ID   ID
	Name string // the method as it came; "" if it is missing or no string
	Raw  []byte // the whole record
	// Passive is true for the methods of other agents that are known to want no
	// answer. Any other must be answered, if only with a cancellation, or its
	// agent waits for ever.
	Passive bool
}

func (r *Select) RequestID() ID        { return r.ID }
func (r *Confirm) RequestID() ID       { return r.ID }
func (r *Input) RequestID() ID         { return r.ID }
func (r *Editor) RequestID() ID        { return r.ID }
func (r *Questionnaire) RequestID() ID { return r.ID }
func (r *Notify) RequestID() ID        { return r.ID }
func (r *SetStatus) RequestID() ID     { return r.ID }
func (r *SetWidget) RequestID() ID     { return r.ID }
func (r *SetTitle) RequestID() ID      { return r.ID }
func (r *SetEditorText) RequestID() ID { return r.ID }
func (r *OpenURL) RequestID() ID       { return r.ID }
func (r *Cancel) RequestID() ID        { return r.ID }
func (r *Unknown) RequestID() ID       { return r.ID }

func (*Select) Method() Method  { return MethodSelect }
func (*Confirm) Method() Method { return MethodConfirm }
func (*Input) Method() Method   { return MethodInput }
func (*Editor) Method() Method  { return MethodEditor }

// Method returns MethodAsk for a questionnaire that travels so.
func (r *Questionnaire) Method() Method {
	if r.Ask {
		return MethodAsk
	}
	return MethodQuestionnaire
}
func (*Notify) Method() Method        { return MethodNotify }
func (*SetStatus) Method() Method     { return MethodSetStatus }
func (*SetWidget) Method() Method     { return MethodSetWidget }
func (*SetTitle) Method() Method      { return MethodSetTitle }
func (*SetEditorText) Method() Method { return MethodSetEditorText }
func (*OpenURL) Method() Method       { return MethodOpenURL }
func (*Cancel) Method() Method        { return MethodCancel }
func (r *Unknown) Method() Method     { return Method(r.Name) }

func (r *Select) DialogTitle() string  { return r.Title }
func (r *Confirm) DialogTitle() string { return r.Title }
func (r *Input) DialogTitle() string   { return r.Title }
func (r *Editor) DialogTitle() string  { return r.Title }

// DialogTitle returns the first question, for a questionnaire has no title.
func (r *Questionnaire) DialogTitle() string {
	if len(r.Questions) == 0 {
		return ""
	}
	return r.Questions[0].Question
}

func (r *Select) DialogTimeout() Timeout        { return r.Timeout }
func (r *Confirm) DialogTimeout() Timeout       { return r.Timeout }
func (r *Input) DialogTimeout() Timeout         { return r.Timeout }
func (r *Editor) DialogTimeout() Timeout        { return r.Timeout }
func (r *Questionnaire) DialogTimeout() Timeout { return r.Timeout }

func (*Select) isRequest()        {}
func (*Confirm) isRequest()       {}
func (*Input) isRequest()         {}
func (*Editor) isRequest()        {}
func (*Questionnaire) isRequest() {}
func (*Notify) isRequest()        {}
func (*SetStatus) isRequest()     {}
func (*SetWidget) isRequest()     {}
func (*SetTitle) isRequest()      {}
func (*SetEditorText) isRequest() {}
func (*OpenURL) isRequest()       {}
func (*Cancel) isRequest()        {}
func (*Unknown) isRequest()       {}

func (*Select) isDialog()        {}
func (*Confirm) isDialog()       {}
func (*Input) isDialog()         {}
func (*Editor) isDialog()        {}
func (*Questionnaire) isDialog() {}

func (*Notify) isUpdate()        {}
func (*SetStatus) isUpdate()     {}
func (*SetWidget) isUpdate()     {}
func (*SetTitle) isUpdate()      {}
func (*SetEditorText) isUpdate() {}
func (*OpenURL) isUpdate()       {}
func (*Cancel) isUpdate()        {}
func (*Unknown) isUpdate()       {}
