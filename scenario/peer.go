package scenario

import "io"

// Peer is the other end of a conversation.
type Peer struct {
	// In takes what we send, Out gives what the other end sends.
	In  io.WriteCloser
	Out io.Reader
	// Signal sends one of [Signals] to the other end. nil: it is no process.
	Signal func(name string) error
	// Wait blocks until the other end is over and says how it ended. It is called at
	// most once, after Out has ended. nil: that cannot be known.
	Wait func() Exit
	// Stop ends the other end at once, so that Out ends. It may be called at any
	// time and several times. nil: closing In is all there is.
	Stop func()
}

// Exit is how a process ended.
type Exit struct {
	Code   int    // 128 and the signal's number after a signal, as a shell has it
	Reason string // in words
	// Signal is that of [Signals] which ended it; "" if none did, or another.
	Signal string
	// Stopped says that it had not ended when [Peer].Stop ended it.
	Stopped bool
	// Held says that something it has left behind still held its output, or its standard
	// error: what that writes there later is lost.
	Held bool
}
