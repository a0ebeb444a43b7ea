package scenario

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
)

// reportJSON is a report as JSON.
type reportJSON struct {
	File    string     `json:"file"`
	About   string     `json:"about,omitempty"`
	Passed  bool       `json:"passed"`
	Elapsed int64      `json:"elapsedNanoseconds"`
	Virtual bool       `json:"virtual,omitempty"`
	Real    int64      `json:"realNanoseconds,omitempty"`
	Err     string     `json:"error,omitempty"`
	Steps   []stepJSON `json:"steps"`
	Wire    []lineJSON `json:"wire,omitempty"`
}

type stepJSON struct {
	StepResult
	At int64 `json:"atNanoseconds"`
}

type lineJSON struct {
	From  Role   `json:"from"`
	Text  string `json:"text"`
	At    int64  `json:"atNanoseconds"`
	Bytes bool   `json:"bytes,omitempty"`
}

// AppendJSON appends a report as one JSON object: file, passed, elapsedNanoseconds,
// error where it could not be played, steps, and wire if wanted. In virtual time virtual
// is true, all times are of that, and realNanoseconds is what it took.
func AppendJSON(dst []byte, r *Report, wire bool) []byte {
	out := reportJSON{File: visible(r.Scenario.File), About: visible(r.Scenario.About), Passed: r.Passed(), Elapsed: int64(r.Elapsed), Virtual: r.Virtual, Real: int64(r.Real)}
	if r.Err != nil {
		out.Err = visible(r.Err.Error())
	}
	for _, s := range r.Steps {
		s.Text, s.Message = visible(s.Text), visible(s.Message)
		differ := s.Differ
		s.Differ = nil
		for _, d := range differ {
			s.Differ = append(s.Differ, Difference{visible(d.Path), visible(d.Want), visible(d.Got)})
		}
		out.Steps = append(out.Steps, stepJSON{s, int64(s.At)})
	}
	if wire {
		for _, l := range r.Wire {
			out.Wire = append(out.Wire, lineJSON{l.From, visible(l.Text), int64(l.At), l.Bytes})
		}
	}
	text, err := json.Marshal(&out)
	if err != nil {
		panic(fmt.Sprintf("a report as JSON: %v", err)) // All texts are valid, and nothing else can fail.
	}
	return append(dst, text...)
}

// ReadReport reads what [AppendJSON] wrote of a play of s, in another process for one.
func (s *Scenario) ReadReport(text []byte) (*Report, error) {
	var in reportJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf("read report of %s: %w", s.File, err)
	}
	r := &Report{Scenario: s, Elapsed: time.Duration(in.Elapsed), Virtual: in.Virtual, Real: time.Duration(in.Real)}
	if in.Err != "" {
		r.Err = errors.New(in.Err)
	}
	for _, st := range in.Steps {
		st.StepResult.At = time.Duration(st.At)
		r.Steps = append(r.Steps, st.StepResult)
	}
	for _, l := range in.Wire {
		r.Wire = append(r.Wire, WireLine{From: l.From, Text: l.Text, At: time.Duration(l.At), Bytes: l.Bytes})
	}
	return r, nil
}
