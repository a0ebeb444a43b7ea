package script

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// readNumbers writes the numbers of a JSON text as JavaScript reads them, so that a gate
// in Go is asked about those that the tool gets: of an integer beyond 2^53 the last digits
// may change. Everything else stays as it is. One that is too large for JavaScript is an
// error: it would be Infinity there and nothing in JSON.
func readNumbers(v jsontext.Value) (jsontext.Value, error) {
	var out []byte
	copied := 0 // of v, into out
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case c == '"':
			for i++; i < len(v) && v[i] != '"'; i++ {
				if v[i] == '\\' {
					i++
				}
			}
		case c == '-' || c >= '0' && c <= '9':
			end := i
			for end < len(v) && slices.Contains([]byte("+-.0123456789eE"), v[end]) {
				end++
			}
			text := string(v[i:end])
			f, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, fmt.Errorf("the number %.40s is too large: JavaScript reads it as Infinity", text)
			}
			if len(text) > 15 && f != 0 {
				number, err := json.Marshal(f)
				if err != nil {
					return nil, fmt.Errorf("write the number %.40s: %w", text, err)
				}
				out = append(append(out, v[copied:i]...), number...)
				copied = end
			}
			i = end - 1
		}
	}
	if copied == 0 {
		return v, nil
	}
	return append(out, v[copied:]...), nil
}
