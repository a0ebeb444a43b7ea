package script

import (
	"context"
	"errors"
	"fmt"

	"extui/agent"
	"extui/extension"
	"extui/protocol"

	"github.com/go-json-experiment/json/jsontext"
)

// errBusy is pi's.
const errBusy = nodeError("Wait for the current response to finish before navigating the session tree.")

// opFork begins a session that has the entries up to one: id, position.
func opFork(r *run, c *extension.Context, promise int, a arguments) error {
	id, position := a.text(0), a.text(1)
	r.engine.async(promise, func() (any, error) {
		event := protocol.AppendString([]byte(`{"type":"session_before_fork","entryId":`), id)
		event = append(protocol.AppendString(append(event, `,"position":`...), position), '}')
		if _, cancelled := c.FireBefore("session_before_fork", event); cancelled {
			return `{"cancelled":true}`, nil
		}
		r.state.mu.Lock()
		forked, err := r.state.tree.fork(id, position != "at")
		r.state.mu.Unlock()
		if err != nil {
			return nil, err
		}
		return replaced(c.Session.ReplaceWith(agent.ReasonFork, func(ctx context.Context, next *agent.Session) error {
			r.unit.loader.begin(next, forked)
			if name := forked.name(); name != "" {
				_ = next.SetName(ctx, name) // the client is not told yet, and need not be
			}
			return nil
		}))
	})
	return nil
}

// opNewSession begins a session without entries: what it came from, and the number of
// a function in JavaScript that fills it, 0 for none.
func opNewSession(r *run, c *extension.Context, promise int, a arguments) error {
	parent, setup := a.text(0), a.integer(1)
	r.engine.async(promise, func() (any, error) {
		return replaced(c.Session.ReplaceWith(agent.ReasonNew, func(ctx context.Context, next *agent.Session) error {
			state := r.unit.loader.begin(next, tree{parent: parent})
			if setup == 0 {
				return nil
			}
			// Everybody waits for it, and it may wait for nothing that is to come.
			ctx, cancel := context.WithTimeout(ctx, r.unit.loadLimit())
			defer cancel()
			defer r.unit.hold(setup, state)()
			_, err := r.invoke(ctx, nil, "setup", setup)
			return err
		}))
	})
	return nil
}

// begin makes the state of a session that is about to start.
func (l *Loader) begin(s *agent.Session, t tree) *sessionState {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.adopt(s, t)
}

// hold lets the host function "setup" reach a session that has not started, under a
// number, until release is called.
func (u *unit) hold(number int, state *sessionState) (release func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.setups == nil {
		u.setups = map[int]*sessionState{}
	}
	u.setups[number] = state
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		delete(u.setups, number)
	}
}

// opSetup acts on a session that has not started: its number, what to do, an argument.
func (u *unit) opSetup(a arguments) (any, error) {
	u.mu.Lock()
	state := u.setups[a.integer(0)]
	u.mu.Unlock()
	if state == nil {
		return nil, errors.New("the session that setup was to fill has started")
	}
	switch a.text(1) {
	case "entries":
		return state.list(), nil
	case "leaf":
		return state.leaf(), nil
	case "id":
		return state.session.ID(), nil
	case "name":
		// It is not told to the client, to whom the session does not exist yet.
		_ = state.session.SetName(context.Background(), a.text(2))
		return nil, nil
	}
	e, err := state.append(a.text(2))
	return e.id, err
}

func opReload(r *run, c *extension.Context, promise int, _ arguments) error {
	// A file that has become wrong must not end what runs.
	if err := r.unit.loader.Rebundle(); err != nil {
		return err
	}
	r.engine.async(promise, func() (any, error) { return replaced(c.Session.Replace(agent.ReasonReload)) })
	return nil
}

// replaced is what JavaScript sees of a new session.
func replaced(cancelled bool, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return fmt.Sprintf(`{"cancelled":%t}`, cancelled), nil
}

// navigation is the second argument of ctx.navigateTree.
type navigation struct {
	Summarize           bool           `json:"summarize"`
	CustomInstructions  jsontext.Value `json:"customInstructions"`
	ReplaceInstructions jsontext.Value `json:"replaceInstructions"`
	Label               *string        `json:"label"`
}

// opNavigate goes to another entry of the session: id, options.
func opNavigate(r *run, c *extension.Context, promise int, a arguments) error {
	target := a.text(0)
	var options navigation
	if err := a.decode(1, &options); err != nil {
		return err
	}
	if c.Session.Streaming() {
		return errBusy
	}
	r.engine.async(promise, func() (any, error) {
		s := r.state
		s.mu.Lock()
		old, there := s.tree.leaf, s.tree.find(target) != nil
		event := s.tree.preparation(target, options)
		s.mu.Unlock()
		switch {
		case target == old:
			return replaced(false, nil)
		case !there:
			return nil, notFound(target)
		}
		answer, cancelled := c.FireBefore("session_before_tree", event)
		if cancelled {
			return replaced(true, nil)
		}
		after, err := s.move(target, answer, options)
		if err != nil {
			return nil, err
		}
		return replaced(false, c.Fire("session_tree", after))
	})
	return nil
}

// orNull is the JSON of an id that may be "".
func orNull(id string) []byte {
	if id == "" {
		return []byte("null")
	}
	return protocol.AppendString(nil, id)
}

// preparation is the event session_before_tree.
func (t *tree) preparation(target string, o navigation) jsontext.Value {
	left, ancestor := t.left(target)
	out := fmt.Appendf(nil, `{"type":"session_before_tree","preparation":{"targetId":%s,"oldLeafId":%s,"commonAncestorId":%s,"entriesToSummarize":%s,"userWantsSummary":%t`,
		orNull(target), orNull(t.leaf), orNull(ancestor), listOf(left), o.Summarize)
	for _, f := range []protocol.Field{{Name: "customInstructions", Value: o.CustomInstructions}, {Name: "replaceInstructions", Value: o.ReplaceInstructions}} {
		if f.Value != nil {
			out = append(append(out, `,"`+f.Name+`":`...), f.Value...)
		}
	}
	if o.Label != nil {
		out = protocol.AppendString(append(out, `,"label":`...), *o.Label)
	}
	return append(out, "}}"...)
}

// move goes to another entry, as the handlers of session_before_tree want it, and
// returns the event session_tree.
func (s *sessionState) move(target string, answer jsontext.Value, o navigation) (jsontext.Value, error) {
	var changed struct {
		Label   *string        `json:"label"`
		Summary jsontext.Value `json:"summary"`
	}
	if err := (arguments{string(answer)}).decode(0, &changed); err != nil {
		return nil, err
	}
	label := o.Label
	if changed.Label != nil {
		label = changed.Label
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &s.tree
	e := t.find(target)
	if e == nil {
		return nil, notFound(target)
	}
	old, leaf := t.leaf, e.id
	if e.role == "user" || e.typ == "custom_message" {
		leaf = e.parent // it is to be said in another way
	}
	event := fmt.Appendf(nil, `"oldLeafId":%s`, orNull(old))
	if !o.Summarize {
		t.leaf = leaf
	} else {
		summary, err := summaryOf(old, changed.Summary)
		if err != nil {
			return nil, err
		}
		t.leaf = leaf
		added, err := t.append(summary)
		if err != nil {
			return nil, err
		}
		target = added.id
		event = append(append(event, `,"summaryEntry":`...), added.text()...)
		event = append(event, `,"fromExtension":true`...)
	}
	if label != nil && *label != "" {
		members := append(protocol.AppendString([]byte(`{"type":"label","targetId":`), target), `,"label":`...)
		if _, err := t.append(string(append(protocol.AppendString(members, *label), '}'))); err != nil {
			return nil, err
		}
	}
	return append(fmt.Appendf(nil, `{"type":"session_tree","newLeafId":%s,`, orNull(t.leaf)), append(event, '}')...), nil
}

// summaryOf is the entry of a summary that an extension has made of what was left.
func summaryOf(from string, summary jsontext.Value) (members string, err error) {
	var made struct {
		Summary jsontext.Value `json:"summary"`
		Details jsontext.Value `json:"details"`
		Usage   jsontext.Value `json:"usage"`
	}
	if err := (arguments{string(summary)}).decode(0, &made); err != nil {
		return "", err
	}
	if made.Summary.Kind() != '"' {
		return "", nodeError("No model available for summarization")
	}
	if from == "" {
		from = "root"
	}
	out := protocol.AppendString([]byte(`{"type":"branch_summary","fromId":`), from)
	for _, f := range []protocol.Field{{Name: "summary", Value: made.Summary}, {Name: "details", Value: made.Details}, {Name: "usage", Value: made.Usage}} {
		if f.Value != nil {
			out = append(append(out, `,"`+f.Name+`":`...), f.Value...)
		}
	}
	return string(append(out, `,"fromHook":true}`...)), nil
}
