// Package choices is the person at a client that "extui check client" judges: it reads
// what that person is to choose from the environment, and chooses it.
//
//	person, err := choices.FromEnv(os.Getenv)
//	if errors.Is(err, choices.ErrCannot) {
//		os.Exit(choices.ExitCannot)
//	}
//	…
//	person.Asked(key, dialog)                        // as each dialog opens, in order
//	answer, err := person.Answer(ctx, key, dialog)   // where a person would be asked
//
// docs/checking.md says what the variables hold. The program examples/check-client of
// this module is a client that is built on this package.
//
// # Concurrency
//
// All methods of a [Person] may be called at once. Answer blocks for as long as the
// person takes, until its context ends; nothing else blocks.
package choices

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The environment variables of a client under test.
const (
	// ChoicesVariable holds a JSON array with a [Choice] for each dialog.
	ChoicesVariable = "EXTUI_CHOICES"
	// CommandsVariable holds a JSON array of what the person tells the agent: texts,
	// which are prompts, and objects, which are commands without their ids. Each is
	// sent once the one before was responded to.
	CommandsVariable = "EXTUI_COMMANDS"
	// NeedsVariable names what the client must be able to do, with commas between.
	NeedsVariable = "EXTUI_NEEDS"
)

// ExitCannot is the exit code of a client that cannot do what [NeedsVariable] or
// [ChoicesVariable] asks for. It is not judged by that rule.
const ExitCannot = 77

// ErrCannot is wrapped by the error of [FromEnv] if the client is to exit with
// [ExitCannot].
var ErrCannot = errors.New("this client cannot do that")

// Choice is what a person chooses in one dialog. Exactly one member but For and After
// is set.
type Choice struct {
	For   string `json:"for"`   // the title of the dialog; "": any
	After int    `json:"after"` // how many milliseconds the person takes

	Value     *string        `json:"value"`     // the option that is this text, or what is typed
	Option    *int           `json:"option"`    // the option at this index
	Confirmed *bool          `json:"confirmed"` // what a confirm is answered
	Answers   jsontext.Value `json:"answers"`   // the answers to a questionnaire, as in a response
	Cancelled bool           `json:"cancelled"` // the dialog is dismissed
	Wait      bool           `json:"wait"`      // nothing is ever chosen
	Fail      bool           `json:"fail"`      // the dialog cannot be shown
	Stop      bool           `json:"stop"`      // the client is told to leave
}

// Command is what the person tells the agent.
type Command struct {
	// Name is the type of the command, such as "prompt".
	Name string
	// Members are the other members of the record, in order.
	Members []Member
}

// Member is a member of a command.
type Member struct {
	Name  string
	Value jsontext.Value
}

// Person chooses. Use [FromEnv] to make one.
type Person struct {
	// Commands are what the person tells the agent, in order.
	Commands []Command
	// Stop is called, in a goroutine of Answer's caller, when the person leaves; it
	// must not wait for Answer. nil: nothing happens. Set it before the first Answer.
	Stop func()

	mu     sync.Mutex
	left   []Choice
	chosen map[uint64]chan Choice // a choice is put in as the dialog opens
}

// able is what a Person can do: what a rule may need.
var able = []string{"questionnaire", "commands", "fail", "stop"}

// FromEnv reads what a person is to choose; getenv is [os.Getenv], usually. Variables
// that are empty choose nothing. An error that matches [ErrCannot] says that the
// client is asked for something that this package does not know.
func FromEnv(getenv func(string) string) (*Person, error) {
	p := &Person{chosen: map[uint64]chan Choice{}}
	for need := range strings.SplitSeq(getenv(NeedsVariable), ",") {
		if need = strings.TrimSpace(need); need != "" && !slices.Contains(able, need) {
			return nil, fmt.Errorf("%s: %q: %w", NeedsVariable, need, ErrCannot)
		}
	}
	if text := getenv(ChoicesVariable); text != "" {
		err := json.Unmarshal([]byte(text), &p.left, json.RejectUnknownMembers(true))
		if errors.Is(err, json.ErrUnknownName) {
			return nil, fmt.Errorf("%s: %w: %w", ChoicesVariable, err, ErrCannot)
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", ChoicesVariable, err)
		}
	}
	if text := getenv(CommandsVariable); text != "" {
		var all []jsontext.Value
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			return nil, fmt.Errorf("%s: %w", CommandsVariable, err)
		}
		for _, one := range all {
			c, err := command(one)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", CommandsVariable, one, err)
			}
			p.Commands = append(p.Commands, c)
		}
	}
	return p, nil
}

// command reads a text, which is a prompt, or the record of a command.
func command(v jsontext.Value) (Command, error) {
	if v.Kind() == '"' {
		return Command{"prompt", []Member{{"message", v.Clone()}}}, nil
	}
	var record jsontext.Value = v
	var c Command
	dec := jsontext.NewDecoder(strings.NewReader(string(record)))
	if t, err := dec.ReadToken(); err != nil || t.Kind() != '{' {
		return c, errors.New("neither a text nor an object")
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return c, err
		}
		key := name.String()
		value, err := dec.ReadValue()
		if err != nil {
			return c, err
		}
		if key == "type" {
			if err := json.Unmarshal(value, &c.Name); err != nil {
				return c, err
			}
			continue
		}
		c.Members = append(c.Members, Member{key, value.Clone()})
	}
	if c.Name == "" {
		return c, errors.New("it has no type")
	}
	return c, nil
}

// Take finds the choice for a dialog of that title and uses it up: one that is for it,
// or else the next that is for any. A person to whom nothing is left cancels. It is
// for clients that need the choice itself; others use [Person.Asked].
func (p *Person) Take(title string) Choice {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.left, func(c Choice) bool { return c.For == title && title != "" })
	if i < 0 {
		i = slices.IndexFunc(p.left, func(c Choice) bool { return c.For == "" })
	}
	if i < 0 {
		return Choice{Cancelled: true}
	}
	c := p.left[i]
	p.left = slices.Delete(p.left, i, i+1)
	return c
}

// slot is where the choice for a dialog comes in; p.mu is held.
func (p *Person) slot(key uint64) chan Choice {
	if p.chosen[key] == nil {
		p.chosen[key] = make(chan Choice, 1)
	}
	return p.chosen[key]
}

// delay is how long the person takes.
func (c Choice) delay() time.Duration { return time.Duration(c.After) * time.Millisecond }
