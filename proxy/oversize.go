package proxy

import (
	"bytes"
	"errors"

	"extui/protocol"
)

// errTooLong is why a dialog is cancelled of which the rules could see no more than the
// beginning.
var errTooLong = errors.New("its record is longer than the limit")

// tooLong reports whether a line is longer than a record may be.
func (p *Proxy) tooLong(line []byte) bool {
	return p.opts.MaxRecord > 0 && len(line) > p.opts.MaxRecord && len(record(line)) > p.opts.MaxRecord
}

// record is a line without its end.
func record(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
}

// agentTooLong drops a line of the agent, of which it knows the beginning. The agent waits
// if it was a dialog.
func (p *Proxy) agentTooLong(line []byte, size int) {
	p.report("dropped a record of the agent of %d bytes, for the limit is %d: %q", size, p.opts.MaxRecord, head(line))
	p.cancelCut(line)
	err := p.broken(p.parts.rest()) // It has come in between.
	if err == nil {
		err = p.flush()
	}
	if err != nil {
		p.clientGone(err)
	}
}

// cancelCut cancels the dialog, if it is one, of which a record is the beginning.
func (p *Proxy) cancelCut(record []byte) {
	// An error is about what is missing.
	r, _ := protocol.DecodeRequest(protocol.Beginning(record[:min(len(record), headSize)]))
	switch r := r.(type) {
	case protocol.Dialog:
		p.cancelUnasked(r, errTooLong)
	case *protocol.Unknown:
		if !r.Passive {
			p.cancelUnasked(r, errTooLong)
		}
	}
}

// clientTooLong drops a line of the client, of which it knows the beginning. The agent
// waits if it was an answer.
func (p *Proxy) clientTooLong(line []byte, size int) {
	p.report("dropped a record of the client of %d bytes, for the limit is %d: %q", size, p.opts.MaxRecord, head(line))
	if r, err := protocol.DecodeResponse(protocol.Beginning(line[:min(len(line), headSize)])); err == nil && !r.ID.IsZero() {
		p.answer(append(protocol.AppendResponse(nil, &protocol.Response{ID: r.ID, Cancelled: true}), '\n'))
	}
}
