package faulty

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"extui/agent"
	"extui/extension"
	"extui/protocol"
)

// probe has the commands of probe.ts.
type probe struct {
	l *layer
	p *Process
}

func newProbe(l *layer, p *Process) extension.Extension {
	pr := &probe{l, p}
	return extension.Extension{Name: "probe", Setup: pr.setup}
}

func (pr *probe) setup(api *extension.API) error {
	for _, c := range []struct {
		name, description string
		handler           func(ctx *extension.Context, args string) error
	}{
		{"probe", "Make one call on ctx.ui", pr.one},
		{"probe-all", "Make several calls at once", pr.all},
		{"probe-seq", "Make several calls one after the other", pr.sequence},
		{"probe-many", "Make one call many times at once", pr.many},
		{"probe-args", "Show what the handler is given", func(ctx *extension.Context, args string) error {
			return ctx.UI.Notify(ctx, "probe args: "+string(quote(args)), protocol.NotifyInfo)
		}},
		{"probe-throw", "Throw an error", func(_ *extension.Context, args string) error { return errors.New(args) }},
		{"probe-print", "Print to standard output", func(ctx *extension.Context, args string) error {
			fmt.Fprintln(pr.p.Stderr, args)
			return ctx.UI.Notify(ctx, "probe printed", protocol.NotifyInfo)
		}},
		{"probe-features", "List what ctx.ui has", pr.features},
	} {
		if pr.l.fault.otherDescription {
			c.description = "Built in: " + c.name
		}
		api.RegisterCommand(extension.Command{Name: c.name, Description: c.description, Handler: func(ctx *extension.Context, args string) error {
			if pr.l.fault.args != nil {
				args = pr.l.fault.args(args)
			}
			return c.handler(ctx, args)
		}})
	}
	api.OnSessionStart(func(ctx *extension.Context, _ *extension.SessionStart) error {
		pr.l.mu.Lock()
		again := pr.l.ready
		pr.l.ready = true
		pr.l.mu.Unlock()
		if !again {
			defer close(pr.l.started)
		}
		start := elements(jsontext.Value(pr.p.Getenv("EXTUI_PROBE_START")))
		switch {
		case start == nil || again && pr.l.fault.noStart:
			return nil
		case unquote(start[0]) == "throw":
			return errors.New(unquote(start[1]))
		}
		pr.wait(ctx, "probe start", start, 0)
		return nil
	})
	api.OnSessionShutdown(func(ctx *extension.Context, _ *extension.SessionShutdown) error {
		if end := elements(jsontext.Value(pr.p.Getenv("EXTUI_PROBE_END"))); end != nil && !pr.l.fault.noShutdown {
			pr.call(ctx, end, 0, func(string, error) {})
		}
		return nil
	})
	pr.gate(api)
	return nil
}

// gate registers the tool that somebody has to allow.
func (pr *probe) gate(api *extension.API) {
	api.RegisterTool(extension.Tool{
		Name: "probe_gate", Label: "Probe gate", Description: "Returns its input as JSON. Somebody has to allow it first.",
		Execute: func(_ *extension.Context, input jsontext.Value) (extension.ToolResult, error) {
			return *agent.TextResult("ran " + string(input)), nil
		},
	})
	api.OnToolCall(func(ctx *extension.Context, e *extension.ToolCall) (*extension.Block, error) {
		if e.Tool != "probe_gate" {
			return nil, nil
		}
		var choice string
		var err error
		if parse(e.Input).has("throws") {
			err = errors.New("the gate is broken")
		} else {
			choice, err = ctx.UI.Select(ctx, "Run probe_gate?", []string{"Allow", "Block"}, nil)
		}
		allowed := choice == "Allow"
		if pr.l.fault.gate != nil {
			allowed, err = pr.l.fault.gate(choice, err)
		}
		switch {
		case err != nil && !errors.Is(err, agent.ErrNoAnswer):
			return nil, err
		case !allowed:
			return &extension.Block{Reason: "nobody allowed it"}, nil
		}
		return nil, nil
	})
}

// features lists ctx.ui as the documents have it.
func (pr *probe) features(ctx *extension.Context, _ string) error {
	names := []string{
		"addAutocompleteProvider", "confirm", "custom", "editor", "getAllThemes", "getChatRenderSettings", "getEditorComponent", "getEditorText",
		"getTheme", "getToolsExpanded", "input", "notify", "onTerminalInput", "pasteToEditor", "select", "setEditorComponent", "setEditorText",
		"setFooter", "setHeader", "setHiddenThinkingLabel", "setStatus", "setTheme", "setTitle", "setToolsExpanded", "setWidget",
		"setWorkingIndicator", "setWorkingMessage", "setWorkingVisible", "theme",
	}
	list := `["` + strings.Join(names, `","`) + `"]`
	text := fmt.Sprintf(`probe features: {"ui":%s,"mode":"%s","hasUI":%t}`, list, ctx.Mode, ctx.HasUI)
	return ctx.UI.Notify(ctx, text, protocol.NotifyInfo)
}

func (pr *probe) one(ctx *extension.Context, args string) error {
	method, rest, _ := strings.Cut(args, " ")
	pr.wait(ctx, "probe", append([]jsontext.Value{quote(method)}, elements(jsontext.Value(rest))...), 0)
	return nil
}

func (pr *probe) sequence(ctx *extension.Context, args string) error {
	for i, c := range elements(jsontext.Value(args)) {
		pr.wait(ctx, fmt.Sprintf("probe %d", i), elements(c), 0)
	}
	return nil
}

// all starts the calls before it tells of any that is over at once, as a JavaScript
// engine does.
func (pr *probe) all(ctx *extension.Context, args string) error {
	var told sync.WaitGroup
	begun := make(chan struct{})
	for i, c := range elements(jsontext.Value(args)) {
		result := make(chan func(), 1)
		pr.call(ctx, elements(c), 0, func(s string, err error) {
			tellIt := func() { tell(ctx, fmt.Sprintf("probe %d", i), s, err) }
			if pr.l.fault.tellsAtOnce {
				tellIt()
				tellIt = func() {}
			}
			result <- tellIt
		})
		told.Go(func() {
			<-begun
			(<-result)()
		})
	}
	close(begun)
	told.Wait()
	return nil
}

func (pr *probe) many(ctx *extension.Context, args string) error {
	words := strings.SplitN(args, " ", 3)
	count, err := strconv.Atoi(words[0])
	if err != nil || len(words) < 3 {
		return fmt.Errorf("probe-many takes a number, a method and its arguments, not %q", args)
	}
	results := make([]string, count)
	var over sync.WaitGroup
	over.Add(count)
	for i := range count {
		pr.call(ctx, append([]jsontext.Value{quote(words[1])}, elements(jsontext.Value(words[2]))...), i+1, func(s string, _ error) {
			results[i] = s
			over.Done()
		})
	}
	over.Wait()
	tell(ctx, "probe many", "["+strings.Join(results, ",")+"]", nil)
	return nil
}

// wait makes a call and tells of it.
func (pr *probe) wait(ctx *extension.Context, name string, args []jsontext.Value, n int) {
	done := make(chan struct{})
	pr.call(ctx, args, n, func(s string, err error) {
		tell(ctx, name, s, err)
		close(done)
	})
	<-done
}

// tell notifies of a call. Where nobody is there any more, nobody is told.
func tell(ctx *extension.Context, name, result string, err error) {
	if err != nil {
		_ = ctx.UI.Notify(ctx, name+" threw: "+err.Error(), protocol.NotifyError)
		return
	}
	_ = ctx.UI.Notify(ctx, name+": "+result, protocol.NotifyInfo)
}

// call begins a call, the method and its arguments, and returns when what it writes is
// on its way. done is called once: at once, or when the dialog is over.
func (pr *probe) call(ctx *extension.Context, args []jsontext.Value, n int, done func(result string, err error)) {
	var given []value
	for _, raw := range args {
		given = append(given, resolve(raw, n))
	}
	method := given[0].text
	for len(given) < 4 {
		given = append(given, value{kind: undefined})
	}
	given = given[1:]
	f := pr.l.fault
	if result, ok := f.calls[method]; ok {
		done(result, nil)
		return
	}
	if f.instead != nil && f.instead(ctx, method, given) {
		done("undefined", nil)
		return
	}
	if d := dialogOf(method, given); d != nil {
		if t := given[2].option("timeout"); t.kind == '0' && t.number < 0 && !f.late {
			none := "undefined"
			if method == "confirm" {
				none = "false"
			}
			done(none, nil)
			return
		}
		pr.ask(ctx, method, d, given[2], done)
		return
	}
	done(pr.update(ctx, method, given))
}

// dialogOf is the dialog of a call, nil if it is none.
func dialogOf(method string, args []value) protocol.Dialog {
	title, second := args[0].text, args[1]
	timeout, _ := protocol.Milliseconds(args[2].option("timeout").number) // What is no time is none.
	if args[2].option("timeout").kind != '0' {
		timeout = protocol.Timeout{}
	}
	switch method {
	case "select":
		return &protocol.Select{Title: title, Options: protocol.Options(second.texts()...), Timeout: timeout}
	case "confirm":
		return &protocol.Confirm{Title: title, Message: second.optional(), Timeout: timeout}
	case "input":
		return &protocol.Input{Title: title, Placeholder: second.optional(), Timeout: timeout}
	case "editor":
		return &protocol.Editor{Title: title, Prefill: second.optional(), Timeout: timeout}
	}
	return nil
}

// ask begins a dialog.
func (pr *probe) ask(ctx *extension.Context, method string, d protocol.Dialog, opts value, done func(string, error)) {
	f := pr.l.fault
	inner, cancel := context.WithCancel(ctx)
	if s := opts.option("signal"); s.kind == signal && !f.noSignals {
		if s.after == 0 && !f.asksAborted {
			cancel()
		} else {
			time.AfterFunc(time.Duration(max(s.after, 1)*float64(time.Millisecond)), cancel)
		}
	}
	if f.ends != nil {
		if limit := f.ends(opts); limit > 0 {
			time.AfterFunc(limit, cancel)
		}
	}
	if f.asks != nil {
		f.asks(d, opts)
	}
	ctx.UI.Begin(inner, d, func(answer protocol.Answer, err error) {
		cancel()
		done(pr.l.given(&ended{method: method, dialog: d, answer: answer, err: err}), nil)
	})
}

// update makes a call that asks nothing.
func (pr *probe) update(ctx *extension.Context, method string, args []value) (string, error) {
	ui := ctx.UI
	switch method {
	case "notify":
		return "undefined", ui.Notify(ctx, args[0].text, protocol.NotifyType(args[1].text))
	case "setStatus":
		return "undefined", ui.Send(ctx, &protocol.SetStatus{Key: args[0].text, Text: args[1].optional()})
	case "setWidget":
		w := &protocol.SetWidget{Key: args[0].text, Placement: protocol.Placement(args[2].option("placement").text)}
		switch args[1].kind {
		case '[':
			w.Lines = args[1].texts()
		case undefined:
		default:
			return "undefined", nil
		}
		return "undefined", ui.Send(ctx, w)
	case "setTitle":
		return "undefined", ui.SetTitle(ctx, args[0].text)
	case "setEditorText", "pasteToEditor":
		return "undefined", ui.SetEditorText(ctx, args[0].text)
	case "onTerminalInput":
		return "function", nil
	case "getEditorText":
		return string(quote(ui.GetEditorText(ctx))), nil
	case "getAllThemes":
		return "[]", nil
	case "setTheme":
		r := ui.SetTheme(ctx, args[0].text)
		return fmt.Sprintf(`{"success":%t,"error":%s}`, r.Success, quote(r.Error)), nil
	case "getToolsExpanded":
		return strconv.FormatBool(ui.GetToolsExpanded(ctx)), nil
	case "setToolsExpanded":
		ui.SetToolsExpanded(ctx, string(args[0].raw) == "true")
		return "undefined", nil
	case "getChatRenderSettings":
		return fmt.Sprintf(`{"toolOutputExpanded":%t}`, ui.GetChatRenderSettings(ctx).ToolOutputExpanded), nil
	}
	if slices.Contains(nothing, method) {
		return "undefined", nil
	}
	return "", fmt.Errorf("%s is not a function", method)
}

// nothing is what the methods do that need a terminal.
var nothing = []string{
	"custom", "setWorkingMessage", "setWorkingVisible", "setWorkingIndicator", "setHiddenThinkingLabel", "setFooter", "setHeader",
	"addAutocompleteProvider", "setEditorComponent", "getEditorComponent", "getTheme",
}
