package client

import (
	"errors"
	"fmt"
	"io"
	"time"

	"extui/internal/crew"
	"extui/internal/jsonl"
	"extui/protocol"
)

// reader is what only the reading goroutine uses.
type reader struct {
	started bool // a record has come
	v2      bool // oh-my-pi sends large records in parts, whole
	frame   int  // oh-my-pi's limit of a record in bytes, 0: not told
	chunks  chunks
}

// readAll reads the agent's output to its end. The error is nil for that.
func (c *Client) readAll() error {
	in := jsonl.NewReader(c.source, &jsonl.ReaderOptions{MaxRecord: c.opts.MaxRecord})
	for {
		record, err := in.Next()
		if big, ok := errors.AsType[*jsonl.OversizeError](err); ok {
			c.oversize(big)
			continue
		}
		if err != nil {
			if c.read.chunks.active() {
				c.brokenChunks(errors.New("the output ended in between"))
			}
			if err == io.EOF {
				return nil
			}
			return fmt.Errorf("read agent: %w", err)
		}
		c.record(record)
	}
}

// record takes one record. Everything but what concerns the UI and the commands
// passes through undecoded.
func (c *Client) record(record []byte) {
	typ, ok := protocol.RecordType(record)
	if !ok {
		c.badRecord(record)
		return
	}
	c.read.started = true
	if c.read.chunks.active() && typ != typeChunk {
		c.brokenChunks(fmt.Errorf("a record of type %q came in between", typ))
	}
	switch typ {
	case protocol.TypeRequest:
		c.request(record)
		return
	case protocol.TypeCommandResponse:
		c.response(record)
		return
	case typeReady:
		c.ready(record)
	case typeChunk:
		if c.ohMyPi.Load() {
			c.chunk(record)
			return
		}
	case typePromptResult:
		c.promptResult(record)
	}
	c.publish(record)
}

func (c *Client) badRecord(record []byte) {
	d := Diagnostic{Kind: KindBadRecord, Bytes: int64(len(record)),
		Err: fmt.Errorf("%w: %q", protocol.ErrNotObject, head(record))}
	if !c.read.started {
		d.Kind = KindBanner
	}
	c.note(d)
}

// head is the beginning of a record for an error message.
func head(record []byte) []byte { return record[:min(len(record), 80)] }

// oversize reports a record that was too long to keep. The agent still waits if
// it was a dialog; its id is near the front.
func (c *Client) oversize(e *jsonl.OversizeError) {
	d := Diagnostic{Kind: KindOversize, Bytes: e.Size, Err: e}
	c.refuseCut(e.Head, &d)
	c.note(d)
}

// refuseCut cancels the dialog, if it is one, of which head is what there is, for d.Err, and
// completes d.
func (c *Client) refuseCut(head []byte, d *Diagnostic) {
	small := protocol.Beginning(head)
	if typ, _ := protocol.RecordType(small); typ != protocol.TypeRequest {
		return
	}
	// An error is about the members that are missing.
	r, _ := protocol.DecodeRequest(small)
	if r == nil {
		r = &protocol.Unknown{}
	}
	d.ID, d.Method = r.RequestID(), r.Method()
	if needsAnswer(r) {
		c.endOpen(d.ID, ErrReplaced)
		c.refuse(r, d.Err)
	}
}

// needsAnswer reports whether an agent waits for the answer to a request.
func needsAnswer(r protocol.Request) bool {
	switch r := r.(type) {
	case protocol.Dialog:
		return true
	case *protocol.Unknown:
		return !r.Passive
	}
	return false
}

// request takes one extension_ui_request.
func (c *Client) request(record []byte) {
	r, err := protocol.DecodeRequest(record)
	if r == nil {
		c.badRecord(record)
		return
	}
	note := Diagnostic{Method: r.Method(), ID: r.RequestID(), Bytes: int64(len(record)), Err: err}
	replaces := needsAnswer(r) && !r.RequestID().IsZero() && c.endOpen(r.RequestID(), ErrReplaced)
	if replaces {
		dup := note
		dup.Kind, dup.Err = KindDuplicateID, fmt.Errorf("dialog with id %q: %w", r.RequestID(), ErrReplaced)
		c.note(dup)
	}
	if u, ok := r.(*protocol.Unknown); ok {
		c.unknownMethod(u, note)
		return
	}
	if err != nil {
		note.Kind = KindBadRequest
		c.note(note)
	}
	switch r := r.(type) {
	case *protocol.Cancel:
		c.endOpen(r.TargetID, &TakenBackError{Reason: r.Reason})
	case protocol.Update:
		c.show(r)
	case protocol.Dialog:
		why := err
		if err == nil {
			if note.Kind, why = c.unanswerable(r, record); why != nil {
				note.Err = fmt.Errorf("cancelled: %w", why)
				c.note(note)
			}
		}
		if why != nil {
			c.refuse(r, why)
		} else {
			c.openDialog(r, replaces)
		}
	}
}

func (c *Client) unknownMethod(u *protocol.Unknown, note Diagnostic) {
	note.Kind = KindUnknownMethod
	if note.Err == nil {
		note.Err = errors.New("the client does not know this method")
	}
	c.note(note)
	c.show(u)
	if !u.Passive {
		c.refuse(u, note.Err)
	}
}

// unanswerable says why a well-formed dialog must be cancelled rather than
// shown.
func (c *Client) unanswerable(d protocol.Dialog, record []byte) (DiagnosticKind, error) {
	if c.front == nil {
		return KindDeclined, errors.New("there is no front end to show it")
	}
	switch d := d.(type) {
	case *protocol.Select:
		if len(d.Options) == 0 {
			return KindNoOptions, errors.New("a select without options cannot be answered")
		}
	case *protocol.Questionnaire:
		if !canQuestionnaire(c.front) {
			return KindDeclined, errors.New("the front end cannot show questionnaires")
		}
	}
	if c.mayBeTrimmed(d, record) {
		return KindTrimmed, errors.New("its text may have been cut on the way")
	}
	return "", nil
}

// show gives an update to the mirror and the front end.
func (c *Client) show(u protocol.Update) {
	c.mirror.record(Change{Update: u, At: time.Now()})
	c.mirror.out.drain()
	if c.front == nil {
		return
	}
	if err := crew.Traced(func() { c.front.Show(u) }); err != nil {
		c.note(Diagnostic{Kind: KindFrontend, Method: u.Method(), ID: u.RequestID(), Err: fmt.Errorf("front end: show: %w", err)})
	}
}
