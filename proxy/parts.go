package proxy

import (
	"bytes"

	"github.com/go-json-experiment/json"

	"extui/protocol"
)

// Records of oh-my-pi that concern the transport: its first one, and a part of a
// record that is too long for a line.
const (
	typeReady = "ready"
	typeChunk = "rpc_chunk"
)

// parts puts together a record that comes in several lines, to see whether it is a
// request. The client gets the lines as they are, in one piece.
type parts struct {
	id    string
	count int
	next  int // the index that is expected; 0: no record is under way
	size  int
	data  []byte
	lines []byte
}

func (k *parts) under() bool { return k.next > 0 }

// rest returns the lines that were held back, and forgets them.
func (k *parts) rest() []byte {
	lines := k.lines
	*k = parts{}
	return lines
}

// add takes one line. It is no part of the record that is under way if ok is false.
func (k *parts) add(line []byte) (whole, ok bool) {
	var part struct {
		ID    *string `json:"chunkId"`
		Index *int    `json:"index"`
		Count *int    `json:"count"`
		Size  *int    `json:"byteLength"`
		Data  *[]byte `json:"data"`
	}
	if err := json.Unmarshal(line, &part); err != nil || part.ID == nil || part.Index == nil || part.Count == nil || part.Size == nil || part.Data == nil || twofold(line) {
		return false, false
	}
	if !k.under() {
		k.id, k.count, k.size = *part.ID, *part.Count, *part.Size
	}
	if *part.ID != k.id || *part.Index != k.next || *part.Count != k.count || *part.Index >= k.count || *part.Size != k.size {
		return false, false
	}
	k.next++
	k.data = append(k.data, *part.Data...)
	k.lines = append(k.lines, line...)
	return k.next == k.count, true
}

// part takes a line that is a part, or interrupts a record that comes in parts.
func (p *Proxy) part(line []byte) error {
	if typ, _ := protocol.RecordType(line); typ != typeChunk || requests.in(line) {
		if err := p.broken(p.parts.rest()); err != nil {
			return err
		}
		return p.handle(line, p.kind(line))
	}
	whole, ok := p.parts.add(line)
	if !ok {
		if err := p.broken(p.parts.rest()); err != nil {
			return err
		}
		if whole, ok = p.parts.add(line); !ok {
			p.parts.rest()
			return p.broken(line)
		}
	}
	if limit := p.opts.MaxRecord; limit > 0 && p.parts.size > limit || limit > 0 && len(p.parts.data) > limit {
		record := p.parts.data
		p.parts.rest()
		p.report("dropped a record of the agent in parts, for it is longer than the limit of %d bytes: %q", limit, head(record))
		p.cancelCut(record)
		return nil
	}
	if !whole {
		return nil
	}
	record := bytes.ReplaceAll(p.parts.data, []byte{'\n'}, []byte{' '})
	lines := p.parts.rest()
	if typ, _ := protocol.RecordType(record); typ != protocol.TypeRequest && !requests.in(record) {
		return p.pass(lines)
	}
	if p.opts.Client != KnowsOhMyPi {
		lines = append(record, '\n') // It could show nothing of the parts.
	}
	return p.request(record, lines)
}

// broken takes parts that cannot be put together. A client that knows of parts might
// be able to, and show a dialog that nobody has seen; to others they are nothing.
func (p *Proxy) broken(lines []byte) error {
	if len(lines) == 0 {
		return nil
	}
	if p.opts.Client == KnowsOhMyPi {
		p.report("held back parts of a record that fit no other: %q", head(lines))
		return nil
	}
	p.report("the agent sent a part of a record that fits no other")
	return p.pass(lines)
}
