// Package yamlfile parses the YAML files that people write for extui, within bounds:
// whatever a file holds, that takes neither long nor much memory, and what is wrong is
// said with its place.
//
//	root, fault := yamlfile.Parse(source, "scenario")
//
// It says nothing of what a file means. All functions may be called at once.
package yamlfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// MaxSource is how many bytes a file may have. The parser holds many times as much.
const MaxSource = 4 << 20

// ReadFile reads a file for Parse, and no more of one that is too large, or has no end, than
// Parse needs to say so.
func ReadFile(path string) (source []byte, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return io.ReadAll(io.LimitReader(file, MaxSource+1))
}

// maxDepth is how many lists and maps may be in each other: the parser takes a time
// that grows with the square of that.
const maxDepth = 200

// Pos is a place in a file; both numbers count from 1.
type Pos struct{ Line, Column int }

// Fault is why a file cannot be parsed, and where.
type Fault struct {
	Pos
	What string // without a full stop
}

// Parse returns the root of the one document of a file, or what is wrong with it. kind
// is what the file is called in the message, such as "scenario".
func Parse(source []byte, kind string) (ast.Node, *Fault) {
	begin := Pos{1, 1}
	if len(source) > MaxSource {
		return nil, &Fault{begin, fmt.Sprintf("a %s is at most %d bytes", kind, MaxSource)}
	}
	source = Unified(source)
	if at, ok := invalid(source); ok {
		return nil, &Fault{at.Pos, fmt.Sprintf("not UTF-8: the byte 0x%02X", source[at.offset])}
	}
	tokens := lexer.Tokenize(string(source))
	if at, deep := tooDeep(tokens); deep {
		return nil, &Fault{at, fmt.Sprintf("more than %d lists and maps are in each other", maxDepth)}
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		at, what := begin, err.Error()
		if y, ok := errors.AsType[yaml.Error](err); ok {
			at, what = Position(y.GetToken()), y.GetMessage()
		}
		return nil, &Fault{at, "not YAML: " + what}
	}
	docs := file.Docs
	if len(docs) > 1 && docs[len(docs)-1].Body == nil {
		docs = docs[:len(docs)-1]
	}
	switch {
	case len(docs) == 0 || docs[0].Body == nil || docs[0].Body.Type() == ast.CommentType:
		return nil, &Fault{begin, "the file is empty"}
	case len(docs) > 1:
		return nil, &Fault{documentPosition(docs[1]), fmt.Sprintf("one %s a file, this one has %d documents", kind, len(docs))}
	}
	return docs[0].Body, nil
}

// Position is where a token stands: the beginning of the file for one that stands
// nowhere.
func Position(t *token.Token) Pos {
	if t == nil || t.Position == nil {
		return Pos{1, 1}
	}
	return Pos{t.Position.Line, t.Position.Column}
}

// documentPosition is where a document begins, with the --- before it.
func documentPosition(doc *ast.DocumentNode) Pos {
	if doc.Start == nil && doc.Body != nil {
		return Position(doc.Body.GetToken())
	}
	return Position(doc.Start)
}

// byteOrderMark is what some editors write before a text in UTF-8.
const byteOrderMark = "\uFEFF"

// Unified is a text without a byte order mark and with LF for all ends of lines, of
// which YAML knows three: the parser counts a comment that ends with CR LF as two lines.
// In a value each of them is an LF anyway.
func Unified(source []byte) []byte {
	source = bytes.TrimPrefix(source, []byte(byteOrderMark))
	return bytes.ReplaceAll(bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
}

// bytePos is the place of a byte, and its index.
type bytePos struct {
	Pos
	offset int
}

// invalid finds the first byte of a unified text that is no UTF-8.
func invalid(source []byte) (at bytePos, ok bool) {
	at.Pos = Pos{1, 1}
	for at.offset < len(source) {
		c, size := utf8.DecodeRune(source[at.offset:])
		switch {
		case c == utf8.RuneError && size == 1:
			return at, true
		case c == '\n':
			at.Pos = Pos{at.Line + 1, 1}
		default:
			at.Column++
		}
		at.offset += size
	}
	return bytePos{}, false
}

// tooDeep finds the place where lists and maps are too many in each other.
func tooDeep(tokens token.Tokens) (Pos, bool) {
	var columns []int // at which the blocks around a token begin
	flow, line := 0, 0
	for _, t := range tokens {
		first := t.Position.Line != line
		line = t.Position.Line
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow = max(flow-1, 0)
		case token.CommentType:
			continue
		}
		opens := first
		switch t.Type {
		case token.SequenceEntryType, token.MappingKeyType, token.TagType, token.AnchorType:
			opens = true
		}
		if opens && flow == 0 {
			for len(columns) > 0 && columns[len(columns)-1] >= t.Position.Column {
				columns = columns[:len(columns)-1]
			}
			columns = append(columns, t.Position.Column)
		}
		if flow+len(columns) > maxDepth {
			return Position(t), true
		}
	}
	return Pos{}, false
}
