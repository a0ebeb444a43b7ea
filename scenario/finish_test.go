package scenario

import (
	"bufio"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// late is an agent that responds to each command after a time, and breaks off with an
// extension_error if its input ends before that. updates of that method come so long after the command.
func late(t *testing.T, after time.Duration, started bool, method string, updates ...time.Duration) *Peer {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	say := func(s string) { _, _ = io.WriteString(outW, s+"\n") }
	closed := make(chan struct{})
	go func() {
		defer outW.Close()
		lines := bufio.NewScanner(inR)
		lines.Scan()
		go func() {
			for lines.Scan() {
			}
			close(closed)
		}()
		for _, at := range updates {
			time.AfterFunc(at, func() {
				say(`{"type":"extension_ui_request","id":"n","method":"` + method + `","message":"late"}`)
			})
		}
		wait := func() bool {
			select {
			case <-time.After(after):
				return true
			case <-closed:
				say(`{"type":"extension_error","extensionPath":"x","event":"command","error":"context canceled"}`)
				return false
			}
		}
		if !wait() {
			return
		}
		if started {
			say(`{"type":"response","id":"c1","command":"prompt","success":true,"data":{"disposition":"started"}}`)
			if !wait() {
				return
			}
			say(`{"type":"agent_start"}`)
		} else {
			say(`{"type":"response","id":"c1","command":"prompt","success":true}`)
		}
		<-closed
	}()
	return &Peer{In: inW, Out: outR, Stop: func() { inR.Close(); outR.Close() }}
}

// The input of an agent stays open for what a scenario has begun with its last step.
func TestTheInputStaysOpenUntilTheResponse(t *testing.T) {
	s := mustParse(t, "steps: [{client: {prompt: a}}]\n")
	for _, started := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			passes(t, s.TestAgent(t.Context(), late(t, 400*time.Millisecond, started, ""), nil))
		})
	}
	synctest.Test(t, func(t *testing.T) {
		// A response that never comes holds up nothing for long.
		r := s.TestAgent(t.Context(), late(t, time.Hour, false, ""), nil)
		fails(t, r, 0, "an extension failed")
		if r.Elapsed != settling {
			t.Errorf("it took %v", r.Elapsed)
		}
	})
}

// What comes while the last step waits is judged; what comes after it are the updates
// with which extensions tidy up, and those say nothing.
func TestUpdatesWhileTheLastStepWaits(t *testing.T) {
	const file = "steps: [{client: {prompt: a}}, {wait: 2s}]\n"
	for _, test := range []struct {
		file, method string
		at           time.Duration
		why          string
	}{
		{file, "notify", time.Second, "no step expects this now: notify"},
		{file, "setStatus", time.Second, "no step expects this now: setStatus"},
		{file, "notify", 2200 * time.Millisecond, "no step expects this now: notify"},
		{file, "open_url", 2200 * time.Millisecond, "no step expects this now: open_url"},
		{file, "setStatus", 2200 * time.Millisecond, ""},
		{file, "setTitle", 2200 * time.Millisecond, ""},
		{"ignore: [notify]\n" + file, "notify", 2200 * time.Millisecond, ""},
	} {
		s := mustParse(t, test.file)
		synctest.Test(t, func(t *testing.T) {
			r := s.TestAgent(t.Context(), late(t, 2500*time.Millisecond, false, test.method, test.at), nil)
			if test.why == "" {
				passes(t, r)
			} else {
				fails(t, r, 0, test.why)
			}
		})
	}
}

// Who plays the agent does not outlive the client for long, however long the file waits.
func TestAWaitEndsWithTheClient(t *testing.T) {
	s := mustParse(t, "steps: [{wait: 2s}, {repeat: 3, steps: [{wait: 9999h}]}, {agent: {notify: x}}]\n")
	synctest.Test(t, func(t *testing.T) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		go io.Copy(io.Discard, outR)
		time.AfterFunc(time.Minute, func() { inW.Close() })
		r := s.PlayAgent(t.Context(), &Peer{In: outW, Out: inR, Stop: func() { inR.Close() }}, nil)
		passes(t, r)
		if want := time.Minute + DefaultWithin; r.Elapsed != want {
			t.Errorf("it took %v, want %v", r.Elapsed, want)
		}
	})
}
