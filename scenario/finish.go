package scenario

import (
	"slices"
	"time"
)

// sleep lets time pass. Once the other end has ended there is little to wait for: it may
// still read, but not for longer than a step waits, whatever the file says. An end that
// is played for a client that is gone would stay for ever.
func (p *player) sleep(st *step) bool {
	until := time.Now().Add(st.within)
	over := p.in.over
	for {
		if at, ended := p.in.end(); ended {
			over = nil
			if latest := at.Add(p.s.Within); latest.Before(until) {
				until = latest
			}
		}
		timer := time.NewTimer(time.Until(until))
		select {
		case <-timer.C:
			p.in.date()
			return p.result(st, OK, nil, "")
		case <-p.ctx.Done():
			timer.Stop()
			return p.fail(st, "stopped")
		case <-over:
			timer.Stop()
		}
	}
}

// lingering is how long an agent that exits still reads: a client may wait for its
// exit before it closes its side, but one that says too much is to be caught.
const lingering = 300 * time.Millisecond

// finish ends the conversation after the last step and judges what is left.
func (p *player) finish() bool {
	switch {
	case p.me == Agent:
		p.settle()
	case !p.closed:
		if !p.await() {
			return false
		}
		p.closeOut()
	}
	deadline := p.deadline(nil)
	if p.leaving {
		deadline = time.Now().Add(min(lingering, p.s.Within))
	}
	for !p.ended {
		a, ok, ended := p.take(deadline)
		if ok {
			if p.spared(a) {
				continue
			}
			if why := p.unexpected(a); why != "" {
				return p.surprise(nil, nil, a, why)
			}
			if p.me == Agent {
				p.settle()
			}
			continue
		}
		if !ended {
			if p.me == Agent {
				return true // It may well stay for another agent.
			}
			return p.fail(nil, "the agent has not ended within %v of the end of its input", p.s.Within)
		}
		p.ended = true
	}
	return true
}

// tidying are the updates with which extensions clear what they have shown.
var tidying = []string{"setStatus", "setWidget", "setTitle", "set_editor_text"}

// spared reports whether a record after the last step is not judged: extensions tidy
// up when the session ends. What came while that step waited is another matter.
func (p *player) spared(a arrival) bool {
	return p.me == Client && isUpdate(a) && slices.Contains(tidying, a.v.str("method")) && !a.dated && !p.forbidden(a)
}

// settling is how long the agent's input stays open after the last step for what was
// begun: an agent whose input ends breaks off, and says so.
const settling = time.Second

// await waits until each command has its response and each run that one has announced
// has begun, and judges what comes meanwhile.
func (p *player) await() bool {
	deadline := time.Now().Add(min(settling, p.s.Within))
	for p.busy() {
		a, ok, ended := p.take(deadline)
		if !ok {
			p.ended = ended
			return true
		}
		if p.spared(a) {
			continue
		}
		if why := p.unexpected(a); why != "" {
			return p.surprise(nil, nil, a, why)
		}
	}
	return true
}

// busy reports whether something that we have asked for has not begun yet. What waits
// for the answer to a dialog gets no further.
func (p *player) busy() bool {
	if slices.ContainsFunc(p.dialogs, func(d *dialog) bool { return !d.answered }) {
		return false
	}
	for _, c := range p.commands {
		if !c.heard && c.id.kind != null {
			return true
		}
	}
	return p.runs > 0
}

// take is the next record of the other end, see [inbox.take].
func (p *player) take(deadline time.Time) (a arrival, ok, ended bool) {
	a, ok, ended = p.in.take(deadline)
	if ok && p.me == Client && !a.heard {
		a.heard = true
		p.hear(a.v)
	}
	return a, ok, ended
}

// hear notes what the agent has got to, whether a step expects it or not.
func (p *player) hear(v value) {
	switch v.str("type") {
	case "response":
		id, _ := v.get("id")
		for _, c := range p.commands {
			c.heard = c.heard || equal(c.id, id)
		}
		if began, _ := v.path("data.disposition"); began.text == "started" {
			p.runs++
		}
	case "agent_start":
		p.runs--
	}
}
