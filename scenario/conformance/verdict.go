package conformance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"extui/scenario"
)

// verdictFile is what the process that plays the agent of a rule tells the check.
type verdictFile struct {
	PID int `json:"pid"`
	// Over says that the play has ended. Until then the report has the steps so far.
	Over   bool           `json:"over"`
	Report jsontext.Value `json:"report"`
}

// VerdictWriter writes how the play of a rule goes, for the check that waits for it.
// It belongs to one goroutine.
type VerdictWriter struct {
	path  string
	pid   int
	sofar scenario.Report
	err   error
}

// NewVerdictWriter begins the file: it says that the agent was started.
func NewVerdictWriter(path string, s *scenario.Scenario) *VerdictWriter {
	w := &VerdictWriter{path: path, pid: os.Getpid(), sofar: scenario.Report{Scenario: s}}
	w.write(&w.sofar, false)
	return w
}

// Step adds a step, so that it is known how far a play came that was killed.
func (w *VerdictWriter) Step(s scenario.StepResult) {
	w.sofar.Steps = append(w.sofar.Steps, s)
	w.write(&w.sofar, false)
}

// End writes the verdict, and returns the first error of all writes.
func (w *VerdictWriter) End(r *scenario.Report) error {
	w.write(r, true)
	return w.err
}

func (w *VerdictWriter) write(r *scenario.Report, over bool) {
	text, err := json.Marshal(verdictFile{w.pid, over, scenario.AppendJSON(nil, r, over)})
	if err == nil {
		// In one move, so that nobody reads a half.
		if err = os.WriteFile(w.path+".new", text, 0o600); err == nil {
			err = os.Rename(w.path+".new", w.path)
		}
	}
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("write verdict: %w", err)
	}
}

// readVerdict reads the file; nil if there is none yet.
func readVerdict(path string, s *scenario.Scenario) (*verdictFile, *scenario.Report, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	var v verdictFile
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read verdict: %w", err)
	}
	r, err := s.ReadReport(v.Report)
	if err != nil {
		return nil, nil, fmt.Errorf("read verdict: %w", err)
	}
	return &v, r, nil
}
