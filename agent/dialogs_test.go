package agent_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"extui/agent"
	"extui/protocol"
)

// 10,000 dialogs open at once and are answered in random order: each gets its own
// answer, nothing is left over.
func TestTenThousandDialogsAtOnce(t *testing.T) {
	const n = 10_000
	var wrong sync.Map
	r := one(func(ctx context.Context, ui *agent.UI) {
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				title := fmt.Sprint(i)
				got, err := ui.Input(ctx, title, "", nil)
				if got != "answer to "+title || err != nil {
					wrong.Store(title, fmt.Sprint(got, err))
				}
			})
		}
		wg.Wait()
	})
	d := serve(t, r, nil)
	d.send(goLine)
	var inputs []*protocol.Input
	for range n {
		req, err := protocol.DecodeRequest([]byte(d.line()))
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, req.(*protocol.Input))
	}
	if open := d.agent.Stats().OpenDialogs; open != n {
		t.Errorf("%d open, want %d", open, n)
	}
	rand.Shuffle(n, func(i, j int) { inputs[i], inputs[j] = inputs[j], inputs[i] })
	for _, in := range inputs {
		resp, err := protocol.Respond(in, protocol.Value("answer to "+in.Title))
		if err != nil {
			t.Fatal(err)
		}
		d.send(string(protocol.AppendResponse(nil, resp)))
	}
	d.expect(handled)
	d.quit()
	wrong.Range(func(title, got any) bool {
		t.Errorf("dialog %v: got %v", title, got)
		return true
	})
	if s := d.agent.Stats(); s.OpenDialogs != 0 || s.Dialogs != n || s.IgnoredAnswers != 0 || s.InvalidAnswers != 0 {
		t.Errorf("stats %+v", s)
	}
}

// Two dialogs are on the wire together and the second may be answered first (B20).
func TestDialogsInAnyOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := make(chan string, 2)
		d := serve(t, one(func(ctx context.Context, ui *agent.UI) {
			var wg sync.WaitGroup
			for _, title := range []string{"1", "2"} {
				wg.Go(func() {
					got, _ := ui.Input(ctx, title, "", nil)
					answers <- title + got
				})
				synctest.Wait()
			}
			wg.Wait()
		}), nil)
		d.send(goLine)
		d.expect(`{"type":"extension_ui_request","id":"id-2","method":"input","title":"1"}`,
			`{"type":"extension_ui_request","id":"id-3","method":"input","title":"2"}`)
		d.send(`{"type":"extension_ui_response","id":"id-3","value":"b"}`)
		if got := <-answers; got != "2b" {
			t.Errorf("first: %s", got)
		}
		d.send(`{"type":"extension_ui_response","id":"id-2","value":"a"}`)
		if got := <-answers; got != "1a" {
			t.Errorf("second: %s", got)
		}
		d.expect(handled)
		d.quit()
	})
}

// A dialog that outlives its handler's patience is dismissed before the next one
// opens, and an answer to it changes nothing (B12).
func TestDialogOfADeadCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var second asked
		d := serve(t, one(func(ctx context.Context, ui *agent.UI) {
			short, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			_, _ = ui.Select(short, "Call 1", []string{"Allow"}, nil)
			second.value, second.err = ui.Select(ctx, "Call 2", []string{"Allow", "Deny"}, nil)
		}), nil)
		d.send(dismiss, goLine)
		d.expect(capsOn,
			`{"type":"extension_ui_request","id":"id-2","method":"select","title":"Call 1","options":["Allow"]}`,
			`{"type":"extension_ui_request","id":"id-3","method":"cancel","targetId":"id-2","reason":"aborted"}`,
			`{"type":"extension_ui_request","id":"id-4","method":"select","title":"Call 2","options":["Allow","Deny"]}`)
		d.send(`{"type":"extension_ui_response","id":"id-2","value":"Allow"}`,
			`{"type":"extension_ui_response","id":"id-4","value":"Deny"}`)
		d.expect(handled)
		if second.value != "Deny" || second.err != nil {
			t.Errorf("call 2: %v, %v", second.value, second.err)
		}
		d.quit()
	})
}

// A dialog of session_start works before the client has sent anything, and commands
// run beside it (B27).
func TestDialogInSessionStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got asked
		r := one(func(ctx context.Context, ui *agent.UI) { _ = ui.SetTitle(ctx, "go") })
		r.start = func(ctx context.Context, s *agent.Session, _ agent.Reason) {
			got.value, got.err = s.UI().Confirm(ctx, "Sure?", "Really.", nil)
		}
		d := serve(t, r, nil)
		d.expect(confirmLine)
		d.send(goLine)
		d.expect(`{"type":"extension_ui_request","id":"id-3","method":"setTitle","title":"go"}`, handled)
		d.send(`{"type":"extension_ui_response","id":"id-2","confirmed":true}`)
		synctest.Wait()
		if got.value != true || got.err != nil {
			t.Errorf("got %v, %v", got.value, got.err)
		}
		d.quit()
	})
}

// Watchers learn of the opening and the end of each dialog, paired by its id (B28).
func TestDialogEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var events []string
		r := one(func(ctx context.Context, ui *agent.UI) {
			_, _ = ui.Confirm(ctx, "Sure?", "Really.", nil)
			_, _ = ui.Select(ctx, "t", []string{"A"}, &agent.DialogOptions{Timeout: time.Second})
			canceled, cancel := context.WithCancel(ctx)
			cancel()
			_, _ = ui.Confirm(canceled, "never", "", nil)
		})
		r.dialog = func(e agent.DialogEvent) {
			mu.Lock()
			defer mu.Unlock()
			events = append(events, fmt.Sprint(e.Dialog.RequestID(), " ", e.Dialog.Method(), " ", e.Dialog.DialogTitle(), " ", e.Open, " ", e.Err))
		}
		d := serve(t, r, nil)
		d.send(goLine)
		d.expect(confirmLine)
		d.send(`{"type":"extension_ui_response","id":"id-2","confirmed":true}`)
		d.line()
		d.expect(handled)
		d.quit()
		want := "id-2 confirm Sure? true <nil>\nid-2 confirm Sure? false <nil>\nid-3 select t true <nil>\nid-3 select t false timed out"
		if got := strings.Join(events, "\n"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// instant answers a request within the very write that brings it.
type instant struct {
	answers *io.PipeWriter
	other   bytes.Buffer
}

func (i *instant) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		if req, err := protocol.DecodeRequest(line); err == nil {
			resp, err := protocol.Respond(req.(protocol.Dialog), protocol.Confirmed(true))
			if err != nil {
				return 0, err
			}
			if _, err := i.answers.Write(append(protocol.AppendResponse(nil, resp), '\n')); err != nil {
				return 0, err
			}
			continue
		}
		i.other.Write(line)
	}
	return len(p), nil
}

// An answer that comes before the write has returned finds its dialog (B29).
func TestRegisteredBeforeWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		yes := 0
		r := one(func(ctx context.Context, ui *agent.UI) {
			for range 100 {
				if ok, err := ui.Confirm(ctx, "Sure?", "", nil); ok && err == nil {
					yes++
				}
			}
		})
		in, w := io.Pipe()
		out := &instant{answers: w}
		result := make(chan error, 1)
		a := agent.New(r, nil)
		go func() { result <- a.Serve(t.Context(), in, out) }()
		if _, err := io.WriteString(w, goLine+"\n"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		w.Close()
		if err := <-result; err != nil || out.other.String() != handled+"\n" {
			t.Errorf("%v, %s", err, out.other.String())
		}
		if yes != 100 || a.Stats().IgnoredAnswers != 0 {
			t.Errorf("%d of 100 answers arrived, stats %+v", yes, a.Stats())
		}
	})
}

// Events, requests and events again stay in the order in which a handler wrote them
// (B09).
func TestOrderOfEmission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &extensions{commands: map[string]func(context.Context, *agent.Session, string) error{
			"go": func(ctx context.Context, s *agent.Session, _ string) error {
				for i := range 3 {
					_ = s.Emit(ctx, fmt.Appendf(nil, `{"type":"x","n":%d}`, i))
				}
				_ = s.UI().SetTitle(ctx, "t")
				_ = s.Emit(ctx, []byte(`{"type":"x","n":3}`))
				if err := s.Emit(ctx, []byte(`[]`)); err == nil {
					t.Error("an event that is no object was written")
				}
				return s.SetName(ctx, "name")
			},
		}}
		d := serve(t, r, nil)
		d.send(goLine)
		d.expect(`{"type":"x","n":0}`, `{"type":"x","n":1}`, `{"type":"x","n":2}`,
			`{"type":"extension_ui_request","id":"id-2","method":"setTitle","title":"t"}`, `{"type":"x","n":3}`,
			`{"type":"session_info_changed","name":"name"}`, handled)
		d.quit()
	})
}

// Ask and Send write what they are given, change nothing of it, and use ids of their
// own.
func TestAskAndSendLeaveTheirArgumentAlone(t *testing.T) {
	confirm := &protocol.Confirm{ID: protocol.StringID("mine"), Title: "Sure?"}
	notify := &protocol.Notify{ID: protocol.StringID("mine"), Message: "m"}
	beforeC, beforeN := *confirm, *notify
	out := dialog(t, func(ctx context.Context, ui *agent.UI) (any, error) {
		if err := ui.Send(ctx, notify); err != nil {
			return nil, err
		}
		return ui.Ask(ctx, confirm)
	}, func(d *driver) {
		d.expect(`{"type":"extension_ui_request","id":"id-2","method":"notify","message":"m"}`,
			`{"type":"extension_ui_request","id":"id-3","method":"confirm","title":"Sure?"}`)
		d.send(`{"type":"extension_ui_response","id":"id-3","confirmed":true}`)
	})
	if out.value != protocol.Confirmed(true) || out.err != nil {
		t.Errorf("got %v, %v", out.value, out.err)
	}
	if fmt.Sprint(*confirm, *notify) != fmt.Sprint(beforeC, beforeN) {
		t.Errorf("changed: %+v, %+v", *confirm, *notify)
	}
}

// A questionnaire reaches a client that opted in; an answer that does not fit is
// refused and says which and why.
func TestQuestionnaire(t *testing.T) {
	questions := []protocol.Question{{Question: "Which?", Header: "DB", Options: []protocol.QuestionOption{{Label: "A"}, {Label: "B"}}}}
	for answers, ok := range map[string]bool{
		`[{"questionIndex":0,"question":"Which?","kind":"option","answer":"B"}]`: true,
		`[]`: true,
		`[{"questionIndex":0,"question":"Which?","kind":"option","answer":"C"}]`: false,
	} {
		var got []protocol.QuestionAnswer
		out := dialogOptedIn(t, func(ctx context.Context, ui *agent.UI) (any, error) {
			var err error
			got, err = ui.Questionnaire(ctx, questions, nil)
			return nil, err
		}, func(d *driver) {
			d.expect(`{"type":"extension_ui_request","id":"id-2","method":"questionnaire"` +
				`,"questions":[{"question":"Which?","header":"DB","options":[{"label":"A","description":""},{"label":"B","description":""}]}]}`)
			d.send(`{"type":"extension_ui_response","id":"id-2","answers":` + answers + `}`)
			if !ok {
				d.expect(`{"type":"extension_ui_request","id":"id-3","method":"cancel","targetId":"id-2","reason":"answered"}`)
			}
		})
		if ok != (out.err == nil) {
			t.Errorf("%s: error %v", answers, out.err)
		}
		if !ok {
			wantErrors(t, out.err, agent.ErrInvalidAnswer)
			if !strings.Contains(out.err.Error(), "answers[0].answer") {
				t.Errorf("%v does not say which answer", out.err)
			}
			if got != nil {
				t.Errorf("answers %v", got)
			}
		}
	}
}
