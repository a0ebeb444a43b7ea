package agent

import (
	"crypto/rand"
	"encoding/hex"
)

// newUUID returns a random UUID, version 4, as its usual text.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // documented never to fail
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	var out [36]byte
	at := 0
	for i, n := range [...]int{4, 2, 2, 2, 6} {
		if i > 0 {
			out[at] = '-'
			at++
		}
		hex.Encode(out[at:], b[:n])
		copy(b[:], b[n:])
		at += 2 * n
	}
	return string(out[:])
}
