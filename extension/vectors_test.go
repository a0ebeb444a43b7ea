package extension_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/agent"
	"extui/extension"
	"extui/internal/vectors"
	"extui/protocol"

	"github.com/go-json-experiment/json/jsontext"
)

// notExpressible are the recorded cases whose calls Go's types rule out.
var notExpressible = map[string]string{
	"status-null":    "a status is a text or cleared; there is no null between them",
	"widget-factory": "a widget is a list of lines in Go",
	"widget-string":  "a widget is a list of lines in Go",
}

// deliberate is one place where our agent does not write what pi wrote.
type deliberate struct {
	why string
	// line is the number, from 1, of the line from the agent that differs; pi is
	// what the case must hold there (a part of it), ours takes its place. An empty
	// pi means that pi wrote nothing more there, an empty ours that we do not.
	line     int
	pi, ours string
}

const parseError = `{"type":"response","command":"parse","success":false,"error":"Failed to parse command: command: not a JSON object: `

var differences = map[string]deliberate{
	"select-with-a-value-that-is-no-option": {"an answer that was not offered is no answer", 2,
		`result \"Neither\"`, `{"type":"extension_ui_request","id":"id-2","method":"notify","message":"result undefined"}`},
	"select-value-not-a-string": {"an answer of another type is no answer", 2,
		`result 7`, `{"type":"extension_ui_request","id":"id-2","method":"notify","message":"result undefined"}`},
	"editor-with-options": {"an editor takes a timeout like the other dialogs", 1,
		`"prefill":"x"}`, `{"type":"extension_ui_request","id":"id-1","method":"editor","title":"Edit some text","prefill":"x","timeout":300}`},
	"bad-array":      {"what is no object is a parse error", 1, `Unknown command: undefined`, parseError + `\"[]\"`},
	"bad-number":     {"what is no object is a parse error", 1, `Unknown command: undefined`, parseError + `\"42\"`},
	"bad-null":       {"the line null ends pi", 1, ``, parseError + `\"null\"`},
	"bad-not-json":   {"the text of a parse error is each agent's own", 1, `Unexpected token`, parseError + `\"not json\"`},
	"bad-blank-line": {"blank lines are skipped", 1, `Unexpected end of JSON input`, ``},
	"bad-prompt-without-model": {"there is no model to log in to", 1, `No API key`,
		`{"id":"p9","type":"response","command":"prompt","success":false,"error":"nothing handles this prompt: there is no command /no-such-command-but-a-model-is-missing and no model"}`},
}

// apply puts our line in the place of pi's, if pi's is still what the list says.
func (d deliberate) apply(wire []vectors.Line) ([]vectors.Line, error) {
	n := 0
	for i, l := range wire {
		if l.ToAgent {
			continue
		}
		if n++; n != d.line {
			continue
		}
		if d.pi == "" || !strings.Contains(string(l.Text), d.pi) {
			return nil, fmt.Errorf("pi wrote %s, not %q", l.Text, d.pi)
		}
		if d.ours == "" {
			return slices.Delete(slices.Clone(wire), i, i+1), nil
		}
		out := slices.Clone(wire)
		out[i].Text = []byte(d.ours)
		return out, nil
	}
	if d.pi != "" {
		return nil, fmt.Errorf("pi wrote only %d lines", n)
	}
	return append(slices.Clone(wire), vectors.Line{Text: []byte(d.ours)}), nil
}

// What the real pi wrote in every recorded case, our agent writes to the byte, but
// for ids. A deliberate difference is listed with its reason; one that is not listed
// fails, and so does one that is listed and gone.
func TestRecordedCasesOfPi(t *testing.T) {
	cases, err := vectors.Load("../interop/testdata/pi")
	if err != nil {
		t.Fatal(err)
	}
	for name := range notExpressible {
		if !slices.ContainsFunc(cases, func(c vectors.Case) bool { return c.Name == name }) {
			t.Errorf("%s is listed as not expressible, but no such case is recorded", name)
		}
	}
	listed := 0
	for _, c := range cases {
		if notExpressible[c.Name] != "" {
			continue
		}
		wire := c.Wire
		if d, ok := differences[c.Name]; ok {
			listed++
			if wire, err = d.apply(wire); err != nil {
				t.Errorf("%s: the listed difference (%s) is gone: %v", c.Name, d.why, err)
				continue
			}
		}
		t.Run(c.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { replay(t, wire) })
		})
	}
	if listed != len(differences) {
		t.Errorf("%d differences are listed, %d of them for recorded cases", len(differences), listed)
	}
}

// replay plays the client's lines and compares the agent's.
func replay(t *testing.T, wire []vectors.Line) {
	c := start(t, extension.NewHost(probe()), agent.Options{Dialect: agent.Pi})
	var ids vectors.IDs
	for _, l := range wire {
		if l.ToAgent {
			c.send(string(ids.Reveal(l.Text)))
			continue
		}
		got, want := string(ids.Hide([]byte(c.line()))), string(l.Text)
		// What the JSON module says of a parse error is not ours to pin.
		if got != want && !(strings.HasPrefix(want, parseError) && strings.HasPrefix(got, want)) {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	}
	if rest := c.end(); rest != "" {
		t.Errorf("it went on with %s", rest)
	}
}

type answer = func(ctx *extension.Context) (string, error)

// probe is the extension that was recorded, in Go: each command makes one call and
// notifies what JavaScript would see of its outcome.
func probe() extension.Extension {
	return extension.Extension{Name: "probe", Path: "$PROBE", Setup: func(a *extension.API) error {
		for _, c := range probeCommands() {
			a.RegisterCommand(extension.Command{Name: c.name, Description: "probe " + c.name, Handler: func(ctx *extension.Context, _ string) error {
				got, err := c.call(ctx)
				if err != nil {
					got = "threw " + err.Error()
				}
				return ctx.UI.Notify(ctx, "result "+got, "")
			}})
		}
		a.RegisterCommand(extension.Command{Name: "throws-uncaught", Description: "probe throws-uncaught",
			Handler: func(*extension.Context, string) error { return errors.New("not caught") }})
		return nil
	}}
}

// text and yes are a dialog's outcome in JavaScript.
func text(s string, err error) (string, error) {
	if errors.Is(err, agent.ErrNoAnswer) {
		return "undefined", nil
	}
	return string(protocol.AppendString(nil, s)), err
}

func yes(b bool, err error) (string, error) {
	if errors.Is(err, agent.ErrNoAnswer) {
		err = nil
	}
	return fmt.Sprint(b), err
}

func nothing(err error) (string, error) { return "undefined", err }

func within(ms float64) *agent.DialogOptions {
	return &agent.DialogOptions{Timeout: time.Duration(ms * float64(time.Millisecond))}
}

// ask is a dialog that only the low level can write.
func ask(ctx *extension.Context, d protocol.Dialog) (string, error) {
	got, err := ctx.UI.Ask(ctx, d)
	if _, confirm := d.(*protocol.Confirm); confirm {
		return yes(got == protocol.Confirmed(true), err)
	}
	value, _ := got.(protocol.Value)
	return text(string(value), err)
}

type probeCommand struct {
	name string
	call answer
}

// long: one entry for each command of the recorded extension, in its order.
func probeCommands() []probeCommand {
	const allow = "Allow dangerous command?"
	allowBlock := []string{"Allow", "Block"}
	zero, _ := protocol.Milliseconds(0)
	unicode := []string{"é", "日本語", "👩‍👩‍👧", "\x00nul", "tab\there", "line\nbreak", "quote\"s", "back\\slash", "\x1b[31mred\x1b[0m", "lone \xed\xa0\xbd half"}
	unreachable := func(*extension.Context) (string, error) { return "", errors.New("Go cannot make this call") }
	return []probeCommand{
		{"select", func(c *extension.Context) (string, error) { return text(c.UI.Select(c, allow, allowBlock, nil)) }},
		{"select-timeout", func(c *extension.Context) (string, error) {
			return text(c.UI.Select(c, allow, allowBlock, within(300)))
		}},
		{"select-timeout-zero", func(c *extension.Context) (string, error) {
			return ask(c, &protocol.Select{Title: "Zero", Options: protocol.Options("a"), Timeout: zero})
		}},
		{"select-timeout-fraction", func(c *extension.Context) (string, error) {
			return text(c.UI.Select(c, "Fraction", []string{"a"}, within(250.5)))
		}},
		{"select-empty", func(c *extension.Context) (string, error) {
			return ask(c, &protocol.Select{Title: "Nothing to choose"})
		}},
		{"select-duplicate", func(c *extension.Context) (string, error) {
			return text(c.UI.Select(c, "Twice", []string{"same", "same"}, nil))
		}},
		{"select-unicode", func(c *extension.Context) (string, error) {
			return text(c.UI.Select(c, "U+2028 \u2028 and \u2029", unicode, nil))
		}},
		{"select-aborted", func(c *extension.Context) (string, error) {
			ctx, cancel := context.WithCancel(c)
			cancel()
			return text(c.UI.Select(ctx, "Never shown", []string{"a"}, nil))
		}},
		{"select-abort-later", func(c *extension.Context) (string, error) {
			ctx, cancel := context.WithTimeout(c, 200*time.Millisecond)
			defer cancel()
			return text(c.UI.Select(ctx, "Aborted after 200 ms", []string{"a"}, nil))
		}},
		{"select-extra", func(c *extension.Context) (string, error) {
			return text(c.UI.Select(c, "Extra options are dropped", []string{"a"}, within(9000)))
		}},
		{"select-nonstring", func(c *extension.Context) (string, error) {
			d, err := protocol.Literal(&protocol.Select{Options: protocol.Options("1", "x", "null")},
				protocol.Field{Name: "title", Value: jsontext.Value("42")}, protocol.Field{Name: "options", Value: jsontext.Value(`[1,{"label":"x"},null]`)})
			if err != nil {
				return "", err
			}
			return ask(c, d)
		}},
		{"confirm", func(c *extension.Context) (string, error) {
			return yes(c.UI.Confirm(c, "Clear session?", "All messages will be lost.", nil))
		}},
		{"confirm-timeout", func(c *extension.Context) (string, error) {
			return yes(c.UI.Confirm(c, "Clear session?", "All messages will be lost.", within(300)))
		}},
		{"confirm-nomessage", func(c *extension.Context) (string, error) { return ask(c, &protocol.Confirm{Title: "Sure?"}) }},
		{"input", func(c *extension.Context) (string, error) {
			return text(c.UI.Input(c, "Enter a value", "type something...", nil))
		}},
		{"input-bare", func(c *extension.Context) (string, error) { return text(c.UI.Input(c, "Enter a value", "", nil)) }},
		{"input-timeout", func(c *extension.Context) (string, error) {
			return text(c.UI.Input(c, "Enter a value", "", within(300)))
		}},
		{"editor", func(c *extension.Context) (string, error) {
			return text(c.UI.Editor(c, "Edit some text", "Line 1\nLine 2\nLine 3", nil))
		}},
		{"editor-bare", func(c *extension.Context) (string, error) { return text(c.UI.Editor(c, "Edit some text", "", nil)) }},
		{"editor-options", func(c *extension.Context) (string, error) {
			return text(c.UI.Editor(c, "Edit some text", "x", within(300)))
		}},
		{"two-at-once", func(c *extension.Context) (string, error) {
			first := make(chan bool)
			go func() {
				yes, _ := c.UI.Confirm(c, "First?", "1", nil)
				first <- yes
			}()
			synctest.Wait() // it is written
			second, err := text(c.UI.Select(c, "Second?", []string{"x", "y"}, nil))
			return fmt.Sprintf("[%t,%s]", <-first, second), err
		}},
		{"notify", func(c *extension.Context) (string, error) {
			return nothing(c.UI.Notify(c, "Command blocked by user", protocol.NotifyWarning))
		}},
		{"notify-bare", func(c *extension.Context) (string, error) { return nothing(c.UI.Notify(c, "plain", "")) }},
		{"notify-bad-type", func(c *extension.Context) (string, error) { return nothing(c.UI.Notify(c, "odd", "fatal")) }},
		{"status", func(c *extension.Context) (string, error) {
			return nothing(c.UI.SetStatus(c, "my-ext", "Turn 3 running..."))
		}},
		{"status-clear", func(c *extension.Context) (string, error) { return nothing(c.UI.ClearStatus(c, "my-ext")) }},
		{"status-null", unreachable},
		{"widget", func(c *extension.Context) (string, error) {
			return nothing(c.UI.SetWidget(c, "my-ext", []string{"--- My Widget ---", "Line 1", "Line 2"}, ""))
		}},
		{"widget-below", func(c *extension.Context) (string, error) {
			return nothing(c.UI.SetWidget(c, "my-ext", []string{"one"}, protocol.BelowEditor))
		}},
		{"widget-empty", func(c *extension.Context) (string, error) { return nothing(c.UI.SetWidget(c, "my-ext", nil, "")) }},
		{"widget-clear", func(c *extension.Context) (string, error) { return nothing(c.UI.ClearWidget(c, "my-ext")) }},
		{"widget-factory", unreachable},
		{"widget-string", unreachable},
		{"title", func(c *extension.Context) (string, error) { return nothing(c.UI.SetTitle(c, "pi - my project")) }},
		{"editor-text", func(c *extension.Context) (string, error) {
			return nothing(c.UI.SetEditorText(c, "prefilled text for the user"))
		}},
		{"paste", func(c *extension.Context) (string, error) { return nothing(c.UI.PasteToEditor(c, "pasted\ntext")) }},
		{"degraded", degraded},
		{"throws", func(*extension.Context) (string, error) { return "", errors.New("extension failed") }},
	}
}

// degraded is the list of what each method that needs a terminal gives back.
func degraded(c *extension.Context) (string, error) {
	var shown []string
	show := func(s string) { shown = append(shown, string(protocol.AppendString(nil, s))) }
	undefined := func(err error) {
		if err == nil || errors.Is(err, agent.ErrUnsupported) {
			show("undefined")
		} else {
			show(err.Error())
		}
	}
	undefined(c.UI.Custom(c, nil))
	unsubscribe := c.UI.OnTerminalInput(c, nil)
	show("function")
	unsubscribe()
	undefined(nil)
	c.UI.SetWorkingMessage(c, "x")
	c.UI.SetWorkingVisible(c, false)
	c.UI.SetWorkingIndicator(c, nil)
	c.UI.SetHiddenThinkingLabel(c, "x")
	c.UI.SetFooter(c, nil)
	c.UI.SetHeader(c, nil)
	c.UI.AddAutocompleteProvider(c, nil)
	c.UI.SetEditorComponent(c, nil)
	for range 8 {
		undefined(nil)
	}
	show(string(protocol.AppendString(nil, c.UI.GetEditorText(c))))
	if c.UI.GetEditorComponent(c) == nil {
		undefined(nil)
	}
	show(fmt.Sprint(c.UI.GetToolsExpanded(c)))
	c.UI.SetToolsExpanded(c, true)
	undefined(nil)
	show(fmt.Sprint(c.UI.GetToolsExpanded(c)))
	show(fmt.Sprint(c.UI.GetAllThemes(c)))
	if c.UI.GetTheme(c, "dark") == nil {
		undefined(nil)
	}
	theme := c.UI.SetTheme(c, "dark")
	show(fmt.Sprintf(`{"success":%t,"error":%q}`, theme.Success, theme.Error))
	show(fmt.Sprintf("%q", c.Mode))
	show(fmt.Sprint(c.HasUI))
	return "[" + strings.Join(shown, ",") + "]", nil
}
