package agent

import (
	"sync"

	"extui/protocol"
)

// room is memory for one record on its way to the output, which keeps a copy. Thousands of
// dialogs may be opened at once, and a fresh slice for each grows several times.
type room struct{ record []byte }

var rooms = sync.Pool{New: func() any { return &room{make([]byte, 0, 512)} }}

func takeRoom() *room { return rooms.Get().(*room) }

// encode writes r into the room. The record is valid until giveBack.
func (r *room) encode(request protocol.Request) (record []byte, err error) {
	r.record, err = protocol.AppendRequest(r.record[:0], request)
	return r.record, err
}

// giveBack leaves the room to others, unless one large record has made it one.
func (r *room) giveBack() {
	if cap(r.record) <= 64<<10 {
		rooms.Put(r)
	}
}
