package protocol

// WithID returns a copy of r that has the id. An [Unknown] is returned as it is, for its
// record is kept whole.
func WithID(r Request, id ID) Request {
	switch r := r.(type) {
	case *Select:
		c := *r
		c.ID = id
		return &c
	case *Confirm:
		c := *r
		c.ID = id
		return &c
	case *Input:
		c := *r
		c.ID = id
		return &c
	case *Editor:
		c := *r
		c.ID = id
		return &c
	case *Questionnaire:
		c := *r
		c.ID = id
		return &c
	case *Notify:
		c := *r
		c.ID = id
		return &c
	case *SetStatus:
		c := *r
		c.ID = id
		return &c
	case *SetWidget:
		c := *r
		c.ID = id
		return &c
	case *SetTitle:
		c := *r
		c.ID = id
		return &c
	case *SetEditorText:
		c := *r
		c.ID = id
		return &c
	case *OpenURL:
		c := *r
		c.ID = id
		return &c
	case *Cancel:
		c := *r
		c.ID = id
		return &c
	}
	return r
}

// WithTimeout returns a copy of d that has the timeout.
func WithTimeout(d Dialog, t Timeout) Dialog {
	switch d := d.(type) {
	case *Select:
		c := *d
		c.Timeout = t
		return &c
	case *Confirm:
		c := *d
		c.Timeout = t
		return &c
	case *Input:
		c := *d
		c.Timeout = t
		return &c
	case *Editor:
		c := *d
		c.Timeout = t
		return &c
	case *Questionnaire:
		c := *d
		c.Timeout = t
		return &c
	}
	return d
}
