package proxy

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// BenchmarkFromAgent is what the proxy itself does with a busy agent's output: events
// that repeat the message so far, prose or the coloured output of a program, and an
// update in about fifty records.
func BenchmarkFromAgent(b *testing.B) {
	for name, text := range map[string]string{
		"prose":  "The build has finished without warnings. ",
		"output": `\u001b[32mok\u001b[0m \t\"a/b_test.go\":12\n`,
	} {
		var block bytes.Buffer
		for i := range 500 {
			if i%50 == 7 {
				fmt.Fprintf(&block, `{"type":"extension_ui_request","id":"5c712507-524f-4650-ab34-%012d","method":"setStatus","statusKey":"build","statusText":"step"}`+"\n", i)
				continue
			}
			fmt.Fprintf(&block, `{"type":"message_update","message":{"role":"assistant","content":[{"type":"text","text":"%s"}]}}`+"\n",
				strings.Repeat(text, i*37%97))
		}
		b.Run(name, func(b *testing.B) {
			p := New(Stream{}, Stream{In: nopWriter{}}, nil)
			b.SetBytes(int64(block.Len()))
			for b.Loop() {
				if err := p.fromAgent(block.Bytes()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

type nopWriter struct{}

func (nopWriter) Write(b []byte) (int, error) { return io.Discard.Write(b) }
func (nopWriter) Close() error                { return nil }
