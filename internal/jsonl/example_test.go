package jsonl_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"extui/internal/jsonl"
)

func ExampleReader() {
	in := "{\"a\":\"one\u2028record\"}\r\n\n{\"b\":\"far too long for us\"}\n{\"c\":3}"
	r := jsonl.NewReader(strings.NewReader(in), &jsonl.ReaderOptions{MaxRecord: 22})
	for {
		record, err := r.Next()
		if big, ok := errors.AsType[*jsonl.OversizeError](err); ok {
			fmt.Printf("%v; it began %.10q\n", big, big.Head)
			continue
		}
		if err == io.EOF {
			return
		}
		fmt.Printf("at %d: %q\n", r.Offset(), record)
	}
	// Output:
	// at 0: "{\"a\":\"one\u2028record\"}"
	// record of 27 bytes dropped: the limit is 22 bytes; it began "{\"b\":\"far "
	// at 51: "{\"c\":3}"
}

func ExampleWriter() {
	var out strings.Builder
	w := jsonl.NewWriter(&out, nil)
	ctx := context.Background()
	for _, record := range []string{`{"a":1}`, `{"b":2}`} {
		if err := w.Write(ctx, []byte(record)); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println("refused:", w.Write(ctx, []byte("two\nlines")))
	if err := w.Close(ctx); err != nil {
		fmt.Println(err)
	}
	fmt.Print(out.String())
	// Output:
	// refused: queue record of 9 bytes: record contains a line feed at byte 3
	// {"a":1}
	// {"b":2}
}
