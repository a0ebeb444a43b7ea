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

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// MaxSource is how many bytes a file may have. The parser holds many times as much.
const MaxSource = 4 << 20

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
	tokens := lexer.Tokenize(string(Unified(source)))
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
		return nil, &Fault{begin, fmt.Sprintf("one %s a file, this one has %d documents", kind, len(docs))}
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

// Unified is a text with LF for all ends of lines, of which YAML knows three: the
// parser counts a comment that ends with CR LF as two lines. In a value each of them
// is an LF anyway.
func Unified(source []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
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
