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
	if err := json.Unmarshal(line, &part); err != nil || part.ID == nil || part.Index == nil || part.Count == nil || part.Size == nil || part.Data == nil {
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
// What cannot be put together passes as it is: no client can make a record of it,
// and an answer to a dialog that the proxy has not seen goes nowhere.
func (p *Proxy) part(line []byte, typ string) error {
	whole, ok := p.parts.add(line)
	if !ok {
		p.report("the agent sent a part of a record that fits no other")
		if err := p.pass(p.parts.rest()); err != nil {
			return err
		}
		if typ == typeChunk {
			if whole, ok = p.parts.add(line); !ok {
				p.parts.rest()
				return p.pass(line)
			}
		} else if p.concerns(line) {
			return p.handle(line)
		} else {
			return p.pass(line)
		}
	}
	if !whole {
		return nil
	}
	record := bytes.ReplaceAll(p.parts.data, []byte{'\n'}, []byte{' '})
	lines := p.parts.rest()
	if typ, isObject := protocol.RecordType(record); isObject && typ == protocol.TypeRequest {
		return p.request(record, lines)
	}
	return p.pass(lines)
}
