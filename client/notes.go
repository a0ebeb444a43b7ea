package client

import (
	"maps"

	"extui/protocol"
)

// maxReported bounds what an agent that makes up methods can fill.
const maxReported = 1000

type reportKey struct {
	kind   DiagnosticKind
	method protocol.Method
}

// note counts d, and reports it if it is the first of its kind and method in
// this session.
func (c *Client) note(d Diagnostic) {
	c.mu.Lock()
	n := c.counts[d.Kind]
	n.N++
	n.Bytes += d.Bytes
	c.counts[d.Kind] = n
	key := reportKey{d.Kind, d.Method}
	first := !c.reported[key] && len(c.reported) < maxReported
	if first {
		c.reported[key] = true
		c.notes.add(d)
	}
	c.mu.Unlock()
	if first {
		c.notes.drain()
	}
}

// forgetReports begins a new session for note.
func (c *Client) forgetReports() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.reported)
}

// Counts returns how often each kind of [Diagnostic] has happened so far,
// including those that were not reported again. Kinds that have not happened
// are missing. The map belongs to the caller.
func (c *Client) Counts() map[DiagnosticKind]Count {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.counts)
}
