package script

import (
	"context"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"extui/protocol"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// sources is all JavaScript of our own: prelude.js, which every engine runs at its
// start, and modules that are loaded when something asks for them.
//
//go:embed js
var sources embed.FS

// hostOp is one thing that JavaScript may ask of Go. It runs on the loop, inside a
// turn, and JavaScript waits for it; what takes time is started with [engine.async].
type hostOp func(args arguments) (any, error)

type hostOps map[string]hostOp

// fromScript is the boundary: the one Go function that JavaScript can call, as
// __host(name, ...args), and the only way out of the sandbox. prelude.js takes it
// away from the global object before an extension is loaded.
//
// QuickJS calls it on the loop while a turn is in progress, so it may call nothing
// that enters JavaScript again and must not post and wait. Arguments and results are
// strings, numbers, booleans, null and undefined; everything else crosses as JSON
// text, and bytes as base64. Strings are WTF-8: a lone surrogate is its three bytes.
// An error is thrown in JavaScript with its properties; see failure.
func (e *engine) fromScript(args []any) (any, error) {
	if len(args) == 0 {
		return nil, errors.New("the boundary was called without a name")
	}
	name, _ := args[0].(string)
	op, ok := e.host[name]
	if !ok {
		return nil, fmt.Errorf("there is no host function %q", name)
	}
	v, err := op(args[1:])
	if err != nil {
		return nil, e.thrown(failure(err))
	}
	if v == nil {
		return quickjsUndefined, nil
	}
	return v, nil
}

// thrown shortens the text of an error that is thrown: QuickJS keeps 255 bytes of one. A
// longer text waits here, under a number, for JavaScript to ask for it, which it does before
// it asks for much else.
func (e *engine) thrown(err error) error {
	const longest, waiting = 250, 100
	text := err.Error()
	if len(text) <= longest {
		return err
	}
	if e.texts == nil {
		e.texts = map[int]string{}
	}
	e.lastText++
	e.texts[e.lastText] = text
	delete(e.texts, e.lastText-waiting)
	return errors.New("\x01" + strconv.Itoa(e.lastText))
}

// arguments are those of a host function, by position. One that is missing or of
// another type reads as zero: our own JavaScript passes them.
type arguments []any

func (a arguments) text(i int) string {
	if i < len(a) {
		s, _ := a[i].(string)
		return s
	}
	return ""
}

// textOr returns nil for what is no string.
func (a arguments) optional(i int) *string {
	if i < len(a) {
		if s, ok := a[i].(string); ok {
			return &s
		}
	}
	return nil
}

func (a arguments) number(i int) float64 {
	if i < len(a) {
		switch n := a[i].(type) {
		case int:
			return float64(n)
		case int32:
			return float64(n)
		case int64:
			return float64(n)
		case float64:
			return n
		}
	}
	return 0
}

func (a arguments) integer(i int) int { return int(a.number(i)) }

func (a arguments) flag(i int) bool {
	if i < len(a) {
		b, _ := a[i].(bool)
		return b
	}
	return false
}

func (a arguments) bytes(i int) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(a.text(i))
	if err != nil {
		return nil, fmt.Errorf("read bytes from JavaScript: %w", err)
	}
	return b, nil
}

// decode reads argument i, a JSON text, into v.
func (a arguments) decode(i int, v any) error {
	text := a.text(i)
	if text == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), v, jsontext.AllowInvalidUTF8(true)); err != nil {
		return fmt.Errorf("read an argument from JavaScript: %w", err)
	}
	return nil
}

// nodeError is an error whose text is Node's, which JavaScript may look at.
type nodeError string

func (e nodeError) Error() string { return string(e) }

// failure turns a Go error into what prelude.js makes an Error with properties of:
// text that begins with U+0001, then JSON. System errors get what Node gives them.
func failure(err error) error {
	fields := protocol.AppendString([]byte(`{"message":`), "")
	fields = fields[:len(fields)-2]
	message := err.Error()
	if folder, ok := errors.AsType[*isFolder](err); ok {
		fields = protocol.AppendString(append(protocol.AppendString(fields, message), `,"name":"SystemError","code":"ERR_FS_EISDIR","errno":21,"syscall":`...), folder.call)
		return errors.New("\x01" + string(protocol.AppendString(append(fields, `,"path":`...), folder.path)) + "}")
	}
	system, isSystem := asSystemError(err)
	if isSystem {
		message = system.Error()
	}
	code, _ := describeSystem(err)
	if coded, ok := errors.AsType[*codedError](err); ok {
		code = coded.code
	} else if code == "" && errors.Is(err, context.Canceled) {
		code = "ABORT_ERR"
	}
	fields = protocol.AppendString(fields, message)
	if code != "" {
		fields = append(fields, `,"code":`...)
		fields = protocol.AppendString(fields, code)
	}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		fields = append(fields, `,"errno":`...)
		fields = strconv.AppendInt(fields, -int64(errno), 10)
	}
	if isSystem {
		for _, f := range [][2]string{{"syscall", system.call}, {"path", system.path}, {"dest", system.dest}} {
			if f[1] != "" {
				fields = append(fields, `,"`+f[0]+`":`...)
				fields = protocol.AppendString(fields, f[1])
			}
		}
	}
	return errors.New("\x01" + string(fields) + "}")
}

// async runs work in a goroutine of its own and settles the promise with this id
// with what it returns. ctx should end when nobody wants the result any more.
func (e *engine) async(id int, work func() (any, error)) {
	e.work.Go(func() {
		v, err := work()
		e.settle(id, v, err)
	})
}

// settle settles a promise that JavaScript waits for. It may be called from any
// goroutine.
func (e *engine) settle(id int, v any, err error) {
	e.post(func() {
		var failed *Error
		if err != nil {
			failed = e.enter("fail", id, failure(err).Error())
		} else {
			if v == nil {
				v = quickjsUndefined
			}
			failed = e.enter("settle", id, v)
		}
		if failed != nil {
			e.stopped(failed)
		}
	})
}

// coreOps are the host functions that every engine has.
func (e *engine) coreOps() hostOps {
	return hostOps{
		"source": func(a arguments) (any, error) {
			b, err := sources.ReadFile("js/" + a.text(0) + ".js")
			if err != nil {
				return nil, fmt.Errorf("there is no module %q", a.text(0))
			}
			return string(b), nil
		},
		"text": func(a arguments) (any, error) {
			text := e.texts[a.integer(0)]
			delete(e.texts, a.integer(0))
			return text, nil
		},
		"builtin": func(a arguments) (any, error) {
			if file, ok := builtins[a.text(0)]; ok {
				return file, nil
			}
			return nil, nil
		},
		"unavailable": func(a arguments) (any, error) { return unavailable(a.text(0)), nil },
		"builtins": func(arguments) (any, error) {
			var names []string
			for name, file := range builtins {
				if strings.HasPrefix(file, "node/") && !strings.HasPrefix(name, "node:") {
					names = append(names, name)
				}
			}
			slices.Sort(names)
			return encodeJSON(names)
		},
		"timer": func(a arguments) (any, error) {
			e.setTimer(a.integer(0), milliseconds(a.number(1)))
			return nil, nil
		},
		"untimer": func(a arguments) (any, error) {
			e.clearTimer(a.integer(0))
			return nil, nil
		},
		"now": func(arguments) (any, error) {
			return float64(time.Since(e.began).Nanoseconds()) / 1e6, nil
		},
		"otherclock": func(arguments) (any, error) { return e.otherClock, nil },
		"log": func(a arguments) (any, error) {
			fmt.Fprintln(e.stderr, a.text(0))
			return nil, nil
		},
		"write": func(a arguments) (any, error) {
			fmt.Fprint(e.stderr, a.text(0))
			return nil, nil
		},
		"places": func(a arguments) (any, error) { return e.places(a.text(0)), nil },
		"uncaught": func(a arguments) (any, error) {
			e.tell(a.text(0), e.fromDescription(a.text(1), a.text(2), a.text(3)))
			return nil, nil
		},
	}
}

// milliseconds turns a number of JavaScript into a duration as setTimeout does it: what
// is less than a millisecond, no number, or more than a timer of Node.js takes is one.
func milliseconds(ms float64) time.Duration {
	if !(ms >= 1 && ms <= 1<<31-1) {
		return time.Millisecond
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// environment returns what process.env shows. entries is nil for the environment of
// this process.
func environment(entries []string) map[string]string {
	if entries == nil {
		entries = os.Environ()
	}
	env := map[string]string{}
	for _, entry := range entries {
		for i := 1; i < len(entry); i++ {
			if entry[i] == '=' {
				env[entry[:i]] = entry[i+1:]
				break
			}
		}
	}
	return env
}
