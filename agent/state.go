package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"extui/protocol"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// state is the data of get_state: pi's keys, with pi's values for an agent that has
// no model.
func (a *Agent) state() jsontext.Value {
	s := a.Session()
	s.mu.Lock()
	name, streaming := s.name, s.streaming()
	s.mu.Unlock()
	out := []byte(`{"model":{"id":"unknown","name":"unknown","api":"unknown","provider":"unknown","baseUrl":"","reasoning":false,"input":[],` +
		`"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0},"contextWindow":0,"maxTokens":0},"thinkingLevel":"off"`)
	out = fmt.Appendf(out, `,"isStreaming":%t,"isCompacting":false,"steeringMode":"one-at-a-time","followUpMode":"one-at-a-time"`, streaming)
	out = protocol.AppendString(append(out, `,"sessionId":`...), s.id)
	if name != "" {
		out = protocol.AppendString(append(out, `,"sessionName":`...), name)
	}
	return append(out, `,"autoCompactionEnabled":true,"messageCount":0,"pendingMessageCount":0}`...)
}

// setSessionName names the session for the client, which cannot take a name away.
func (a *Agent) setSessionName(c *protocol.Command) {
	var name string
	for _, f := range c.Fields {
		if f.Name != "name" {
			continue
		}
		if err := json.Unmarshal(f.Value, &name, jsontext.AllowInvalidUTF8(true)); err != nil {
			wrong := &protocol.FieldError{Record: c.Type + " command", Field: f.Name, Value: shorten(string(f.Value)), Want: "a string"}
			a.out.post(failure(c, wrong.Error()))
			return
		}
	}
	if name = strings.TrimSpace(name); name == "" {
		a.out.post(failure(c, "Session name cannot be empty"))
		return
	}
	s := a.Session()
	a.out.post(s.rename(name))
	a.out.post(success(c, nil))
	if watcher, ok := a.rt.(NameWatcher); ok {
		s.Go(c.Type, func(ctx context.Context) { watcher.SessionNamed(ctx, s, name) })
	}
}

// commandList is the data of get_commands.
func (a *Agent) commandList() jsontext.Value {
	out := []byte(`{"commands":[`)
	for i, c := range a.rt.Commands(a.Session()) {
		if i > 0 {
			out = append(out, ',')
		}
		out = protocol.AppendString(append(out, `{"name":`...), c.Name)
		if c.Description != "" {
			out = protocol.AppendString(append(out, `,"description":`...), c.Description)
		}
		out = protocol.AppendString(append(out, `,"source":"extension","sourceInfo":{"path":`...), c.Path)
		out = append(out, `,"source":"cli","scope":"temporary","origin":"top-level"}}`...)
	}
	return append(out, `]}`...)
}

// setCapabilities turns capabilities on and off. They hold for the process, so
// through new_session too. The response says what is on, what this agent can turn
// on, and which names it does not know or does not offer:
//
//	{"on":["dismiss"],"supported":["dismiss","questionnaire"],"unknown":["voice"]}
func (a *Agent) setCapabilities(c *protocol.Command) {
	known := map[string]bool{}
	var unknown []string
	for _, f := range c.Fields {
		supported := f.Name == "questionnaire" && a.opts.Capabilities.Questionnaire ||
			f.Name == "dismiss" && a.opts.Capabilities.Dismiss
		switch {
		case !supported:
			unknown = append(unknown, f.Name)
		case f.Value.Kind() != 't' && f.Value.Kind() != 'f':
			err := &protocol.FieldError{Record: c.Type + " command", Field: f.Name, Value: shorten(string(f.Value)), Want: "true or false"}
			a.out.post(failure(c, err.Error()))
			return
		default:
			known[f.Name] = f.Value.Kind() == 't'
		}
	}
	a.mu.Lock()
	if on, ok := known["questionnaire"]; ok {
		a.caps.Questionnaire = on
	}
	if on, ok := known["dismiss"]; ok {
		a.caps.Dismiss = on
	}
	now := a.caps
	a.mu.Unlock()
	out := appendNames([]byte(`{"on":`), names(now))
	out = appendNames(append(out, `,"supported":`...), names(*a.opts.Capabilities))
	if unknown != nil {
		slices.Sort(unknown)
		out = appendNames(append(out, `,"unknown":`...), unknown)
	}
	a.out.post(success(c, append(out, '}')))
}

// names lists what is on in c, sorted.
func names(c protocol.Capabilities) []string {
	var out []string
	for _, f := range c.Fields() {
		out = append(out, f.Name)
	}
	slices.Sort(out)
	return out
}

func appendNames(dst []byte, names []string) []byte {
	dst = append(dst, '[')
	for i, n := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = protocol.AppendString(dst, n)
	}
	return append(dst, ']')
}
