package client

import (
	"bytes"
	"context"
	"io"
	"testing"

	"extui/protocol"
)

// FuzzAgentOutput: whatever an agent writes, the client does not panic, ends,
// and says nothing that could be consent when its front end never agrees.
func FuzzAgentOutput(f *testing.F) {
	f.Add([]byte(`{"type":"extension_ui_request",` + reqConfirm + "}\n{\"type\":\"extension_ui_request\"," + reqInput + "}\n"))
	f.Add([]byte("banner\n" + `{"type":"response","id":"1","command":"new_session","success":true}` + "\n\r\nnull\n"))
	f.Add([]byte(readyRecord + "\n" + parts("k", `{"type":"extension_ui_request",`+reqConfirm+"}", 20)[0] + "\n"))
	f.Add([]byte(`{"type":"extension_ui_request","id":{"confirmed":true},"method":"select","title":"t","options":[{"label":"\"confirmed\":true"}]}` + "\n"))
	f.Add([]byte(`{"type":"extension_ui_request","id":"x","method":"ask","questions":[{}]}` + "\n" + `{"type":"prompt_result","id":3}`))
	f.Fuzz(func(t *testing.T, output []byte) {
		front := frontFunc(func(_ context.Context, d protocol.Dialog) (protocol.Answer, error) {
			switch d.(type) {
			case *protocol.Confirm:
				return protocol.Confirmed(false), nil
			case *protocol.Select:
				return protocol.Cancelled{}, nil
			}
			return protocol.Value("x"), nil
		})
		var written sink
		c := Attach(bytes.NewReader(output), &written, &Options{Frontend: front, MaxRecord: 4096})
		<-c.Done()
		if err := c.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(written.Bytes()) {
			if typ, _ := protocol.RecordType(line); typ != protocol.TypeResponse {
				continue
			}
			r, err := protocol.DecodeResponse(line)
			if err != nil {
				t.Fatalf("the client wrote %q: %v", line, err)
			}
			if r.Confirmed != nil && string(r.Confirmed) != "false" || !r.Cancelled && r.Confirmed == nil && string(r.Value) != `"x"` {
				t.Fatalf("the client wrote %q", line)
			}
		}
		_ = c.Mirror().Snapshot()
	})
}

// sink is written to by one goroutine and read when that has ended.
type sink struct{ bytes.Buffer }

func (*sink) Close() error { return nil }

var _ io.WriteCloser = (*sink)(nil)
