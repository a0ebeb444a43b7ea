package script

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"extui/internal/uuid"
	"extui/protocol"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// tree is what a session remembers, as pi's session manager has it: entries that are
// only ever added, each behind another, and the one that the next will follow. It is
// kept in memory only.
type tree struct {
	entries []entry // in the order in which they were added
	leaf    string  // the id of the last one on the current branch, "" before the first
	parent  string  // what the session says that it came from, "" for nothing
}

// entry is one entry.
type entry struct {
	id, parent string // parent is "" at the root
	members    string // its own members as a JSON object, "type" first
	at         string // the time
	typ        string
	role       string // of a message
	target     string // of a label: the id of an entry
	label      string // of a label; "" takes it away
	name       string // of a session_info
}

func newEntry(members string) (entry, error) {
	var head struct {
		Type     string `json:"type"`
		TargetID string `json:"targetId"`
		Label    string `json:"label"`
		Name     string `json:"name"`
		Message  struct {
			Role string `json:"role"`
		} `json:"message"`
	}
	if err := json.Unmarshal([]byte(members), &head, jsontext.AllowInvalidUTF8(true)); err != nil {
		return entry{}, fmt.Errorf("append an entry: %w", err)
	}
	return entry{
		id: uuid.New()[:8], members: members, at: time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
		typ: head.Type, role: head.Message.Role, target: head.TargetID, label: head.Label, name: head.Name,
	}, nil
}

// text returns the entry as JSON.
func (e entry) text() string {
	parent := "null"
	if e.parent != "" {
		parent = `"` + e.parent + `"`
	}
	place := fmt.Sprintf(`"id":"%s","parentId":%s,"timestamp":"%s"`, e.id, parent, e.at)
	// As pi: behind what is an extension's own, before what is not.
	if head := `{"type":` + string(protocol.AppendString(nil, e.typ)); e.typ != "custom" && e.typ != "custom_message" {
		if rest, ok := strings.CutPrefix(e.members, head); ok {
			return head + "," + place + rest
		}
	}
	return strings.TrimSuffix(e.members, "}") + "," + place + "}"
}

func listOf(entries []entry) string {
	texts := make([]string, len(entries))
	for i, e := range entries {
		texts[i] = e.text()
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// speaks reports whether the entry is one that a model would be told.
func (e entry) speaks() bool { return e.typ == "message" || e.typ == "custom_message" }

func (t *tree) clone() tree {
	out := *t
	out.entries = slices.Clone(t.entries)
	return out
}

// begin adds what pi begins a session with in which nothing was said.
func (t *tree) begin() {
	if !slices.ContainsFunc(t.branch(t.leaf), entry.speaks) {
		_, _ = t.append(`{"type":"thinking_level_change","thinkingLevel":"off"}`) // it is well-formed
	}
}

// append adds an entry behind the leaf.
func (t *tree) append(members string) (entry, error) {
	e, err := newEntry(members)
	if err != nil {
		return entry{}, err
	}
	if e.typ == "label" && t.find(e.target) == nil {
		return entry{}, notFound(e.target)
	}
	t.add(e)
	return t.entries[len(t.entries)-1], nil
}

func (t *tree) add(e entry) {
	e.parent = t.leaf
	t.entries = append(t.entries, e)
	t.leaf = e.id
}

func notFound(id string) error { return nodeError("Entry " + id + " not found") }

// find returns nil if there is no such entry.
func (t *tree) find(id string) *entry {
	for i := range t.entries {
		if t.entries[i].id == id {
			return &t.entries[i]
		}
	}
	return nil
}

// branch returns the entries from the root to this one.
func (t *tree) branch(id string) []entry {
	var out []entry
	// Whatever an entry follows was there before it.
	for _, e := range slices.Backward(t.entries) {
		if id != "" && e.id == id {
			out = append(out, e)
			id = e.parent
		}
	}
	slices.Reverse(out)
	return out
}

// fork returns the tree that ends with an entry, or with that before it if it is a
// message of the user which is to be said in another way.
func (t *tree) fork(id string, before bool) (tree, error) {
	const text = nodeError("Invalid entry ID for forking")
	e := t.find(id)
	if e == nil || before && e.role != "user" {
		return tree{}, text
	}
	if before {
		id = e.parent
	}
	// Labels move behind what they name: only those that still hold come along.
	out := tree{}
	labels := map[string]entry{}
	for _, e := range t.entries {
		if e.typ == "label" {
			labels[e.target] = e
		}
	}
	path := t.branch(id)
	for _, e := range path {
		if e.typ != "label" {
			out.add(e)
		}
	}
	for _, e := range path {
		if l, ok := labels[e.id]; ok && l.label != "" {
			l.id = uuid.New()[:8]
			out.add(l)
		}
	}
	return out, nil
}

// name returns the session's name, "" if it has none.
func (t *tree) name() string {
	for _, e := range slices.Backward(t.entries) {
		if e.typ == "session_info" {
			return e.name
		}
	}
	return ""
}

// left returns the entries that a move from the leaf to another entry leaves behind, and
// the last that stays, "" for none.
func (t *tree) left(target string) (entries []entry, ancestor string) {
	old, next := t.branch(t.leaf), t.branch(target)
	n := 0
	for n < len(old) && n < len(next) && old[n].id == next[n].id {
		n++
	}
	if n > 0 {
		ancestor = next[n-1].id
	}
	return old[n:], ancestor
}
