package client

import (
	"time"

	"extui/protocol"
)

// keepNotifications is how many notifications a mirror holds.
const keepNotifications = 200

// DialogEvent says that a dialog was handed to the front end, or that it is
// over. Each open is followed by exactly one close with the same Key; the spans
// of different dialogs overlap in any way.
type DialogEvent struct {
	Open bool
	// Key pairs the two and differs for every dialog of a client. Unlike the
	// agent's ids it never comes twice.
	Key      uint64
	Dialog   protocol.Dialog
	Deadline time.Time // when the agent stops waiting; zero: never
	// Answer is what was sent to the agent. nil in an open, and in a close
	// without an answer of the client.
	Answer protocol.Answer
	// Why is nil in an open and for an answer of the front end. Otherwise it is
	// the cause of the end, such as [ErrExpired], or the front end's failure.
	Why error
}

// Status is one entry of the status bar.
type Status struct{ Key, Text string }

// Widget is one block of lines.
type Widget struct {
	Key       string
	Lines     []string // never empty
	Placement protocol.Placement
}

// OpenDialog is a dialog that waits for an answer.
type OpenDialog struct {
	Key      uint64 // as in [DialogEvent]
	Dialog   protocol.Dialog
	Deadline time.Time // zero: none
}

// Notification is a message that the agent wanted shown.
type Notification struct {
	Message string
	Type    protocol.NotifyType
	At      time.Time // when it came
}

// Snapshot is what an agent's UI shows at one moment. It shares nothing that
// changes with the [Mirror] it came from.
type Snapshot struct {
	Title         string   // "" until the agent sets one
	Statuses      []Status // in the order in which they were first set
	Widgets       []Widget // likewise
	EditorText    *string  // what the agent last put into the editor; nil: nothing yet
	Dialogs       []OpenDialog
	Notifications []Notification // the last 200, oldest first
}

// Change is one step from one [Snapshot] to the next: either an update or a
// dialog that opened or closed.
type Change struct {
	Update protocol.Update // nil if it is about a dialog
	Dialog *DialogEvent    // nil if it is an update
	At     time.Time       // when it happened
}
