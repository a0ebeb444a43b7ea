//go:build !unix

package terminal

// isTerminal reports whether v is a terminal whose signals are to be watched: there
// are none here.
func isTerminal(any) bool { return false }

func (f *Frontend) notifySignals() {}

func (f *Frontend) watch() {}

// stop fails: programs are not stopped here.
func (f *Frontend) stop(bool) error { return errNoSuspend }
