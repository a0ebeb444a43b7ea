package script

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"modernc.org/quickjs"
)

var quickjsUndefined = quickjs.Undefined{}

// Error is what an extension's code threw, or why it was stopped.
type Error struct {
	// Message is the text of the JavaScript error, as pi reports it.
	Message string
	// File and Line are where in the extension's source it was thrown, the line
	// counted from 1; File is "" if no frame of the extension is known.
	File string
	Line int
	// Stack is the frames of the extension's source, one a line, innermost first.
	Stack string
	// Limit is which limit stopped the code: LimitRun, LimitMemory, LimitStack or "".
	Limit string

	placed bool   // the text is ours, and says where
	name   string // of the JavaScript error, "" for what is none
}

// The limits that an [Error] may be about.
const (
	LimitRun    = "run"
	LimitMemory = "memory"
	LimitStack  = "stack" // of calls: a recursion without end
)

// Error returns the message, with file and line where a limit was hit. What the
// extension itself threw is left as it is.
func (e *Error) Error() string {
	if e.placed {
		return e.Message + e.at()
	}
	return e.Message
}

// isStop reports whether a limit has ended what ran, wherever it was.
func (e *Error) isStop() bool { return e != nil && (e.Limit == LimitRun || e.Limit == LimitMemory) }

// told returns the text for a person, who is told something where pi writes nothing.
func (e *Error) told() string { return cmp.Or(e.Error(), e.name) }

// exitError is the name of what process.exit throws.
const exitError = "ExitError"

// at returns " (FILE:LINE)", or "" if that is not known.
func (e *Error) at() string {
	if e.File == "" {
		return ""
	}
	return " (" + e.File + ":" + strconv.Itoa(e.Line) + ")"
}

// scriptError turns an error of package quickjs into one of ours. It is called on the
// loop.
func (e *engine) scriptError(err error) *Error {
	if err == nil {
		return nil
	}
	js, ok := errors.AsType[*quickjs.Error](err)
	if !ok {
		return &Error{Message: err.Error()}
	}
	return e.fromDescription(js.Name, js.Message, js.Stack)
}

// fromDescription makes an Error of the name, message and stack of a JavaScript one.
func (e *engine) fromDescription(name, message, stack string) *Error {
	out := &Error{Message: message, name: name}
	if e.inner.memory.short && (name == "" && message == "null" || name == "InternalError" && message == "" || name == "" && message == "") {
		// There was no memory left for the error that says so, or for its text.
		name, message = "InternalError", "out of memory"
	}
	// A stack that overflows is a RangeError to JavaScript, see prelude.js.
	if name == "InternalError" || name == "RangeError" && message == "stack overflow" {
		switch message {
		case "interrupted":
			out.Limit = LimitRun
			out.Message = fmt.Sprintf("stopped: it ran for %v without a pause", e.limits.Run)
			if e.watch.stopped() {
				out.Message = "stopped: the extension is being unloaded"
			}
		case "out of memory":
			full := e.outOfMemory()
			out.Limit, out.Message = full.Limit, full.Message
			e.shortOfMemory = out
		case "stack overflow":
			out.Limit = LimitStack
			out.Message = "Maximum call stack size exceeded"
		}
	}
	out.placed = out.Limit != "" || name == exitError
	var frames []string
	for line := range strings.Lines(stack) {
		f, ok := parseFrame(line)
		switch {
		case ok && filepath.IsAbs(f.file):
			// The extension has looked at it, see places.
			if out.File == "" {
				out.File, out.Line = f.file, f.line
			}
			frames = append(frames, f.String())
			continue
		case !ok || !isBundle(f.file):
			continue
		}
		if out.Limit == LimitRun && frames == nil && f.file == bundleName {
			if line, column, ok := loopAt(e.source(), f.line); ok {
				f.line, f.column = line, column
			}
		}
		f.file, f.line, f.column = e.place(f.file, f.line, f.column)
		if out.File == "" {
			out.File, out.Line = f.file, f.line
		}
		frames = append(frames, f.String())
	}
	out.Stack = strings.Join(frames, "\n")
	return out
}

// places turns a stack of QuickJS into the frames that an extension sees in the stack of
// an error: those in its own files, as Node.js shows them.
func (e *engine) places(stack string) string {
	var b strings.Builder
	for line := range strings.Lines(stack) {
		f, ok := parseFrame(line)
		if !ok || !isBundle(f.file) {
			continue
		}
		f.file, f.line, f.column = e.place(f.file, f.line, f.column)
		b.WriteString("\n    " + f.String())
	}
	return b.String()
}

// outOfMemory returns the error of an extension that has used up its memory.
func (e *engine) outOfMemory() *Error {
	return &Error{Limit: LimitMemory, Message: fmt.Sprintf("stopped: it needs more than its %d MB of memory", e.limits.Memory>>20), placed: true}
}

// frame is one line of a QuickJS stack: "    at name (file:line:column)".
type frame struct {
	function     string
	file         string
	line, column int
}

func (f frame) String() string {
	return "at " + f.function + " (" + f.file + ":" + strconv.Itoa(f.line) + ":" + strconv.Itoa(f.column) + ")"
}

func parseFrame(line string) (frame, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "at ")
	if !ok {
		return frame{}, false
	}
	name, place, ok := strings.Cut(rest, " (")
	if !ok {
		return frame{}, false
	}
	place = strings.TrimSuffix(place, ")")
	i := strings.LastIndexByte(place, ':')
	if i < 0 {
		return frame{}, false
	}
	column, err := strconv.Atoi(place[i+1:])
	if err != nil {
		return frame{}, false
	}
	place = place[:i]
	if i = strings.LastIndexByte(place, ':'); i < 0 {
		return frame{}, false
	}
	row, err := strconv.Atoi(place[i+1:])
	if err != nil {
		return frame{}, false
	}
	return frame{function: name, file: place[:i], line: row, column: column}, true
}
