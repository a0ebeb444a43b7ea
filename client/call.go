package client

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"extui/protocol"
)

// call is one command that waits for its response. Its channel is never written
// to by more than the reading goroutine, which never waits for it.
type call struct {
	// replies has room for all that a command can be answered with: a response,
	// then, for a prompt of oh-my-pi, a result or a second response.
	replies chan reply
	// then is called by the reading goroutine instead, where it is not nil.
	then func(error)
}

// reply is a response, or what stands for one.
type reply struct {
	response *protocol.CommandResponse // nil: result or err
	result   *promptResult
	err      error // the response could not be read
}

// renewing are the commands after which an agent may have forgotten what the
// client opted in to.
var renewing = map[string]bool{"new_session": true, "switch_session": true, "fork": true, "reload": true}

// renews reports whether r says that there is a new session.
func renews(r *protocol.CommandResponse) bool {
	if !r.Success || !renewing[r.Command] {
		return false
	}
	var data struct {
		Cancelled bool `json:"cancelled"`
	}
	if r.Data != nil {
		// Data of another shape says nothing about a cancellation.
		_ = json.Unmarshal(r.Data, &data)
	}
	return !data.Cancelled
}

// Call sends a command and waits for its response. Its fields stand behind
// "type" and "id" in the order given; their values must be JSON.
//
// It blocks until the response comes, ctx ends or the agent is gone, however
// many dialogs open meanwhile: the response to a prompt, for instance, comes
// after the dialogs of the command that it runs. So never wait for Call where a
// front end answers. When ctx ends the command still runs, and its late response
// is swallowed.
//
// The response is nil if and only if there is an error: a [*CommandError] for
// success:false, which matches [ErrUnknownCommand] if the agent does not know
// the command; one that matches [ErrAgentGone] or [ErrStopped]; one that wraps
// ctx.Err(). Use [Client.Prompt] and the others for the commands that they know.
func (c *Client) Call(ctx context.Context, command string, fields ...protocol.Field) (*protocol.CommandResponse, error) {
	k := &call{replies: make(chan reply, 1)}
	id, err := c.begin(ctx, command, k, fields)
	if err != nil {
		return nil, err
	}
	defer c.forget(id)
	return c.await1(ctx, command, k)
}

// await1 waits for one response.
func (c *Client) await1(ctx context.Context, command string, k *call) (*protocol.CommandResponse, error) {
	r, err := c.reply(ctx, command, k)
	switch {
	case err != nil:
		return nil, err
	case r.err != nil:
		return nil, fmt.Errorf("command %s: %w", command, r.err)
	case r.response == nil:
		return nil, fmt.Errorf("command %s: answered by a result before its response", command)
	case !r.response.Success:
		return nil, &CommandError{command, r.response.Error}
	}
	if renews(r.response) {
		// Before the caller can send the first prompt of the new session.
		c.optIn(ctx)
	}
	return r.response, nil
}

// reply waits for the next thing that answers k.
func (c *Client) reply(ctx context.Context, command string, k *call) (reply, error) {
	select {
	case r := <-k.replies:
		return r, nil
	case <-ctx.Done():
	case <-c.lost:
	}
	select {
	case r := <-k.replies: // it came just before the end
		return r, nil
	default:
	}
	if ctx.Err() != nil {
		return reply{}, fmt.Errorf("command %s: %w", command, ctx.Err())
	}
	return reply{}, fmt.Errorf("command %s: %w", command, c.over(errOutputEnded))
}

// begin registers k and sends its command.
func (c *Client) begin(ctx context.Context, command string, k *call, fields []protocol.Field) (protocol.ID, error) {
	for _, f := range fields {
		if f.Name == "type" || f.Name == "id" {
			return protocol.ID{}, fmt.Errorf("command %s: field %q is the client's own", command, f.Name)
		}
		if !f.Value.IsValid() {
			return protocol.ID{}, fmt.Errorf("command %s: field %q is no JSON", command, f.Name)
		}
	}
	c.mu.Lock()
	if c.gone != nil || c.stopping {
		c.mu.Unlock()
		return protocol.ID{}, fmt.Errorf("command %s: %w", command, c.over(errInputClosed))
	}
	c.lastCall++
	id := protocol.StringID(c.prefix + strconv.FormatUint(c.lastCall, 10))
	c.calls[id] = k
	c.mu.Unlock()

	record := protocol.AppendCommand(nil, &protocol.Command{ID: id, Type: command, Fields: fields})
	err := c.out.Write(ctx, record)
	if err == nil {
		return id, nil
	}
	c.forget(id)
	if ctx.Err() != nil {
		return protocol.ID{}, fmt.Errorf("command %s: %w", command, err)
	}
	return protocol.ID{}, fmt.Errorf("command %s: %w", command, c.over(err))
}

func (c *Client) forget(id protocol.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.calls, id)
}

// response takes one response record.
func (c *Client) response(record []byte) {
	r, err := protocol.DecodeCommandResponse(record)
	if err != nil {
		d := Diagnostic{Kind: KindBadResponse, Bytes: int64(len(record)), Err: err}
		if r != nil {
			d.ID = r.ID
		}
		c.note(d)
		if r == nil || !c.deliver(r.ID, reply{err: err}) {
			c.publish(record)
		}
		return
	}
	// Some agents answer the answers. Such a record has the id of a dialog, which
	// means nothing here.
	if r.Command == protocol.TypeResponse {
		return
	}
	renewed := renews(r)
	if renewed {
		c.forgetReports()
	}
	if c.deliver(r.ID, reply{response: r}) {
		return
	}
	if renewed {
		c.own.Start(func() { c.optIn(c.base) })
	}
	if !c.isOurs(r.ID) { // what is ours and unwanted is a late response
		c.publish(record)
	}
}

// isOurs reports whether id is that of a command of this client.
func (c *Client) isOurs(id protocol.ID) bool {
	return id.IsString() && strings.HasPrefix(id.String(), c.prefix)
}

// deliver gives r to the call of that id and reports whether there is one.
func (c *Client) deliver(id protocol.ID, r reply) bool {
	c.mu.Lock()
	k, ok := c.calls[id]
	if ok && cap(k.replies) <= 1 {
		delete(c.calls, id) // nothing else can come
	}
	c.mu.Unlock()
	if !ok {
		return false
	}
	if k.then != nil {
		err := r.err
		if r.response != nil && !r.response.Success {
			err = &CommandError{r.response.Command, r.response.Error}
		}
		k.then(err)
		return true
	}
	select {
	case k.replies <- r:
	default: // an agent that answers one command again and again
	}
	return true
}

// announce sends a command whose response nobody waits for. An agent that does
// not know it is not asked again; then, if not nil, learns the outcome.
func (c *Client) announce(ctx context.Context, command string, then func(error), fields ...protocol.Field) {
	c.mu.Lock()
	skip := c.unknown[command]
	c.mu.Unlock()
	if skip {
		return
	}
	// An error means that the agent is gone, or that nobody waits any more.
	_, _ = c.begin(ctx, command, &call{then: func(err error) {
		if then != nil {
			then(err)
		}
		switch e, _ := err.(*CommandError); {
		case err == nil:
		case e != nil && e.Is(ErrUnknownCommand):
			c.mu.Lock()
			c.unknown[command] = true
			c.mu.Unlock()
		default:
			c.note(Diagnostic{Kind: KindOptIn, Err: err})
		}
	}}, fields)
}

// optIn tells the agent what the front end can do beyond the base methods.
func (c *Client) optIn(ctx context.Context) {
	if c.front == nil {
		return
	}
	questions := canQuestionnaire(c.front)
	switch {
	case c.ohMyPi.Load():
		if questions {
			f := protocol.Field{Name: "enabled", Value: []byte("true")}
			c.announce(ctx, commandAskDialog, nil, f)
		}
	case c.opts.Dialect == Auto || c.opts.Dialect == Atomic:
		can := protocol.Capabilities{Questionnaire: questions, Dismiss: true}
		c.announce(ctx, protocol.TypeSetCapabilities, nil, can.Fields()...)
	}
}
