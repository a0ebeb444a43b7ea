package script

import (
	"slices"
	"sync"

	"extui/agent"
	"extui/extension"
	"extui/protocol"

	"github.com/go-json-experiment/json/jsontext"
)

// sessionState is what all script extensions of one session share.
type sessionState struct {
	session *agent.Session
	program []string // tools of the program that are active by default

	mu     sync.Mutex
	runs   []*run
	tree   tree
	tools  []toolInfo
	active []string // nil: those that are active by default
	cmds   []commandInfo
}

// toolInfo is what a script registers as a tool.
type toolInfo struct {
	Name        string         `json:"name"`
	Label       string         `json:"label,omitzero"`
	Description string         `json:"description,omitzero"`
	Parameters  jsontext.Value `json:"parameters"`
	Guidelines  jsontext.Value `json:"promptGuidelines,omitzero"`
	Exposure    string         `json:"exposure,omitzero"`
	Active      bool           `json:"active"`
	Prepares    bool           `json:"prepares"` // it has prepareArguments
	path        string
}

type commandInfo struct{ name, description, path string }

// session returns the state of a session. One that was reloaded has the id of the one
// before, and goes on with its entries and active tools; what was registered is registered
// anew.
func (l *Loader) session(s *agent.Session) *sessionState {
	l.mu.Lock()
	defer l.mu.Unlock()
	state := l.sessions[s.ID()]
	switch {
	case state == nil:
		state = l.adopt(s, tree{})
	case state.session != s:
		state.mu.Lock()
		t, active := state.tree.clone(), slices.Clone(state.active)
		state.mu.Unlock()
		state = &sessionState{session: s, tree: t, program: l.opts.ActiveTools, active: active}
		l.sessions[s.ID()] = state
	}
	return state
}

// adopt makes the state of a session that begins with the entries of t. l.mu is held.
func (l *Loader) adopt(s *agent.Session, t tree) *sessionState {
	for id, old := range l.sessions {
		if old.session.Context().Err() != nil {
			delete(l.sessions, id)
		}
	}
	t.begin()
	state := &sessionState{session: s, tree: t, program: l.opts.ActiveTools}
	l.sessions[s.ID()] = state
	return state
}

// join enters a run. What it registered before its session was known comes with it.
func (s *sessionState) join(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs = append(s.runs, r)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.tools {
		s.addTool(t)
	}
	s.cmds = append(s.cmds, r.commands...)
	r.state = s
}

func (s *sessionState) leave(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs = slices.DeleteFunc(s.runs, func(x *run) bool { return x == r })
}

// addTool enters a tool; the first of a name counts, unless the same extension
// registers it again. s.mu is held.
func (s *sessionState) addTool(t toolInfo) {
	for i := range s.tools {
		if s.tools[i].Name == t.Name {
			if s.tools[i].path == t.path {
				s.tools[i] = t
			}
			return
		}
	}
	s.tools = append(s.tools, t)
	if s.active != nil && t.Active && !slices.Contains(s.active, t.Name) {
		s.active = append(s.active, t.Name)
	}
}

// activeTools returns the names of the tools that a model would see. s.mu is held.
func (s *sessionState) activeTools() []string {
	if s.active != nil {
		return s.active
	}
	out := append([]string{}, s.program...)
	for _, t := range s.tools {
		if t.Active && !slices.Contains(out, t.Name) {
			out = append(out, t.Name)
		}
	}
	return out
}

// toolActive is what [extension.Host.ToolActive] asks: until an extension has chosen the
// active tools, all may be called.
func (l *Loader) toolActive(s *agent.Session, name string) bool {
	l.mu.Lock()
	state := l.sessions[s.ID()]
	l.mu.Unlock()
	if state == nil {
		return true
	}
	state.mu.Lock()
	defer state.mu.Unlock()
	return state.active == nil || slices.Contains(state.active, name)
}

// append adds an entry, given its own members as a JSON object, and returns it.
func (s *sessionState) append(members string) (entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tree.append(members)
}

func (s *sessionState) list() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return listOf(s.tree.entries)
}

// leaf returns the id of the entry that the next one follows, nil for none.
func (s *sessionState) leaf() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tree.leaf == "" {
		return nil
	}
	return s.tree.leaf
}

// sourceInfo is where something was registered, as pi shows it.
func sourceInfo(path string) jsontext.Value { return sourceOf(path, "cli") }

func sourceOf(path, source string) jsontext.Value {
	b := protocol.AppendString([]byte(`{"path":`), path)
	b = protocol.AppendString(append(b, `,"source":`...), source)
	return append(b, `,"scope":"temporary","origin":"top-level"}`...)
}

// commandsJSON is pi.getCommands: what the host has, or else what scripts have.
func (l *Loader) commandsJSON(state *sessionState, s *agent.Session) (any, error) {
	type info struct {
		Name        string         `json:"name"`
		Description string         `json:"description,omitzero"`
		Source      string         `json:"source"`
		SourceInfo  jsontext.Value `json:"sourceInfo"`
	}
	out := []info{}
	if h := l.bound(); h != nil {
		for _, c := range h.Commands(s) {
			out = append(out, info{c.Name, c.Description, "extension", sourceInfo(c.Path)})
		}
		return encodeJSON(out)
	}
	state.mu.Lock()
	defer state.mu.Unlock()
	for _, c := range state.cmds {
		out = append(out, info{c.name, c.description, "extension", sourceInfo(c.path)})
	}
	return encodeJSON(out)
}

// toolsJSON is pi.getAllTools.
func (l *Loader) toolsJSON(state *sessionState, s *agent.Session) (any, error) {
	type info struct {
		Name        string         `json:"name"`
		Description string         `json:"description"`
		Parameters  jsontext.Value `json:"parameters"`
		Guidelines  jsontext.Value `json:"promptGuidelines,omitzero"`
		Exposure    string         `json:"exposure"`
		SourceInfo  jsontext.Value `json:"sourceInfo"`
	}
	out := []info{}
	state.mu.Lock()
	for _, t := range state.tools {
		out = append(out, info{t.Name, t.Description, t.Parameters, t.Guidelines, t.Exposure, sourceInfo(t.path)})
	}
	state.mu.Unlock()
	if h := l.bound(); h != nil {
		for _, t := range h.Tools(s) {
			if slices.ContainsFunc(out, func(o info) bool { return o.Name == t.Name }) {
				continue
			}
			parameters := t.Parameters
			if parameters == nil {
				parameters = jsontext.Value(`{}`)
			}
			out = append(out, info{Name: t.Name, Description: t.Description, Parameters: parameters, Exposure: "direct", SourceInfo: sourceOf("builtin:"+t.Name, "builtin")})
		}
	}
	return encodeJSON(out)
}

func (l *Loader) bound() *extension.Host {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.host
}
