package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"
)

// event is one outcome of Next, in a form that compares.
type event struct {
	offset int64
	record string
	over   string // what was reported of a dropped record
}

func dropped(limit int, size int64, head []byte) string {
	return fmt.Sprintf("%d/%d %q", size, limit, head)
}

// model says what in holds by the rules of the package, the plain way.
func model(in []byte, limit int) []event {
	var events []event
	offset := int64(0)
	for line := range bytes.SplitSeq(in, []byte("\n")) {
		at := offset
		offset += int64(len(line)) + 1
		line = bytes.TrimSuffix(line, []byte("\r"))
		switch {
		case limit > 0 && len(line) > limit:
			events = append(events, event{offset: at, over: dropped(limit, int64(len(line)), line[:min(200, len(line))])})
		case len(bytes.Trim(line, " \t\r")) > 0:
			events = append(events, event{offset: at, record: string(line)})
		}
	}
	return events
}

// shredder hands out its bytes in random pieces, with empty reads between them, and ends with end, which
// sometimes comes together with the last bytes.
type shredder struct {
	rest []byte
	end  error
	rnd  *rand.Rand
}

func (s *shredder) Read(p []byte) (int, error) {
	if s.rnd.IntN(4) == 0 {
		return 0, nil
	}
	n := copy(p[:min(len(p), 1+s.rnd.IntN(40))], s.rest)
	s.rest = s.rest[n:]
	if len(s.rest) == 0 && (n == 0 || s.rnd.IntN(2) == 0) {
		return n, s.end
	}
	return n, nil
}

var errCable = errors.New("cable pulled")

func FuzzReader(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n{\"b\":2}\r\n"), uint64(1), uint16(0))
	f.Add([]byte("\n\r\n \t\n\r\r\n{\"s\":\"\xe2\x80\xa8\x00\"}"), uint64(2), uint16(5))
	f.Add([]byte("1234\r\n12345\r\n1234\r"), uint64(3), uint16(4))
	f.Add(append(bytes.Repeat([]byte("long "), 300), "\nshort\n"...), uint64(4), uint16(1000))
	f.Add(append(bytes.Repeat([]byte("long "), 300), "\nshort\n"...), uint64(5), uint16(0))
	f.Fuzz(func(t *testing.T, in []byte, seed uint64, limit uint16) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		end := io.EOF
		if seed%3 == 0 {
			end = errCable
		}
		// A tiny buffer meets in small inputs what a real one meets in large: moving, growing, release.
		chunk := 1 + rnd.IntN(64)
		r := newReader(&shredder{in, end, rnd}, &ReaderOptions{MaxRecord: int(limit)}, chunk)
		var got []event
		for {
			record, err := r.Next()
			if limit > 0 && len(r.buf) > max(2*chunk, int(limit)+2) {
				t.Fatalf("buffer of %d for a limit of %d", len(r.buf), limit)
			}
			if big, ok := errors.AsType[*OversizeError](err); ok {
				got = append(got, event{offset: r.Offset(), over: dropped(big.Limit, big.Size, big.Head)})
				continue
			}
			if err != nil {
				if !errors.Is(err, end) {
					t.Fatalf("ended with %v", err)
				}
				break
			}
			got = append(got, event{offset: r.Offset(), record: string(record)})
		}
		if want := model(in, int(limit)); !reflect.DeepEqual(got, want) {
			t.Errorf("in %q, limit %d, chunk %d\n got %+v\nwant %+v", in, limit, chunk, got, want)
		}
	})
}
