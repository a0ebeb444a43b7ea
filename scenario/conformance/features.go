package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"extui/internal/jsonl"
	"extui/scenario"
)

// Feature is something that not every end has, and that a rule may need.
type Feature struct {
	Name string
	Role scenario.Role // whose it is
	Says string        // what it is, for people
}

// Features are all that a rule may name in needs, but for ui.NAME: that the agent's
// ctx.ui has something of that name.
var Features = []Feature{
	{"capabilities", scenario.Agent, "knows the command set_extension_ui_capabilities"},
	{"questionnaire", scenario.Agent, "has questionnaires, which the client turns on"},
	{"dismiss", scenario.Agent, "tells a client that asked for it when a dialog ends by itself"},
	{"call_tool", scenario.Agent, "runs a tool for the client, with the command call_tool"},
	{"new_session", scenario.Agent, "knows the command new_session"},
	{"abort", scenario.Agent, "knows the command abort"},
	{"questionnaire", scenario.Client, "shows questionnaires"},
	{"commands", scenario.Client, "sends the commands that EXTUI_COMMANDS lists"},
	{"fail", scenario.Client, "can be made to fail while it shows a dialog"},
	{"stop", scenario.Client, "can be told to leave while dialogs are open"},
}

// uiFeature is how the name of a feature begins that is a member of ctx.ui.
const uiFeature = "ui."

func isFeature(role scenario.Role, name string) bool {
	if rest, ok := strings.CutPrefix(name, uiFeature); ok && rest != "" && role == scenario.Agent {
		return true
	}
	return slices.ContainsFunc(Features, func(f Feature) bool { return f.Role == role && f.Name == name })
}

func featureNames(role scenario.Role) string {
	var names []string
	for _, f := range Features {
		if f.Role == role {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ", ")
}

// lacking returns the needs that features does not have.
func lacking(needs, features []string) []string {
	var all []string
	for _, n := range needs {
		if !slices.Contains(features, n) {
			all = append(all, n)
		}
	}
	return all
}

// trial is the conversation that shows what an agent can do. Only its first two steps
// must succeed.
const trial = `
within: 5s
ignore: [setStatus, setWidget, setTitle, set_editor_text, notify, input, cancel]
steps:
  - client: {prompt: /probe-features}
  - agent: {notify: "/^probe features: /"}
    within: 30s
  - client: {command: set_extension_ui_capabilities, questionnaire: true, dismiss: true}
    as: set_extension_ui_capabilities
  - agent: {response: {$any: true}}
    optional: true
  - client: {prompt: '/probe input ["Dismissed?", "", {"signal": {"$signal": 1}}]'}
  - agent: {response: {$any: true}}
    optional: true
  - client: {call: probe_nothing}
  - agent: {response: {$any: true}}
    optional: true
  - client: {command: abort}
  - agent: {response: {$any: true}}
    optional: true
  - client: {command: new_session}
  - agent: {response: {$any: true}}
    optional: true
`

// probeFeatures is what the probe tells of ctx.ui.
type probeFeatures struct {
	UI    []string `json:"ui"`
	Mode  string   `json:"mode"`
	HasUI bool     `json:"hasUI"`
}

// detect starts an agent once and returns what it can do, and its dialect.
func detect(ctx context.Context, start AgentStart) (features []string, dialect string, err error) {
	s, err := scenario.Parse("features.yaml", []byte(trial))
	if err != nil {
		panic(err) // A constant.
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	stderr := &tail{}
	peer, err := start(ctx, nil, stderr)
	if err != nil {
		return nil, "", fmt.Errorf("%w: %w", ErrNoAgent, err)
	}
	// What else it prints is for the rules to judge.
	peer.Out = &recordsOf{lines: jsonl.NewReader(peer.Out, nil)}
	r := s.TestAgent(ctx, peer, nil)
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, "", fmt.Errorf("find out what the agent can do: %w", err)
	}
	told, ok := probeAnswer(r)
	if !ok {
		return nil, "", &ProbeError{Saw: trouble(r), Stderr: stderr.String()}
	}
	dialect = "pi"
	for _, name := range told.UI {
		features = append(features, uiFeature+name)
	}
	known := knownCommands(r)
	for _, c := range []struct{ command, feature string }{
		{"set_extension_ui_capabilities", "capabilities"}, {"call_tool", "call_tool"}, {"new_session", "new_session"}, {"abort", "abort"},
	} {
		if known[c.command] {
			features = append(features, c.feature)
		}
	}
	if known["set_extension_ui_capabilities"] {
		dialect = "atomic"
		features = append(features, "questionnaire")
	}
	if slices.ContainsFunc(r.Wire, isDismissal) {
		features = append(features, "dismiss")
	}
	slices.Sort(features)
	return slices.Compact(features), dialect, nil
}

// recordsOf reads the lines that are JSON objects, and leaves out the others: a banner, or
// what a wrapper prints.
type recordsOf struct {
	lines *jsonl.Reader
	rest  []byte
}

func (r *recordsOf) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		line, err := r.lines.Next()
		if err != nil {
			return 0, err
		}
		if line = bytes.TrimSpace(line); jsontext.Value(line).Kind() == '{' && jsontext.Value(line).IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) {
			r.rest = append(slices.Clone(line), '\n')
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// wireRecord is what is read of a record on the wire.
type wireRecord struct {
	Type    string `json:"type"`
	Method  string `json:"method"`
	Message string `json:"message"`
	Command string `json:"command"`
	Success bool   `json:"success"`
	Error   string `json:"error"`
}

// record reads a line of the agent; ok is false for all that is none of the kind.
func record(l scenario.WireLine) (rec wireRecord, ok bool) {
	if l.From != scenario.Agent || l.Bytes {
		return rec, false
	}
	return rec, json.Unmarshal([]byte(l.Text), &rec) == nil
}

func isDismissal(l scenario.WireLine) bool {
	rec, ok := record(l)
	return ok && rec.Type == "extension_ui_request" && rec.Method == "cancel"
}

func probeAnswer(r *scenario.Report) (told probeFeatures, ok bool) {
	for _, l := range r.Wire {
		rec, isRecord := record(l)
		if text, found := strings.CutPrefix(rec.Message, "probe features: "); isRecord && found {
			return told, json.Unmarshal([]byte(text), &told) == nil
		}
	}
	return told, false
}

// knownCommands are the commands that were responded to, and not as unknown ones.
func knownCommands(r *scenario.Report) map[string]bool {
	known := map[string]bool{}
	for _, l := range r.Wire {
		rec, ok := record(l)
		if ok && rec.Type == "response" && (rec.Success || !strings.Contains(strings.ToLower(rec.Error), "unknown command")) {
			known[rec.Command] = true
		}
	}
	return known
}
