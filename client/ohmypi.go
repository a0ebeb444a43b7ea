package client

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"extui/internal/jsonl"
	"extui/protocol"
)

// Records of oh-my-pi that concern the transport.
const (
	typeReady        = "ready"
	typeChunk        = "rpc_chunk"
	typePromptResult = "prompt_result"
)

const (
	commandNegotiate = "negotiate_protocol"
	commandAskDialog = "set_ask_dialog"
)

// ready takes oh-my-pi's first record and opts in to what it offers.
func (c *Client) ready(record []byte) {
	if c.opts.Dialect != Auto && c.opts.Dialect != OhMyPi || c.ohMyPi.Load() {
		return
	}
	var r struct {
		Versions []float64 `json:"supportedProtocolVersions"`
		Frame    float64   `json:"maxFrameBytes"`
		Whole    float64   `json:"maxReassembledFrameBytes"`
	}
	if err := json.Unmarshal(record, &r); err != nil {
		c.note(Diagnostic{Kind: KindBadRecord, Bytes: int64(len(record)), Err: fmt.Errorf("ready record: %w", err)})
		return
	}
	c.ohMyPi.Store(true)
	c.read.frame = bounded(r.Frame)
	c.read.chunks.limit = bounded(r.Whole)
	if c.opts.MaxRecord > 0 && (c.read.chunks.limit == 0 || c.opts.MaxRecord < c.read.chunks.limit) {
		c.read.chunks.limit = c.opts.MaxRecord
	}
	v2 := slices.Contains(r.Versions, 2)
	c.own.Start(func() {
		if v2 {
			c.announce(c.base, commandNegotiate, func(err error) { c.read.v2 = err == nil },
				protocol.Field{Name: "protocolVersion", Value: jsontext.Value("2")})
		}
		c.optIn(c.base)
	})
}

// bounded makes a size in bytes of a number that an agent has sent.
func bounded(n float64) int {
	const most = 1 << 30
	if n > 0 && n < most {
		return int(n)
	}
	return 0
}

// mayBeTrimmed reports whether oh-my-pi's first transport may have cut the
// dialog: it shortens what does not fit into a frame, and says so only within
// the text. A cut editor must not go back as if a person had shortened it, and
// nobody can agree to what they cannot read.
func (c *Client) mayBeTrimmed(d protocol.Dialog, record []byte) bool {
	if !c.ohMyPi.Load() || c.read.v2 {
		return false
	}
	if bytes.Contains(record, []byte("elided for RPC frame")) || bytes.Contains(record, []byte("rpcFrameElided")) {
		return true
	}
	_, editor := d.(*protocol.Editor)
	return editor && c.read.frame > 0 && len(record) > c.read.frame/2
}

// chunks puts a record together that came in parts, as rpc_chunk records.
type chunks struct {
	limit int // most bytes of a whole record, 0: none
	id    string
	count int
	size  int // what all parts must come to
	next  int // the index that is expected; 0: no record is under way
	data  []byte
	skip  string // the id of a record that was given up; the rest of it is not reported
}

func (k *chunks) active() bool { return k.next > 0 }

func (k *chunks) reset() { k.id, k.next, k.data = "", 0, nil }

// giveUp drops the record that is under way, with what is still to come of it.
func (k *chunks) giveUp() {
	k.skip = k.id
	k.reset()
}

// add takes one part and returns the record once it is whole.
func (k *chunks) add(record []byte) ([]byte, error) {
	var part struct {
		ID    *string `json:"chunkId"`
		Index *int    `json:"index"`
		Count *int    `json:"count"`
		Size  *int    `json:"byteLength"`
		Data  *[]byte `json:"data"`
	}
	if err := json.Unmarshal(record, &part); err != nil {
		return nil, fmt.Errorf("read part: %w", err)
	}
	if part.ID == nil || part.Index == nil || part.Count == nil || part.Size == nil || part.Data == nil {
		return nil, errors.New("a part lacks chunkId, index, count, byteLength or data")
	}
	if !k.active() {
		if *part.ID == k.skip && *part.Index > 0 {
			return nil, nil
		}
		k.skip = ""
		k.id, k.count, k.size = *part.ID, *part.Count, *part.Size
		if k.limit > 0 && k.size > k.limit {
			return nil, &jsonl.OversizeError{Limit: k.limit, Size: int64(k.size), Head: (*part.Data)[:min(len(*part.Data), 200)]}
		}
	}
	switch {
	case *part.ID != k.id:
		return nil, fmt.Errorf("chunkId is %q, want %q", *part.ID, k.id)
	case *part.Index != k.next:
		return nil, fmt.Errorf("index is %d, want %d", *part.Index, k.next)
	case *part.Count != k.count || *part.Index >= k.count:
		return nil, fmt.Errorf("count is %d at index %d, was %d", *part.Count, *part.Index, k.count)
	case *part.Size != k.size:
		return nil, fmt.Errorf("byteLength is %d, was %d", *part.Size, k.size)
	case len(*part.Data) > k.size-len(k.data):
		return nil, fmt.Errorf("the parts have more than byteLength %d", k.size)
	}
	k.data = append(k.data, *part.Data...)
	if k.next++; k.next < k.count {
		return nil, nil
	}
	if len(k.data) != k.size {
		return nil, fmt.Errorf("the parts have %d bytes, byteLength is %d", len(k.data), k.size)
	}
	return k.data, nil
}

// chunk takes one rpc_chunk, and the record that it completes.
func (c *Client) chunk(record []byte) {
	k := &c.read.chunks
	underWay := k.active()
	whole, err := k.add(record)
	if err != nil && underWay {
		broken := k.id
		c.brokenChunks(err)
		// It may begin the next record.
		if whole, err = k.add(record); err != nil && !isOversize(err) {
			k.reset()
			k.skip = broken
			return
		}
	}
	if big, ok := errors.AsType[*jsonl.OversizeError](err); ok {
		k.giveUp()
		c.oversize(big)
		return
	}
	if err != nil {
		c.brokenChunks(err)
		return
	}
	if whole == nil {
		return
	}
	k.reset()
	if typ, _ := protocol.RecordType(whole); typ == typeChunk {
		c.note(Diagnostic{Kind: KindBadChunk, Bytes: int64(len(whole)), Err: errors.New("the whole is a part itself")})
		return
	}
	// Between JSON's tokens a line feed is a blank, but records are lines.
	for i, b := range whole {
		if b == '\n' {
			whole[i] = ' '
		}
	}
	c.record(whole)
}

func isOversize(err error) bool {
	_, ok := errors.AsType[*jsonl.OversizeError](err)
	return ok
}

// brokenChunks drops the record that is under way.
func (c *Client) brokenChunks(err error) {
	k := &c.read.chunks
	n := len(k.data)
	// Its head may name a dialog that waits.
	d := Diagnostic{Kind: KindBadChunk, Bytes: int64(n), Err: fmt.Errorf("record in parts: %w", err)}
	c.refuseCut(k.data[:min(n, 4096)], &d)
	k.giveUp()
	c.note(d)
}
