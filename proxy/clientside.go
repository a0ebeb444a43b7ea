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
	err := eachBatch(p.fromUser, func(lines []byte) {
		for line := range bytes.Lines(lines) {
			p.fromClient(bytes.TrimSuffix(line, []byte{'\n'}))
		}
	})
	if err != nil {
		p.report("read the client: %w", err)
	}
	p.closeAgent(errClientClosed)
}

// fromClient takes one line without its LF.
func (p *Proxy) fromClient(line []byte) {
	typ, ok := protocol.RecordType(line)
	switch {
	case ok && typ == protocol.TypeResponse:
		p.answer(line)
		return
	case ok && typ == protocol.TypeSetCapabilities:
		line = p.capabilities(line)
	case ok && slices.Contains(resetting, typ) && p.walks():
		if c, err := protocol.DecodeCommand(line); err == nil && !c.ID.IsZero() {
			p.watch(p.resets, c.ID)
		}
	case bytes.Contains(line, []byte(`"`+protocol.TypeResponse+`"`)):
		// As another reader than ours might take it for an answer.
		if _, err := protocol.DecodeCommand(line); err != nil {
			p.report("held back a line of the client that may be read as an answer and is none: %q", head(line))
			return
		}
	}
	p.send(line)
}

// answer takes the client's response to a dialog.
func (p *Proxy) answer(line []byte) {
	r, err := protocol.DecodeResponse(line)
	if err != nil {
		p.report("held back an answer of the client that cannot be read: %w", err)
		return
	}
	p.mu.Lock()
	var reply chan []byte
	var settled <-chan struct{}
	if q := p.walked[r.ID]; q != nil {
		reply = q.reply
	} else if e := p.open[r.ID]; e != nil && e.asked {
		if p.rules == nil {
			e.settled = true
			delete(p.open, r.ID)
			p.mu.Unlock()
			p.send(line)
			e.cancel(nil)
			return
		}
		reply, settled = e.reply, e.done
	}
	p.mu.Unlock()
	select {
	case reply <- bytes.Clone(line):
	default: // nil, or it has one
		p.report("held back an answer to dialog %q, which is not open for the client", r.ID)
		return
	}
	if settled != nil {
		<-settled // What the client says next must not overtake it.
	}
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
// dialogs.
func (p *Proxy) optIn() {
	p.mu.Lock()
	skip := p.refused
	p.mu.Unlock()
	if skip || !p.walks() {
		return
	}
	id := p.newID()
	p.watch(p.optIns, id)
	p.send(protocol.AppendCommand(nil, &protocol.Command{ID: id, Type: protocol.TypeSetCapabilities,
		Fields: protocol.Capabilities{Questionnaire: true}.Fields()}))
}

// response takes the response to a command while some are watched.
func (p *Proxy) response(line []byte) error {
	r, err := protocol.DecodeCommandResponse(line)
	if err != nil {
		return p.pass(line)
	}
	p.mu.Lock()
	ours, reset := p.optIns[r.ID], p.resets[r.ID]
	delete(p.optIns, r.ID)
	delete(p.resets, r.ID)
	if ours {
		p.responses.Add(-1)
		if !r.Success && strings.HasPrefix(r.Error, "Unknown command") {
			p.refused = true
		}
	}
	if reset {
		p.responses.Add(-1)
	}
	p.mu.Unlock()
	if ours {
		return nil
	}
	if reset && r.Success {
		p.optIn()
	}
	return p.pass(line)
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
	can := protocol.Capabilities{Questionnaire: on("questionnaire"), Dismiss: on("dismiss")}
	p.mu.Lock()
	p.can = can
	p.mu.Unlock()
	if can.Questionnaire || !p.walks() {
		return line
	}
	c.Fields = slices.DeleteFunc(slices.Clone(c.Fields), func(f protocol.Field) bool { return f.Name == "questionnaire" })
	c.Fields = append(c.Fields, protocol.Field{Name: "questionnaire", Value: jsontext.Value("true")})
	return protocol.AppendCommand(nil, c)
}
