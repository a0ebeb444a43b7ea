package plain

import (
	"bytes"
	"context"
	"testing"

	"extui/client"
	"extui/protocol"
)

// Whatever is typed on a terminal with whole lines before a dialog stands for a moment, and
// whatever line ends on it, nothing is approved; on a pipe, whatever came for the prompt or for
// the dialog before.
func FuzzTypedBefore(f *testing.F) {
	for _, s := range []string{"y", "yes\n", "y\ny\ny", "\n", " y\r\n", "\x00", "y\x04"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, typed []byte) {
		bubble(t, Lines, func(d *desk) {
			half := len(typed) / 2
			d.write(string(typed[:half]))
			got := d.ask(d.t.Context(), approve)
			d.write(string(typed[half:]))
			d.pass(defaultDelay)
			d.write("y\n") // it may be the end of a longer line
			d.CancelDialog()
			d.answered(got, protocol.Cancelled{}, nil)
		})
		line := append(bytes.ReplaceAll(typed, []byte("\n"), nil), '\n')
		bubble(t, Pipe, func(d *desk) {
			d.prompt(d.t.Context())
			d.write(string(line[:len(line)/2]))
			got := d.ask(d.t.Context(), approve)
			d.write(string(line[len(line)/2:]))
			d.CancelDialog()
			d.answered(got, protocol.Cancelled{}, nil)
		})
		bubble(t, Pipe, func(d *desk) {
			ctx, cancel := context.WithCancelCause(d.t.Context())
			old := d.ask(ctx, sure)
			d.write(string(line[:len(line)/2]))
			cancel(client.ErrExpired)
			d.answered(old, nil, client.ErrExpired)
			got := d.ask(d.t.Context(), approve)
			d.write(string(line[len(line)/2:]))
			d.CancelDialog()
			d.answered(got, protocol.Cancelled{}, nil)
		})
	})
}
