package proxy

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
)

// resetting are the commands after which an agent may have forgotten what its
// client can do.
var resetting = []string{"new_session", "switch_session", "fork", "clone", "reload"}

// readClient passes what the client says to the agent until it ends.
func (p *Proxy) readClient() {
	in := batches{r: p.fromUser, limit: p.opts.MaxRecord, long: p.clientTooLong}
	err := in.each(func(lines []byte) {
		for line := range bytes.Lines(lines) {
			if p.tooLong(line) {
				p.clientTooLong(line, len(record(line)))
			} else {
				p.fromClient(line)
			}
		}
	})
	if err != nil {
		p.report("read the client: %w", err)
	}
	p.closeAgent(errClientClosed)
}

// fromClient takes one line with its end, which the last one may lack.
func (p *Proxy) fromClient(line []byte) {
	typ, ok := protocol.RecordType(line)
	switch {
	case ok && typ == protocol.TypeResponse:
		p.answer(line)
		return
	case responses.in(line):
		p.report("held back a line of the client that may be read as an answer and is none: %q", head(line))
		return
	case ok && typ == protocol.TypeSetCapabilities:
		line = p.capabilities(line)
	case ok && slices.Contains(resetting, typ) && p.walks():
		if c, err := protocol.DecodeCommand(line); err == nil && !c.ID.IsZero() {
			p.watch(p.resets, c.ID)
		}
	}
	p.forward(line)
}

// forward sends a line of the client as it came. The last one, if it has no line end,
// is kept until all else is written: it would run together with what comes behind it.
func (p *Proxy) forward(line []byte) {
	record, ended := bytes.CutSuffix(line, []byte{'\n'})
	if ended {
		p.send(record)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tail = bytes.Clone(line)
}

// answer takes the client's response to a dialog. It returns when what the client
// says next cannot overtake it.
func (p *Proxy) answer(line []byte) {
	r, err := protocol.DecodeResponse(line)
	if err != nil {
		p.report("held back an answer of the client that cannot be read: %w", err)
		return
	}
	if severed(line) {
		p.report("held back an answer of the client with a line end in it, at which some agents begin another record: %q", head(line))
		return
	}
	if len(r.Extra) > 0 && unclear(line) {
		p.report("held back an answer of the client with members that differ in case alone: %q", head(line))
		return
	}
	p.mu.Lock()
	var reply chan []byte
	var taken, over <-chan struct{}
	key := r.ID.Key()
	e := p.faces[key]
	if q := p.walked[key]; q != nil {
		reply, taken, over = q.reply, q.taken, q.of.over
	} else if e != nil && !r.ID.IsZero() && e.ended() == nil {
		e.heard = true
		if p.rules == nil {
			p.close(e)
			delete(p.shown, key)
			p.mu.Unlock()
			p.forward(withID(line, r, e.d.RequestID()))
			close(e.over)
			e.release()
			return
		}
		reply, over = e.reply, e.over
	}
	if !r.ID.IsZero() {
		delete(p.shown, key) // The client does not show it any more.
	}
	p.mu.Unlock()
	select {
	case reply <- bytes.Clone(line):
	default: // nil, or it has one
		p.report("held back an answer to dialog %q, which is not open for the client", r.ID)
		return
	}
	select {
	case <-taken:
	case <-over:
	}
}

// withID is the client's response with the id of the agent's request, as it came if it
// has that.
func withID(line []byte, r *protocol.Response, id protocol.ID) []byte {
	if r.ID == id {
		return line
	}
	r.ID = id
	out := protocol.AppendResponse(nil, r)
	if bytes.HasSuffix(line, []byte{'\n'}) {
		out = append(out, '\n')
	}
	return out
}

// watch makes response look out for the response to a command.
func (p *Proxy) watch(set map[protocol.ID]bool, id protocol.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !set[id] {
		set[id] = true
		p.responses.Add(1)
	}
}

// walks reports whether the proxy asks the agent for questionnaires.
func (p *Proxy) walks() bool { return !p.opts.PassQuestionnaires && p.opts.Client != KnowsOhMyPi }

// optIn asks the agent for questionnaires, which the client will be asked as plain
// dialogs, and for what the client has asked for itself. send writes to the agent.
func (p *Proxy) optIn(send func([]byte)) {
	p.mu.Lock()
	skip, fields := p.refused, p.can.withQuestionnaire()
	p.mu.Unlock()
	if skip || !p.walks() {
		return
	}
	id := newID()
	p.watch(p.optIns, id)
	send(protocol.AppendCommand(nil, &protocol.Command{ID: id, Type: protocol.TypeSetCapabilities, Fields: fields}))
}

// response takes the response to a command while some are watched.
func (p *Proxy) response(line []byte) error {
	r, err := protocol.DecodeCommandResponse(line)
	if err != nil {
		return p.pass(line)
	}
	p.mu.Lock()
	ours := p.optIns[r.ID]
	// The client may have several commands of one id under way.
	reset := p.resets[r.ID] && slices.Contains(resetting, r.Command)
	if ours {
		delete(p.optIns, r.ID)
		p.responses.Add(-1)
		if !r.Success && strings.HasPrefix(r.Error, "Unknown command") {
			p.refused = true
		}
	}
	if reset {
		delete(p.resets, r.ID)
		p.responses.Add(-1)
	}
	p.mu.Unlock()
	if ours {
		return nil
	}
	if reset && r.Success {
		p.optIn(p.sendAside)
	}
	return p.pass(line)
}

// capabilities are what the client has opted in to.
type capabilities struct {
	questionnaire, dismiss bool
	fields                 []protocol.Field // of its last command
}

// withQuestionnaire are the fields that turn on questionnaires as well.
func (c capabilities) withQuestionnaire() []protocol.Field {
	fields := slices.DeleteFunc(slices.Clone(c.fields), func(f protocol.Field) bool { return f.Name == "questionnaire" })
	return append(fields, protocol.Field{Name: "questionnaire", Value: jsontext.Value("true")})
}

// capabilities reads what the client says that it can do, and adds what the proxy
// can do for it.
func (p *Proxy) capabilities(line []byte) []byte {
	c, err := protocol.DecodeCommand(line)
	if err != nil {
		return line
	}
	on := func(name string) bool {
		raw, ok := c.Raw(name)
		return ok && raw.Kind() == 't'
	}
	can := capabilities{questionnaire: on("questionnaire"), dismiss: on("dismiss"), fields: c.Fields}
	p.mu.Lock()
	p.can = can
	p.mu.Unlock()
	if can.questionnaire || !p.walks() {
		return line
	}
	c.Fields = can.withQuestionnaire()
	out := protocol.AppendCommand(nil, c)
	if bytes.HasSuffix(line, []byte{'\n'}) {
		out = append(out, '\n')
	}
	return out
}
