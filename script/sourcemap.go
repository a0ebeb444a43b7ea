package script

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// bundleName is what QuickJS knows an extension's code as. Frames of any other name
// are our own JavaScript.
const bundleName = "extension"

// sourceMap finds the place in the extension's files for a place in its bundle:
// version 3 of the format that esbuild writes.
type sourceMap struct {
	files []string
	lines [][]mapping // by line of the bundle, ordered by column
}

// mapping says that a column of the bundle came from a place in a file. All count from
// 0, as in the format.
type mapping struct{ column, file, line, sourceColumn int }

// parseSourceMap reads a map whose file names are relative to dir.
func parseSourceMap(data []byte, dir string) (*sourceMap, error) {
	var raw struct {
		Sources  []string `json:"sources"`
		Mappings string   `json:"mappings"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("read the source map: %w", err)
	}
	m := &sourceMap{}
	for _, name := range raw.Sources {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		m.files = append(m.files, name)
	}
	var file, line, column int // carry over from one segment to the next
	for row := range strings.SplitSeq(raw.Mappings, ";") {
		var segments []mapping
		out := 0
		for segment := range strings.SplitSeq(row, ",") {
			if segment == "" {
				continue
			}
			n, err := decodeVLQ(segment)
			if err != nil {
				return nil, fmt.Errorf("read the source map: %w", err)
			}
			out += n[0]
			if len(n) < 4 {
				continue
			}
			file, line, column = file+n[1], line+n[2], column+n[3]
			segments = append(segments, mapping{out, file, line, column})
		}
		m.lines = append(m.lines, segments)
	}
	return m, nil
}

// find returns the source of a place in the bundle. Lines and columns count from 1. A
// place that nothing is known of comes back as it is.
func (m *sourceMap) find(file string, line, column int) (string, int, int) {
	if line < 1 || line > len(m.lines) || len(m.lines[line-1]) == 0 {
		return file, line, column
	}
	row := m.lines[line-1]
	i, exact := slices.BinarySearchFunc(row, column-1, func(s mapping, c int) int { return cmp.Compare(s.column, c) })
	if !exact {
		i = max(i-1, 0)
	}
	at := row[i]
	if at.file < 0 || at.file >= len(m.files) {
		return file, line, column
	}
	return m.files[at.file], at.line + 1, at.sourceColumn + 1
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// decodeVLQ reads the numbers of one segment: base 64, five bits a digit, the lowest
// first, the sixth bit set if more follow; the lowest bit of a number is its sign.
func decodeVLQ(s string) ([]int, error) {
	var numbers []int
	value, shift := 0, 0
	for _, c := range []byte(s) {
		digit := strings.IndexByte(base64Digits, c)
		if digit < 0 || shift > 30 {
			return nil, fmt.Errorf("%q is no segment", s)
		}
		value |= (digit & 31) << shift
		if digit&32 != 0 {
			shift += 5
			continue
		}
		if value&1 != 0 {
			numbers = append(numbers, -(value >> 1))
		} else {
			numbers = append(numbers, value>>1)
		}
		value, shift = 0, 0
	}
	if shift != 0 || len(numbers) == 0 {
		return nil, fmt.Errorf("%q is cut off", s)
	}
	return numbers, nil
}
