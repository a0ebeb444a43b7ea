package interop_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"extui/client"
	"extui/internal/vectors"
	"extui/interop"
	"extui/protocol"
)

// A clientDifference is a recorded case in which our client does not write what
// the recorded client wrote, or does not show what the agent sent.
type clientDifference struct {
	why string
	// wrote are the lines that our client writes in the place of the recorded
	// answers. If they are the recorded ones, the difference is in the rest.
	wrote []string
	// unseen: the front end does not get what the agent sent, to the byte.
	unseen bool
	// kinds are the diagnostics.
	kinds []client.DiagnosticKind
}

const (
	answerAllow  = `{"type":"extension_ui_response","id":"id-1","value":"Allow"}`
	answerCancel = `{"type":"extension_ui_response","id":"id-1","cancelled":true}`
)

var misfit = []client.DiagnosticKind{client.KindFrontend}

// Most of these are clients that misbehave, recorded to see what pi makes of it.
// What ours does instead never approves anything: the extension sees what it
// sees when a person cancels.
var clientDifferences = map[string]clientDifference{
	"confirm-answered-with-value": {why: "a text is no answer to a confirm; it becomes a cancellation",
		wrote: []string{answerCancel}, kinds: misfit},
	"select-answered-with-confirmed": {why: "a yes is no answer to a select; it becomes a cancellation",
		wrote: []string{answerCancel}, kinds: misfit},
	"select-with-a-value-that-is-no-option": {why: "only what was offered can be chosen; anything else becomes a cancellation",
		wrote: []string{answerCancel}, kinds: misfit},
	"select-value-not-a-string": {why: "a value is a text in Go, and \"7\" was not offered",
		wrote: []string{answerCancel}, kinds: misfit},
	"select-answered-with-an-empty-record": {why: "no answer at all becomes a cancellation",
		wrote: []string{answerCancel}, kinds: misfit},
	"select-cancelled-false": {why: "not cancelled, but no answer either, becomes a cancellation",
		wrote: []string{answerCancel}, kinds: misfit},
	"select-cancelled-false-with-value": {why: "beside an answer nothing is said about a cancellation",
		wrote: []string{answerAllow}},
	"select-answered-twice": {why: "Ask returns once",
		wrote: []string{answerAllow}},
	"select-wrong-id-first": {why: "an answer belongs to a dialog; a front end cannot give it under another id",
		wrote: []string{answerAllow}},
	"select-non-string-arguments": {why: "a dialog that is not as documented is not shown, but cancelled",
		wrote: []string{answerCancel}, unseen: true, kinds: []client.DiagnosticKind{client.KindBadRequest}},
	"select-no-options": {why: "nobody can choose among nothing, so nobody is asked; what is written is the same",
		wrote: []string{answerCancel}, unseen: true, kinds: []client.DiagnosticKind{client.KindNoOptions}},
	"status-null": {why: "a null text clears the status, as an absent one does; the difference is not kept",
		unseen: true},
}

// What the recorded client answered, our client answers when its front end says
// the same, in the same words but for spaces and the ids of commands; and what
// the agent sent reaches the front end, or the caller of the command, or the
// subscriber. Differences are listed; one that is not listed fails, and so does
// one that is listed and gone.
func TestRecordedCasesThroughClient(t *testing.T) {
	cases, err := vectors.Load(interop.Vectors(t))
	if err != nil {
		t.Fatal(err)
	}
	listed := maps.Clone(clientDifferences)
	ran := 0
	for _, v := range cases {
		if strings.HasPrefix(v.Name, "bad-") {
			continue // what no client of ours can be made to send
		}
		ran++
		d := listed[v.Name]
		delete(listed, v.Name)
		t.Run(v.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { checkClient(t, v, d) })
		})
	}
	for name := range listed {
		t.Errorf("a difference is listed for %s, which is no recorded case", name)
	}
	if ran < 59 {
		t.Errorf("%d cases, want the 59 recorded ones at least", ran)
	}
}

func checkClient(t *testing.T, v vectors.Case, d clientDifference) {
	r := newClientReplay(t)
	r.play(v)
	r.end()

	var recorded []string
	for _, line := range v.Wire {
		if line.ToAgent && isType(line.Text, protocol.TypeResponse) {
			recorded = append(recorded, string(line.Text))
		}
	}
	want := recorded
	if d.wrote != nil {
		want = d.wrote
	}
	if !slices.EqualFunc(r.answers, want, func(a, b string) bool { return sameRecord(t, a, b) }) {
		t.Errorf("the client answered\n%s\nwant\n%s", strings.Join(r.answers, "\n"), strings.Join(want, "\n"))
	}
	if !slices.Equal(r.kinds, d.kinds) {
		t.Errorf("diagnostics %v, want %v", r.kinds, d.kinds)
	}
	if unseen := len(r.unseen) > 0; unseen != d.unseen {
		t.Errorf("the front end did not get these as they were sent: %q; want such: %t", r.unseen, d.unseen)
	}
	same := slices.EqualFunc(recorded, want, func(a, b string) bool { return sameRecord(t, a, b) })
	if d.why != "" && same && d.kinds == nil && !d.unseen {
		t.Errorf("the listed difference is gone: %s", d.why)
	}
}

// A clientReplay is the recorded agent's end of a client in memory, the client's
// front end, and the caller of its commands. It runs in a synctest bubble: after
// synctest.Wait the client has done all that it will do without being told more.
type clientReplay struct {
	t      *testing.T
	client *client.Client
	person *person
	output *io.PipeWriter // the agent's
	input  *io.PipeReader
	work   sync.WaitGroup

	mu    sync.Mutex
	lines []string // written by the client and not looked at
	other []string // what the subscriber got
	kinds []client.DiagnosticKind

	// The rest belongs to the test's goroutine.
	open    map[string]*question // by the recorded id
	command *replayedCommand
	answers []string // what the client wrote, but for commands
	unseen  []string // requests that did not reach the front end as they were
}

// A replayedCommand is a command that the client was told to send.
type replayedCommand struct {
	recordedID, realID string // as JSON
	response           *protocol.CommandResponse
	err                error
	done               bool // response and err are set; guarded by clientReplay.mu
}

func newClientReplay(t *testing.T) *clientReplay {
	r := &clientReplay{t: t, person: newPerson(), open: map[string]*question{}}
	fromAgent, output := io.Pipe()
	input, toAgent := io.Pipe()
	r.output, r.input = output, input
	r.work.Go(func() {
		for in := bufio.NewReader(input); ; {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			r.mu.Lock()
			r.lines = append(r.lines, strings.TrimSuffix(line, "\n"))
			r.mu.Unlock()
		}
	})
	r.client = client.Attach(fromAgent, toAgent, &client.Options{
		Frontend: r.person,
		Dialect:  client.Pi, // the recorded client opted in to nothing
		Subscribe: func(record []byte) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.other = append(r.other, string(record))
		},
		OnDiagnostic: func(d client.Diagnostic) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.kinds = append(r.kinds, d.Kind)
		},
	})
	return r
}

func (r *clientReplay) play(v vectors.Case) {
	for _, line := range v.Wire {
		switch {
		case !line.ToAgent:
			r.expire()
			r.say(line.Text)
		case isType(line.Text, protocol.TypeResponse):
			r.answer(line.Text)
		default:
			r.call(line.Text)
		}
	}
}

// call has the client send a recorded command.
func (r *clientReplay) call(line []byte) {
	r.t.Helper()
	recorded, err := protocol.DecodeCommand(line)
	if err != nil {
		r.t.Fatal(err)
	}
	c := &replayedCommand{recordedID: string(recorded.ID.AppendJSON(nil))}
	r.command = c
	r.work.Go(func() {
		response, err := r.client.Call(context.Background(), recorded.Type, recorded.Fields...)
		r.mu.Lock()
		defer r.mu.Unlock()
		c.response, c.err, c.done = response, err, true
	})
	written := r.written()
	if len(written) != 1 {
		r.t.Fatalf("the client wrote %q, want one command", written)
	}
	c.realID = string(fields(r.t, written[0])["id"])
	if want := strings.Replace(string(line), c.recordedID, c.realID, 1); !sameRecord(r.t, written[0], want) {
		r.t.Errorf("the client wrote\n%s\nwant\n%s", written[0], want)
	}
}

// answer has the front end say what a recorded answer says, if it can.
func (r *clientReplay) answer(line []byte) {
	r.t.Helper()
	id := string(fields(r.t, string(line))["id"])
	if q := r.open[id]; q != nil {
		delete(r.open, id)
		q.reply(typedAnswer(r.t, line))
	}
	r.answers = append(r.answers, r.written()...)
}

// typedAnswer is a recorded answer as a front end would give it; nil is no
// answer.
func typedAnswer(t *testing.T, line []byte) protocol.Answer {
	t.Helper()
	f := fields(t, string(line))
	switch {
	case string(f["cancelled"]) == "true":
		return protocol.Cancelled{}
	case f["confirmed"] != nil:
		return protocol.Confirmed(string(f["confirmed"]) == "true")
	case f["value"] == nil:
		return nil
	}
	text, err := protocol.Unquote(f["value"])
	if err != nil {
		return protocol.Value(f["value"]) // not a string
	}
	return protocol.Value(text)
}

// say writes one line of the agent and requires that it gets where it belongs.
func (r *clientReplay) say(line []byte) {
	r.t.Helper()
	text := string(line)
	response := isType(line, protocol.TypeCommandResponse)
	if response {
		text = strings.Replace(text, r.command.recordedID, r.command.realID, 1)
	}
	if _, err := io.WriteString(r.output, text+"\n"); err != nil {
		r.t.Fatal(err)
	}
	r.answers = append(r.answers, r.written()...)
	switch {
	case response:
		r.responded(text)
	case isType(line, protocol.TypeRequest):
		r.requested(text)
	default:
		r.mu.Lock()
		defer r.mu.Unlock()
		if n := len(r.other); n == 0 || r.other[n-1] != text {
			r.t.Errorf("the subscriber got %q, want %s", r.other, text)
		}
	}
}

// responded requires that the command's caller has got its response.
func (r *clientReplay) responded(line string) {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.command
	if !c.done || c.err != nil {
		r.t.Errorf("the call ended: %t, with error %v, after %s", c.done, c.err, line)
		return
	}
	if got := string(protocol.AppendCommandResponse(nil, c.response)); got != line {
		r.t.Errorf("the caller got\n%s\nwant\n%s", got, line)
	}
}

// requested sees whether the front end has got a request.
func (r *clientReplay) requested(line string) {
	r.t.Helper()
	var got protocol.Request
	select {
	case q := <-r.person.questions:
		got = q.dialog
		r.open[string(q.dialog.RequestID().AppendJSON(nil))] = q
	case got = <-r.person.updates:
	default:
		r.unseen = append(r.unseen, line)
		return
	}
	again, err := protocol.AppendRequest(nil, got)
	if err != nil {
		r.t.Error(err)
	}
	if string(again) != line {
		r.unseen = append(r.unseen, line)
	}
}

// expire lets the time of the open dialog run out, if it is limited: an agent
// that goes on without an answer has waited for so long.
func (r *clientReplay) expire() {
	r.t.Helper()
	for id, q := range r.open {
		limit, ok := q.dialog.DialogTimeout().Duration()
		if !ok {
			continue
		}
		delete(r.open, id)
		const moment = time.Millisecond
		after(limit - moment)
		if why := context.Cause(q.ctx); why != nil {
			r.t.Errorf("the dialog ended before its time: %v", why)
		}
		after(moment)
		if why := context.Cause(q.ctx); !errors.Is(why, client.ErrExpired) {
			r.t.Errorf("the dialog ended with %v, want ErrExpired", why)
		}
		r.answers = append(r.answers, r.written()...)
	}
}

// after lets time pass in the bubble.
func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// end is the agent's end. Dialogs that it has given up without a word end with
// it.
func (r *clientReplay) end() {
	r.t.Helper()
	if err := r.output.Close(); err != nil {
		r.t.Error(err)
	}
	r.answers = append(r.answers, r.written()...)
	for id, q := range r.open {
		if why := context.Cause(q.ctx); !errors.Is(why, client.ErrAgentGone) {
			r.t.Errorf("dialog %s ended with %v, want ErrAgentGone", id, why)
		}
	}
	if err := r.client.Close(context.Background()); err != nil {
		r.t.Errorf("close: %v", err)
	}
	if err := r.client.Err(); err != nil {
		r.t.Errorf("the client ended with %v", err)
	}
	r.answers = append(r.answers, r.written()...)
	r.input.Close()
	r.work.Wait()
}

// written takes what the client has written.
func (r *clientReplay) written() []string {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.lines
	r.lines = nil
	return taken
}

func isType(line []byte, want string) bool {
	typ, _ := protocol.RecordType(line)
	return typ == want
}

// fields splits a record into its members, each as it is on the wire.
func fields(t *testing.T, line string) map[string]json.RawMessage {
	t.Helper()
	var f map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &f); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return f
}

// sameRecord reports whether two records have the same members, to the byte, in
// whatever order and with whatever between them.
func sameRecord(t *testing.T, a, b string) bool {
	t.Helper()
	return maps.EqualFunc(fields(t, a), fields(t, b), func(a, b json.RawMessage) bool {
		return bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b))
	})
}
