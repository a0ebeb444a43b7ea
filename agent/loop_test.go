package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/agent"
	"extui/protocol"

	"github.com/go-json-experiment/json/jsontext"
)

// What is no JSON object is answered by one parse error, a key that comes twice too,
// and the loop goes on. Blank lines are skipped (B06).
func TestContractFraming_AgentAnswersBadRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := serve(t, nil, nil)
		for _, bad := range []string{`not json`, `null`, `42`, `[]`, `"x"`, `{`, `{"type":"abort","type":"abort"}`,
			`{"type":"extension_ui_response","id":"a","id":"b"}`} {
			d.send("", "  \t", bad)
			if got := d.line(); !strings.HasPrefix(got, `{"type":"response","command":"parse","success":false,"error":"Failed to parse command: `) {
				t.Errorf("%s: got %s", bad, got)
			}
		}
		d.send(`{"id":"x","type":"abort"}` + "\r")
		d.expect(`{"id":"x","type":"response","command":"abort","success":true}`)
		if n := d.agent.Stats().BadRecords; n != 8 {
			t.Errorf("%d bad records, want 8", n)
		}
		d.quit()
	})
}

// A record over the limit costs that record alone (B05).
func TestContractFraming_AgentDropsOversizeRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := serve(t, nil, &agent.Options{MaxRecord: 100})
		d.send(`{"type":"prompt","message":"` + strings.Repeat("x", 1000) + `"}`)
		if got := d.line(); !strings.Contains(got, `"command":"parse"`) || !strings.Contains(got, "100 bytes") {
			t.Errorf("got %s", got)
		}
		d.send(`{"id":"x","type":"abort"}`)
		d.expect(`{"id":"x","type":"response","command":"abort","success":true}`)
		d.quit()
	})
}

// An unknown command is answered as pi answers it, with its id as it came.
func TestUnknownCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := serve(t, nil, &agent.Options{Dialect: agent.Pi})
		for command, want := range map[string]string{
			`{"id":"u","type":"nope"}`: `{"id":"u","type":"response","command":"nope","success":false,"error":"Unknown command: nope"}`,
			`{"type":"nope"}`:          `{"type":"response","command":"nope","success":false,"error":"Unknown command: nope"}`,
			`{"id":{"a":1},"x":2}`:     `{"id":{"a":1},"type":"response","success":false,"error":"Unknown command: undefined"}`,
			dismiss:                    `{"id":"c","type":"response","command":"set_extension_ui_capabilities","success":false,"error":"Unknown command: set_extension_ui_capabilities"}`,
		} {
			d.send(command)
			d.expect(want)
		}
		d.quit()
	})
}

// get_state and get_commands have the keys and the order of pi.
func TestStateAndCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := serve(t, &extensions{}, nil)
		d.send(`{"id":"1","type":"get_state"}`, `{"id":7,"type":"get_commands"}`)
		d.expect(`{"id":"1","type":"response","command":"get_state","success":true,"data":{"model":{"id":"unknown","name":"unknown","api":"unknown","provider":"unknown","baseUrl":"","reasoning":false,"input":[],"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0},"contextWindow":0,"maxTokens":0},"thinkingLevel":"off","isStreaming":false,"isCompacting":false,"steeringMode":"one-at-a-time","followUpMode":"one-at-a-time","sessionId":"id-1","autoCompactionEnabled":true,"messageCount":0,"pendingMessageCount":0}}`,
			`{"id":7,"type":"response","command":"get_commands","success":true,"data":{"commands":[`+
				`{"name":"a","description":"first","source":"extension","sourceInfo":{"path":"a.ts","source":"cli","scope":"temporary","origin":"top-level"}},`+
				`{"name":"b","source":"extension","sourceInfo":{"path":"b.ts","source":"cli","scope":"temporary","origin":"top-level"}}]}}`)
		d.quit()
	})
}

// Capabilities are off until asked for, each on its own; what is asked wrongly
// changes nothing, and what is unknown is named, not refused.
func TestSetCapabilities(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := serve(t, nil, nil)
		const response = `{"type":"response","command":"set_extension_ui_capabilities","success":true,"data":{"on":[%s],"supported":["dismiss","questionnaire"]%s}}`
		for _, step := range []struct{ fields, on, more string }{
			{``, ``, ``},
			{`,"questionnaire":true`, `"questionnaire"`, ``},
			{`,"zebra":1,"dismiss":true,"apple":null`, `"dismiss","questionnaire"`, `,"unknown":["apple","zebra"]`},
			{`,"questionnaire":false`, `"dismiss"`, ``},
		} {
			d.send(`{"type":"set_extension_ui_capabilities"` + step.fields + `}`)
			d.expect(fmt.Sprintf(response, step.on, step.more))
		}
		d.send(`{"type":"set_extension_ui_capabilities","questionnaire":true,"dismiss":"no"}`)
		if got := d.line(); !strings.Contains(got, `"success":false`) || !strings.Contains(got, `dismiss`) || !strings.Contains(got, `\"no\"`) {
			t.Errorf("got %s", got)
		}
		d.send(`{"type":"set_extension_ui_capabilities"}`)
		d.expect(fmt.Sprintf(response, `"dismiss"`, ``))
		d.quit()
	})
}

// The name of a slash command ends at the first space and nowhere else, and its
// arguments are all that follows, as it is.
func TestPromptSplitsAsPi(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := make(chan string, 1)
		r := &extensions{commands: map[string]func(context.Context, *agent.Session, string) error{}}
		for _, name := range []string{"go", "go\nline", "go\ttab", ""} {
			r.commands[name] = func(_ context.Context, _ *agent.Session, args string) error {
				got <- name + "|" + args
				return nil
			}
		}
		d := serve(t, r, nil)
		for message, want := range map[string]string{
			`/go`: "go|", `/go `: "go|", `/go  a  b `: "go| a  b ", `/go\nline x`: "go\nline|x", `/go\ttab`: "go\ttab|", `/`: "|", `/ go`: "|go",
		} {
			d.send(`{"id":"p","type":"prompt","message":"` + message + `"}`)
			d.expect(handled)
			if g := <-got; g != want {
				t.Errorf("%s: got %q, want %q", message, g, want)
			}
		}
		d.quit()
	})
}

// A prompt that nobody takes, or without a text, fails and says why.
func TestPromptUnhandled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &extensions{prompt: func(_ context.Context, _ *agent.Session, p *agent.Prompt) error {
			switch p.Text {
			case "take this":
				return nil
			case "fail":
				return errors.New("the model is on fire")
			}
			return agent.ErrUnhandled
		}}
		d := serve(t, r, nil)
		for fields, want := range map[string]string{
			`"message":"/nope a"`:   `"error":"nothing handles this prompt: there is no command /nope and no model"`,
			`"message":" /go"`:      `"error":"nothing handles this prompt: there is no model"`,
			`"message":"fail"`:      `"error":"the model is on fire"`,
			`"message":"take this"`: `"data":{"disposition":"handled"}`,
			`"message":7`:           `message`,
			`"text":"x"`:            `message`,
		} {
			d.send(`{"id":"p","type":"prompt",` + fields + `}`)
			if got := d.line(); !strings.Contains(got, want) || !strings.HasPrefix(got, `{"id":"p","type":"response","command":"prompt"`) ||
				strings.Contains(got, `"success":true`) != strings.Contains(want, "handled\"}") {
				t.Errorf("%s: got %s", fields, got)
			}
		}
		d.quit()
	})
}

// A streaming answer: the response comes first, get_state shows it, a second prompt
// is refused, and an abort is answered when it has ended.
func TestStreamingPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &extensions{prompt: func(ctx context.Context, s *agent.Session, p *agent.Prompt) error {
			if err := p.Start(ctx); err != nil {
				return err
			}
			_ = s.Emit(ctx, []byte(`{"type":"agent_start"}`))
			<-ctx.Done()
			time.Sleep(time.Second) // it takes a while to stop
			_ = s.Emit(ctx, []byte(`{"type":"agent_end"}`))
			return nil
		}}
		d := serve(t, r, nil)
		d.send(`{"id":"1","type":"prompt","message":"hello"}`)
		d.expect(`{"id":"1","type":"response","command":"prompt","success":true,"data":{"disposition":"started"}}`, `{"type":"agent_start"}`)
		d.send(`{"type":"get_state"}`)
		if got := d.line(); !strings.Contains(got, `"isStreaming":true`) {
			t.Errorf("state: %s", got)
		}
		d.send(`{"id":"2","type":"prompt","message":"hello"}`)
		if got := d.line(); !strings.Contains(got, `already processing`) || !strings.Contains(got, `"success":false`) {
			t.Errorf("second prompt: %s", got)
		}
		d.send(`{"id":"a","type":"abort"}`)
		d.expect(`{"type":"agent_end"}`, `{"id":"a","type":"response","command":"abort","success":true}`)
		d.send(`{"type":"get_state"}`)
		if got := d.line(); !strings.Contains(got, `"isStreaming":false`) {
			t.Errorf("state: %s", got)
		}
		d.quit()
	})
}

// An answer that settles makes room at once: nothing streams while that is told, and what
// the client sends then waits until it has been told, even if the handler goes on.
func TestSettledPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &extensions{prompt: func(ctx context.Context, s *agent.Session, p *agent.Prompt) error {
			p.Settle(func() { t.Error("told before it began") })
			if err := p.Start(ctx); err != nil {
				return err
			}
			p.Settle(func() {
				if err := s.WaitForIdle(ctx); err != nil || s.Streaming() {
					t.Errorf("it is not idle: %v", err)
				}
				_ = s.Emit(ctx, []byte(`{"type":"agent_settled"}`))
				time.Sleep(time.Second)
				_ = s.Emit(ctx, []byte(`{"type":"told"}`))
			})
			p.Settle(func() { t.Error("told twice") })
			<-ctx.Done()
			return nil
		}}
		d := serve(t, r, nil)
		const started = `{"id":"p","type":"response","command":"prompt","success":true,"data":{"disposition":"started"}}`
		prompt := `{"id":"p","type":"prompt","message":"hello"}`
		d.send(prompt)
		d.expect(started, `{"type":"agent_settled"}`)
		d.send(`{"type":"get_state"}`)
		if got := d.line(); !strings.Contains(got, `"isStreaming":false`) {
			t.Errorf("state: %s", got)
		}
		d.send(prompt)
		d.expect(`{"type":"told"}`, started, `{"type":"agent_settled"}`)
		d.send(prompt, `{"id":"a","type":"abort"}`)
		d.expect(`{"id":"p","type":"response","command":"prompt","success":false,"error":"aborted before it started"}`,
			`{"type":"told"}`, `{"id":"a","type":"response","command":"abort","success":true}`)
		d.quit()
	})
}

// Commands start in the order in which they came: what a quick one writes precedes
// the next one's. One that takes its time holds up nobody for long.
func TestCommandsStartInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &extensions{commands: map[string]func(context.Context, *agent.Session, string) error{
			"say":  func(ctx context.Context, s *agent.Session, args string) error { return s.UI().SetTitle(ctx, args) },
			"slow": func(ctx context.Context, _ *agent.Session, _ string) error { <-ctx.Done(); return nil },
		}}
		d := serve(t, r, nil)
		go func() {
			for i := range 200 {
				d.send(fmt.Sprintf(`{"type":"prompt","message":"/say %d"}`, i))
			}
			d.send(`{"type":"prompt","message":"/slow"}`, `{"type":"prompt","message":"/say last"}`)
		}()
		start := time.Now()
		for i := 0; i <= 200; {
			req, err := protocol.DecodeRequest([]byte(d.line()))
			if err != nil {
				continue // a response
			}
			want := fmt.Sprint(i)
			if i == 200 {
				want = "last"
			}
			if got := req.(*protocol.SetTitle).Title; got != want {
				t.Fatalf("got %s, want %s", got, want)
			}
			i++
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("took %v", took)
		}
		if rest, err := d.end(); strings.Count(rest, `"handled"`) < 2 || err != nil {
			t.Errorf("rest %s, %v", rest, err)
		}
	})
}

// call_tool answers with what the runtime gives; what cannot be run is an error.
func TestCallTool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &extensions{tool: func(_ context.Context, _ *agent.Session, call agent.ToolCall) (*agent.ToolResult, error) {
			switch call.Tool {
			case "echo":
				r := agent.TextResult(string(call.Input))
				r.Content = append(r.Content, agent.Content{Type: "image", Data: "AA==", MIMEType: "image/png"})
				r.Details = jsontext.Value(`{"id":"` + call.ID + `"}`)
				return r, nil
			case "fails":
				return agent.ErrorResult("no"), nil
			case "panics":
				panic("oh")
			}
			return nil, agent.ErrUnknownTool
		}}
		d := serve(t, r, nil)
		for fields, want := range map[string]string{
			`"toolName":"fails"`:            `"success":true,"data":{"content":[{"type":"text","text":"no"}],"isError":true}}`,
			`"toolName":"nope"`:             `"success":false,"error":"call tool \"nope\": unknown tool"}`,
			`"toolName":"panics"`:           `"success":false,"error":"call tool \"panics\": panic: oh"}`,
			`"toolName":"echo","input":[1]`: `"success":false,"error":"call_tool command: field \"input\" is [1], want an object"}`,
			`"input":{}`:                    `"success":false,"error":"call_tool command: field \"toolName\" is missing, want a string"}`,
		} {
			d.send(`{"id":"t","type":"call_tool",` + fields + `}`)
			if got := d.line(); !strings.HasPrefix(got, `{"id":"t","type":"response","command":"call_tool",`+want) {
				t.Errorf("%s: got %s", fields, got)
			}
		}
		d.send(`{"id":"t","type":"call_tool","toolName":"echo","input":{"command":"ls"}}`)
		got := d.line()
		if !strings.Contains(got, `"data":{"content":[{"type":"text","text":"{\"command\":\"ls\"}"},{"type":"image","data":"AA==","mimeType":"image/png"}],"details":{"id":"id-`) ||
			!strings.HasSuffix(got, `,"isError":false}}`) {
			t.Errorf("got %s", got)
		}
		d.quit()
	})
}

// An abort reaches commands that have not started, and they say so.
func TestAbortOfWaitingCommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started := make(chan struct{})
		r := &extensions{commands: map[string]func(context.Context, *agent.Session, string) error{
			"busy": func(ctx context.Context, _ *agent.Session, _ string) error { close(started); <-ctx.Done(); return nil },
			"go":   func(context.Context, *agent.Session, string) error { t.Error("it ran"); return nil },
		}}
		d := serve(t, r, nil)
		d.send(`{"id":"b","type":"prompt","message":"/busy"}`)
		<-started
		d.send(goLine, `{"id":"a","type":"abort"}`)
		d.expect(`{"id":"a","type":"response","command":"abort","success":true}`,
			strings.Replace(handled, `"p"`, `"b"`, 1),
			`{"id":"p","type":"response","command":"prompt","success":false,"error":"aborted before it started"}`)
		d.quit()
	})
}

// A handler that stops because its context ended has not failed; one that fails for
// another reason then has.
func TestErrorsAfterAnAbort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &extensions{commands: map[string]func(context.Context, *agent.Session, string) error{
			"go": func(ctx context.Context, _ *agent.Session, args string) error {
				<-ctx.Done()
				if args == "" {
					return fmt.Errorf("wait: %w", ctx.Err())
				}
				return errors.New(args)
			},
		}}
		d := serve(t, r, nil)
		abort := func(line string) {
			d.send(line)
			synctest.Wait()
			d.send(`{"id":"a","type":"abort"}`)
			d.expect(`{"id":"a","type":"response","command":"abort","success":true}`)
		}
		abort(goLine)
		d.expect(handled)
		abort(strings.Replace(goLine, "/go", "/go broken", 1))
		d.expect(`{"type":"extension_error","extensionPath":"command:go","event":"command","error":"broken"}`, handled)
		d.quit()
	})
}

// An agent serves once.
func TestServeTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := serve(t, nil, nil)
		d.quit()
		if err := d.agent.Serve(t.Context(), strings.NewReader(""), new(strings.Builder)); err == nil {
			t.Error("no error")
		}
	})
}

// Options that contradict themselves are a programmer's error.
func TestNewRefusesBadOptions(t *testing.T) {
	for _, o := range []agent.Options{{Dialect: "omp"}, {MaxRecord: -1}, {Grace: -1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v: no panic", o)
				}
			}()
			agent.New(nil, &o)
		}()
	}
}

// A client that takes its first prompt after the response to get_commands has seen
// what session_start asks by then.
func TestCommandsAreListedAfterSessionStartHasAsked(t *testing.T) {
	hold := make(chan struct{})
	d := serve(t, &extensions{start: func(ctx context.Context, s *agent.Session, _ agent.Reason) {
		<-hold
		_, _ = s.UI().Confirm(ctx, "Trust this folder?", "It is new.", nil)
	}}, nil)
	d.send(`{"type":"get_commands","id":"c"}`, `{"type":"get_state","id":"s"}`)
	if got := d.line(); !strings.Contains(got, `"command":"get_state"`) {
		t.Fatalf("get_state waits for session_start: %s", got)
	}
	close(hold)
	d.expect(`{"type":"extension_ui_request","id":"id-2","method":"confirm","title":"Trust this folder?","message":"It is new."}`)
	if got := d.line(); !strings.Contains(got, `"command":"get_commands"`) {
		t.Fatalf("got %s", got)
	}
	d.end()
}

// As in pi, a prompt comes behind what session_start does, but one that does not return
// keeps no prompt waiting for more than a second.
func TestPromptsWaitForSessionStart(t *testing.T) {
	for takes, want := range map[time.Duration]time.Duration{900 * time.Millisecond: 900 * time.Millisecond, time.Hour: time.Second} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			d := serve(t, &extensions{
				start: func(ctx context.Context, _ *agent.Session, _ agent.Reason) {
					select {
					case <-time.After(takes):
					case <-ctx.Done():
					}
				},
				commands: map[string]func(context.Context, *agent.Session, string) error{
					"say": func(ctx context.Context, s *agent.Session, args string) error { return s.UI().SetTitle(ctx, args) },
				},
			}, nil)
			d.send(`{"type":"prompt","message":"/say it"}`)
			d.expect(`{"type":"extension_ui_request","id":"id-2","method":"setTitle","title":"it"}`, `{"type":"response","command":"prompt","success":true,"data":{"disposition":"handled"}}`)
			if took := time.Since(began); took != want {
				t.Errorf("session_start takes %v: the prompt ran after %v, want %v", takes, took, want)
			}
			d.quit()
		})
	}
}
