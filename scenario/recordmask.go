package scenario

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// asksForSecret reports whether what is typed in a dialog is a secret by its title, or
// by that of one of its questions. What a select offers is in the recording anyway.
func asksForSecret(v value) bool {
	if v.str("method") == "select" {
		return false
	}
	if secretName().MatchString(v.str("title")) {
		return true
	}
	questions, _ := v.get("questions")
	return slices.ContainsFunc(textsOf(questions), secretName().MatchString)
}

// textsOf are all texts in v, but for the names of members and for what stands in the
// members named.
func textsOf(v value, but ...string) []string {
	if v.kind == text {
		return []string{v.text}
	}
	var all []string
	for _, m := range v.members {
		if !slices.Contains(but, m.name) {
			all = append(all, textsOf(m.value, but...)...)
		}
	}
	for _, item := range v.items {
		all = append(all, textsOf(item, but...)...)
	}
	return all
}

// learn makes known what is a secret for where it stands, before anything of v is
// masked: the answer to a dialog that asks for one or that is not open, and the text
// that such a dialog begins with. It reports whether there was any that is new.
func (r *Recorder) learn(from Role, v value) bool {
	id, _ := v.get("id")
	id = r.mask.value(id) // As the dialogs have it.
	switch {
	case from == Agent && isDialog(v) && asksForSecret(v):
		r.mask.learn(v.str("prefill"))
	case from == Client && v.str("type") == "extension_ui_response":
		i := slices.IndexFunc(r.open, func(o recorded) bool { return o.dialog && equal(o.id, id) })
		switch {
		case i < 0 && r.harmless(id), i >= 0 && !r.open[i].secret:
			return false
		}
		var shown []string
		if i >= 0 {
			shown = textsOf(r.open[i].record)
		}
		for _, s := range textsOf(v, untyped...) {
			if !slices.Contains(shown, r.mask.Text(s)) {
				r.mask.learn(s)
			}
		}
	default:
		return false
	}
	return r.mask.fresh
}

// harmless reports whether an answer is to a dialog that came before and asked for no
// secret.
func (r *Recorder) harmless(id value) bool {
	return slices.ContainsFunc(r.past, func(d recorded) bool { return equal(d.id, id) && !d.secret })
}

// untyped are the members of a response whose texts nobody types.
var untyped = []string{"type", "id", "kind"}

// hidden is v, a response or a part of one, as a pattern for which what was typed may
// be anything, and that sends what stands for it. What the dialog shows, if there is
// one, is no secret.
func (r *Recorder) hidden(v, dialog value) value {
	shown := textsOf(dialog)
	var hide func(v value) value
	hide = func(v value) value {
		switch v.kind {
		case text:
			if !slices.Contains(shown, v.text) {
				return objectOf(field("$any", boolValue(true)), field("$send", textValue(r.mask.secret(v.text))))
			}
		case array:
			v.items = slices.Clone(v.items)
			for i := range v.items {
				v.items[i] = hide(v.items[i])
			}
			return v
		case object:
			out := value{kind: object}
			for _, m := range v.members {
				if !slices.Contains(untyped, m.name) {
					m.value = hide(m.value)
				} else {
					m.value = verbatim(m.value)
				}
				out.members = append(out.members, field(m.name, m.value))
			}
			return out
		}
		return verbatim(v)
	}
	return hide(v)
}

// rewritable is a file whose beginning can be corrected.
type rewritable interface {
	io.ReadWriteSeeker
	Truncate(size int64) error
}

// lookBack takes the secrets that have become known out of what is written already.
// A writer that is no file cannot be corrected.
func (r *Recorder) lookBack() {
	file, ok := r.w.(rewritable)
	if !ok || r.mask == nil || !r.mask.fresh || r.err != nil {
		return
	}
	r.mask.fresh = false
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return // A pipe.
	}
	before, err := io.ReadAll(file)
	if err == nil {
		after := []byte(r.mask.withoutKnown(string(before)))
		if !bytes.Equal(before, after) {
			_, err = file.Seek(0, io.SeekStart)
			if err == nil {
				_, err = file.Write(after)
			}
			if err == nil {
				err = file.Truncate(int64(len(after)))
			}
		}
	}
	if err != nil {
		r.err = fmt.Errorf("mask what is recorded already: %w", err)
	}
}
