// Package terminal is the front end that people use every day: an agent's
// conversation, its widgets and statuses, and its dialogs, on the whole screen of
// a terminal.
//
//	ui := terminal.New(os.Stdin, os.Stdout, &terminal.Options{})
//	defer ui.Close()
//	c, err := client.Start(ctx, command, &client.Options{Frontend: ui, Subscribe: func(record []byte) {
//		if e, err := client.DecodeEvent(record); err == nil && e != nil {
//			ui.Event(e)
//		}
//	}})
//	for {
//		text, err := ui.ReadPrompt(ctx) // what the person types
//		…
//	}
//
// A dialog takes the place of the prompt's editor; the conversation stays above
// it. Several dialogs form a queue, whose number is shown. One that ends by itself
// (its time ran out, the agent has gone) says why in the conversation, and what
// had been typed into it can be called back.
//
// # What approves
//
// Only a key that is pressed while a dialog is on the screen, has been for
// [Options.MinDelay], and after a pause of that length if somebody was typing
// when it appeared. Escape cancels. A confirm begins at No, a select with nothing
// marked. Text of the agent passes through package safetext, so that it cannot
// paint over a question; what does not fit can be scrolled to, and a sign says
// that there is more.
//
// # Concurrency
//
// All methods of a [Frontend] may be called at once. Show, Text, Line and Event
// only queue and never block, however slow the terminal is. Ask and ReadPrompt
// block until the person is done, their context ends, or the Frontend is closed.
// One goroutine, inside bubbletea, owns the screen and everything on it; another
// hands it what has come in, many pieces at a time. Close waits for both. If it
// hangs, the terminal has stopped taking output. If dialogs do not appear, somebody
// holds the screen: the person's own editor, or a suspended program.
package terminal
