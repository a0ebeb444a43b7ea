package scenario

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"extui/internal/yamlfile"
)

// Scenario is one parsed file. It does not change and may be played several times
// at once.
type Scenario struct {
	// File is the name that it was parsed under, Name its base without extension.
	File, Name string
	// About is what the file says that it is about; may be empty.
	About string
	// Extensions are the extension files that the file names for the built-in agent,
	// beside the scenario's folder if they are relative.
	Extensions []string
	// Flags are the values of flags that those extensions register.
	Flags map[string]string
	// Tools are tools that stand in for those of a real agent, by name; each gives
	// its text as its result, without doing anything.
	Tools map[string]string
	// Dialect is "atomic", "pi" or "", which leaves it to the program.
	Dialect string
	// Rule is what the file judges in a conformance suite; nil if it is in none.
	Rule *Rule
	// Env are environment variables of the other end's process; may be empty.
	Env map[string]string
	// Choices are what a person would choose in the dialogs of a client under test, in
	// their order. nil: the file says nothing of them.
	Choices []Choice
	// Within is how long a step waits that does not say so itself. Never 0.
	Within time.Duration

	source []byte
	// extensionsAt are the entries of Extensions as they stand there.
	extensionsAt []value

	edges   []int // lines at which a step or a key of the file begins, for an update
	steps   []*step
	rules   []*step // answers: each an agent's step with an answer
	ignore  []string
	replies map[string]value // data of responses, by command, when the agent is played
}

// DefaultWithin is how long a step waits for the other end unless the file says
// otherwise.
const DefaultWithin = 5 * time.Second

// stepKind says what a step is.
type stepKind byte

const (
	speak    stepKind = iota // client or agent: a record or an action
	anyOrder                 // steps of the agent that come in any order
	never                    // a step that must not come
	repeat                   // steps, several times
	pause                    // time passes
)

// step is one entry of steps.
type step struct {
	at     Pos
	where  string // the path of what it says
	kind   stepKind
	who    Role
	name   string // of the verb
	verb   *verb
	main   value // what stands behind the verb, for a message
	record value // without its id; a pattern, or what is sent
	// as names the dialog or command, to says which one is meant.
	as, to   string
	within   time.Duration // 0: that of the file
	save     []saved
	bytes    []piece // what a step of that name sends
	raw      []piece // what the line must contain that was expected
	rawText  value   // the same as it stands there
	end      string  // a key of lineEnds, how the line ends; "" if nothing is said
	answer   *step   // sent when the step has come
	optional bool
	note     string
	steps    []*step // of anyOrder, never and repeat
	count    int     // of repeat
	// answered says that a later step states the response to this command.
	answered bool
}

// saved is a value to keep: name is the variable, path where it stands.
type saved struct{ name, path string }

// Load reads and parses a file. Errors about what it says match [ErrSyntax].
func Load(path string) (*Scenario, error) {
	source, err := yamlfile.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read scenario: %w", err)
	}
	s, err := Parse(path, source)
	if err != nil {
		return nil, err
	}
	for i, e := range s.Extensions {
		if !filepath.IsAbs(e) {
			s.Extensions[i] = filepath.Join(filepath.Dir(path), e)
		}
	}
	return s, nil
}

// Source returns the text of the file as it was parsed.
func (s *Scenario) Source() []byte { return slices.Clone(s.source) }

// String describes a step in one line: client calls, agent asks.
func (s *step) String() string {
	switch s.kind {
	case anyOrder:
		return fmt.Sprintf("%d in any order", len(s.steps))
	case never:
		return "never " + s.steps[0].String()
	case repeat:
		return fmt.Sprintf("repeat %d times", s.count)
	case pause:
		return "wait " + s.within.String()
	}
	line := string(s.who) + " " + s.name
	if s.main.kind != null && !(s.main.kind == truth && s.name != "answer" && s.name != "response") {
		line += " " + s.main.short()
	}
	if s.note != "" {
		line += " (" + s.note + ")"
	}
	return line
}

// Steps returns how many steps the file has, those within others included.
func (s *Scenario) Steps() int {
	n := 0
	for range allSteps(s.steps) {
		n++
	}
	return n
}

// allSteps yields steps and those within them, in the order of the file.
func allSteps(steps []*step) iter.Seq[*step] {
	return func(yield func(*step) bool) {
		for _, st := range steps {
			if !yield(st) {
				return
			}
			for inner := range allSteps(st.steps) {
				if !yield(inner) {
					return
				}
			}
		}
	}
}

// CheckRole returns an error unless the file can be played as that end: what is
// sent must be plain, and a pattern needs $send. It matches [ErrSyntax].
func (s *Scenario) CheckRole(me Role) error {
	f := &faults{file: s.File}
	check := func(st *step) {
		if st.verb == nil || st.verb.action {
			return
		}
		if st.who != me {
			if st.name == "bytes" {
				f.add(st.at, st.where, "", "bytes of the %s cannot be expected; a line or a record can, with raw beside it", st.who)
			}
			return
		}
		if me == Client && st.optional {
			f.add(st.at, st.where, "", "optional has no meaning beside what is always said: the client's own records")
		}
		// Variables are only known later, and are plain.
		if _, at, ok := plain(st.record, nil); !ok {
			f.add(at, st.pathIn(at), "", "a pattern cannot be sent by the %s; give it a $send, or $is for a text with slashes", me)
		}
	}
	for st := range allSteps(append(slices.Clone(s.steps), s.rules...)) {
		if st.kind == never || st.verb == nil {
			continue
		}
		check(st)
		if st.answer != nil {
			check(st.answer)
		}
	}
	return f.err()
}

// CheckExtensions returns an error for each of the extensions that the file names and
// that is not there. It matches [ErrSyntax].
func (s *Scenario) CheckExtensions() error {
	f := &faults{file: s.File}
	for i, name := range s.Extensions {
		if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
			f.add(s.extensionsAt[i].at, fmt.Sprintf("extensions[%d]", i), s.extensionsAt[i].short(), "no such file or folder: %s", name)
		}
	}
	return f.err()
}

// baseName is a file's name without folder and extension.
func baseName(path string) string {
	base := filepath.Base(path)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	return strings.TrimSuffix(base, ".scenario")
}

// Waits is how long the steps of a play wait though nothing is expected, in all: what
// it takes even where the other end is quick.
func (s *Scenario) Waits() time.Duration { return waits(s.steps) }

func waits(steps []*step) time.Duration {
	var all time.Duration
	for _, st := range steps {
		switch st.kind {
		case pause, never:
			all += st.within
		case repeat:
			all += time.Duration(st.count) * waits(st.steps)
		}
	}
	return all
}
