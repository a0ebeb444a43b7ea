package scenario

import (
	"time"
)

// Status is how a step ended.
type Status string

// The ways.
const (
	OK      Status = "ok"
	Failed  Status = "failed"
	Skipped Status = "skipped" // an optional step that did not come
	Updated Status = "updated" // it did not come as written, and is accepted as it came
)

// StepResult is one step that was played.
type StepResult struct {
	Line    int           `json:"line"` // in the file; 0: the end of the conversation
	Text    string        `json:"text"` // who says what
	Status  Status        `json:"status"`
	Message string        `json:"message,omitempty"` // what went wrong
	Differ  []Difference  `json:"differences,omitempty"`
	At      time.Duration `json:"-"` // since the start
}

// WireLine is one record that passed by.
type WireLine struct {
	From Role
	Text string        // without its LF
	At   time.Duration // since the start
	// Bytes says that Text was written as it is, and no LF after it.
	Bytes bool
}

// Report is how a play of a scenario went.
type Report struct {
	Scenario *Scenario
	// Steps are those that were played; none comes after one that failed.
	Steps   []StepResult
	Wire    []WireLine
	Elapsed time.Duration
	// Virtual says that Elapsed, and each At, is time of [InVirtualTime]; Real is what it
	// took in fact then. Whoever has called that sets both.
	Virtual bool
	Real    time.Duration
	// Err is why it could not be played at all; nil otherwise.
	Err error
	// ExitCode is what an exit step of the agent that we played asks for.
	ExitCode int
	// Kill is the signal by which an agent that we played is to end, or "".
	Kill string

	accepted []accepted
}

// Passed reports whether everything was as the file says, or was accepted.
func (r *Report) Passed() bool {
	if r.Err != nil {
		return false
	}
	for _, s := range r.Steps {
		if s.Status == Failed {
			return false
		}
	}
	return true
}

// Failure returns the step that failed, nil if none did.
func (r *Report) Failure() *StepResult {
	for i := range r.Steps {
		if r.Steps[i].Status == Failed {
			return &r.Steps[i]
		}
	}
	return nil
}

// took is the real time of the play.
func (r *Report) took() time.Duration {
	if r.Virtual {
		return r.Real
	}
	return r.Elapsed
}
