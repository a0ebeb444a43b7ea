package proxy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"extui/protocol"
)

// asker is the client as the front end that rules hand dialogs on to.
type asker struct{ p *Proxy }

// errNotOpen refuses to ask the client what it may not be asked, or not again.
var errNotOpen = errors.New("the dialog is not open, or the client has been asked before")

func (a asker) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	e, ok := ctx.Value(dialogKey{}).(*dialog)
	if !ok {
		return nil, fmt.Errorf("ask the client: %w", errNotOpen)
	}
	return a.p.ask(ctx, e)
}

// Show does nothing: updates pass as they are.
func (a asker) Show(protocol.Update) {}

// Capabilities says that questionnaires may be asked, walked if need be.
func (a asker) Capabilities() protocol.Capabilities {
	return protocol.Capabilities{Questionnaire: true}
}

// ask asks the client and returns what it answers.
func (p *Proxy) ask(ctx context.Context, e *dialog) (protocol.Answer, error) {
	q, walk := e.d.(*protocol.Questionnaire)
	walk = walk && p.mustWalk(q)
	p.mu.Lock()
	if e.settled || e.asked || e.walking {
		p.mu.Unlock()
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		return nil, errNotOpen
	}
	e.walking = walk
	if !walk {
		p.show(e)
	}
	p.mu.Unlock()
	if walk {
		return p.walk(ctx, e, q)
	}
	record, err := e.forClient(ctx, e.line)
	if err == nil {
		err = p.client.write(record)
	}
	close(e.wrote)
	e.placed()
	if err != nil {
		return nil, err
	}
	select {
	case raw := <-e.reply:
		if late(ctx) {
			<-ctx.Done() // Its time is over, and whoever ends it late.
			return nil, context.Cause(ctx)
		}
		a, exact, err := meaning(e.d, raw)
		if exact {
			p.mu.Lock()
			e.answered, e.meaning = raw, a
			p.mu.Unlock()
		}
		return a, err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// late reports whether the deadline of ctx has passed, whether or not ctx has ended.
func late(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ok && !time.Now().Before(deadline)
}

// forClient is the request as the client gets it: as it came, but for the id if the client
// could take that for another's, and for the end of ctx as its timeout if its own is longer
// or missing.
func (e *dialog) forClient(ctx context.Context, line []byte) ([]byte, error) {
	d := e.d
	renamed := e.face != d.RequestID()
	if renamed {
		d = protocol.WithID(d, e.face).(protocol.Dialog)
	}
	timeout, limited := timeLeft(ctx, d)
	if limited {
		d = protocol.WithTimeout(d, timeout)
	}
	// One that came in parts is too long for one line.
	inParts := bytes.IndexByte(line, '\n') < len(line)-1
	switch {
	case renamed && inParts:
		return nil, fmt.Errorf("the client has not answered another dialog with its id %q, and could mean that one", e.d.RequestID())
	case !renamed && (inParts || !limited):
		return line, nil
	}
	record, err := protocol.AppendRequest(nil, d)
	if err != nil && renamed {
		return nil, fmt.Errorf("ask the client: %w", err)
	}
	if err != nil {
		return line, nil
	}
	return append(record, '\n'), nil
}

// timeLeft is how long ctx leaves for a dialog, if that is worth telling the client.
func timeLeft(ctx context.Context, d protocol.Dialog) (timeout protocol.Timeout, ok bool) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return timeout, false
	}
	left := time.Until(deadline)
	// A deadline that is the dialog's own has lost no more than the time since.
	if own, ok := d.DialogTimeout().Duration(); ok && own-left < ownTimeout {
		return timeout, false
	}
	timeout, err := protocol.After(max(left.Round(time.Millisecond), time.Millisecond))
	return timeout, err == nil
}

// ownTimeout is how much shorter a limit must be than a dialog's own timeout to be
// told to the client.
const ownTimeout = 100 * time.Millisecond
