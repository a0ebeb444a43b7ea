package agent_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"extui/agent"
	"extui/protocol"
)

// asking is a runtime whose /go asks a confirm and keeps the outcome, and whose
// shutdown says goodbye. order notes what happened.
type asking struct {
	extensions
	mu    sync.Mutex
	order []string
	err   error
	yes   bool
}

func (r *asking) note(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.order = append(r.order, s)
}

func newAsking() *asking {
	r := &asking{}
	r.commands = map[string]func(context.Context, *agent.Session, string) error{
		"go": func(ctx context.Context, s *agent.Session, _ string) error {
			r.yes, r.err = s.UI().Confirm(ctx, "Sure?", "Really.", nil)
			r.note("dialog")
			return nil
		},
	}
	r.shutdown = func(ctx context.Context, s *agent.Session, reason agent.Reason) {
		r.note("shutdown " + string(reason))
		_ = s.UI().Notify(ctx, "bye", "")
	}
	return r
}

// At the end of stdin every open dialog gets its default before shutdown handlers
// run; these can still say something, and Serve ends well (B08).
func TestContractAgent_EndOfInputSettlesDialogs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newAsking()
		d := serve(t, r, nil)
		d.send(dismiss, goLine)
		d.expect(capsOn, confirmLine)
		rest, err := d.end()
		want := `{"type":"extension_ui_request","id":"id-3","method":"cancel","targetId":"id-2","reason":"session"}` + "\n" +
			handled + "\n" + `{"type":"extension_ui_request","id":"id-4","method":"notify","message":"bye"}`
		if rest != want || err != nil {
			t.Errorf("got\n%s\n%v, want\n%s", rest, err, want)
		}
		if r.yes {
			t.Error("approved")
		}
		wantErrors(t, r.err, agent.ErrDisconnected)
		if got := strings.Join(r.order, ", "); got != "dialog, shutdown quit" {
			t.Errorf("order: %s", got)
		}
		// And afterwards nobody is there.
		_, err = d.agent.UI().Confirm(context.Background(), "t", "m", nil)
		wantErrors(t, err, agent.ErrNoUI)
	})
}

// The same when the program is told to end; Serve then returns the reason.
func TestContractAgent_EndOfContextSettlesDialogs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newAsking()
		d := serve(t, r, nil)
		d.send(goLine)
		d.expect(confirmLine)
		why := errors.New("SIGTERM")
		d.cancel(why)
		rest, err := d.rest()
		if !strings.HasPrefix(rest, handled) || !strings.HasSuffix(rest, `"message":"bye"}`) {
			t.Errorf("rest: %s", rest)
		}
		wantErrors(t, err, why)
		wantErrors(t, r.err, agent.ErrDisconnected, why)
		if _, err := d.in.Write([]byte("x")); err == nil {
			t.Error("the input was left open")
		}
	})
}

// abort settles every open dialog, tells a client that opted in, and ends contexts;
// the next command is not affected.
func TestContractAgent_AbortSettlesDialogs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newAsking()
		d := serve(t, r, nil)
		d.send(dismiss, goLine)
		d.expect(capsOn, confirmLine)
		d.send(`{"id":"x","type":"abort"}`)
		d.expect(`{"id":"x","type":"response","command":"abort","success":true}`,
			`{"type":"extension_ui_request","id":"id-3","method":"cancel","targetId":"id-2","reason":"aborted"}`, handled)
		wantErrors(t, r.err, agent.ErrAborted)
		d.send(goLine)
		d.expect(strings.Replace(confirmLine, "id-2", "id-4", 1))
		d.send(`{"type":"extension_ui_response","id":"id-4","confirmed":true}`)
		d.expect(handled)
		if !r.yes || r.err != nil {
			t.Errorf("after the abort: %v, %v", r.yes, r.err)
		}
		r.shutdown = nil
		d.quit()
	})
}

// new_session may be refused by a dialog of its own, which is answered while the
// command runs (B10). When it goes through, open dialogs of the old session end
// before its shutdown, and its handles are dead afterwards.
func TestContractAgent_NewSessionSettlesDialogs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newAsking()
		var old *agent.UI
		r.beforeSwitch = func(ctx context.Context, s *agent.Session) bool {
			old = s.UI()
			yes, _ := s.UI().Confirm(ctx, "Clear?", "All.", nil)
			return !yes
		}
		r.start = func(ctx context.Context, s *agent.Session, reason agent.Reason) {
			_ = s.UI().SetTitle(ctx, string(reason))
		}
		d := serve(t, r, nil)
		d.expect(`{"type":"extension_ui_request","id":"id-2","method":"setTitle","title":"startup"}`)
		d.send(dismiss, goLine)
		d.expect(capsOn, strings.Replace(confirmLine, "id-2", "id-3", 1))

		const newSession = `{"id":"n","type":"new_session"}`
		d.send(newSession)
		d.expect(`{"type":"extension_ui_request","id":"id-4","method":"confirm","title":"Clear?","message":"All."}`)
		d.send(`{"id":"s","type":"get_state"}`)
		if state := d.line(); !strings.Contains(state, `"sessionId":"id-1"`) {
			t.Errorf("state while it asks: %s", state)
		}
		d.send(`{"type":"extension_ui_response","id":"id-4","confirmed":false}`)
		d.expect(`{"id":"n","type":"response","command":"new_session","success":true,"data":{"cancelled":true}}`)

		d.send(newSession)
		d.expect(`{"type":"extension_ui_request","id":"id-5","method":"confirm","title":"Clear?","message":"All."}`)
		d.send(`{"type":"extension_ui_response","id":"id-5","confirmed":true}`)
		d.expect(`{"type":"extension_ui_request","id":"id-6","method":"cancel","targetId":"id-3","reason":"session"}`)
		var rest []string
		for range 4 {
			rest = append(rest, d.line())
		}
		all := strings.Join(rest, "\n")
		for _, want := range []string{handled, `"message":"bye"`, `"title":"new"`, `"data":{"cancelled":false}`} {
			if !strings.Contains(all, want) {
				t.Errorf("%s lacks %s", all, want)
			}
		}
		wantErrors(t, r.err, agent.ErrSessionReplaced)
		if r.order[0] != "dialog" && r.order[1] != "dialog" {
			t.Errorf("order: %v", r.order)
		}
		_, err := old.Confirm(context.Background(), "t", "m", nil)
		wantErrors(t, err, agent.ErrSessionReplaced)
		wantErrors(t, old.Notify(context.Background(), "x", ""), agent.ErrSessionReplaced)

		// Capabilities hold for the process.
		if !d.agent.UI().Supports("questionnaire") {
			t.Error("the new session forgot the capabilities")
		}
		r.shutdown = nil
		d.quit()
	})
}

// A handler that fails, by an error or a panic, is one extension_error, and its
// command is answered all the same.
func TestContractAgent_HandlerThrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &extensions{commands: map[string]func(context.Context, *agent.Session, string) error{
			"go":    func(context.Context, *agent.Session, string) error { return errors.New("not caught") },
			"panic": func(context.Context, *agent.Session, string) error { panic("oh") },
		}}
		d := serve(t, r, nil)
		d.send(goLine)
		d.expect(`{"type":"extension_error","extensionPath":"command:go","event":"command","error":"not caught"}`, handled)
		d.send(`{"id":"p","type":"prompt","message":"/panic"}`)
		if line := d.line(); !strings.HasPrefix(line, `{"type":"extension_error","extensionPath":"command:panic","event":"command","error":"panic: oh","stack":"`) {
			t.Errorf("got %s", line)
		}
		d.expect(handled)
		d.quit()
	})
}

// Killing either pipe ends Serve, whoever is being asked.
func TestKilledPipes(t *testing.T) {
	for _, output := range []bool{false, true} {
		t.Run(fmt.Sprintf("output %t", output), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newAsking()
				d := serve(t, r, nil)
				d.send(goLine)
				d.expect(confirmLine)
				if !output {
					broken := errors.New("broken")
					d.in.CloseWithError(broken)
					_, err := d.rest()
					wantErrors(t, err, broken)
				} else {
					d.out.Close()
					d.send(`{"type":"get_state"}`) // only a write can find out
					err := <-d.result
					wantErrors(t, err, io.ErrClosedPipe)
					if n := strings.Count(err.Error(), io.ErrClosedPipe.Error()); n != 1 {
						t.Errorf("%v says it %d times", err, n)
					}
				}
				wantErrors(t, r.err, agent.ErrDisconnected)
			})
		})
	}
}

// A client that stops reading blocks callers, whose contexts work. The loop goes on
// reading its commands, and nothing is lost when it reads again.
func TestClientStopsReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const notes, commands = 60, 3000 // either is more than a buffer holds
		text := strings.Repeat("x", 100<<10)
		var sent int
		var gaveUp, dialogGaveUp error
		r := one(func(ctx context.Context, ui *agent.UI) {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			for range notes {
				if gaveUp = ui.Notify(ctx, text, ""); gaveUp != nil {
					break
				}
				sent++
			}
			_, dialogGaveUp = ui.Confirm(context.Background(), text, "", &agent.DialogOptions{Timeout: time.Second})
		})
		r.commands["late"] = func(ctx context.Context, s *agent.Session, _ string) error { return s.UI().SetTitle(ctx, "late") }
		d := serve(t, r, nil)
		d.send(dismiss, goLine)
		d.expect(capsOn)
		time.Sleep(time.Minute)
		synctest.Wait()
		wantErrors(t, gaveUp, context.DeadlineExceeded)
		wantErrors(t, dialogGaveUp, agent.ErrTimedOut)
		if sent == 0 || sent == notes {
			t.Fatalf("%d of %d notifications were queued", sent, notes)
		}
		for i := range commands {
			d.send(fmt.Sprintf(`{"id":%d,"type":"get_state"}`, i))
		}
		d.send(`{"id":"p","type":"prompt","message":"/late"}`)
		for range sent {
			if line := d.line(); !strings.Contains(line, `"notify"`) {
				t.Fatalf("got %.80s", line)
			}
		}
		d.expect(handled) // no dialog: it was not written, so it is not dismissed either
		for i := range commands {
			if line := d.line(); !strings.HasPrefix(line, fmt.Sprintf(`{"id":%d,`, i)) {
				t.Fatalf("response %d: %.80s", i, line)
			}
		}
		// What a handler writes later does not overtake what waits.
		if line := d.line(); !strings.Contains(line, `"title":"late"`) {
			t.Fatalf("got %.80s", line)
		}
		d.expect(handled)
		d.quit()
	})
}

// A client that neither reads nor goes away cannot keep a program from ending.
func TestClientNeverReadsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := one(func(ctx context.Context, ui *agent.UI) {
			for ui.Notify(ctx, strings.Repeat("x", 100<<10), "") == nil {
			}
		})
		d := serve(t, r, nil)
		d.send(goLine)
		time.Sleep(time.Minute)
		synctest.Wait()
		start := time.Now()
		d.in.Close()
		err := <-d.result
		wantErrors(t, err, context.DeadlineExceeded)
		if _, stuck := errors.AsType[*agent.StuckError](err); stuck {
			t.Errorf("the handler is blamed: %v", err)
		}
		if took := time.Since(start); took > 6*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// A handler that never returns cannot keep Serve for ever; it is named.
func TestHandlerNeverReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		r := one(func(context.Context, *agent.UI) { <-release })
		shutdown := false
		r.shutdown = func(context.Context, *agent.Session, agent.Reason) { shutdown = true }
		d := serve(t, r, &agent.Options{Grace: 3 * time.Second})
		d.send(goLine)
		// It holds up nobody else.
		d.send(`{"id":"t","type":"call_tool","toolName":"x"}`)
		d.expect(`{"id":"t","type":"response","command":"call_tool","success":false,"error":"call tool \"x\": unknown tool"}`)
		start := time.Now()
		_, err := d.end()
		stuck, ok := errors.AsType[*agent.StuckError](err)
		if !ok || len(stuck.Names) != 1 || stuck.Names[0] != "command /go" {
			t.Errorf("error %v", err)
		}
		if took := time.Since(start); took != 3*time.Second || !shutdown {
			t.Errorf("took %v, shutdown ran: %t", took, shutdown)
		}
	})
}

// A shutdown handler that never returns neither.
func TestShutdownNeverReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		r := &extensions{shutdown: func(context.Context, *agent.Session, agent.Reason) { <-release }}
		d := serve(t, r, nil)
		_, err := d.end()
		if stuck, ok := errors.AsType[*agent.StuckError](err); !ok || stuck.Names[0] != "session_shutdown" {
			t.Errorf("error %v", err)
		}
	})
}

// What was read before the end of the input is started and answered, as pi does, in
// order, also the last line without a line feed.
func TestCommandsBeforeTheEndAreDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &extensions{commands: map[string]func(context.Context, *agent.Session, string) error{
			"say": func(ctx context.Context, s *agent.Session, args string) error { return s.UI().Notify(ctx, args, "") },
		}}
		var out strings.Builder
		in := `{"type":"prompt","message":"/say one"}` + "\n" + `{"type":"prompt","message":"/say two"}` + "\n" + `{"type":"prompt","message":"/say three"}`
		if err := agent.New(r, nil).Serve(t.Context(), strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		var said []string
		responses := 0
		for line := range strings.Lines(out.String()) {
			if u, err := protocol.DecodeRequest([]byte(line)); err == nil {
				said = append(said, u.(*protocol.Notify).Message)
			} else if strings.Contains(line, `"handled"`) {
				responses++
			}
		}
		if strings.Join(said, " ") != "one two three" || responses != 3 {
			t.Errorf("said %q, %d responses", said, responses)
		}
	})
}

// Shutdown from a handler: its command is answered, then Serve ends well.
func TestShutdownFromHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &extensions{commands: map[string]func(context.Context, *agent.Session, string) error{
			"go": func(_ context.Context, s *agent.Session, _ string) error { s.Shutdown(); return nil },
		}}
		d := serve(t, r, nil)
		d.send(goLine)
		if rest, err := d.rest(); rest != handled || err != nil {
			t.Errorf("got %s, %v", rest, err)
		}
	})
}

// An extension that fails to load fails the start, and nothing is written.
func TestLoadFails(t *testing.T) {
	why := errors.New("no such file")
	r := &extensions{load: func(*agent.Session) error { return why }}
	var out strings.Builder
	err := agent.New(r, nil).Serve(t.Context(), strings.NewReader(goLine), &out)
	wantErrors(t, err, why)
	if out.Len() != 0 {
		t.Errorf("wrote %s", out.String())
	}
}

// A goroutine of the session ends with it and is waited for.
func TestSessionGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cause error
		r := &extensions{start: func(_ context.Context, s *agent.Session, _ agent.Reason) {
			s.Go("watcher", func(ctx context.Context) { <-ctx.Done(); cause = context.Cause(ctx) })
		}}
		d := serve(t, r, nil)
		synctest.Wait()
		d.quit()
		wantErrors(t, cause, agent.ErrDisconnected)
		if d.agent.Session().Go("late", func(context.Context) {}) {
			t.Error("started after the end")
		}
	})
}
