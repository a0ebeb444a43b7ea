package scenario

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Recorder writes the conversation that passes by as a scenario, which plays either
// end of it again. Its methods may be called at once; none blocks but on the file.
//
// A secret that shows as one only later is taken out of what is written already, if the
// writer is a file that can be read too; at the latest by [Recorder.Close].
//
// What the agent says of itself and of its model (responses, events) differs from
// run to run: played as the agent it is sent as it was, and expected of an agent it
// may be anything.
type Recorder struct {
	mu     sync.Mutex // guards all below
	w      io.Writer
	err    error // of the first write that failed
	mask   *Masker
	part   map[Role][]byte // the line that has begun
	over   bool            // the agent has ended
	last   time.Time       // of the record before
	counts map[string]int
	open   []recorded // dialogs and commands that may yet be answered
	past   []recorded // dialogs that have been
}

// recorded is a dialog or command of a recording.
type recorded struct {
	id, name value
	record   value // of a dialog
	dialog   bool
	timed    bool // a dialog with a timeout
	secret   bool // a dialog that asks for a secret
}

// NewRecorder returns a Recorder that writes to w, each record as it comes. mask
// may be nil: nothing is masked then.
func NewRecorder(w io.Writer, about string, mask *Masker) *Recorder {
	r := &Recorder{w: w, mask: mask, part: map[Role][]byte{}, counts: map[string]int{}, last: time.Now()}
	r.write("about: " + textValue(about).yaml() + "\nwithin: 30s\nsteps:\n")
	return r
}

// write adds to the recording, until something has failed: a file that could not be
// corrected, or of which a part is missing, must not seem to be whole, nor be written over.
func (r *Recorder) write(s string) {
	if r.err != nil {
		return
	}
	if _, err := io.WriteString(r.w, s); err != nil {
		r.err = fmt.Errorf("write recording: %w", err)
	}
}

// Write takes bytes that one end has sent. It keeps no reference to p. A failure of
// the file must not disturb the conversation, so [Recorder.Close] reports it.
func (r *Recorder) Write(from Role, p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !r.over {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			r.part[from] = append(r.part[from], p...)
			return
		}
		line := append(r.part[from], p[:i]...)
		r.part[from] = nil
		r.line(from, line)
		p = p[i+1:]
	}
}

// End notes that one end has closed its side; exit is how the agent ended, after which
// nothing is recorded any more.
func (r *Recorder) End(from Role, exit Exit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	r.over = from == Agent
	if len(r.part[from]) > 0 {
		r.line(from, r.part[from])
		r.part[from] = nil
	}
	switch {
	case from == Client:
		r.write("  - client: close\n")
	case exit.Signal != "":
		r.write("  - agent: {kill: " + exit.Signal + "}\n")
	default:
		r.write(fmt.Sprintf("  - agent: {exit: %d}\n", max(exit.Code, 0)))
	}
}

// Close reports the first error of writing. It does not close the writer.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lookBack()
	return r.err
}

// line writes one record as a step.
func (r *Recorder) line(from Role, line []byte) {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(bytes.Trim(line, " \t\r")) == 0 {
		return
	}
	r.pause(from)
	if !utf8.Valid(line) {
		r.invalid(from, line)
		return
	}
	v, err := decode(line)
	if err != nil || v.kind != object {
		s := string(line)
		if r.mask != nil {
			s = r.mask.Text(s)
		}
		r.step(from, "{line: "+textValue(s).yaml()+"}", nil)
		return
	}
	if r.mask != nil {
		// First what is a secret for what it answers, as a whole: not what is left of it.
		if r.learn(from, v) {
			defer r.lookBack()
		}
		// Twice: what one member gives away may stand in one before it.
		v = r.mask.value(r.mask.value(v))
	}
	if from == Client {
		r.fromClient(v)
	} else {
		r.fromAgent(v)
	}
}

// invalid writes a line that is no UTF-8, byte for byte, and as a record what can be
// answered later. A secret that it holds is masked, and the bytes around it stay.
func (r *Recorder) invalid(from Role, line []byte) {
	var pieces []string
	text := string(line)
	if r.mask != nil {
		text = r.mask.Text(text)
	}
	for text != "" {
		bad := 0
		for bad < len(text) {
			if c, size := utf8.DecodeRuneInString(text[bad:]); c != utf8.RuneError || size > 1 {
				break
			}
			bad++
		}
		if bad > 0 {
			pieces = append(pieces, fmt.Sprintf("{hex: \"% x\"}", text[:bad]))
			text = text[bad:]
			continue
		}
		good := strings.IndexFunc(text, func(c rune) bool { return c == utf8.RuneError })
		if good < 0 {
			good = len(text)
		} else if good == 0 {
			good = len("\uFFFD") // One that is there.
		}
		pieces = append(pieces, textValue(strings.ReplaceAll(text[:good], "${", "$${")).yaml())
		text = text[good:]
	}
	var more []string
	v, err := decode(line)
	if id, ok := v.get("id"); err == nil && ok {
		switch kind := v.str("type"); {
		case from == Agent && isDialog(v):
			_, timed := v.get("timeout")
			more = []string{"as", r.begin("d", recorded{id: id, record: v, dialog: true, timed: timed, secret: asksForSecret(v)})}
		case from == Client && kind == "extension_ui_response":
			r.settle(id, true)
		case from == Client && kind != "":
			more = []string{"as", r.begin("c", recorded{id: id})}
		}
	}
	r.step(from, "{line: ["+strings.Join(pieces, ", ")+"]}", more)
}

// pause writes how long the agent was silent while the time of a dialog ran.
func (r *Recorder) pause(from Role) {
	now := time.Now()
	gap := now.Sub(r.last).Round(100 * time.Millisecond)
	r.last = now
	timed := slices.ContainsFunc(r.open, func(o recorded) bool { return o.timed })
	if from == Agent && timed && gap >= 500*time.Millisecond {
		r.write("  - wait: " + gap.String() + "\n")
	}
}

// step writes a step, and beside it the keys in more, which come in pairs.
func (r *Recorder) step(from Role, said string, more []string) {
	s := fmt.Sprintf("  - %s: %s\n", from, said)
	for i := 0; i+1 < len(more); i += 2 {
		s += "    " + more[i] + ": " + more[i+1] + "\n"
	}
	r.write(s)
}

// verbatim is v as a pattern that matches it alone.
func verbatim(v value) value { return writable(literal(v, Pos{})) }

// writable puts texts that YAML cannot hold into $json.
func writable(v value) value {
	switch v.kind {
	case text:
		if j := v.String(); !utf8.ValidString(v.text) {
			return objectOf(field("$json", textValue(strings.ToValidUTF8(j, "\uFFFD"))))
		}
	case array:
		v.items = slices.Clone(v.items)
		for i := range v.items {
			v.items[i] = writable(v.items[i])
		}
	case object:
		if is, ok := v.get("$is"); ok && isOperator(v) && !utf8.ValidString(is.text) {
			return writable(textValue(strings.ReplaceAll(is.text, "$${", "${")))
		}
		v.members = slices.Clone(v.members)
		for i := range v.members {
			v.members[i].name = strings.ToValidUTF8(v.members[i].name, "\uFFFD")
			v.members[i].value = writable(v.members[i].value)
		}
	}
	return v
}

// anything is a pattern that everything matches, and that sends v.
func anything(v value) value {
	return objectOf(field("$any", boolValue(true)), field("$send", verbatim(v)))
}

// begin enters a dialog or command and returns its name.
func (r *Recorder) begin(prefix string, o recorded) string {
	r.counts[prefix]++
	name := fmt.Sprintf("%s%d", prefix, r.counts[prefix])
	o.name = textValue(name)
	r.open = append(r.open, o)
	return name
}

// settle finds a dialog or command by its id, and forgets it.
func (r *Recorder) settle(id value, dialog bool) (recorded, bool) {
	i := slices.IndexFunc(r.open, func(o recorded) bool { return o.dialog == dialog && equal(o.id, id) })
	if i < 0 {
		return recorded{}, false
	}
	o := r.open[i]
	r.open = slices.Delete(r.open, i, i+1)
	if dialog {
		r.past = append(r.past, recorded{id: o.id, secret: o.secret})
	}
	return o, true
}

// without returns the members of v but for some.
func without(v value, names ...string) value {
	out := value{kind: object}
	for _, m := range v.members {
		if !slices.Contains(names, m.name) {
			out.members = append(out.members, m)
		}
	}
	return out
}

// whole writes a record that no verb fits.
func (r *Recorder) whole(from Role, v value) {
	r.step(from, "{record: "+verbatim(v).yaml()+"}", nil)
}

// stray writes an answer for which no dialog is open. What it answers may be a secret
// unless that dialog came before and asked for none.
func (r *Recorder) stray(id, v value) {
	record := verbatim(v)
	if r.mask != nil && !r.harmless(id) {
		record = r.hidden(v, value{})
	}
	r.step(Client, "{record: "+record.yaml()+"}", nil)
}

func (r *Recorder) fromClient(v value) {
	id, hasID := v.get("id")
	kind := v.str("type")
	if kind == "extension_ui_response" {
		d, ok := r.settle(id, true)
		if !ok {
			r.stray(id, v)
			return
		}
		answer, only := v.get("value")
		said := objectOf(field("answer", verbatim(without(v, "type", "id"))))
		if c, ok := v.get("cancelled"); ok && len(v.members) == 3 && c.text == "true" {
			said = objectOf(field("cancel", boolValue(true)))
		} else if d.secret && only && answer.kind == text && r.mask != nil {
			said = objectOf(field("answer", r.hidden(answer, value{})))
		} else if d.secret && r.mask != nil {
			said = objectOf(field("answer", r.hidden(without(v, "type", "id"), d.record)))
		} else if only && len(v.members) == 3 && answer.kind == text && misfit(d.record, v) == "" {
			said = objectOf(field("answer", verbatim(answer)))
		}
		r.step(Client, said.yaml(), []string{"to", d.name.text})
		return
	}
	if kind == "" {
		r.whole(Client, v)
		return
	}
	name, main, rest := "command", textValue(kind), without(v, "type", "id")
	if kind == "prompt" && v.str("message") != "" {
		name, main, rest = "prompt", textValue(v.str("message")), without(v, "type", "id", "message")
	}
	if slices.ContainsFunc(rest.members, func(m member) bool { return verbs[Client][m.name] != nil }) {
		r.whole(Client, v) // A member that reads as a verb.
		return
	}
	said := objectOf(field(name, verbatim(main)))
	said.members = append(said.members, verbatim(rest).members...)
	var more []string
	if hasID {
		more = []string{"as", r.begin("c", recorded{id: id})}
	}
	r.step(Client, said.yaml(), more)
}

func (r *Recorder) fromAgent(v value) {
	id, _ := v.get("id")
	switch v.str("type") {
	case "extension_ui_request":
		r.request(id, v)
	case "response":
		c, ok := r.settle(id, false)
		success, has := v.get("success")
		if !ok || !has {
			r.loose(v)
			return
		}
		said := objectOf(field("response", success))
		for _, m := range without(v, "type", "id", "success").members {
			switch m.name {
			case "error", "data":
				said.members = append(said.members, field(m.name, anything(m.value)))
			case "command":
			default:
				r.loose(v)
				return
			}
		}
		r.step(Agent, said.yaml(), []string{"to", c.name.text})
	case "extension_error":
		r.whole(Agent, v)
	default:
		r.loose(v)
	}
}

// loose writes a record of which only the type is expected, if it comes at all.
func (r *Recorder) loose(v value) {
	if v.str("type") == "" {
		r.whole(Agent, v)
		return
	}
	record := value{kind: object}
	for _, m := range v.members {
		if m.name == "type" {
			record.members = append(record.members, field("type", verbatim(m.value)))
		} else {
			record.members = append(record.members, field(m.name, anything(m.value)))
		}
	}
	r.step(Agent, "{record: "+record.yaml()+"}", []string{"optional", "true"})
}

// unfit writes a request that no verb can say, with its id where it is played.
func (r *Recorder) unfit(id, v value) {
	record := verbatim(v)
	if i := slices.IndexFunc(v.members, func(m member) bool { return m.name == "id" }); i >= 0 {
		record.members[i].value = anything(id)
	}
	var more []string
	if isDialog(v) {
		more = []string{"as", r.begin("d", recorded{id: id, record: v, dialog: true, secret: asksForSecret(v)})}
	}
	r.step(Agent, "{record: "+record.yaml()+"}", more)
}

func (r *Recorder) request(id, v value) {
	method := v.str("method")
	verb := verbs[Agent][method]
	if method == "cancel" {
		target, _ := v.get("targetId")
		if d, ok := r.settle(target, true); ok {
			said := objectOf(field("dismiss", boolValue(true)))
			if reason, ok := v.get("reason"); ok {
				said.members = append(said.members, field("reason", verbatim(reason)))
			}
			r.step(Agent, said.yaml(), []string{"to", d.name.text})
			return
		}
	}
	rest := without(v, "type", "id", "method")
	fits := verb != nil && verb.id == dialogID
	if fits {
		_, fits = v.get(verb.main)
		for _, m := range rest.members {
			fits = fits && (m.name == verb.main || slices.Contains(verb.known, m.name))
		}
	}
	if !fits {
		r.unfit(id, v)
		return
	}
	main, _ := v.get(verb.main)
	said := objectOf(field(method, verbatim(main)))
	said.members = append(said.members, verbatim(without(rest, verb.main)).members...)
	if !verb.dialog {
		r.step(Agent, said.yaml(), nil)
		return
	}
	_, timed := v.get("timeout")
	name := r.begin("d", recorded{id: id, record: v, dialog: true, timed: timed, secret: asksForSecret(v)})
	r.step(Agent, said.yaml(), []string{"as", name})
}
