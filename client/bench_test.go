package client

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"extui/protocol"
)

// busyAgent is some megabytes of a streaming agent: message updates of size
// bytes, a status among every hundred and a dialog among every thousand.
func busyAgent(size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 16<<20; i++ {
		head := fmt.Sprintf(`{"type":"message_update","usage":{"input":0,"output":%d},"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"`, i)
		b.WriteString(head)
		b.WriteString(strings.Repeat("z", max(1, size-len(head)-4)))
		b.WriteString("\"}}\n")
		if i%100 == 0 {
			fmt.Fprintf(&b, `{"type":"extension_ui_request","id":"s%d","method":"setStatus","statusKey":"k","statusText":"Turn %d"}`+"\n", i, i)
		}
		if i%1000 == 0 {
			fmt.Fprintf(&b, `{"type":"extension_ui_request","id":"d%d","method":"confirm","title":"t"}`+"\n", i)
		}
	}
	return b.Bytes()
}

// BenchmarkReadBusyAgent compares the client with a bare line splitter on the
// same kind of pipe, fed by the same writer.
func BenchmarkReadBusyAgent(b *testing.B) {
	for _, size := range []int{300, 8 << 10} {
		stream := busyAgent(size)
		run := func(name string, read func(r *os.File)) {
			b.Run(fmt.Sprintf("%d/%s", size, name), func(b *testing.B) {
				b.SetBytes(int64(len(stream)))
				r, w, err := os.Pipe()
				if err != nil {
					b.Fatal(err)
				}
				go func() {
					for range b.N {
						w.Write(stream)
					}
					w.Close()
				}()
				b.ResetTimer()
				read(r)
				b.StopTimer()
				r.Close()
			})
		}
		run("splitter", func(r *os.File) {
			buf, kept, lines := make([]byte, 128<<10), 0, 0
			for {
				n, err := r.Read(buf[kept:])
				data := buf[:kept+n]
				for {
					i := bytes.IndexByte(data, '\n')
					if i < 0 {
						break
					}
					lines++
					data = data[i+1:]
				}
				kept = copy(buf, data)
				if err != nil {
					break
				}
			}
			if lines == 0 {
				b.Error("no lines")
			}
		})
		run("client", func(r *os.File) {
			front := frontFunc(func(context.Context, protocol.Dialog) (protocol.Answer, error) {
				return protocol.Confirmed(false), nil
			})
			var events int
			c := Attach(r, nopCloser{io.Discard}, &Options{Frontend: front, Subscribe: func([]byte) { events++ }})
			<-c.Done()
			c.Close(context.Background())
			if events == 0 {
				b.Error("no events")
			}
		})
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// BenchmarkDialog is one dialog through the client, with others open.
func BenchmarkDialog(b *testing.B) {
	for _, others := range []int{0, 10000} {
		b.Run(fmt.Sprint(others), func(b *testing.B) {
			front := frontFunc(func(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
				if d.DialogTitle() == "wait" {
					<-ctx.Done()
				}
				return protocol.Confirmed(true), nil
			})
			outR, outW := io.Pipe()
			inR, inW := io.Pipe()
			c := Attach(outR, inW, &Options{Frontend: front, Dialect: Pi})
			for i := range others {
				fmt.Fprintf(outW, `{"type":"extension_ui_request","id":"o%d","method":"confirm","title":"wait"}`+"\n", i)
			}
			request := []byte(`{"type":"extension_ui_request","id":"d","method":"confirm","title":"go"}` + "\n")
			buf := make([]byte, 4096)
			b.ResetTimer()
			for range b.N {
				outW.Write(request)
				if _, err := inR.Read(buf); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			outW.Close()
			inR.Close()
			c.Close(context.Background())
		})
	}
}
