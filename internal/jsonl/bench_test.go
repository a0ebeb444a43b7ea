package jsonl

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"testing"
)

// agentEvent is about what a busy agent writes: an event of some 200 bytes.
var agentEvent = append(append([]byte(`{"type":"message_update","text":"`), bytes.Repeat([]byte("word "), 32)...), "\"}\n"...)

const benchBytes = 64 << 20

// BenchmarkReader reads 64 MiB of events an iteration, beside a bare line splitter on the same source.
func BenchmarkReader(b *testing.B) {
	sources := map[string]func(b *testing.B) io.Reader{
		"memory": func(*testing.B) io.Reader {
			return &repeated{b: bytes.Repeat(agentEvent, 1000), n: benchBytes}
		},
		"pipe": func(b *testing.B) io.Reader {
			pr, pw, err := os.Pipe()
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = pr.Close() })
			go func() {
				defer pw.Close()
				_, _ = io.Copy(struct{ io.Writer }{pw}, io.LimitReader(&repeated{b: bytes.Repeat(agentEvent, 1000), n: benchBytes}, benchBytes))
			}()
			return pr
		},
	}
	for _, name := range []string{"memory", "pipe"} {
		b.Run(name+"/records", func(b *testing.B) {
			b.SetBytes(benchBytes)
			for range b.N {
				r := NewReader(sources[name](b), nil)
				var err error
				for err == nil {
					_, err = r.Next()
				}
				if err != io.EOF {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/bare", func(b *testing.B) {
			b.SetBytes(benchBytes)
			for range b.N {
				s := bufio.NewScanner(sources[name](b))
				s.Buffer(make([]byte, 0, readSize), readSize)
				for s.Scan() {
				}
				if err := s.Err(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkWriter queues small records as fast as it can; bare is a call of the underlying writer for each.
func BenchmarkWriter(b *testing.B) {
	record := agentEvent[:len(agentEvent)-1]
	b.Run("records", func(b *testing.B) {
		pw, wait := drained(b)
		w := NewWriter(pw, nil)
		b.SetBytes(int64(len(agentEvent)))
		for b.Loop() {
			if err := w.Write(b.Context(), record); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
		wait()
	})
	b.Run("bare", func(b *testing.B) {
		pw, wait := drained(b)
		b.SetBytes(int64(len(agentEvent)))
		for b.Loop() {
			if _, err := pw.Write(agentEvent); err != nil {
				b.Fatal(err)
			}
		}
		wait()
	})
}

// drained returns the write end of a pipe that somebody empties, and how to close it and wait for them.
func drained(b *testing.B) (*os.File, func()) {
	pr, pw, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(struct{ io.Writer }{io.Discard}, pr)
	}()
	return pw, func() {
		_ = pw.Close()
		<-done
		_ = pr.Close()
	}
}

// BenchmarkRoundTrip sends one record to an echo on two pipes and waits for it to come back: the latency of a
// lone record. bare does the same with plain reads and writes.
func BenchmarkRoundTrip(b *testing.B) {
	record := agentEvent[:len(agentEvent)-1]
	b.Run("records", func(b *testing.B) {
		to, from, stop := echo(b)
		w, r := NewWriter(to, nil), NewReader(from, nil)
		for b.Loop() {
			if err := w.Write(b.Context(), record); err != nil {
				b.Fatal(err)
			}
			if _, err := r.Next(); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
		stop()
	})
	b.Run("bare", func(b *testing.B) {
		to, from, stop := echo(b)
		buf := make([]byte, readSize)
		for b.Loop() {
			if _, err := to.Write(agentEvent); err != nil {
				b.Fatal(err)
			}
			if _, err := io.ReadFull(from, buf[:len(agentEvent)]); err != nil {
				b.Fatal(err)
			}
		}
		stop()
	})
}

func echo(b *testing.B) (to, from *os.File, stop func()) {
	inR, inW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, readSize)
		for {
			n, err := inR.Read(buf)
			if err != nil {
				return
			}
			_, _ = outW.Write(buf[:n])
		}
	}()
	return inW, outR, func() {
		_ = inW.Close()
		<-done
		for _, f := range []*os.File{inR, outR, outW} {
			_ = f.Close()
		}
	}
}
