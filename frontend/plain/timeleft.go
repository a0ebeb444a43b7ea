package plain

import (
	"fmt"
	"time"
)

// timeLeft prints how long the agent still waits, if it does not for ever, and sees to it that
// this is said again when half of that has gone and ten seconds before the end, where these are
// moments worth a line. f.mu is held.
func (f *Frontend) timeLeft(q *open) {
	if q.deadline.IsZero() {
		return
	}
	left := time.Until(q.deadline)
	f.scr.line("time left: " + span1(left))
	remind := func(at time.Duration) {
		q.timers = append(q.timers, time.AfterFunc(left-at, func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			if f.ctx.Err() == nil && len(f.queue) > 0 && f.queue[0] == q && !q.detached {
				f.scr.line("time left: " + span1(at))
				f.refresh()
			}
		}))
	}
	const last = 10 * time.Second
	if left >= 3*last {
		remind(left / 2)
	}
	if left >= last+last/2 {
		remind(last)
	}
}

// span1 says a duration in words that a screen reader speaks well, seconds rounded up.
func span1(d time.Duration) string {
	s := int64((d + time.Second - 1) / time.Second)
	switch {
	case s <= 0:
		return "none"
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600 && s%60 == 0:
		return fmt.Sprintf("%d min", s/60)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	case s < 48*3600:
		return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
	}
	return fmt.Sprintf("%d days", s/86400)
}
