package client

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/protocol"
)

// A front end that never returns is at fault, is named, and does not hang Close.
func TestCloseWithADeafFrontend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := attach(t, Options{})
		w.front.deaf = true
		w.request(reqConfirm)
		a := <-w.front.asks
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		go io.Copy(io.Discard, w.in)
		w.out.Close()
		<-w.c.Done() // the agent's end needs no front end
		if err := w.c.Close(ctx); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "front end") {
			t.Errorf("close: %v", err)
		}
		a.reply(protocol.Confirmed(true))
		if d := <-w.front.dropped; !errors.Is(d.why, ErrAgentGone) {
			t.Errorf("dropped %+v", d)
		}
	})
}

// hidden is a stream without its Close.
type hidden struct {
	io.Reader
	io.Writer
}

// An output that neither ends nor can be closed is given up, and Close says so.
func TestCloseGivesUpOnTheOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		c := Attach(hidden{Reader: r}, hidden{Writer: io.Discard}, nil)
		begin := time.Now()
		if err := c.Close(context.Background()); !errors.Is(err, errOutputHeld) {
			t.Errorf("close: %v", err)
		}
		if took := time.Since(begin); took != defaultGrace {
			t.Errorf("close took %v", took)
		}
		<-c.Done()
		w.Close()
	})
}

// An agent that reads nothing: what was to be cancelled is given up after the
// grace, and Close says so.
func TestCloseWithAnAgentThatReadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFront()
		outR, outW := io.Pipe()
		inR, inW := io.Pipe()
		c := Attach(outR, inW, &Options{Frontend: f, Dialect: Pi, Grace: time.Second})
		io.WriteString(outW, `{"type":"extension_ui_request",`+reqConfirm+"}\n")
		<-f.asks
		begin := time.Now()
		err := c.Close(context.Background())
		if err == nil || !strings.Contains(err.Error(), "cancel 1 open dialogs") {
			t.Errorf("close: %v", err)
		}
		if took := time.Since(begin); took > 3*time.Second {
			t.Errorf("close took %v", took)
		}
		if why := <-f.ended; !errors.Is(why, ErrStopped) {
			t.Errorf("ended with %v", why)
		}
		inR.Close()
		outW.Close()
	})
}

// Close waits until an answer that was given before it is written.
func TestCloseDeliversAnswers(t *testing.T) {
	for range 50 {
		w := attach(t, Options{})
		w.request(reqConfirm)
		(<-w.front.asks).reply(protocol.Confirmed(true))
		closed := make(chan error)
		go func() { closed <- w.c.Close(context.Background()) }()
		line := w.hears()
		if line != `{"type":"extension_ui_response","id":"c","confirmed":true}` && line != cancelled("c") {
			t.Errorf("got %s", line)
		}
		if rest, _ := io.ReadAll(w.lines); len(rest) > 0 {
			t.Errorf("after the answer: %s", rest)
		}
		w.out.Close()
		if err := <-closed; err != nil {
			t.Error(err)
		}
		w.mu.Lock()
		last := w.events[len(w.events)-1]
		if sent := last.Answer == protocol.Confirmed(true); sent != strings.Contains(line, "confirmed") {
			t.Errorf("event %+v, written %s", last, line)
		}
		w.mu.Unlock()
	}
}

// A dialog that comes while the client stops is cancelled, not shown.
func TestDialogWhileStopping(t *testing.T) {
	w := attach(t, Options{})
	w.request(reqInput)
	a := <-w.front.asks
	w.c.beginStop()
	<-a.ctx.Done()
	w.request(reqConfirm)
	w.hears()
	w.out.Close()
	<-w.c.Done()
	if n := len(w.front.asks); n != 0 {
		t.Errorf("asked %d more", n)
	}
	if _, err := w.c.Call(t.Context(), "abort"); err == nil {
		t.Error("a call went out after the stop")
	}
}

// Reading that fails ends the agent with that error.
func TestReadError(t *testing.T) {
	w := attach(t, Options{})
	broken := errors.New("broken cable")
	w.out.CloseWithError(broken)
	<-w.c.Done()
	if err := w.c.Err(); !errors.Is(err, broken) {
		t.Errorf("ended with %v", err)
	}
}

// The deadline counts even where the timer that should have noticed it is late.
func TestAnswerBehindALateTimer(t *testing.T) {
	w := attach(t, Options{Frontend: yes})
	ctx, cancel := context.WithCancelCause(t.Context())
	d := &dialog{request: confirmDialog, ctx: ctx, cancel: cancel, deadline: time.Now()}
	w.c.mu.Lock()
	w.c.open[confirmDialog.ID.Key()] = d
	w.c.mu.Unlock()
	w.c.ask(d)
	if why := context.Cause(ctx); !errors.Is(why, ErrExpired) {
		t.Errorf("ended with %v", why)
	}
	w.sync() // nothing was sent
}
