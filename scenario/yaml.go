package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"extui/internal/yamlfile"
)

// faults collects what is wrong with a file.
type faults struct {
	file string
	all  []error
}

func (f *faults) add(at Pos, where, got, format string, args ...any) {
	f.all = append(f.all, &SyntaxError{f.file, at, shorten(where), shorten(got), clip(fmt.Sprintf(format, args...), 2000)})
}

func (f *faults) err() error { return errors.Join(f.all...) }

const maxNodes = 200_000

// readYAML returns the one document of a YAML text.
func readYAML(source []byte, f *faults) (v value, ok bool) {
	tree, ok := yamlfile.Read(source, yamlfile.Options{
		Kind: "scenario", MaxValues: maxNodes,
		Report: func(at yamlfile.Pos, field, got, want string) { f.add(Pos(at), field, got, "%s", want) },
	})
	return fromTree(tree), ok && len(f.all) == 0
}

// kinds are those of a file's values.
var kinds = map[yamlfile.Kind]kind{
	yamlfile.Map: object, yamlfile.List: array, yamlfile.Text: text,
	yamlfile.Number: number, yamlfile.Truth: truth, yamlfile.Null: null,
}

func fromTree(t yamlfile.Value) value {
	v := value{kind: kinds[t.Kind], text: t.Text, at: Pos(t.At)}
	if t.Kind == yamlfile.Number {
		v.text = jsonNumber(t)
	}
	for _, m := range t.Members {
		v.members = append(v.members, member{m.Name, fromTree(m.Value), Pos(m.At)})
	}
	for _, item := range t.Items {
		v.items = append(v.items, fromTree(item))
	}
	return v
}

var jsonSyntax = lazily(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// jsonNumber is a number as it stands there if JSON writes it so, and as what YAML
// takes it for otherwise.
func jsonNumber(t yamlfile.Value) string {
	if jsonSyntax().MatchString(t.Text) {
		return t.Text
	}
	if f, ok := t.Number.(float64); ok {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return fmt.Sprint(t.Number)
}

// splitLines returns the lines of a text, each with its end as it is.
func splitLines(source []byte) (lines [][]byte) {
	for len(source) > 0 {
		end := bytes.IndexAny(source, "\r\n") + 1
		switch {
		case end == 0:
			end = len(source)
		case source[end-1] == '\r' && end < len(source) && source[end] == '\n':
			end++
		}
		lines, source = append(lines, source[:end]), source[end:]
	}
	return lines
}

// lineEnd is what the lines of a text end with: LF if there is but one line.
func lineEnd(lines [][]byte) string {
	if len(lines) > 0 {
		if end := lines[0][len(bytes.TrimRight(lines[0], "\r\n")):]; len(end) > 0 {
			return string(end)
		}
	}
	return "\n"
}
