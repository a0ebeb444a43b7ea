package protocol

import (
	"bytes"
	"iter"

	"github.com/go-json-experiment/json/jsontext"
)

// The functions here find where the parts of a JSON text begin and end. They
// trust it: what validate has passed is split right, anything else somehow, but
// never out of bounds.

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

func trimSpace(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// near is how many bytes stringEnd looks at one by one before it searches: text
// with many escapes is quicker that way, long stretches without are not.
const near = 16

// stringEnd returns the index behind the string that starts at i, or -1, and
// whether there is a backslash in it.
func stringEnd(b []byte, i int) (end int, escaped bool) {
	i++
	quote := -1 // the next quote at or behind i; searched for once, not once an escape
	for i < len(b) {
		for stop := i + near; i < stop && i < len(b); i++ {
			switch b[i] {
			case '"':
				return i + 1, escaped
			case '\\':
				escaped = true
				i++
				stop = i + near
			}
		}
		if i >= len(b) {
			break
		}
		if quote < i {
			n := bytes.IndexByte(b[i:], '"')
			if n < 0 {
				break
			}
			quote = i + n
		}
		n := bytes.IndexByte(b[i:quote], '\\')
		if n < 0 {
			return quote + 1, escaped
		}
		i += n
	}
	return -1, escaped
}

// valueEnd returns the index behind the value that starts at i, or -1.
func valueEnd(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i, _ = stringEnd(b, i); i < 0 {
				return -1
			}
		case '{', '[':
			depth++
			i++
		case '}', ']':
			if depth == 0 {
				return -1
			}
			depth--
			i++
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return -1
			}
			i++
			continue
		default:
			i = literalEnd(b, i)
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}

// literalEnd returns the index behind the number, true, false or null at i.
func literalEnd(b []byte, i int) int {
	for i < len(b) {
		switch b[i] {
		case ',', '}', ']', ':', '"', '{', '[', ' ', '\t', '\r', '\n':
			return i
		}
		i++
	}
	return i
}

// elements yields the elements of a valid array. They alias it.
func elements(array jsontext.Value) iter.Seq2[int, jsontext.Value] {
	return func(yield func(int, jsontext.Value) bool) {
		i := skipSpace(array, 1)
		for n := 0; i < len(array) && array[i] != ']'; n++ {
			end := valueEnd(array, i)
			if end < 0 || !yield(n, array[i:end:end]) {
				return
			}
			if i = skipSpace(array, end); i < len(array) && array[i] == ',' {
				i = skipSpace(array, i+1)
			}
		}
	}
}

// members yields the members of a valid object: the name as a JSON string, and
// the value. They alias it.
func members(object jsontext.Value) iter.Seq2[jsontext.Value, jsontext.Value] {
	return func(yield func(name, value jsontext.Value) bool) {
		i := skipSpace(object, 1)
		for i < len(object) && object[i] == '"' {
			end, _ := stringEnd(object, i)
			if end < 0 {
				return
			}
			name := object[i:end:end]
			i = skipSpace(object, skipSpace(object, end)+1)
			if end = valueEnd(object, i); end < 0 || !yield(name, object[i:end:end]) {
				return
			}
			if i = skipSpace(object, end); i < len(object) && object[i] == ',' {
				i = skipSpace(object, i+1)
			}
		}
	}
}
