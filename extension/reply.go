package extension

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"extui/agent"
	"extui/protocol"
)

// Reply streams a text to the client as pi streams a model's answer: agent_start,
// message_update records with text_delta, agent_end. It belongs to the goroutine
// that runs [Host.OnPrompt].
type Reply struct {
	ctx    *Context
	prompt string
	text   strings.Builder
	began  int64
	ended  bool
}

// noUsage is what pi writes for an answer that cost nothing.
const noUsage = `{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}`

// StartReply answers the prompt with disposition "started" and begins an answer to
// it. End must be called. It fails if another prompt is being answered, and blocks
// while the client does not read.
func (c *Context) StartReply(p *agent.Prompt) (*Reply, error) {
	if err := p.Start(c); err != nil {
		return nil, err
	}
	r := &Reply{ctx: c, prompt: p.Text, began: time.Now().UnixMilli()}
	i := c.instance
	fire(i, c, eventAgentStart, hooksOf(i, &i.hooks.agentStart), &AgentStart{})
	user := userMessage(r.prompt, r.began)
	return r, r.emit(
		`{"type":"agent_start"}`,
		`{"type":"turn_start"}`,
		`{"type":"message_start","message":`+user+`}`,
		`{"type":"message_end","message":`+user+`}`,
		`{"type":"message_start","message":`+message("", "pending", r.began)+`}`,
		update(`{"type":"text_start","contentIndex":0}`),
	)
}

// Text streams a piece of the answer. It blocks while the client does not read.
func (r *Reply) Text(delta string) error {
	r.text.WriteString(delta)
	return r.emit(update(`{"type":"text_delta","contentIndex":0,"delta":` + quote(delta) + `}`))
}

// End completes the answer. If the context has ended, it is marked as aborted.
func (r *Reply) End() error {
	if r.ended {
		return errors.New("end an answer: it has ended already")
	}
	r.ended = true
	text, aborted := r.text.String(), r.ctx.Err() != nil
	done := assistantMessage(text, aborted, r.began)
	err := r.emit(
		update(`{"type":"text_end","contentIndex":0,"content":`+quote(text)+`}`),
		`{"type":"message_end","message":`+done+`}`,
		`{"type":"turn_end","message":`+done+`,"toolResults":[]}`,
	)
	i := r.ctx.instance
	fire(i, r.ctx, eventAgentEnd, hooksOf(i, &i.hooks.agentEnd), &AgentEnd{Text: text, Aborted: aborted})
	return errors.Join(err, r.emit(
		`{"type":"agent_end","messages":[`+userMessage(r.prompt, r.began)+`,`+done+`],"willRetry":false}`,
		fmt.Sprintf(`{"type":"agent_settled","aborted":%t}`, aborted),
	))
}

// emit writes records until one fails.
func (r *Reply) emit(records ...string) error {
	for _, record := range records {
		if err := r.ctx.Emit([]byte(record)); err != nil {
			return err
		}
	}
	return nil
}

func quote(s string) string { return string(protocol.AppendString(nil, s)) }

func update(event string) string {
	return `{"type":"message_update","usage":` + noUsage + `,"assistantMessageEvent":` + event + `}`
}

func userMessage(text string, at int64) string {
	return fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":%s}],"timestamp":%d}`, quote(text), at)
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
