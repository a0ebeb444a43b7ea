package proxy

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
)

// errTwoAnswers refuses a response of which every reader would choose another part.
var errTwoAnswers = errors.New("the client's response says more than one thing")

// answering are the members of a response that say what the answer is.
var answering = []string{"value", "confirmed", "answers", "cancelled", "timedOut"}

// meaning reads the client's response to d for who decides about it. exact reports
// whether the bytes say this and nothing else to whoever reads them, in whatever order
// and however strictly. If not, what is decided must be written anew.
//
// Without rules a response goes to the agent as it came: judging it is the agent's
// business then.
func meaning(d protocol.Dialog, raw []byte) (a protocol.Answer, exact bool, err error) {
	r, err := protocol.DecodeResponse(raw)
	if err != nil {
		return nil, false, err
	}
	payloads := 0
	for _, v := range []jsontext.Value{r.Value, r.Confirmed, r.Answers} {
		if v != nil && v.Kind() != 'n' {
			payloads++
		}
	}
	if !r.Cancelled && (payloads > 1 || r.TimedOut) {
		return nil, false, errTwoAnswers
	}
	a, err = r.Answer(d)
	if err != nil {
		return nil, false, err
	}
	own, err := protocol.Respond(d, a)
	if err != nil {
		return nil, false, err
	}
	return a, r.ID == own.ID && saysTheSame(raw, protocol.AppendResponse(nil, own)), nil
}

// saysTheSame reports whether a response has the members of an answer that our own has,
// no other, and each with the same value.
func saysTheSame(raw, own []byte) bool {
	theirs, err := protocol.DecodeCommand(raw)
	if err != nil {
		return false
	}
	ours, err := protocol.DecodeCommand(own)
	if err != nil {
		return false
	}
	found := 0
	for _, f := range theirs.Fields {
		if !slices.ContainsFunc(answering, func(name string) bool { return protocol.FoldName(name) == protocol.FoldName(f.Name) }) {
			continue
		}
		v, ok := ours.Raw(f.Name)
		if !ok || !equal(f.Value, v) {
			return false
		}
		found++
	}
	return found == len(ours.Fields)
}

// equal reports whether two values are the same but for the way in which they are
// written.
func equal(a, b jsontext.Value) bool {
	if a.Kind() == '"' && b.Kind() == '"' {
		x, errX := protocol.Unquote(a)
		y, errY := protocol.Unquote(b)
		return errX == nil && errY == nil && x == y
	}
	a, b = a.Clone(), b.Clone()
	return a.Canonicalize() == nil && b.Canonicalize() == nil && bytes.Equal(a, b)
}
