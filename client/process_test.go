package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"testing"
	"time"

	"extui/protocol"
)

// fakeAgent is what the test binary does when it is started as an agent.
func fakeAgent(mode string) int {
	fmt.Println("starting up")
	fmt.Fprintln(os.Stderr, "a warning")
	fmt.Println(`{"type":"extension_ui_request","id":"d1","method":"confirm","title":"Clear?"}`)
	switch mode {
	case "echo": // answers with what it is told
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			fmt.Printf(`{"type":"heard","line":%s}`+"\n", protocol.AppendString(nil, in.Text()))
		}
		fmt.Println(`{"type":"bye"}`)
	case "exit7":
		fmt.Fprintln(os.Stderr, "out of luck")
		return 7
	case "deaf": // reads nothing, ends at nothing but a signal
		forever()
	case "stubborn": // not even at SIGTERM
		signal.Ignore(terminateSignal)
		fmt.Println(`{"type":"stubborn"}`)
		forever()
	case "grandchild": // leaves a process behind that holds its pipes
		child := exec.Command(os.Args[0])
		child.Env = fakeEnv("deaf")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			return 99
		}
		fmt.Printf(`{"type":"child","pid":%d}`+"\n", child.Process.Pid)
		return 3
	case "mute": // closes its output and stays
		os.Stdout.Close()
		io.Copy(io.Discard, os.Stdin)
		return 5
	case "leaver": // is answered, closes its output and waits for the end of its input
		in := bufio.NewReader(os.Stdin)
		in.ReadString('\n')
		os.Stdout.Close()
		began := time.Now()
		io.Copy(io.Discard, in)
		if time.Since(began) >= exitGrace {
			return 9
		}
	case "closed-input":
		os.Stdin.Close()
		fmt.Println(`{"type":"closed"}`)
		forever()
	}
	return 0
}

// forever waits for a signal. An empty select would be found out as a deadlock.
func forever() { <-time.After(time.Hour) }

// fakeEnv makes this binary that agent. A program with the race detector would
// wait a second at its exit.
func fakeEnv(mode string) []string {
	return append(os.Environ(), "EXTUI_CLIENT_TEST_AGENT="+mode, "GORACE=atexit_sleep_ms=0")
}

// started is a real process with its front end.
type started struct {
	*Client
	front  *front
	events chan string
}

func startFake(t *testing.T, mode string, opts Options) *started {
	t.Helper()
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &started{front: newFront(), events: make(chan string, 1000)}
	opts.Frontend, opts.Dialect = s.front, Pi
	opts.Subscribe = func(r []byte) { s.events <- string(r) }
	s.Client, err = Start(t.Context(), Command{Path: exe, Env: fakeEnv(mode)}, &opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(context.Background()) })
	return s
}

func TestStartAnswersAndStops(t *testing.T) {
	s := startFake(t, "echo", Options{})
	(<-s.front.asks).reply(protocol.Confirmed(true))
	if got, want := <-s.events, `{"type":"heard","line":"{\"type\":\"extension_ui_response\",\"id\":\"d1\",\"confirmed\":true}"}`; got != want {
		t.Errorf("agent heard %s", got)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if got := <-s.events; got != `{"type":"bye"}` {
		t.Errorf("last record %s: its output was not read to the end", got)
	}
	if err := s.Err(); err != nil {
		t.Errorf("exit code 0 is no error: %v", err)
	}
	if n := s.Counts()[KindBanner].N; n != 1 {
		t.Errorf("%d banner lines, want 1", n)
	}
}

func TestStartCancelsWhenStopped(t *testing.T) {
	s := startFake(t, "echo", Options{})
	<-s.front.asks
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if got := <-s.events; !strings.Contains(got, `\"cancelled\":true`) {
		t.Errorf("agent heard %s, want the cancellation", got)
	}
	if why := <-s.front.ended; !errors.Is(why, ErrStopped) {
		t.Errorf("the dialog ended with %v", why)
	}
}

func TestStartReportsExit(t *testing.T) {
	s := startFake(t, "exit7", Options{})
	<-s.Done()
	e, ok := errors.AsType[*ExitError](s.Err())
	if !ok || e.Code != 7 || e.Signal != "" || !strings.HasSuffix(e.StderrTail, "out of luck\n") {
		t.Fatalf("%#v", s.Err())
	}
	if msg := e.Error(); !strings.Contains(msg, "7") || !strings.Contains(msg, "out of luck") {
		t.Errorf("message %q", msg)
	}
	if _, err := s.Call(t.Context(), "get_state"); !errors.Is(err, ErrAgentGone) || !errors.Is(err, error(e)) {
		t.Errorf("call: %v", err)
	}
}

// An agent that ends its output, and exits once its input ends, is not kept waiting.
func TestInputIsClosedAfterTheEndOfTheOutput(t *testing.T) {
	s := startFake(t, "leaver", Options{})
	(<-s.front.asks).reply(protocol.Confirmed(true))
	<-s.Done()
	if err := s.Err(); err != nil {
		t.Errorf("the agent was kept waiting for the end of its input: %v", err)
	}
}

// Killed with a dialog open, on real pipes.
func TestAgentKilledWithDialogOpen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals to be killed by")
	}
	s := startFake(t, "deaf", Options{})
	<-s.front.asks
	if err := s.proc.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	why := <-s.front.ended
	if e, ok := errors.AsType[*ExitError](why); !errors.Is(why, ErrAgentGone) || !ok || e.Signal != "killed" || e.Code != -1 {
		t.Errorf("the dialog ended with %#v", why)
	}
	<-s.Done()
	if n := len(s.Mirror().Snapshot().Dialogs); n != 0 {
		t.Errorf("%d dialogs open", n)
	}
}

// An agent that never reads cannot hang the client, neither its answers nor its
// end: first SIGTERM, for one that ignores it SIGKILL.
func TestAgentThatNeverReads(t *testing.T) {
	for mode, killed := range map[string]bool{"deaf": false, "stubborn": true} {
		t.Run(mode, func(t *testing.T) {
			grace := 50 * time.Millisecond
			if !killed {
				grace = time.Second // in which a busy machine ends a process that does as it is told
			}
			s := startFake(t, mode, Options{Grace: grace})
			<-s.front.asks
			if mode == "stubborn" {
				<-s.events
			}
			big := protocol.StringField("message", strings.Repeat("x", 4<<20))
			ctx, cancel := context.WithCancel(t.Context())
			result := make(chan error)
			go func() {
				_, err := s.Call(ctx, "prompt", big)
				result <- err
			}()
			cancel()
			if err := <-result; !errors.Is(err, context.Canceled) {
				t.Errorf("call: %v", err)
			}
			err := s.Close(context.Background())
			if killed != (err != nil && strings.Contains(err.Error(), "killed")) && runtime.GOOS != "windows" {
				t.Errorf("close: %v", err)
			}
			if s.Err() == nil {
				t.Error("an agent that was killed ended without an error")
			}
		})
	}
}

func TestCloseHurries(t *testing.T) {
	s := startFake(t, "stubborn", Options{Grace: time.Hour})
	<-s.events
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	begin := time.Now()
	_ = s.Close(ctx)
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("close took %v", took)
	}
	<-s.Done()
}

func TestContextOfStartStops(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	f := newFront()
	c, err := Start(ctx, Command{Path: exe, Env: fakeEnv("echo")}, &Options{Frontend: f})
	if err != nil {
		t.Fatal(err)
	}
	<-f.asks
	cancel()
	<-c.Done()
	if why := <-f.ended; !errors.Is(why, ErrStopped) {
		t.Errorf("dialog ended with %v", why)
	}
	if err := c.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := Start(ctx, Command{Path: exe}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("start with a context that is over: %v", err)
	}
}

// A process that the agent leaves behind holds its output open; that must not
// keep the client from ending.
func TestGrandchildHoldsOutput(t *testing.T) {
	s := startFake(t, "grandchild", Options{})
	var pid int
	if _, err := fmt.Sscanf(<-s.events, `{"type":"child","pid":%d}`, &pid); err != nil {
		t.Fatal(err)
	}
	<-s.Done()
	if e, ok := errors.AsType[*ExitError](s.Err()); !ok || e.Code != 3 {
		t.Errorf("ended with %v", s.Err())
	}
	child, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Kill(); err != nil {
		t.Error(err)
	}
}

func TestAgentClosesItsOutput(t *testing.T) {
	s := startFake(t, "mute", Options{})
	<-s.front.asks
	if why := <-s.front.ended; !errors.Is(why, ErrAgentGone) {
		t.Errorf("the dialog ended with %v", why)
	}
	<-s.Done()
	if e, ok := errors.AsType[*ExitError](s.Err()); !ok || e.Code != 5 {
		t.Errorf("ended with %v", s.Err())
	}
}

func TestAgentClosesItsInput(t *testing.T) {
	s := startFake(t, "closed-input", Options{Grace: 50 * time.Millisecond})
	a := <-s.front.asks
	<-s.events
	a.reply(protocol.Confirmed(true)) // cannot be written
	if _, err := s.Call(t.Context(), "get_state"); !errors.Is(err, ErrAgentGone) {
		t.Errorf("call: %v", err)
	}
}

func TestStartErrors(t *testing.T) {
	_, err := Start(t.Context(), Command{Path: "/no/such/agent"}, nil)
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "/no/such/agent") {
		t.Errorf("got %v", err)
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	var all strings.Builder
	tl := &tail{to: &all}
	for i := range 40000 {
		fmt.Fprintf(tl, "line %d\n", i)
	}
	tl.Write([]byte(strings.Repeat("y", 3*tailSize) + "end"))
	s := tl.String()
	if len(s) != tailSize || !strings.HasSuffix(s, "yend") || all.Len() < 3*tailSize+40000 {
		t.Errorf("%d bytes kept, %d passed on", len(s), all.Len())
	}
}
