package terminal

import "time"

// guard tells whether keys may count yet: whatever waits for them must have
// been on the screen for a moment, and somebody who goes on typing from before
// that has not read it. The moment begins when a frame that shows it is ready, not
// when the frame was asked for, as a long text takes its time.
type guard struct {
	waits bool      // for the first frame that shows it
	shown time.Time // since when it is on the screen; zero: it is not
	early time.Time // when the last key came too early; zero: none did
	open  bool      // a key has counted
}

// renew begins anew: it has to be drawn first.
func (g *guard) renew() { *g = guard{waits: true} }

// drawn says that a frame is ready that shows it.
func (g *guard) drawn(t time.Time) {
	if g.waits {
		g.waits, g.shown = false, t
	}
}

// admit reports whether a key at t counts.
func (g *guard) admit(t time.Time, delay time.Duration) bool {
	if g.shown.IsZero() || t.Sub(g.shown) < delay || !g.early.IsZero() && t.Sub(g.early) < delay {
		g.early = t
		return false
	}
	g.early, g.open = time.Time{}, true
	return true
}

// showAgain begins the time for which what is on the screen must have been there.
func (m *model) showAgain() {
	d := m.shown()
	if d == nil {
		m.promptOK.renew()
		return
	}
	m.appears(d)
}

// appears begins that time for a dialog. Somebody may be typing a text meanwhile.
func (m *model) appears(d *dialog) {
	d.guard.renew()
	d.review = guard{}
	if !m.typing.IsZero() && m.cfg.minDelay > 0 {
		d.text = m.typing
	}
}

// backlog is how soon after a slow frame the keys that have waited for it arrive.
const backlog = 20 * time.Millisecond

// drawn is told that a frame is ready, and whether it shows what keys are for.
func (m *model) drawn(visible bool) {
	end := m.cfg.now()
	took := end.Sub(m.now)
	if m.handled && (took >= max(m.cfg.minDelay/2, backlog) || took >= backlog && m.now.Sub(m.slow) < backlog) {
		m.slow = end
	}
	m.handled = false
	d := m.shown()
	switch {
	case !visible:
		m.showAgain()
	case d == nil:
		m.promptOK.drawn(end)
	default:
		d.guard.drawn(end)
		if d.reviewing() {
			d.review.drawn(end)
		}
	}
}

// counts reports whether a key for a dialog counts. A key that may have been
// pressed before the last frame was there does not, except in a text that is being
// typed already.
func (m *model) counts(d *dialog) bool {
	if at := m.stalled(); at.After(d.guard.shown) && !d.guard.shown.IsZero() && !(d.guard.open && d.takesText()) {
		// It was drawn then, and is on the screen only since.
		d.guard.shown, d.guard.open = at, false
		if !d.review.shown.IsZero() {
			d.review.shown = at
		}
	}
	waited := m.cfg.minDelay > 0 && m.now.Sub(m.slow) < backlog
	if waited && !(d.guard.open && d.takesText()) {
		d.guard.early = m.now
		return false
	}
	return d.guard.admit(m.now, m.cfg.minDelay)
}

// stalled is until when the terminal took nothing, zero if it always has.
func (m *model) stalled() time.Time {
	if m.cfg.stalled == nil || m.cfg.minDelay == 0 {
		return time.Time{}
	}
	return m.cfg.stalled(m.now)
}
