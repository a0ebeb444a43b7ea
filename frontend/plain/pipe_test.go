package plain

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"extui/client"
	"extui/internal/safetext"
	"extui/protocol"
)

var (
	_ client.Frontend = (*Frontend)(nil)
	_ client.Capable  = (*Frontend)(nil)
	_ client.Dropped  = (*Frontend)(nil)
)

var update = flag.Bool("update", false, "write the golden files anew")

func timeout(d time.Duration) protocol.Timeout {
	t, err := protocol.After(d)
	if err != nil {
		panic(err)
	}
	return t
}

// storage has a question with previews, one without, and one for several options.
func storage() *protocol.Questionnaire {
	return &protocol.Questionnaire{Questions: []protocol.Question{
		{Question: "Which storage should runs use?", Header: "Storage", Options: []protocol.QuestionOption{
			{Label: "SQLite", Description: "A local file", Preview: new("# SQLite\nopen(\"runs.db\")")},
			{Label: "libSQL", Description: "A shared database"},
		}},
		{Question: "Which colour?", Header: "Colour", Options: []protocol.QuestionOption{{Label: "Red"}, {Label: "Blue"}}},
		{Question: "Which checks?", Header: "Checks", MultiSelect: true, Options: []protocol.QuestionOption{
			{Label: "vet"}, {Label: "race"}, {Label: "fuzz", Description: "slow"},
		}},
	}}
}

func oneQuestion() *protocol.Questionnaire {
	q := storage()
	q.Questions = q.Questions[1:2]
	return q
}

var (
	choose3  = &protocol.Select{Title: "Which database?", Options: []protocol.Option{{Label: "SQLite", Description: "A local file"}, {Label: "Postgres"}, {Label: "2"}}}
	approve  = &protocol.Confirm{Title: "Allow dangerous command?", Message: new("rm -rf build\nreally")}
	askName  = &protocol.Input{Title: "Name", Placeholder: new("my-project")}
	editText = &protocol.Editor{Title: "Edit the message", Prefill: new("a\tb\r\nc\n")}
)

var pipeCases = []struct {
	name  string
	input string
	ask   []protocol.Dialog
	o     *Options
}{
	{"select-number", "1\n", []protocol.Dialog{choose3}, nil},
	{"select-text", "Postgres\n", []protocol.Dialog{choose3}, nil},
	{"select-text-spaces-crlf", "  Postgres \r\n", []protocol.Dialog{choose3}, nil},
	{"select-last-line-without-newline", "1", []protocol.Dialog{choose3}, nil},
	{"select-hash-number", "#3\n", []protocol.Dialog{choose3}, nil},
	{"select-ambiguous", "2\n1\n", []protocol.Dialog{choose3}, nil},
	{"select-out-of-range", "4\n1\n", []protocol.Dialog{choose3}, nil},
	{"select-zero", "0\n", []protocol.Dialog{choose3}, nil},
	{"select-unknown", "MySQL\n1\n", []protocol.Dialog{choose3}, nil},
	{"select-empty-line", "\n1\n", []protocol.Dialog{choose3}, nil},
	{"select-cancel", "/cancel\n", []protocol.Dialog{choose3}, nil},
	{"select-end-of-input", "", []protocol.Dialog{choose3}, nil},
	{"select-nothing", "1\n", []protocol.Dialog{&protocol.Select{Title: "Nothing"}}, nil},
	{"select-same-text", "Yes\n", []protocol.Dialog{&protocol.Select{Title: "Twice", Options: protocol.Options("Yes", "Yes")}}, nil},
	{"select-same-text-other-value", "Yes\n", []protocol.Dialog{&protocol.Select{Title: "Twice", Options: []protocol.Option{{Label: "Yes", Value: new("a")}, {Label: "Yes", Value: new("b")}}}}, nil},
	{"select-value", "1\n", []protocol.Dialog{&protocol.Select{Title: "Value", Options: []protocol.Option{{Label: "Shown", Value: new("sent")}}}}, nil},
	{"select-hostile", "1\n", []protocol.Dialog{&protocol.Select{Title: "Pick\x1b[2J\u202e", Options: protocol.Options("a\nb\x9b", "x\xed\xa0\xbd\xff")}}, nil},
	{"confirm-yes", "YES\n", []protocol.Dialog{approve}, nil},
	{"confirm-no", "n\n", []protocol.Dialog{approve}, nil},
	{"confirm-empty-line-cancels", "\ny\n", []protocol.Dialog{approve}, nil},
	{"confirm-other-word-cancels", "sure\ny\n", []protocol.Dialog{approve}, nil},
	{"confirm-without-message", "y\n", []protocol.Dialog{&protocol.Confirm{Title: "Clear?"}}, nil},
	{"input", " two words \n", []protocol.Dialog{askName}, nil},
	{"input-empty", "\n", []protocol.Dialog{askName}, nil},
	{"input-cancel", "/cancel\n", []protocol.Dialog{askName}, nil},
	{"input-the-word-cancel", "//cancel\n", []protocol.Dialog{askName}, nil},
	{"input-other-slash", "//x/cancel\n", []protocol.Dialog{askName}, nil},
	{"confirm-last-line-without-newline", "y", []protocol.Dialog{approve, choose3}, nil},
	{"question-last-line-without-newline", "2", []protocol.Dialog{oneQuestion()}, nil},
	{"questions-last-line-without-newline", "/skip\n/skip\n1\nsend", []protocol.Dialog{storage()}, nil},
	{"input-last-line-without-newline", "half", []protocol.Dialog{askName, approve}, nil},
	{"editor-last-line-without-newline", "one\n.", []protocol.Dialog{editText}, nil},
	{"select-equals-text", "=2\n", []protocol.Dialog{choose3}, nil},
	{"input-end-of-input", "", []protocol.Dialog{askName, approve}, nil},
	{"editor-lines", "one\n..two\n//keep\n\n.\n", []protocol.Dialog{editText}, nil},
	{"editor-keep", "/keep\n", []protocol.Dialog{editText}, nil},
	{"editor-keep-is-text-later", "a\n/keep\n.\n", []protocol.Dialog{editText}, nil},
	{"editor-empty", ".\n", []protocol.Dialog{&protocol.Editor{Title: "Write"}}, nil},
	{"editor-cancel", "one\n/cancel\n", []protocol.Dialog{editText}, nil},
	{"editor-end-of-input", "one\ntwo", []protocol.Dialog{editText}, nil},
	{"several", "1\ny\nBob\n", []protocol.Dialog{choose3, approve, askName}, nil},
	{"time-left", "y\n", []protocol.Dialog{&protocol.Confirm{Title: "Quick?", Timeout: timeout(90 * time.Second)}}, nil},
	{"wrapped", "y\n", []protocol.Dialog{&protocol.Confirm{Title: "A title that is longer than the line", Message: new("rm -rf " + strings.Repeat("x", 40) + " --and 北京北京北京北京北京北京北京北京")}}, &Options{Width: 30}},
	{"questions-all", "2\nRed\n1,3\nsend\n", []protocol.Dialog{storage()}, nil},
	{"questions-partly", "?1\n1\n/skip\n/none\nsend\n", []protocol.Dialog{storage()}, nil},
	{"questions-own-and-talk", "/chat why?\n/own  my own words\n /chat \nSEND\n", []protocol.Dialog{storage()}, nil},
	{"questions-back", "1\n/back\n2\n/own\n\n/own\ngreen\n1, 2\n2\nBlue\nsend\n", []protocol.Dialog{storage()}, nil},
	{"questions-keep", "1\n/back\n/keep\n1\n/none\n/back\n/keep\nsend\n", []protocol.Dialog{storage()}, nil},
	{"questions-wrong-line-cancels", "2\nred\nRed\n1,3\nsend\n", []protocol.Dialog{storage()}, nil},
	{"questions-wrong-review-cancels", "2\nRed\n1\ny\nsend\n", []protocol.Dialog{storage()}, nil},
	{"questions-wrong-number-cancels", "2\nRed\n1;2\n1\nsend\n", []protocol.Dialog{storage()}, nil},
	{"questions-cancel", "1\n/cancel\n", []protocol.Dialog{storage()}, nil},
	{"questions-end-of-input", "1\n1\n1\n", []protocol.Dialog{storage()}, nil},
	{"questions-nothing-answered", "/skip\n/skip\n/skip\nsend\n", []protocol.Dialog{storage()}, nil},
	{"question-single", "2\n", []protocol.Dialog{oneQuestion()}, nil},
	{"question-chat", "/chat\n", []protocol.Dialog{oneQuestion()}, nil},
	{"ask", "/own rope\n", []protocol.Dialog{&protocol.Questionnaire{Ask: true, Questions: []protocol.Question{
		{ID: "q", Question: "Which tool?", Recommended: new(1), Options: []protocol.QuestionOption{{Label: "saw", Preview: new("p")}, {Label: "axe"}}}}}}, nil},
}

func describeAnswer(d protocol.Dialog, a protocol.Answer, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	r, err := protocol.Respond(d, a)
	if err != nil {
		return "UNFIT: " + err.Error()
	}
	return safetext.Line(string(protocol.AppendResponse(nil, r)))
}

// Each file under testdata holds the input, the answers, and all that was printed, to the byte.
func TestPipe(t *testing.T) {
	for _, c := range pipeCases {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			f := New(strings.NewReader(c.input), &out, c.o)
			var answers []string
			for _, d := range c.ask {
				a, err := f.Ask(t.Context(), d)
				answers = append(answers, describeAnswer(d, a, err))
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			got := fmt.Sprintf("== input\n%q\n== answers\n%s\n== output\n%s", c.input, strings.Join(answers, "\n"), out.String())
			golden(t, filepath.Join("testdata", c.name+".txt"), got)
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Whatever comes through the pipe, true is only what a whole line says that is y or yes.
func FuzzConfirm(f *testing.F) {
	for _, s := range []string{"y\n", "\ny\n", "Yes", " yEs \r\n", "ye\u017f\n", "y\x00\n", "//y\n", "\xff\ny\n", "y es\n", "n\ny\n", "Y\r \n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		p := New(bytes.NewReader(input), io.Discard, nil)
		a, err := p.Ask(t.Context(), approve)
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		first, _, whole := strings.Cut(string(input), "\n")
		// Around a word are blanks, and nothing else that does not show.
		word := strings.Trim(strings.TrimSuffix(first, "\r"), " \t")
		yes := whole && len(word) <= 3 && (strings.ToLower(word) == "y" || strings.ToLower(word) == "yes")
		if (a == protocol.Confirmed(true)) != yes {
			t.Fatalf("input %q gave %#v", input, a)
		}
	})
}

// The lines that nobody asked for stay where they are for the next ReadPrompt, and none is read
// for the agent while a dialog is open.
func TestReadPromptFromAPipe(t *testing.T) {
	var out bytes.Buffer
	f := New(strings.NewReader("/demo\r\n1\nsecond prompt\nlast"), &out, nil)
	defer f.Close()
	read := func(want string, wantErr error) {
		t.Helper()
		if got, err := f.ReadPrompt(t.Context()); got != want || !errors.Is(err, wantErr) {
			t.Errorf("ReadPrompt = %q, %v, want %q, %v", got, err, want, wantErr)
		}
	}
	read("/demo", nil)
	if a, err := f.Ask(t.Context(), choose3); a != protocol.Value("SQLite") || err != nil {
		t.Errorf("Ask = %v, %v", a, err)
	}
	read("second prompt", nil)
	read("last", nil)
	read("", io.EOF)
	read("", io.EOF)
	if a, err := f.Ask(t.Context(), choose3); a != (protocol.Cancelled{}) || err != nil {
		t.Errorf("Ask at the end of input = %v, %v", a, err)
	}
}

func TestColor(t *testing.T) {
	var out bytes.Buffer
	f := New(strings.NewReader(""), &out, &Options{Color: true})
	f.Show(&protocol.Notify{Message: "a\x1b[1mb\x1b[8;30;40mc", Type: protocol.NotifyWarning})
	f.Show(&protocol.Notify{Message: "d", Type: protocol.NotifyError})
	f.Text("\x1b[32mgreen\n")
	if _, err := f.Ask(t.Context(), &protocol.Confirm{Title: "\x1b[32mgreen"}); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	want := "\x1b[33mwarning:\x1b[0m a\x1b[1mbc\x1b[0m\n\x1b[31merror:\x1b[0m d\n\x1b[32mgreen\x1b[0m\n\nconfirm: ␛[32mgreen\n"
	if got := out.String(); !strings.HasPrefix(got, want) {
		t.Errorf("printed %q, want it to begin with %q", got, want)
	}
}

func TestCapabilities(t *testing.T) {
	f := New(strings.NewReader(""), io.Discard, nil)
	defer f.Close()
	if got := f.Capabilities(); got != (protocol.Capabilities{Questionnaire: true, Dismiss: true}) {
		t.Errorf("Capabilities = %+v", got)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// A question that could not be shown is not answered, whatever the input says.
func TestOutputFails(t *testing.T) {
	f := New(strings.NewReader("y\ny\n"), failingWriter{}, nil)
	if a, err := f.Ask(t.Context(), approve); a != nil || !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("Ask = %v, %v, want the writer's error", a, err)
	}
	if err := f.Close(); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("Close = %v, want the writer's error", err)
	}
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestInputFails(t *testing.T) {
	f := New(failingReader{}, io.Discard, nil)
	defer f.Close()
	if a, err := f.Ask(t.Context(), approve); a != nil || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Ask = %v, %v, want the reader's error", a, err)
	}
	if _, err := f.ReadPrompt(t.Context()); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("ReadPrompt gave %v, want the reader's error", err)
	}
}

func TestAfterClose(t *testing.T) {
	f := New(strings.NewReader("y\n"), io.Discard, nil)
	if err := errors.Join(f.Close(), f.Close()); err != nil {
		t.Error(err)
	}
	if a, err := f.Ask(t.Context(), approve); a != nil || !errors.Is(err, ErrClosed) {
		t.Errorf("Ask = %v, %v", a, err)
	}
	if _, err := f.ReadPrompt(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("ReadPrompt gave %v", err)
	}
	f.Show(&protocol.Notify{Message: "late"})
	if f.CancelDialog() {
		t.Error("CancelDialog found a dialog")
	}
}
