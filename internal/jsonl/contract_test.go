package jsonl

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll returns every record of r as a string, and every dropped one as its report, up to the end. It fails
// the test if that end is not io.EOF.
func readAll(t *testing.T, r *Reader) (records []string, dropped []OversizeError) {
	t.Helper()
	for {
		record, err := r.Next()
		if big, ok := errors.AsType[*OversizeError](err); ok {
			dropped = append(dropped, *big)
			continue
		}
		if err != nil {
			if err != io.EOF {
				t.Fatalf("after %d records: %v", len(records), err)
			}
			return records, dropped
		}
		records = append(records, string(record))
	}
}

func wantRecords(t *testing.T, in string, want ...string) {
	t.Helper()
	got, dropped := readAll(t, NewReader(strings.NewReader(in), nil))
	if !slices.Equal(got, want) || len(dropped) != 0 {
		t.Errorf("records of %q\n got %q, dropped %v\nwant %q", in, got, dropped, want)
	}
}

// Row: a line feed and nothing else ends a record; what other readers take for line ends is data.
func TestContractFraming_LineFeedOnly(t *testing.T) {
	for name, data := range map[string]string{
		"line separator":      "\u2028",
		"paragraph separator": "\u2029",
		"next line":           "\u0085",
		"NUL":                 "\x00",
		"vertical tab":        "\v",
		"form feed":           "\f",
		"lone CR":             "\r",
		"invalid UTF-8":       "\xff\xe2\x80",
	} {
		t.Run(name, func(t *testing.T) {
			record := `{"s":"a` + data + `b"}`
			wantRecords(t, record+"\n"+record+"\n", record, record)
		})
	}
}

// Row: one carriage return before the line feed is part of the line end; a second one is not.
func TestContractFraming_OneCarriageReturnDropped(t *testing.T) {
	wantRecords(t, "{}\r\n{}\r\r\n{}\n", "{}", "{}\r", "{}")
	wantRecords(t, "{}\r", "{}") // the line feed may have been lost with the end of the stream
	wantRecords(t, "\r{}\n", "\r{}")
}

// Whoever judges the other side can see how a record ended.
func TestLineEnd(t *testing.T) {
	r := NewReader(strings.NewReader("{}\n{}\r\n{}\r\r\n\r\n{}\n{}\r"), nil)
	for _, want := range []string{"\n", "\r\n", "\r\n", "\n", "\r"} {
		if _, err := r.Next(); err != nil || r.LineEnd() != want {
			t.Errorf("end %q, %v; want %q", r.LineEnd(), err, want)
		}
	}
	if r = NewReader(strings.NewReader("{}"), nil); r.LineEnd() != "" {
		t.Errorf("end %q before the first record", r.LineEnd())
	}
	if _, err := r.Next(); err != nil || r.LineEnd() != "" {
		t.Errorf("end %q, %v", r.LineEnd(), err)
	}
}

// Row: however the stream is split, inside a UTF-8 sequence too, the records are the same.
func TestContractFraming_AnySplit(t *testing.T) {
	in := "{\"a\":\"é\u2028😀\"}\r\n\n \r\n{\"b\":\"\x00\"}\n" + strings.Repeat("x", 40) + "\r\n{\"c\":3}\r"
	opts := &ReaderOptions{MaxRecord: 30}
	want, wantDropped := readAll(t, NewReader(strings.NewReader(in), opts))
	if len(want) != 3 || len(wantDropped) != 1 {
		t.Fatalf("in one piece: %q, dropped %v", want, wantDropped)
	}
	check := func(how string, at int, src io.Reader) {
		got, dropped := readAll(t, NewReader(src, opts))
		if !slices.Equal(got, want) || !reflect.DeepEqual(dropped, wantDropped) {
			t.Errorf("%s at %d: %q, dropped %v; want %q, %v", how, at, got, dropped, want, wantDropped)
		}
	}
	for i := range len(in) + 1 {
		check("split", i, io.MultiReader(strings.NewReader(in[:i]), strings.NewReader(in[i:])))
	}
	check("bytes", 1, iotest.OneByteReader(strings.NewReader(in)))
	check("end with data", len(in), iotest.DataErrReader(strings.NewReader(in)))
}

// Row: a last record that has no line feed is delivered.
func TestContractFraming_LastRecordWithoutLineFeed(t *testing.T) {
	wantRecords(t, "{\"a\":1}\n{\"b\":2}", `{"a":1}`, `{"b":2}`)
	wantRecords(t, "{}", "{}")
	wantRecords(t, "")
}

// Row: blank lines are skipped, those of spaces, tabs and carriage returns too.
func TestContractFraming_BlankLineSkipped(t *testing.T) {
	wantRecords(t, "\n\r\n \t \n{}\n\n\r\r\n\t\r\n{}\n\n \r", "{}", "{}")
	wantRecords(t, "\r")
	wantRecords(t, " {}\t\n", " {}\t") // blanks around a record are the record's
}

// Row: a record over the limit is dropped alone, up to its line feed, and reported; the next is handled.
func TestContractFraming_OversizeRecordAlone(t *testing.T) {
	const limit = 1000
	big := strings.Repeat("0123456789", 1<<20/10) // many reads long
	for _, end := range []string{"\n", "\r\n"} {
		fits := strings.Repeat("f", limit)
		in := "{\"a\":1}" + end + big + end + fits + end + fits + "!" + end + "{\"b\":2}" + end
		got, dropped := readAll(t, NewReader(strings.NewReader(in), &ReaderOptions{MaxRecord: limit}))
		if want := []string{`{"a":1}`, fits, `{"b":2}`}; !slices.Equal(got, want) {
			t.Errorf("end %q: records %.40q", end, got)
		}
		want := []OversizeError{
			{Limit: limit, Size: int64(len(big)), Head: []byte(big[:200])},
			{Limit: limit, Size: limit + 1, Head: []byte(fits[:200])},
		}
		if !reflect.DeepEqual(dropped, want) {
			t.Errorf("end %q: dropped %v", end, dropped)
		}
	}
}

// Row: no limit means none, and a limit set to 0 is none.
func TestContractFraming_NoLimit(t *testing.T) {
	size := 100 << 20
	if raceEnabled {
		size = 10 << 20 // the race detector shadows every byte several times
	}
	src := io.MultiReader(&repeated{b: bytes.Repeat([]byte("z"), 1<<20), n: size}, strings.NewReader("\n{}\n"))
	r := NewReader(src, &ReaderOptions{})
	record, err := r.Next()
	if err != nil || len(record) != size || bytes.Count(record, []byte("z")) != size {
		t.Fatalf("record of %d bytes, %v", len(record), err)
	}
	if record, err = r.Next(); err != nil || string(record) != "{}" {
		t.Fatalf("after it: %q, %v", record, err)
	}
	if len(r.buf) != 2*readSize {
		t.Errorf("the buffer still has %d bytes", len(r.buf))
	}
}
