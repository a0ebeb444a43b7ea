package extension

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"extui/agent"
	"extui/protocol"

	"github.com/go-json-experiment/json/jsontext"
)

// Reply streams a text to the client as pi streams a model's answer: agent_start,
// turn_start, message records with text_delta, turn_end, agent_end, agent_settled.
// Before each of them the extensions have their event of the same name. It belongs to
// one goroutine.
type Reply struct {
	ctx      *Context
	text     strings.Builder
	began    int64
	messages []string // of the run so far, as JSON
	system   string
	settle   func(tell func()) // of what the reply began
	ended    bool
}

// noUsage is what pi writes for an answer that cost nothing.
const noUsage = `{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}`

// StartReply answers the prompt with disposition "started" and begins an answer to
// it, for the goroutine that runs [Host.OnPrompt]. Before, extensions have their
// before_agent_start. End must be called. It fails if another prompt is being
// answered, and blocks while the client does not read.
func (c *Context) StartReply(p *agent.Prompt) (*Reply, error) {
	r := &Reply{ctx: c, began: time.Now().UnixMilli(), settle: p.Settle}
	var added []string
	if !c.Session.Streaming() { // else Start fails, and nothing is about to begin
		added = r.before(p.Text, p.Images)
	}
	if err := p.Start(c); err != nil {
		return nil, err
	}
	return r, r.begin(p.Text, added)
}

// StartReplyTo begins an answer to a text that came by another way than a prompt of
// the client, such as one that an extension sends in the user's name. It is like
// StartReply, but no prompt gets a response. A handler of agent_settled calls it in a
// goroutine of its own, after [agent.Session.WaitSettled], or the answer begins before the
// client is told that the one before it has settled.
func (c *Context) StartReplyTo(text string) (*Reply, error) {
	r := &Reply{ctx: c, began: time.Now().UnixMilli()}
	stream, err := c.Session.BeginAnswer()
	if err != nil {
		return nil, err
	}
	r.settle = stream.Settle
	return r, r.begin(text, r.before(text, nil))
}

// AddToNextTurn keeps a message, a JSON object with customType, content, display and
// details, for the next [Reply] of the session, which begins with it. Until then nobody
// is told of it.
func (c *Context) AddToNextTurn(message jsontext.Value) error {
	m, err := object(message, nil)
	if err != nil {
		return fmt.Errorf("add a message to the next turn: %w", err)
	}
	i := c.instance
	i.mu.Lock()
	defer i.mu.Unlock()
	i.next = append(i.next, customMessage(m, time.Now().UnixMilli()))
	return nil
}

// SystemPrompt returns what handlers of before_agent_start want a model to be told
// first, "" for nothing.
func (r *Reply) SystemPrompt() string { return r.system }

// Messages returns the messages of the run so far as pi writes them, a JSON array: the
// user's, then those that extensions have added in before_agent_start.
func (r *Reply) Messages() jsontext.Value {
	return jsontext.Value("[" + strings.Join(r.messages, ",") + "]")
}

// before fires before_agent_start, and returns the messages that its handlers add.
func (r *Reply) before(text string, images jsontext.Value) (added []string) {
	i := r.ctx.instance
	for _, h := range hooksOf(i, &i.hooks.other) {
		if h.fn.name != eventBeforeAgentStart {
			continue
		}
		fields := []protocol.Field{protocol.StringField("messageType", "user"), protocol.StringField("prompt", text)}
		if images != nil {
			fields = append(fields, protocol.Field{Name: "images", Value: images})
		}
		options := protocol.Field{Name: "systemPromptOptions", Value: jsontext.Value(`{"cwd":` + quote(r.ctx.Cwd) + `}`)}
		e := newEvent(eventBeforeAgentStart, append(fields, options, protocol.StringField("systemPrompt", r.system))...)
		err := agent.Protect(func() error {
			result, err := object(h.fn.fn(r.ctx, e))
			if err != nil {
				return err
			}
			if r.system, err = optionalText(result, "systemPrompt", r.system); err != nil {
				return err
			}
			m, err := object(result["message"], nil)
			if err == nil && m != nil {
				added = append(added, customMessage(m, r.began))
			}
			return err
		})
		if err != nil {
			i.report(h.api.path, eventBeforeAgentStart, err)
		}
	}
	return added
}

// begin tells everybody that the run has begun, with the messages that stand at its
// start.
func (r *Reply) begin(text string, added []string) error {
	i := r.ctx.instance
	fire(i, r.ctx, eventAgentStart, hooksOf(i, &i.hooks.agentStart), &AgentStart{})
	err := r.emit(`{"type":"agent_start"}`)
	r.fire(eventTurnStart, fmt.Sprintf(`{"type":"turn_start","turnIndex":0,"timestamp":%d}`, time.Now().UnixMilli()))
	err = errors.Join(err, r.emit(`{"type":"turn_start"}`))
	i.mu.Lock()
	next := i.next
	i.next = nil
	i.mu.Unlock()
	r.messages = append(append([]string{userMessage(text, r.began)}, next...), added...)
	for _, m := range r.messages {
		err = errors.Join(err, r.tell("message_start", m), r.tell("message_end", m))
	}
	return errors.Join(err, r.tell("message_start", message("", "pending", r.began)), r.update(`{"type":"text_start","contentIndex":0}`))
}

// Text streams a piece of the answer. It blocks while the client does not read.
func (r *Reply) Text(delta string) error {
	r.text.WriteString(delta)
	return r.update(`{"type":"text_delta","contentIndex":0,"delta":` + quote(delta) + `}`)
}

// End completes the answer. If the context has ended, it is marked as aborted. From
// agent_settled on, for handlers and on the wire, the session streams no more, and the
// client can send its next prompt.
func (r *Reply) End() error {
	if r.ended {
		return errors.New("end an answer: it has ended already")
	}
	r.ended = true
	text, aborted := r.text.String(), r.ctx.Err() != nil
	done := assistantMessage(text, aborted, r.began)
	err := errors.Join(r.update(`{"type":"text_end","contentIndex":0,"content":`+quote(text)+`}`), r.tell("message_end", done))
	r.messages = append(r.messages, done)
	r.fire(eventTurnEnd, `{"type":"turn_end","turnIndex":0,"message":`+done+`,"toolResults":[]}`)
	err = errors.Join(err, r.emit(`{"type":"turn_end","message":`+done+`,"toolResults":[]}`))
	i := r.ctx.instance
	e := &AgentEnd{Text: text, Aborted: aborted, messages: r.Messages()}
	fire(i, r.ctx, eventAgentEnd, hooksOf(i, &i.hooks.agentEnd), e)
	err = errors.Join(err, r.emit(`{"type":"agent_end","messages":`+string(r.Messages())+`,"willRetry":false}`))
	r.settle(func() {
		settled := fmt.Sprintf(`{"type":"agent_settled","aborted":%t}`, aborted)
		r.fire(eventAgentSettled, settled)
		err = errors.Join(err, r.emit(settled))
	})
	return err
}

// tell fires and writes message_start or message_end.
func (r *Reply) tell(event, message string) error {
	record := `{"type":"` + event + `","message":` + message + `}`
	r.fire(event, record)
	return r.emit(record)
}

// update fires and writes message_update. The event has the answer so far, which is
// not put together for nobody.
func (r *Reply) update(event string) error {
	if r.ctx.instance.listens("message_update") {
		sofar := message(content(r.text.String()), "pending", r.began)
		r.fire("message_update", `{"type":"message_update","message":`+sofar+`,"assistantMessageEvent":`+event+`}`)
	}
	return r.emit(update(event))
}

func (r *Reply) fire(event, data string) {
	r.ctx.instance.fireOther(r.ctx, event, jsontext.Value(data))
}

func (r *Reply) emit(record string) error { return r.ctx.Emit([]byte(record)) }

func quote(s string) string { return string(protocol.AppendString(nil, s)) }

func update(event string) string {
	return `{"type":"message_update","usage":` + noUsage + `,"assistantMessageEvent":` + event + `}`
}

func userMessage(text string, at int64) string {
	return fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":%s}],"timestamp":%d}`, quote(text), at)
}

// customMessage is a message that an extension adds, from what its handler returned.
func customMessage(m map[string]jsontext.Value, at int64) string {
	out := `{"role":"custom"`
	for _, name := range []string{"customType", "content", "display", "details"} {
		v := m[name]
		if name == "content" && (v == nil || v.Kind() == 'n') {
			v = jsontext.Value(`[]`)
		}
		if v != nil {
			out += `,"` + name + `":` + string(v)
		}
	}
	return fmt.Sprintf(`%s,"timestamp":%d}`, out, at)
}

func assistantMessage(text string, aborted bool, at int64) string {
	if aborted {
		return message(content(text), "aborted", at)
	}
	return message(content(text), "stop", at)
}

func content(text string) string { return `{"type":"text","text":` + quote(text) + `}` }

func message(content, stop string, at int64) string {
	return fmt.Sprintf(`{"role":"assistant","content":[%s],"api":"extension","provider":"extension","model":"extension","usage":%s,"stopReason":"%s","timestamp":%d}`,
		content, noUsage, stop, at)
}
