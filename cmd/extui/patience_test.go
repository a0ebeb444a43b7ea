//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// output is what a program in this process prints.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{} // holds one
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.more <- struct{}{}:
	default:
	}
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// see returns once text was printed.
func (o *output) see(t *testing.T, text string) {
	t.Helper()
	late := time.After(20 * time.Second)
	for !strings.Contains(o.String(), text) {
		select {
		case <-o.more:
		case <-late:
			t.Fatalf("%q was not printed:\n%s", text, o)
		}
	}
}

// run is extui run in this process, with a short patience, for an agent in sh.
type run struct {
	stdout, stderr output
	signals        chan os.Signal
	code           chan int
}

// impatient is long enough for a process to start.
var impatient = patience{commands: 300 * time.Millisecond, ended: 100 * time.Millisecond, answer: 300 * time.Millisecond, silence: 2 * time.Second}

func startRun(stdin io.Reader, flags []string, agent string) *run {
	return start(stdin, impatient, append(flags, "--", "sh", "-c", agent)...)
}

// start is extui run with that command line.
func start(stdin io.Reader, p patience, args ...string) *run {
	r := &run{signals: make(chan os.Signal, 1), code: make(chan int, 1)}
	r.stdout.more, r.stderr.more = make(chan struct{}, 1), make(chan struct{}, 1)
	w := &world{
		args:  append([]string{"run"}, args...),
		env:   os.Environ(),
		stdin: stdin, stdout: &r.stdout, stderr: &r.stderr,
		signals: func(wanted ...os.Signal) (<-chan os.Signal, func()) {
			if !slices.Contains(wanted, os.Signal(os.Interrupt)) {
				return nil, func() {} // Not what the test sends.
			}
			return r.signals, func() {}
		},
		executable: func() (string, error) { return exec.LookPath("extui") },
		now:        time.Now,
		patience:   p,
	}
	go func() { r.code <- execute(w) }()
	return r
}

// ended waits for the end and checks the exit code.
func (r *run) ended(t *testing.T, want int) {
	t.Helper()
	select {
	case got := <-r.code:
		if got != want {
			t.Errorf("exit code %d, want %d", got, want)
		}
	case <-time.After(30 * time.Second):
		t.Error("it does not end")
	}
	if t.Failed() {
		t.Fatalf("output:\n%s\nstandard error:\n%s", &r.stdout, &r.stderr)
	}
}

// A conversation with everything in it, in this process, so that the race detector
// sees it.
func TestRunInThisProcess(t *testing.T) {
	t.Parallel()
	lines := "2\ny\nthing\n/keep\n/two\nhere\nthere\nhello\n/new\ny\n/ask\n1\n/skip\n/skip\nsend\n/fail\n"
	r := start(strings.NewReader(lines), usualPatience, "--verbose", "--prompt", "/demo", "--prompt", "/state")
	r.ended(t, codeFailed)
	shown := r.stdout.String()
	for _, want := range []string{"You chose PostgreSQL.", "isStreaming", `You said "hello"`, "[new session]", `"SQLite"`, "[extension error] command:fail"} {
		_, rest, found := strings.Cut(shown, want)
		if !found {
			t.Fatalf("%q is not there, or not at its place:\n%s", want, &r.stdout)
		}
		shown = rest
	}
}

// No script waits without limit for an agent that says nothing, or only sends
// back what it gets.
func TestSilentAgent(t *testing.T) {
	t.Parallel()
	const silent, echo = "cat >/dev/null", "cat"
	for name, test := range map[string]struct {
		stdin string
		flags []string
		agent string
		code  int
		says  string
	}{
		"nothing to do": {"", nil, silent, 0, "has not answered get_commands"},
		"echo":          {"", nil, echo, 0, "has not answered get_commands"},
		"line":          {"hello\n", nil, silent, codeFailed, "answered nothing and shown nothing"},
		"line, echo":    {"hello\n", nil, echo, codeFailed, "answered nothing and shown nothing"},
		"prompt":        {"", []string{"--prompt", "hello"}, silent, codeFailed, "answered nothing and shown nothing"},
		"command":       {"", []string{"--prompt", "/hello"}, echo, codeFailed, "answered nothing and shown nothing"},
		"tool":          {"/call bash ls\n", nil, echo, codeFailed, "answered nothing and shown nothing"},
		"state":         {"/state\n", nil, silent, codeFailed, "1 of the prompts and commands failed"},
		"commands":      {"/commands\n", nil, echo, codeFailed, "1 of the prompts and commands failed"},
		"idle":          {"", []string{"--exit-when-idle"}, silent, 0, "has not answered get_commands"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := startRun(strings.NewReader(test.stdin), test.flags, test.agent)
			r.ended(t, test.code)
			if !strings.Contains(r.stderr.String(), test.says) {
				t.Errorf("standard error is %q", r.stderr.String())
			}
		})
	}
}

// An agent that has said something may take its time, and Ctrl-C ends that.
func TestSlowPromptEndsWithSignal(t *testing.T) {
	t.Parallel()
	r := startRun(strings.NewReader("hello\n"), nil, `echo '{"type":"agent_start"}'; cat >/dev/null`)
	r.stdout.see(t, "> hello")
	select {
	case code := <-r.code:
		t.Fatalf("it has ended with %d", code)
	case <-time.After(impatient.silence + impatient.answer):
	}
	r.signals <- os.Interrupt
	r.ended(t, codeInterrupted)
}

// reply is a function for sh that answers a command with success.
const reply = `reply() { id=${line#*\"id\":\"}; echo '{"id":"'${id%%\"*}'","type":"response","command":"'$1'","success":true,"data":'$2'}'; }
	while read -r line; do case $line in
`

// The first line answers the dialog that is open before get_commands is answered,
// however long a person thinks, and is no prompt.
func TestFirstLineIsForTheDialog(t *testing.T) {
	t.Parallel()
	stdin, person := io.Pipe()
	r := startRun(stdin, nil, reply+`
		*'"get_commands"'*) asked=$line; echo '{"type":"extension_ui_request","id":"1","method":"confirm","title":"Sure?"}';;
		*'"extension_ui_response"'*) echo "got $line" >&2; line=$asked; reply get_commands '{"commands":[]}';;
		*'"prompt"'*) echo "got $line" >&2; reply prompt '{"disposition":"handled"}';;
		esac; done`)
	r.stdout.see(t, "Sure?")
	<-time.After(2 * impatient.commands)
	if _, err := io.WriteString(person, "y\nhello\n"); err != nil {
		t.Fatal(err)
	}
	person.Close()
	r.ended(t, 0)
	if got := r.stderr.String(); !strings.Contains(got, `"confirmed":true`) || strings.Contains(got, `"y"`) || !strings.Contains(got, `"message":"hello"`) {
		t.Errorf("the agent got:\n%s", got)
	}
}

// An answer to get_commands that comes late counts from then on.
func TestLateCommands(t *testing.T) {
	t.Parallel()
	r := startRun(strings.NewReader("first\n/help\n"), nil, reply+`
		*'"get_commands"'*) asked=$line;;
		*'"first"'*) first=$line; line=$asked; reply get_commands '{"commands":[{"name":"help"}]}'
			sleep 0.2; line=$first; reply prompt '{"disposition":"handled"}';;
		*'"/help"'*) echo "the agent's own help" >&2; reply prompt '{"disposition":"handled"}';;
		esac; done`)
	r.ended(t, 0)
	if got := r.stderr.String(); !strings.Contains(got, "the agent's own help") {
		t.Errorf("standard error is %q", got)
	}
}

// An agent that does not answer get_state is believed by what it shows.
func TestNoState(t *testing.T) {
	t.Parallel()
	r := startRun(strings.NewReader("hello\nagain\n"), nil, reply+`
		*'"get_commands"'*) reply get_commands '{"commands":[]}';;
		*'"prompt"'*) reply prompt '{"disposition":"started"}'; echo '{"type":"agent_start"}'; echo '{"type":"agent_end"}';;
		esac; done`)
	r.ended(t, 0)
	if got := r.stdout.String(); !strings.Contains(got, "> again") {
		t.Errorf("output is %q", got)
	}
}
