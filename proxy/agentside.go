package proxy

import (
	"bytes"
	"errors"
	"fmt"

	"extui/protocol"
)

// readAgent passes the agent's output to the client until it ends.
func (p *Proxy) readAgent() error {
	in := batches{r: p.agent.Out, limit: p.opts.MaxRecord, long: p.agentTooLong}
	err := in.each(func(lines []byte) {
		if err := p.fromAgent(lines); err != nil {
			p.clientGone(err)
		}
	})
	gone := p.broken(p.parts.rest())
	if gone == nil {
		gone = p.flush()
	}
	if gone != nil {
		p.clientGone(gone)
	}
	if err != nil && p.failed == nil {
		return fmt.Errorf("read the agent: %w", err)
	}
	return p.failed
}

// clientGone ends the agent's input, once. The agent may want to say more before it
// ends, and is listened to.
func (p *Proxy) clientGone(err error) {
	if p.failed != nil {
		return
	}
	p.failed = err
	p.work.Go(func() { p.closeAgent(p.failed) })
	if p.opts.ClientGone != nil {
		p.opts.ClientGone()
	}
}

// fromAgent passes lines on, but for those that the proxy deals with itself.
func (p *Proxy) fromAgent(lines []byte) error {
	for len(lines) > 0 {
		line := lines
		if i := bytes.IndexByte(lines, '\n'); i >= 0 {
			line = lines[:i+1]
		}
		lines = lines[len(line):]
		if p.tooLong(line) {
			p.agentTooLong(line, len(record(line)))
			continue
		}
		if err := p.handle(line, p.kind(line)); err != nil {
			return err
		}
	}
	return p.flush()
}

// pass has lines written to the client, together with what follows them if possible.
func (p *Proxy) pass(lines []byte) error {
	if n := len(p.held); n > 0 && len(lines) > 0 && cap(p.held)-n >= len(lines) && &p.held[:n+1][n] == &lines[0] {
		p.held = p.held[:n+len(lines)] // They stand behind each other.
		return nil
	}
	if err := p.flush(); err != nil {
		return err
	}
	p.held = lines
	return nil
}

// flush writes what pass was given. It comes before any other writing to the client
// that the agent causes, and before the memory of its lines is used again.
func (p *Proxy) flush() error {
	lines := p.held
	p.held = nil
	if len(lines) == 0 {
		return nil
	}
	return p.client.write(lines)
}

// kind is what a line of the agent is to the proxy.
type kind int

const (
	passing  kind = iota // nothing: it passes
	request              // a request, or what some client may read as one
	response             // to a command, while such are watched
	part                 // of a record in several lines, or what comes in between
)

func (p *Proxy) kind(line []byte) kind {
	typ, _ := protocol.RecordType(line)
	switch {
	case p.parts.under():
		return part
	case typ == protocol.TypeRequest, requests.in(line):
		return request // Even if it seems to be a part.
	case typ == typeChunk:
		return part
	case p.opts.Client == KnowsOhMyPi && chunks.in(line):
		return request // Whole it could be one.
	case typ == protocol.TypeCommandResponse && p.responses.Load() > 0:
		return response
	case typ == typeReady:
		p.trims = true
	}
	return passing
}

// handle deals with a line. An error is that of writing to the client.
func (p *Proxy) handle(line []byte, k kind) error {
	switch k {
	case part:
		return p.part(line)
	case request:
		return p.request(line, line)
	case response:
		return p.response(line)
	}
	return p.pass(line)
}

// Why a dialog is cancelled that nobody is asked; the rules are told.
var (
	errSevered = errors.New("some clients begin another record at a line end within it")
	errUnclear = errors.New("two of its members differ in case alone")
	errUnknown = errors.New("extui does not know this method")
	errTrimmed = errors.New("its text was cut on the way")
)

// request deals with a record that is a request, or may be read as one. lines is how
// it came.
func (p *Proxy) request(record, lines []byte) error {
	r, err := protocol.DecodeRequest(record)
	if r != nil && severed(record) {
		p.holdBack(r, record, "a line end in it, at which some clients begin another record", errSevered)
		return nil
	}
	if r == nil {
		p.report("held back a record of the agent that may be read as a request and is none: %q", head(record))
		return nil
	}
	id := r.RequestID()
	if p.rules != nil && unclear(record) {
		p.holdBack(r, record, "members that differ in case alone", errUnclear)
		return nil
	}
	switch r := r.(type) {
	case *protocol.Cancel:
		return p.cancel(r, lines)
	case *protocol.Unknown:
		if r.Passive {
			return p.pass(lines)
		}
		p.report("cancelled dialog %q of the unknown method %q", id, r.Name)
		if err == nil {
			err = errUnknown
		}
		p.cancelUnasked(r, err)
		return nil
	case protocol.Update:
		if p.rules != nil {
			p.rules.Show(r)
		}
		if url, ok := r.(*protocol.OpenURL); ok && p.opts.Client != KnowsOhMyPi {
			return p.openURL(url)
		}
		return p.pass(lines)
	case protocol.Dialog:
		switch {
		case err != nil:
			p.report("cancelled a dialog that cannot be read: %w", err)
			p.cancelUnasked(r, err)
		case p.rules != nil && p.trims && trimmed(record):
			p.report("cancelled %s: its text was cut on the way", name(r))
			p.cancelUnasked(r, errTrimmed)
		default:
			if err := p.flush(); err != nil {
				return err
			}
			return p.dialog(r, lines)
		}
	}
	return nil
}

// holdBack does not let a request pass whose record has something that makes it unclear, and
// cancels it if it is a dialog.
func (p *Proxy) holdBack(r protocol.Request, record []byte, has string, why error) {
	p.report("held back a request of the agent with %s: %q", has, head(record))
	if _, ok := r.(protocol.Dialog); ok {
		p.cancelUnasked(r, why)
	}
}

// trimmed reports whether oh-my-pi has shortened a record, as its first transport
// does. No rule was written for what is left.
func trimmed(record []byte) bool {
	return bytes.Contains(record, []byte("elided for RPC frame")) || bytes.Contains(record, []byte("rpcFrameElided"))
}

// knowsCancel reports whether the client wants to know which dialogs are over.
func (p *Proxy) knowsCancel() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.opts.Client == KnowsOhMyPi || p.can.dismiss
}

// head is the beginning of a record for a message.
func head(line []byte) []byte { return bytes.TrimSpace(line[:min(len(line), 120)]) }

// openURL asks a client that knows no open_url to show the address.
func (p *Proxy) openURL(r *protocol.OpenURL) error {
	text := r.URL
	if r.LaunchURL != "" {
		text = r.LaunchURL
	}
	if r.Instructions != "" {
		text = r.Instructions + "\n" + text
	}
	record, err := protocol.AppendRequest(nil, &protocol.Notify{ID: r.ID, Message: "Open " + text, Type: protocol.NotifyInfo})
	if err != nil {
		p.report("lost a request to open a page: %w", err)
		return nil
	}
	return p.pass(append(record, '\n'))
}
