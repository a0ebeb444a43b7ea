package faulty

import (
	"bytes"
	"errors"
	"strings"

	"extui/agent"
)

// Kinds of faults.

type spoil = func(l *layer, line []byte) []byte

// records changes those for which is says so; a nil change drops them.
func records(is func(r record) bool, change func(l *layer, r *record)) spoil {
	return func(l *layer, line []byte) []byte {
		r := parse(line)
		if r == nil || !is(r) {
			return line
		}
		if change == nil {
			return nil
		}
		change(l, &r)
		return r.line()
	}
}

// answers changes those of the client.
func answers(change func(l *layer, r *record)) spoil { return records(record.answer, change) }

// requests changes those of a method, of all if it is "".
func requests(method string, change func(l *layer, r *record)) spoil {
	return records(func(r record) bool { return r.request(method) }, change)
}

// responses changes those to a command, to all if it is "".
func responses(command string, change func(l *layer, r *record)) spoil {
	return records(func(r record) bool { return r.response(command) }, change)
}

// member sets a member, or takes it away if value is "".
func member(name, value string) func(*layer, *record) {
	return func(_ *layer, r *record) {
		if value == "" {
			r.del(name)
		} else {
			r.set(name, value)
		}
	}
}

// replaced puts one text in the place of another.
func replaced(from, to string) spoil {
	return func(_ *layer, line []byte) []byte { return bytes.ReplaceAll(line, []byte(from), []byte(to)) }
}

// lines drops those for which is says so, after it has done something about them.
func lines(is func(line []byte) bool, instead func(l *layer, line []byte)) spoil {
	return func(l *layer, line []byte) []byte {
		if !is(line) {
			return line
		}
		if instead != nil {
			instead(l, line)
		}
		return nil
	}
}

func text(s string) func([]byte) bool {
	return func(line []byte) bool { return string(line) == s }
}

// command reports whether a line is one of the client's of that type.
func command(name string) func([]byte) bool {
	return func(line []byte) bool { return parse(line).str("type") == name }
}

func refuse(l *layer, _ []byte) { l.refuse() }

// gives is s for the dialogs of a method for which is says so.
func gives(method, s string, is func(e *ended) bool) func(*layer, *ended) string {
	return func(_ *layer, e *ended) string {
		if e.method == method && is(e) {
			return s
		}
		return ""
	}
}

// failed reports whether a dialog ended in that way.
func failed(as error) func(*ended) bool {
	return func(e *ended) bool { return errors.Is(e.err, as) }
}

// passed is the value of the response as it came, for the dialogs of a method whose
// answer is none.
func passed(method string, is func(value string) bool) func(*layer, *ended) string {
	return func(_ *layer, e *ended) string {
		value := string(e.said.get("value"))
		if e.method == method && errors.Is(e.err, agent.ErrInvalidAnswer) && value != "" && is(value) {
			return value
		}
		return ""
	}
}

func isText(value string) bool { return strings.HasPrefix(value, `"`) }

func isNoText(value string) bool { return !isText(value) }

// unsettled holds the client's lines for which is says so back until no dialog is open.
func unsettled(is func(l *layer, r record) bool) spoil {
	return func(l *layer, line []byte) []byte {
		r := parse(line)
		if r.answer() {
			l.settled(r)
			if len(l.open) == 0 {
				for _, kept := range l.kept {
					line = append(append(line, '\n'), kept...)
				}
				l.kept = nil
			}
			return line
		}
		if len(l.open) > 0 && is(l, r) {
			l.kept = append(l.kept, line)
			return nil
		}
		return line
	}
}
