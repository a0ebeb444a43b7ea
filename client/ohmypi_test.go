package client

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"extui/protocol"
)

const readyRecord = `{"type":"ready","protocolVersion":1,"supportedProtocolVersions":[1,2],"maxFrameBytes":2000,"maxReassembledFrameBytes":100000}`

// ohMyPi starts a client on an agent that has said it is ready, and answers the
// negotiation. Its front end can show questionnaires.
func ohMyPi(t *testing.T, opts Options, negotiated string) *wire {
	t.Helper()
	f := newFront()
	f.caps.Questionnaire = true
	opts.Frontend, opts.Dialect = f, OhMyPi
	w := attach(t, opts)
	w.front = f
	w.say(readyRecord)
	w.respond(w.command("negotiate_protocol"), "negotiate_protocol", negotiated)
	w.respond(w.command("set_ask_dialog"), "set_ask_dialog", `"success":true,"data":{"enabled":true}`)
	return w
}

func TestOhMyPiIsDetected(t *testing.T) {
	f := newFront()
	f.caps.Questionnaire = true
	var events []string
	w := attach(t, Options{Dialect: "detect", Frontend: f, Subscribe: func(r []byte) { events = append(events, string(r)) }})
	w.respond(w.command("set_extension_ui_capabilities"), "set_extension_ui_capabilities",
		`"success":false,"error":"Unknown command: set_extension_ui_capabilities"`)
	w.say(readyRecord)
	line := w.hears()
	if !strings.HasPrefix(line, `{"type":"negotiate_protocol",`) || !strings.HasSuffix(line, `,"protocolVersion":2}`) {
		t.Errorf("sent %s", line)
	}
	if line = w.hears(); !strings.HasPrefix(line, `{"type":"set_ask_dialog",`) || !strings.HasSuffix(line, `,"enabled":true}`) {
		t.Errorf("sent %s", line)
	}
	w.say(readyRecord) // once is enough
	w.respond("x", "new_session", `"success":true,"data":{"cancelled":false}`)
	w.command("set_ask_dialog")
	w.sync()
	if want := []string{readyRecord, readyRecord}; !slices.Equal(events[:2], want) {
		t.Errorf("subscribers saw %q", events)
	}
}

// cancel ends the dialog that it names, and is not shown.
func TestTakenBack(t *testing.T) {
	w := attach(t, Options{})
	w.request(reqConfirm)
	a := <-w.front.asks
	w.request(`"id":"x","method":"cancel","targetId":"other"`)
	w.sync()
	if a.ctx.Err() != nil {
		t.Error("the cancel of another dialog ended this one")
	}
	w.request(`"id":"y","method":"cancel","targetId":"c","reason":"aborted"`)
	why := <-w.front.ended
	if e, ok := errors.AsType[*TakenBackError](why); !errors.Is(why, ErrTakenBack) || !ok || e.Reason != "aborted" {
		t.Errorf("ended with %v", why)
	}
	w.sync()
	for len(w.front.shows) > 0 {
		if u := <-w.front.shows; u.Method() == protocol.MethodCancel {
			t.Error("the cancel was shown")
		}
	}
	w.wantKinds()
}

func TestOhMyPiDialogs(t *testing.T) {
	w := ohMyPi(t, Options{}, `"success":true,"data":{"protocolVersion":2}`)
	w.request(`"id":"s","method":"select","title":"t","options":["A","B"],"optionDetails":[{},{"description":"the second"}]`)
	a := <-w.front.asks
	if o := a.dialog.(*protocol.Select).Options; o[1].Description != "the second" {
		t.Errorf("options %+v", o)
	}
	a.reply(protocol.Value("B"))
	w.want(`{"type":"extension_ui_response","id":"s","value":"B"}`)

	w.request(`"id":"q","method":"ask","questions":[{"id":"db","question":"Which?","options":[{"label":"A"},{"label":"B"}]}]`)
	a = <-w.front.asks
	label := "B"
	if q := a.dialog.(*protocol.Questionnaire); q.Questions[0].Question != "Which?" {
		t.Errorf("asked %+v", q)
	}
	a.reply(protocol.Answers{{Question: "Which?", Kind: protocol.KindOption, Answer: &label}})
	w.want(`{"type":"extension_ui_response","id":"q","answers":[{"id":"db","selectedOptions":["B"]}]}`)

	w.request(`"id":"c","method":"confirm","title":"t"`)
	(<-w.front.asks).reply(protocol.Cancelled{TimedOut: true})
	w.want(`{"type":"extension_ui_response","id":"c","cancelled":true,"timedOut":true}`)

	w.request(`"id":"u","method":"open_url","url":"https://example.com/long","launchUrl":"https://example.com/s"`)
	w.sync()
	if u := (<-w.front.shows).(*protocol.OpenURL); u.LaunchURL != "https://example.com/s" {
		t.Errorf("shown %+v", u)
	}
	w.wantKinds()
}

// parts cuts a record into rpc_chunk records of n bytes each.
func parts(id, record string, n int) []string {
	count := (len(record) + n - 1) / n
	var out []string
	for i := range count {
		data := base64.StdEncoding.EncodeToString([]byte(record[i*n : min(len(record), (i+1)*n)]))
		out = append(out, fmt.Sprintf(`{"type":"rpc_chunk","chunkId":%q,"index":%d,"count":%d,"byteLength":%d,"data":%q}`, id, i, count, len(record), data))
	}
	return out
}

func TestChunks(t *testing.T) {
	editor := `{"type":"extension_ui_request","id":"e","method":"editor","title":"é","prefill":"` + strings.Repeat("é\u2028", 2000) + `"}`
	good := parts("k1", editor, 700)
	edit := func(i int, old, new string) []string {
		p := slices.Clone(good)
		p[i] = strings.Replace(p[i], old, new, 1)
		return p
	}
	for _, test := range []struct {
		name  string
		parts []string
		whole bool
		again bool // the head of the record was there, so its dialog is cancelled
	}{
		{"whole", good, true, false},
		{"one missing", slices.Delete(slices.Clone(good), 2, 3), false, true},
		{"twice the same", slices.Insert(slices.Clone(good), 2, good[1]), false, true},
		{"first missing", good[1:], false, false},
		{"another count", edit(3, `"count":`, `"count":9`), false, true},
		{"another length", edit(3, `"byteLength":`, `"byteLength":9`), false, true},
		{"another id", edit(3, `"k1"`, `"k2"`), false, true},
		{"no base64", edit(3, `"data":"`, `"data":"!`), false, true},
		{"no data", edit(3, `"data"`, `"date"`), false, true},
		{"too little", parts("k1", editor, 700)[:0], false, false},
		{"interrupted", slices.Insert(slices.Clone(good), 2, `{"type":"x"}`), false, true},
		{"length too small", func() []string {
			var p []string
			for _, s := range good {
				p = append(p, strings.Replace(s, fmt.Sprintf(`"byteLength":%d`, len(editor)), `"byteLength":1500`, 1))
			}
			return p
		}(), false, true},
		{"larger than allowed", parts("k1", editor[:len(editor)-2]+strings.Repeat("x", 100000)+`"}`, 700), false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := ohMyPi(t, Options{}, `"success":true`)
			for _, p := range test.parts {
				w.say(p)
			}
			switch {
			case test.whole:
				a := <-w.front.asks
				if d := a.dialog.(*protocol.Editor); len(*d.Prefill) != 10000 {
					t.Errorf("prefill of %d bytes", len(*d.Prefill))
				}
				a.reply(protocol.Value("x"))
				w.want(`{"type":"extension_ui_response","id":"e","value":"x"}`)
				w.wantKinds()
			case test.again:
				w.want(cancelled("e"))
			}
			// What comes next is read, in parts and in one.
			for _, p := range parts("k9", `{"type":"extension_ui_request",`+reqInput+"\n}", 10) {
				w.say(p)
			}
			(<-w.front.asks).reply(protocol.Value("y"))
			w.want(`{"type":"extension_ui_response","id":"i","value":"y"}`)
			w.sync()
			if !test.whole && len(test.parts) > 0 && len(w.kinds()) != 1 {
				t.Errorf("diagnostics %v, want one", w.kinds())
			}
		})
	}
}

// rpc_chunk means nothing where no ready record came before.
func TestChunkOfAnotherAgent(t *testing.T) {
	var events []string
	w := attach(t, Options{Subscribe: func(r []byte) { events = append(events, string(r)) }})
	p := parts("k", `{"type":"x"}`, 100)[0]
	w.say(p)
	w.sync()
	if !slices.Equal(events, []string{p}) {
		t.Errorf("events %q", events)
	}
}

// B07: without version 2 a text that may have been cut does not go back as a
// person's own, and is not agreed to.
func TestTrimmedDialogs(t *testing.T) {
	for _, test := range []struct {
		name, request string
		trimmed       bool
	}{
		{"short editor", `"id":"d","method":"editor","title":"t","prefill":"x"`, false},
		{"long editor", `"id":"d","method":"editor","title":"t","prefill":"` + strings.Repeat("x", 1500) + `"`, true},
		{"marked confirm", `"id":"d","method":"confirm","title":"t","message":"rm [… 900 chars elided for RPC frame]"`, true},
		{"long confirm", `"id":"d","method":"confirm","title":"` + strings.Repeat("x", 1500) + `"`, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			v1 := ohMyPi(t, Options{}, `"success":false,"error":"no"`)
			v1.request(test.request)
			if test.trimmed {
				v1.want(cancelled("d"))
				v1.wantKinds(KindOptIn, KindTrimmed)
			} else {
				<-v1.front.asks
			}
			v2 := ohMyPi(t, Options{}, `"success":true`)
			v2.request(test.request)
			<-v2.front.asks
		})
	}
}

// oh-my-pi answers a prompt early; what counts is its result.
func TestOhMyPiPrompt(t *testing.T) {
	for _, test := range []struct {
		name, response string
		then           func(w *wire, id string)
		want           Disposition
		err            string
	}{
		{"handled", `"success":true,"data":{"agentInvoked":false}`, nil, Handled, ""},
		{"finished", `"success":true`, func(w *wire, id string) {
			w.say(`{"type":"prompt_result","id":"another","status":"error","error":"not mine"}`)
			w.say(`{"type":"prompt_result","id":"` + id + `","agentInvoked":true,"status":"completed","sessionSettled":true}`)
		}, Finished, ""},
		{"failed", `"success":true`, func(w *wire, id string) {
			w.say(`{"type":"prompt_result","id":"` + id + `","status":"error","error":"no model"}`)
		}, "", "no model"},
		{"failed later", `"success":true`, func(w *wire, id string) {
			w.respond(id, "prompt", `"success":false,"error":"bad skill"`)
		}, "", "bad skill"},
		{"agent gone", `"success":true`, func(w *wire, id string) { w.out.Close() }, "", ErrAgentGone.Error()},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := ohMyPi(t, Options{}, `"success":true`)
			type outcome struct {
				d   Disposition
				err error
			}
			result := make(chan outcome, 1)
			go func() {
				d, err := w.c.Prompt(t.Context(), "/x")
				result <- outcome{d, err}
			}()
			id := w.command("prompt")
			w.respond(id, "prompt", test.response)
			if test.then != nil {
				w.request(reqConfirm)
				(<-w.front.asks).reply(protocol.Confirmed(true))
				w.hears()
				select {
				case r := <-result:
					t.Errorf("returned %+v before the result", r)
				default:
				}
				test.then(w, id)
			}
			r := <-result
			if r.d != test.want || (r.err == nil) != (test.err == "") || r.err != nil && !strings.Contains(r.err.Error(), test.err) {
				t.Errorf("got %+v, want %q %q", r, test.want, test.err)
			}
		})
	}
}
