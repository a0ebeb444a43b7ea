package conformance

import (
	"errors"
)

var (
	// ErrNoAgent is matched where an agent could not be started.
	ErrNoAgent = errors.New("the agent could not be started")
	// ErrNoClient is matched where a client could not be started, or started no agent.
	ErrNoClient = errors.New("the client could not be checked")
)

// ProbeError is why an agent that was started cannot be checked: it does not run the
// probe.
type ProbeError struct {
	Saw    string // what came instead
	Stderr string // the last that the agent wrote to standard error; may be empty
}

// Error says what came instead of the probe's answer.
func (e *ProbeError) Error() string { return "the agent does not run the probe: " + e.Saw }
