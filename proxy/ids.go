package proxy

import (
	"time"

	"extui/client"
	"extui/protocol"
)

// An agent may give several dialogs one id, one after the other. Nobody may take the answer
// to one of them for one to another, at either end, and ends differ in which ids they take
// for equal, see protocol.ID.Key.
//
// While a dialog is open, no other with its id is asked: both are cancelled. Once it is
// over, its id is free for the agent, but the client may still show it, and answer late:
// until it has, the client gets the next dialog of that id with another one.

// lastMoment is how long a dialog may still be open that the agent is taken to have given
// up, in its own time, when it uses the id again. Its clock started before ours.
const lastMoment = time.Second

// holder returns the open dialog that has an id, or nil. If the agent's own limit is about
// to end that one, it waits for that first.
func (p *Proxy) holder(id protocol.ID) *dialog {
	e := p.opened(id)
	if e == nil || e.expiry != client.ErrExpired || time.Until(e.end) > lastMoment {
		return e
	}
	<-e.over
	return nil
}

// opened returns the open dialog that has an id, or nil.
func (p *Proxy) opened(id protocol.ID) *dialog {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open[id.Key()]
}

// show makes e one that the client may answer, under an id that it does not take for that
// of a dialog which it may still answer. p.mu is held.
func (p *Proxy) show(e *dialog) {
	e.asked, e.face = true, e.d.RequestID()
	if _, stale := p.shown[e.face.Key()]; stale {
		e.face = newID()
	}
	p.faces[e.face.Key()] = e
	p.shown[e.face.Key()] = shownAs{e.face, e.d.RequestID()}
}

// shownAs is the id of a dialog that the client has got, as it has got it and as the agent
// has it.
type shownAs struct{ face, id protocol.ID }

// close takes e out of what is open. p.mu is held.
func (p *Proxy) close(e *dialog) {
	e.settled = true
	if key := e.d.RequestID().Key(); p.open[key] == e {
		delete(p.open, key)
	}
	if key := e.face.Key(); p.faces[key] == e {
		delete(p.faces, key)
	}
}

// cancelUnasked cancels a dialog that nobody is asked, and with it an open one that has its
// id. The rules are told first. A request without an id cannot be answered. It does not wait
// for the agent nor for the rules.
func (p *Proxy) cancelUnasked(r protocol.Request, why error) {
	id := r.RequestID()
	if id.IsZero() {
		p.work.Go(func() { p.tellUnasked(r, why) })
		return
	}
	if first := p.opened(id); first != nil {
		p.report("cancelled %s: the agent has given its id %q to another dialog", name(first.d), first.d.RequestID())
		p.over(first, client.ErrReplaced)
		p.takeBackShown(first, reasonReplaced)
		if other := first.d.RequestID(); other != id {
			p.sendAside(protocol.AppendResponse(nil, &protocol.Response{ID: other, Cancelled: true}))
		}
	}
	p.work.Go(func() {
		p.tellUnasked(r, why)
		p.send(protocol.AppendResponse(nil, &protocol.Response{ID: id, Cancelled: true}))
	})
}

// cancel deals with the agent's word that a dialog is over. lines is how it came.
func (p *Proxy) cancel(r *protocol.Cancel, lines []byte) error {
	e := p.opened(r.TargetID)
	if e != nil {
		p.over(e, &client.TakenBackError{Reason: r.Reason})
	}
	if !p.knowsCancel() {
		return nil
	}
	p.mu.Lock()
	var faces []protocol.ID
	switch {
	case e != nil && e.asked:
		faces = append(faces, e.face)
	case e == nil:
		faces = p.staleFaces(r.TargetID)
	}
	p.mu.Unlock()
	if e == nil && len(faces) == 0 {
		return p.pass(lines) // The client may know of it all the same.
	}
	for i, face := range faces {
		if face == r.TargetID {
			if err := p.pass(lines); err != nil {
				return err
			}
			continue
		}
		c := *r
		c.TargetID = face
		if i > 0 {
			c.ID = newID()
		}
		record, err := protocol.AppendRequest(nil, &c)
		if err != nil {
			p.report("lost the end of a dialog: %w", err)
			continue
		}
		if err := p.pass(append(record, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// staleFaces are the ids by which the client knows dialogs of an id that it has not
// answered. p.mu is held.
func (p *Proxy) staleFaces(id protocol.ID) (faces []protocol.ID) {
	for _, s := range p.shown {
		if s.id.Key() == id.Key() {
			faces = append(faces, s.face)
		}
	}
	return faces
}
