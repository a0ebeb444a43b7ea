package main

import (
	"fmt"
	"strings"

	"extui/client"
	"extui/internal/safetext"
)

// events shows what the agent does. It belongs to the goroutine that reads the
// agent.
type events struct {
	ui  ui
	act *activity
	// streamed says that the text of the message in progress was shown in pieces.
	streamed bool
}

// record takes one record of the agent that is no UI request and no response.
func (s *session) record(record []byte) {
	event, err := client.DecodeEvent(record)
	if err != nil {
		s.notes.print("note", err.Error())
	}
	if event != nil {
		s.alive.Store(true)
		s.events.show(event)
	}
}

func (e *events) show(event client.Event) {
	if all, ok := e.ui.(eventUI); ok {
		all.Event(event)
		e.count(event)
		return
	}
	e.count(event)
	switch v := event.(type) {
	case client.AgentSettled:
		if v.Aborted {
			e.ui.Line("[aborted]")
		}
	case client.MessageStart:
		e.streamed = false
	case client.TextDelta:
		e.streamed = true
		e.ui.Text(v.Text)
	case client.MessageEnd:
		e.endMessage(v)
	case client.ToolStart:
		e.ui.Line(fmt.Sprintf("[tool %s] %s", safetext.Line(v.Name), shorten(string(v.Args))))
	case client.ToolEnd:
		verdict := "done"
		if v.IsError {
			verdict = "failed"
		}
		e.ui.Line(fmt.Sprintf("[tool %s %s] %s", safetext.Line(v.Name), verdict, shorten(v.Text)))
	case client.ExtensionError:
		e.ui.Line(fmt.Sprintf("[extension error] %s, %s: %s",
			safetext.Line(v.ExtensionPath), safetext.Line(v.Event), safetext.Line(v.Message)))
	}
}

// count keeps what the agent is known to be doing.
func (e *events) count(event client.Event) {
	switch v := event.(type) {
	case client.AgentStart:
		e.act.change(func(d *doing) { d.running = true })
	case client.AgentEnd:
		if !v.WillRetry {
			e.endRun()
		}
	case client.AgentSettled:
		e.endRun()
	case client.ExtensionError:
		if v.Event == "command" {
			e.act.change(func(d *doing) { d.thrown++ })
		}
	}
}

func (e *events) endRun() {
	e.act.change(func(d *doing) {
		d.running = false
		d.ended++
	})
}

func (e *events) endMessage(m client.MessageEnd) {
	if m.Role != "assistant" {
		return
	}
	switch {
	case e.streamed:
		e.ui.Text("\n")
	case m.Text != "":
		e.ui.Text(m.Text + "\n")
	}
	e.streamed = false
	if m.Error != "" {
		e.ui.Line("[agent error] " + safetext.Line(m.Error))
	}
}

// shorten returns text as one line of at most 200 characters, for the log of
// what a tool does.
func shorten(text string) string {
	const limit = 200
	text = strings.TrimSpace(text)
	runes := []rune(safetext.Line(text))
	if len(runes) <= limit {
		return string(runes)
	}
	return fmt.Sprintf("%s… (%d bytes)", string(runes[:limit]), len(text))
}
