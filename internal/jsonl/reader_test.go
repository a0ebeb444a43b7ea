package jsonl

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// repeated yields the bytes of b over and over, n in all (the last round may be cut).
type repeated struct {
	b   []byte
	n   int
	off int
}

func (s *repeated) Read(p []byte) (int, error) {
	if s.n == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.n)], s.b[s.off:])
	s.n -= n
	s.off = (s.off + n) % len(s.b)
	return n, nil
}

func TestReader_OffsetIsWhereTheRecordBegan(t *testing.T) {
	in := "\n{\"a\":1}\r\n" + strings.Repeat("y", 99) + "\n  \n{\"b\":2}\n\n"
	r := NewReader(iotest.OneByteReader(strings.NewReader(in)), &ReaderOptions{MaxRecord: 20})
	for _, want := range []string{`{"a":1}`, "yyy", `{"b":2}`, `{"b":2}`} { // at the end it stays
		_, _ = r.Next()
		if i := strings.Index(in, want); r.Offset() != int64(i) {
			t.Errorf("offset %d, want %d of %q", r.Offset(), i, want)
		}
	}
}

func TestReader_OversizeKeepsMemoryWithinTheLimit(t *testing.T) {
	const limit = 300 << 10
	src := io.MultiReader(&repeated{b: bytes.Repeat([]byte("abc"), 1<<16), n: 40 << 20}, strings.NewReader("\n{}\n"))
	r := NewReader(src, &ReaderOptions{MaxRecord: limit})
	_, err := r.Next()
	big, ok := errors.AsType[*OversizeError](err)
	if !ok || big.Size != 40<<20 || big.Limit != limit || len(big.Head) != 200 {
		t.Fatalf("got %v", err)
	}
	if cap(r.buf) > limit+2 {
		t.Errorf("buffer of %d bytes for a limit of %d", cap(r.buf), limit)
	}
	for _, part := range []string{"41943040", "307200"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not name %s", err, part)
		}
	}
	if record, err := r.Next(); err != nil || string(record) != "{}" {
		t.Errorf("after it: %q, %v", record, err)
	}
}

func TestReader_OversizeAtTheEndOfTheStream(t *testing.T) {
	r := NewReader(strings.NewReader("{}\n123456789\r"), &ReaderOptions{MaxRecord: 4})
	_, _ = r.Next()
	_, err := r.Next()
	if big, ok := errors.AsType[*OversizeError](err); !ok || big.Size != 9 || string(big.Head) != "123456789" {
		t.Errorf("got %v", err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("then %v", err)
	}
}

// Blanks over the limit are reported: whether all of it is blank is not known before its end.
func TestReader_OversizeBlankLineIsReported(t *testing.T) {
	r := NewReader(strings.NewReader("        \n{}\n"), &ReaderOptions{MaxRecord: 4})
	_, err := r.Next()
	if _, ok := errors.AsType[*OversizeError](err); !ok {
		t.Errorf("got %v", err)
	}
}

func TestReader_ErrorComesAfterTheDataAndStays(t *testing.T) {
	broken := errors.New("cable pulled")
	r := NewReader(iotest.DataErrReader(io.MultiReader(
		strings.NewReader("{\"a\":1}\n{\"b\":"), iotest.ErrReader(broken))), nil)
	for _, want := range []string{`{"a":1}`, `{"b":`} {
		if record, err := r.Next(); err != nil || string(record) != want {
			t.Fatalf("%q, %v; want %q", record, err, want)
		}
	}
	for range 2 {
		if _, err := r.Next(); !errors.Is(err, broken) || !strings.Contains(err.Error(), "byte 13") {
			t.Errorf("got %v", err)
		}
	}
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

func TestReader_SourceWithoutProgress(t *testing.T) {
	calls := 0
	r := NewReader(readFunc(func([]byte) (int, error) { calls++; return 0, nil }), nil)
	if _, err := r.Next(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
	if calls != maxEmptyReads {
		t.Errorf("%d reads", calls)
	}
}

func TestReader_SourceWithAnImpossibleCount(t *testing.T) {
	for _, n := range []int{-1, 1 << 30} {
		r := NewReader(readFunc(func([]byte) (int, error) { return n, nil }), nil)
		if _, err := r.Next(); !errors.Is(err, errBadCount) {
			t.Errorf("count %d: %v", n, err)
		}
	}
}

// A record that is complete is returned before the source is asked for more, which may take for ever.
func TestReader_DoesNotReadAhead(t *testing.T) {
	first := true
	r := NewReader(readFunc(func(p []byte) (int, error) {
		if !first {
			t.Error("read again")
			return 0, io.EOF
		}
		first = false
		return copy(p, "{\"a\":1}\n{\"b\":2}\n{"), nil
	}), nil)
	for range 2 {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReader_AppendToARecordDoesNotReachTheNext(t *testing.T) {
	for _, end := range []string{"\n", "\r\n"} {
		r := NewReader(strings.NewReader("{\"a\":1}"+end+"{\"b\":2}\n"), nil)
		record, _ := r.Next()
		_ = append(record, "##########"...)
		if next, err := r.Next(); err != nil || string(next) != `{"b":2}` {
			t.Errorf("end %q: %q, %v", end, next, err)
		}
	}
}

func TestReader_OptionsAreCopied(t *testing.T) {
	opts := &ReaderOptions{MaxRecord: 3}
	r := NewReader(strings.NewReader("12345\n"), opts)
	opts.MaxRecord = 0
	_, err := r.Next()
	if _, ok := errors.AsType[*OversizeError](err); !ok {
		t.Errorf("got %v", err)
	}
}

func TestReader_NegativeLimitPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	NewReader(strings.NewReader(""), &ReaderOptions{MaxRecord: -1})
}

func TestReader_SmallRecordsAllocateNothing(t *testing.T) {
	r := NewReader(&repeated{b: []byte("{\"type\":\"x\"}\n"), n: 1 << 30}, nil)
	_, _ = r.Next()
	if n := testing.AllocsPerRun(20000, func() { _, _ = r.Next() }); n != 0 {
		t.Errorf("%v allocations a record", n)
	}
}

func TestReader_RealPipe(t *testing.T) {
	pr, pw, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pr.Close()
	record := bytes.Repeat([]byte("é"), 100_000) // more than a pipe holds
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer pw.Close()
		for range 3 {
			_, _ = pw.Write(append(record[:len(record):len(record)], '\n'))
		}
	}()
	got, _ := readAll(t, NewReader(pr, nil))
	<-done
	if len(got) != 3 || got[0] != string(record) || got[1] != got[0] || got[2] != got[0] {
		t.Errorf("%d records", len(got))
	}
}
