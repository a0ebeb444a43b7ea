// Package jsonl frames the protocol: one JSON text a line, on the stdin and stdout of a process or on any
// other byte stream. It knows nothing of JSON; it finds where a record ends and writes records whole.
//
// Reading, for either end:
//
//	r := jsonl.NewReader(stdin, nil)
//	for {
//		record, err := r.Next()
//		if big, ok := errors.AsType[*jsonl.OversizeError](err); ok {
//			report(big) // one record is gone, the stream goes on
//			continue
//		}
//		if err != nil {
//			return err // io.EOF at the end
//		}
//		handle(record) // copy what must outlive the next call of Next
//	}
//
// Writing, from as many goroutines as there are:
//
//	w := jsonl.NewWriter(stdout, nil)
//	err := w.Write(ctx, record)
//	err = w.Close(ctx)
//
// # Records
//
// A line feed ends a record, and nothing else does. U+2028, U+2029, U+0085 and NUL are legal inside a JSON
// string, so generic line readers that stop at them cut records in two. One carriage return directly before
// the line feed belongs to the line end. Lines that hold nothing but JSON's blanks (space, tab, carriage
// return) are skipped. When the stream ends without a line feed, what is left is a record too.
//
// How the stream is cut into reads makes no difference, in the middle of a UTF-8 sequence neither.
//
// # Sizes
//
// The protocol sets no limit, so the default is none: a record of 100 MB is held in memory while it is
// current and its memory is given back afterwards. With a limit, a larger record costs that one record and
// never more memory than the limit; see [OversizeError].
//
// # Concurrency
//
// A [Reader] belongs to one goroutine at a time. A [Writer] may be used by any number. It has one goroutine
// of its own, which ends in [Writer.Close] or when the stream beneath it fails; a Writer that is never
// closed keeps that goroutine.
//
// A Writer does not wait to fill its batches: its goroutine takes whatever has been queued, writes it in one
// call, and looks again. A lone record goes out at once, and a burst goes out in as few calls as the other
// side allows.
//
// # When something blocks
//
//   - [Reader.Next] blocks while the other side sends nothing. It takes no context, since a read has none:
//     close the stream to end it.
//   - [Writer.Write] blocks when the other side does not read and the buffer is full. The other side is at
//     fault; the caller's context ends the wait and the record is then not written at all.
//   - [Writer.Flush] blocks likewise, until all that was queued before it has been handed over.
//   - [Writer.Close] gives up when its context ends. A stream whose Close does not interrupt a Write in
//     progress (an inherited blocking descriptor, as os.Stdout often is, or an anonymous pipe on Windows) can hold the
//     goroutine longer; Close then says so and returns one second later.
package jsonl
