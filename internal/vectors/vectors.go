// Package vectors reads recorded conversations: what two programs said to each
// other, line by line, kept as text files that a person can read and a test can
// replay.
//
// # The format
//
// One file is one case, and the file's name without .txt is the case's name.
// A file starts with prose that says what the case shows. The wire follows:
//
//	The person picks an option, and the extension gets that text.
//
//	> {"type":"prompt","id":"p","message":"/select"}
//	< {"type":"extension_ui_request","id":"id-1","method":"select",…}
//	> {"type":"extension_ui_response","id":"id-1","value":"Allow"}
//
// A line to the agent begins with "> ", a line from the agent with "< ", and
// the rest of it is the record exactly as on the wire, without the LF that ends
// it. Only LF separates lines, so U+2028 or a CR in a record is simply there.
// A record that is empty is ">" alone. Between records, empty lines are
// allowed and mean nothing; prose is not, so that a mistyped mark is an error
// and not a line that no test looks at. A file named README.txt is no case.
//
// # Ids
//
// An agent makes up the id of each request anew. In a vector the ids are id-1,
// id-2 and so on, in the order in which requests appear. [IDs] translates
// between those and the ids of one run.
package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Case is one recorded conversation.
type Case struct {
	// Name is the file's name without .txt.
	Name string
	// About is the prose at the head of the file, without the space around it.
	About string
	// Wire has at least one line.
	Wire []Line
}

// A Line is one record and who sent it.
type Line struct {
	ToAgent bool
	// Text is the record without its LF, and may be empty.
	Text []byte
}

// ErrSyntax is matched by the errors of [Parse] and [Load] that are about what
// a file says, in contrast to those about reading it.
var ErrSyntax = errors.New("not a vector")

// Load reads every case in dir, sorted by name. It does not look into folders
// below dir. It is an error if dir has no case: a replay of nothing proves
// nothing.
func Load(dir string) ([]Case, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list vectors: %w", err)
	}
	var cases []Case
	for _, entry := range entries {
		name, isText := strings.CutSuffix(entry.Name(), ".txt")
		if !isText || name == "README" {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read vector: %w", err)
		}
		c, err := Parse(name, text)
		if err != nil {
			return nil, fmt.Errorf("read vector %s: %w", path, err)
		}
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("load vectors: no case in %s", dir)
	}
	// The folder is in the order of file names, where "a-b.txt" is before "a.txt".
	slices.SortFunc(cases, func(a, b Case) int { return strings.Compare(a.Name, b.Name) })
	return cases, nil
}

// Parse reads one case. Its errors match [ErrSyntax] and name the line. The
// case keeps no reference to text.
func Parse(name string, text []byte) (Case, error) {
	c := Case{Name: name}
	var about []byte
	number := 0
	for line := range bytes.Lines(text) {
		number++
		line = bytes.TrimSuffix(line, []byte{'\n'})
		mark, record := cutMark(line)
		switch {
		case mark != 0:
			c.Wire = append(c.Wire, Line{ToAgent: mark == '>', Text: bytes.Clone(record)})
		case len(c.Wire) == 0:
			about = append(append(about, line...), '\n')
		case len(line) > 0:
			return Case{}, fmt.Errorf("line %d begins neither with \"> \" nor with \"< \": %q: %w", number, line, ErrSyntax)
		}
	}
	c.About = string(bytes.TrimSpace(about))
	if c.About == "" {
		return Case{}, fmt.Errorf("no prose before the wire: %w", ErrSyntax)
	}
	if len(c.Wire) == 0 {
		return Case{}, fmt.Errorf("no line begins with \"> \" or \"< \": %w", ErrSyntax)
	}
	return c, nil
}

// cutMark splits a line of a file into its mark, '>' or '<', and the record. A
// line without a mark gives 0.
func cutMark(line []byte) (mark byte, record []byte) {
	if len(line) == 0 || (line[0] != '>' && line[0] != '<') {
		return 0, nil
	}
	if len(line) == 1 {
		return line[0], nil
	}
	if line[1] != ' ' {
		return 0, nil
	}
	return line[0], line[2:]
}

// Format gives the text of a file that [Parse] reads back as c.
func Format(c Case) []byte {
	var b bytes.Buffer
	b.WriteString(c.About)
	b.WriteString("\n\n")
	for _, line := range c.Wire {
		mark := byte('<')
		if line.ToAgent {
			mark = '>'
		}
		b.WriteByte(mark)
		// No space after a lone mark: editors remove it from the end of a line.
		if len(line.Text) > 0 {
			b.WriteByte(' ')
			b.Write(line.Text)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// IDs translates between the ids of one run and the id-1, id-2 … of a vector.
// The zero value is ready, and belongs to one case: a case starts again at
// id-1. It is not safe for concurrent use.
type IDs struct {
	real []string // real[i] stands for id-(i+1); it is the text between the quotes
}

var (
	requestID   = regexp.MustCompile(`^\{"type":"extension_ui_request","id":"((?:[^"\\]|\\.)*)"`)
	placeholder = regexp.MustCompile(`"id-([1-9][0-9]*)"`)
)

// Hide puts the next placeholder in the place of the id of a request from the
// agent. Other lines come back as they are, and so does a request whose type
// and id are not its first two fields.
func (ids *IDs) Hide(line []byte) []byte {
	at := requestID.FindSubmatchIndex(line)
	if at == nil {
		return line
	}
	id := string(line[at[2]:at[3]])
	number := 0
	for i, known := range ids.real {
		if known == id {
			number = i + 1
		}
	}
	if number == 0 {
		ids.real = append(ids.real, id)
		number = len(ids.real)
	}
	hidden := append([]byte{}, line[:at[2]]...)
	hidden = fmt.Appendf(hidden, "id-%d", number)
	return append(hidden, line[at[3]:]...)
}

// Reveal puts the ids of this run in the place of the placeholders in a line to
// the agent. A placeholder that stands for no request yet stays as it is.
func (ids *IDs) Reveal(line []byte) []byte {
	return placeholder.ReplaceAllFunc(line, func(quoted []byte) []byte {
		var number int
		if _, err := fmt.Sscanf(string(quoted), `"id-%d"`, &number); err != nil || number > len(ids.real) {
			return quoted
		}
		return []byte(`"` + ids.real[number-1] + `"`)
	})
}
