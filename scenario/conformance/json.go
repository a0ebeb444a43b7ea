package conformance

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"extui/scenario"
)

// JSONOptions are the choices of [WriteJSON]. The zero value, and nil, writes what is
// the same each time: no wire and no times.
type JSONOptions struct {
	// Wire adds the records that passed by to each result that is no pass.
	Wire bool
	// Times adds how long it took.
	Times bool
}

// reportJSON is the file of a report. docs/checking.md documents it; a key keeps its
// meaning, and readers pass over those that they do not know.
type reportJSON struct {
	Suite          scenario.Role                         `json:"suite"`
	Implementation string                                `json:"implementation"`
	Command        []string                              `json:"command,omitempty"`
	Dialect        string                                `json:"dialect,omitempty"`
	Features       []string                              `json:"features,omitempty"`
	Unattended     bool                                  `json:"unattended,omitempty"`
	Stopped        bool                                  `json:"stopped,omitzero"`
	Conforms       bool                                  `json:"conforms"`
	Counts         map[scenario.Severity]map[Verdict]int `json:"counts"`
	Milliseconds   int64                                 `json:"elapsedMilliseconds,omitzero"`
	Results        []resultJSON                          `json:"results"`
}

type resultJSON struct {
	ID           string            `json:"id"`
	Section      string            `json:"section"`
	Severity     scenario.Severity `json:"severity"`
	Says         string            `json:"says"`
	Source       []string          `json:"source"`
	Needs        []string          `json:"needs,omitempty"`
	Verdict      Verdict           `json:"verdict"`
	Message      string            `json:"message,omitempty"`
	Deviation    *Deviation        `json:"deviation,omitempty"`
	Output       string            `json:"output,omitempty"`
	Milliseconds int64             `json:"elapsedMilliseconds,omitzero"`
	Wire         []wireJSON        `json:"wire,omitempty"`
}

type wireJSON struct {
	From  scenario.Role `json:"from"`
	Text  string        `json:"text"`
	Bytes bool          `json:"bytes,omitempty"`
}

// WriteJSON writes a report as one JSON object, for [ReadJSON] and for programs.
func WriteJSON(w io.Writer, r *Report, opts *JSONOptions) error {
	if opts == nil {
		opts = &JSONOptions{}
	}
	out := reportJSON{
		Suite: r.Role, Implementation: r.Implementation, Command: r.Command, Dialect: r.Dialect, Features: r.Features, Unattended: r.Unattended, Stopped: r.Stopped,
		Conforms: r.Conforms(false), Counts: map[scenario.Severity]map[Verdict]int{}, Results: []resultJSON{},
	}
	if opts.Times {
		out.Milliseconds = r.Elapsed.Milliseconds()
	}
	for _, s := range scenario.Severities {
		out.Counts[s] = map[Verdict]int{}
		for _, v := range Verdicts {
			out.Counts[s][v] = r.Count(s, v)
		}
	}
	for i := range r.Results {
		one := &r.Results[i]
		j := resultJSON{
			ID: one.Rule.ID, Section: one.Rule.Section, Severity: one.Rule.Severity, Says: one.Rule.Says, Source: one.Rule.Source, Needs: one.Rule.Needs,
			Verdict: one.Verdict, Message: valid(one.Message), Deviation: one.Deviation, Output: valid(one.Output),
		}
		if opts.Times {
			j.Milliseconds = one.Elapsed.Milliseconds()
		}
		if opts.Wire && one.Verdict != Pass {
			for _, l := range one.Wire {
				if len(l.Text) > wireLimit {
					l.Text = l.Text[:wireLimit] + "…"
				}
				j.Wire = append(j.Wire, wireJSON{l.From, valid(l.Text), l.Bytes})
			}
		}
		out.Results = append(out.Results, j)
	}
	text, err := json.Marshal(&out, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return written(w, string(text)+"\n", "results")
}

func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// ReadJSON reads what [WriteJSON] wrote.
func ReadJSON(src io.Reader) (*Report, error) {
	var in reportJSON
	if err := json.UnmarshalRead(src, &in); err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	if in.Suite != scenario.Agent && in.Suite != scenario.Client {
		return nil, fmt.Errorf("read results: suite: agent or client (got %q)", in.Suite)
	}
	r := &Report{
		Role: in.Suite, Implementation: in.Implementation, Command: in.Command, Dialect: in.Dialect, Features: in.Features, Unattended: in.Unattended, Stopped: in.Stopped,
		Elapsed: time.Duration(in.Milliseconds) * time.Millisecond,
	}
	for i, j := range in.Results {
		if words[j.Verdict] == "" || j.ID == "" {
			return nil, fmt.Errorf("read results: results[%d]: id %q with verdict %q", i, j.ID, j.Verdict)
		}
		if j.Verdict == Expected && j.Deviation == nil {
			return nil, fmt.Errorf("read results: results[%d]: %s is a known deviation without what it says", i, j.ID)
		}
		one := Result{
			Rule:    scenario.Rule{ID: j.ID, Section: j.Section, Severity: j.Severity, Says: j.Says, Source: j.Source, Needs: j.Needs},
			Verdict: j.Verdict, Message: j.Message, Deviation: j.Deviation, Output: j.Output, Elapsed: time.Duration(j.Milliseconds) * time.Millisecond,
		}
		for _, l := range j.Wire {
			one.Wire = append(one.Wire, scenario.WireLine{From: l.From, Text: l.Text, Bytes: l.Bytes})
		}
		r.Results = append(r.Results, one)
	}
	return r, nil
}
