package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Close stops the agent: every open dialog is answered cancelled (for the front
// end it ends with [ErrStopped]), that is written out, the agent's input is
// closed, and its output is read to its end. A process that has not exited
// after [Options.Grace] gets SIGTERM, and SIGKILL after the same time again,
// with its whole group. Close then waits for all calls of [Frontend.Ask].
//
// When ctx ends first, what is left of this is hurried: the process is killed
// and the error wraps ctx.Err(). A front end that does not return from Ask
// though its context has ended is at fault then, and its goroutine stays until
// it does. Otherwise an error means that open dialogs could not be cancelled,
// or that the process had to be killed; how the agent ended is in [Client.Err].
//
// Close may be called several times and at once. It must not be called from
// Ask, Show, or anything that the client calls, for it waits for these.
func (c *Client) Close(ctx context.Context) error {
	c.beginStop()
	select {
	case <-c.done:
	case <-ctx.Done():
		c.hurryUp()
		select {
		case <-c.done:
		case <-after(outputGrace + exitGrace):
			return fmt.Errorf("stop agent: it has not ended: %w", ctx.Err())
		}
	}
	err := c.asks.Wait(ctx)
	if err != nil {
		err = fmt.Errorf("stop agent: front end: %w", err)
	}
	select {
	case <-c.abandoned: // stopErr says so
	default:
		if own := c.own.Wait(ctx); own != nil && err == nil {
			err = fmt.Errorf("stop agent: %w", own)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Join(c.stopErr, err)
}

// beginStop starts the stopping once. It does not block.
func (c *Client) beginStop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopping {
		return
	}
	c.stopping = true
	ids := 0
	for _, d := range c.open {
		c.settle(d, nil, ErrStopped)
		c.cancelUnasked(d.request.RequestID())
		ids++
	}
	c.own.Start(func() { c.stop(ids) })
}

// stop takes the agent down. cancelled is how many dialogs were open.
func (c *Client) stop(cancelled int) {
	c.mirror.out.drain()
	ctx, cancel := context.WithTimeout(c.hurry, c.opts.Grace)
	defer cancel()
	err := c.sends.Wait(ctx)
	if cerr := c.out.Close(ctx); err == nil {
		err = cerr
	}
	c.mu.Lock()
	// An agent that has gone meanwhile needs no cancellation.
	if cancelled > 0 && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		c.stopErr = fmt.Errorf("stop agent: cancel %d open dialogs: %w", cancelled, err)
	}
	c.mu.Unlock()
	_ = c.stdin.Close() // an agent that is gone already makes it fail

	if c.proc != nil {
		if c.proc.terminate(c.hurry, c.opts.Grace) {
			c.mu.Lock()
			c.stopErr = errors.Join(c.stopErr, errors.New("stop agent: it had to be killed"))
			c.mu.Unlock()
		}
		return
	}
	if c.waitDone(c.opts.Grace) {
		return
	}
	if r, ok := c.source.(io.Closer); ok {
		_ = r.Close() // only to end the reading
		if c.waitDone(c.opts.Grace) {
			return
		}
	}
	c.mu.Lock()
	c.stopErr = errors.Join(c.stopErr, fmt.Errorf("stop agent: %w, and cannot be closed", errOutputHeld))
	c.mu.Unlock()
	close(c.abandoned)
}

// waitDone waits for the end for d at most, or as long as nobody hurries.
func (c *Client) waitDone(d time.Duration) bool {
	select {
	case <-c.done:
		return true
	case <-c.hurry.Done():
	case <-after(d):
	}
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}
