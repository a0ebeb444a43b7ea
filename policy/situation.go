package policy

import (
	"extui/protocol"
)

// situation is what rules look at: one dialog, and what is around it.
type situation struct {
	dialog protocol.Dialog
	method protocol.Method // questionnaire for oh-my-pi's ask too

	// nil: the dialog has none
	title, message, placeholder, prefill *string

	options   []protocol.Option // of a select
	questions []protocol.Question

	statuses map[string]string
	session  string
	stage    int // how many of the file's times for "open" have passed

	encoded []byte // see record; nil until it is asked for
}

// record returns the dialog as a record.
func (s *situation) record() (_ []byte, err error) {
	if s.encoded == nil {
		s.encoded, err = protocol.AppendRequest(nil, s.dialog)
	}
	return s.encoded, err
}

func newSituation(d protocol.Dialog) *situation {
	s := &situation{dialog: d, method: d.Method()}
	switch d := d.(type) {
	case *protocol.Select:
		s.title, s.options = &d.Title, d.Options
	case *protocol.Confirm:
		s.title, s.message = &d.Title, d.Message
	case *protocol.Input:
		s.title, s.placeholder = &d.Title, d.Placeholder
	case *protocol.Editor:
		s.title, s.prefill = &d.Title, d.Prefill
	case *protocol.Questionnaire:
		s.method, s.questions = protocol.MethodQuestionnaire, d.Questions
	}
	return s
}

// texts returns every text of the dialog that a person would read.
func (s *situation) texts(yield func(string) bool) {
	for _, t := range []*string{s.title, s.message, s.placeholder, s.prefill} {
		if t != nil && !yield(*t) {
			return
		}
	}
	for _, o := range s.options {
		if !yield(o.Label) || !yield(o.Description) {
			return
		}
	}
	for _, q := range s.questions {
		if !yield(q.Question) || !yield(q.Header) {
			return
		}
		for _, o := range q.Options {
			if !yield(o.Label) || !yield(o.Description) || o.Preview != nil && !yield(*o.Preview) {
				return
			}
		}
	}
}

// descriptions are those of all options.
func (s *situation) descriptions() []string {
	var all []string
	for _, o := range s.options {
		all = append(all, o.Description)
	}
	for _, q := range s.questions {
		for _, o := range q.Options {
			all = append(all, o.Description)
		}
	}
	return all
}

// size returns how many bytes of text, and how many options and questions, an expression
// may have to look at.
func (s *situation) size() (bytes, items int) {
	for t := range s.texts {
		bytes += len(t)
	}
	items = len(s.options) + len(s.questions) + len(s.statuses)
	for _, q := range s.questions {
		items += len(q.Options)
	}
	for k, v := range s.statuses {
		bytes += len(k) + len(v)
	}
	return bytes + len(s.session), items
}
