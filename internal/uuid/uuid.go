// Package uuid makes the ids of dialogs, sessions and tool calls: random UUIDs as
// other agents write them. [New] may be called at once and does not block.
package uuid

import (
	"crypto/rand"
	"encoding/hex"
	"sync"
)

// batch is how much randomness is fetched at a time. Asked for by 16 bytes, the
// system's generator takes a sixth of the time of a dialog.
const batch = 1024

// random is what was fetched and is not used up.
var random struct {
	mu    sync.Mutex
	bytes [batch]byte
	left  int
}

// New returns a random UUID, version 4, as its usual text of 36 characters.
func New() string {
	var b [16]byte
	random.mu.Lock()
	if random.left == 0 {
		_, _ = rand.Read(random.bytes[:]) // documented never to fail
		random.left = batch
	}
	unused := random.bytes[:random.left]
	random.left -= copy(b[:], unused[len(unused)-len(b):])
	// What was given out once cannot be given out, or read, again.
	clear(unused[random.left:])
	random.mu.Unlock()

	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	var out [36]byte
	at := 0
	rest := b[:]
	for i, n := range [...]int{4, 2, 2, 2, 6} {
		if i > 0 {
			out[at] = '-'
			at++
		}
		hex.Encode(out[at:], rest[:n])
		rest = rest[n:]
		at += 2 * n
	}
	return string(out[:])
}
