// Package plain asks an agent's dialogs as plain lines of text, on any terminal or pipe.
//
//	f := plain.New(os.Stdin, os.Stdout, &plain.Options{Term: os.Getenv("TERM")})
//	defer f.Close()
//	c, err := client.Start(ctx, client.Command{Path: "pi", Args: []string{"--mode", "rpc"}},
//		&client.Options{Frontend: f})
//	...
//	for {
//		line, err := f.ReadPrompt(ctx) // io.EOF at the end of the input
//		...
//		c.Prompt(ctx, line)
//	}
//
// It prints one thing a line, in words, and never needs colours or a cursor to be understood, so
// that a screen reader, a log and a script can follow it:
//
//	select: Which database?
//	  1. SQLite
//	     | A local file
//	  2. Postgres
//	time left: 30 s
//	answer with a number from 1 to 2, or with an option's text; /cancel cancels
//	1-2> 2
//
// # Answers
//
//	select         the number, or the option's text. "#2" is always the number and "=2" always the
//	               text; a line that may mean two options is refused
//	confirm        y or yes, n or no, in any case, with blanks around it; nothing else decides
//	input          one line, exactly as typed; an empty line is the empty text
//	editor         Enter opens the text editor on a terminal that has one. Otherwise lines, and then
//	               a line with a single dot; a line that begins with a dot needs one more in front.
//	               The last line gets no line break; for one, leave an empty line before the dot.
//	               /keep sends the given text as it is, byte for byte.
//	questionnaire  number or text, or "1,3" where several may be chosen, /none for none of them; ?2
//	               shows a preview, /own TEXT is an answer in one's own words, /chat or /chat TEXT
//	               asks to talk, /skip leaves a question open, /back goes back, /keep keeps an
//	               answer that was given before. "send" sends what the review shows.
//	any            /cancel cancels, and so do Ctrl-C and Escape in Keys mode. Where a text is wanted,
//	               //cancel is the text /cancel, and so on with more slashes; /keep likewise.
//
// Nothing is decided by an empty line, a time that runs out, or the end of the input, which cancels
// every dialog. On a terminal a line that is no answer is explained and the question asked again.
// From a pipe it cancels the dialog instead: whoever wrote the lines behind it did not count on a
// second attempt, and one of them might answer what it was not meant for. A last line without a line break may
// have been cut off: from a pipe it is a text or a prompt, but chooses nothing; on a terminal,
// where nobody has pressed Enter, it is nothing.
//
// # Whose a line is
//
// On a terminal, what is typed in the first moment of a dialog ([Options.MinDelay]), and on from
// there without a pause, does not answer it, and neither does the rest of a line that was begun
// before, up to its Enter. In Keys mode it stays in the line for the agent, unsent. In Lines mode
// the terminal keeps a line to itself until Enter is pressed, so the dialog's prompt appears when
// that moment is over; what was typed before is printed as not taken, and if a line was begun there,
// so is the first that comes. Where the system cannot tell, no first line is taken. What was typed for a dialog that ends by itself is printed as "not sent", to be copied.
//
// From a pipe a line belongs to whoever wanted it first, whether it lay ready or comes late. A
// dialog that ends by itself takes the lines along that it has not had: they are printed as "not
// sent" when they come. A line that was awaited as a prompt stays one though a dialog opens, which
// gets the next.
//
// A dialog is cancelled at once if in is a terminal and out is not: who types cannot see it.
//
// # Text from the agent
//
// All of it passes through a filter that makes control characters, escape sequences, direction
// overrides and invisible characters visible. What is to be approved is printed in full, wrapped,
// never cut. Each line of it but the first, which stands behind a word of ours, begins with a bar,
// as does what the agent says while a dialog is on screen, so that no text can pass for an option,
// a prompt or a message of the program. What it says at other times is free text.
//
// # Concurrency
//
// All methods may be called at once. Dialogs are shown one at a time, in the order of their Ask,
// and the others are counted. One goroutine reads the input; it belongs to the Frontend and ends
// in Close. From a pipe it hands a line over only when a dialog is open or ReadPrompt waits, and
// reads one ahead; see [Frontend.Ended].
//
// # Who is at fault when something blocks
//
// Every method that prints waits for out: a terminal or pipe that takes nothing stops Show, and
// with it the agent, which is the flow control one expects. Nothing that prints waits for input.
// Close waits for the goroutine that reads, which it can end for files and for readers that can be
// closed; see [New]. Options.Complete and Options.Interrupt hold up the keyboard while they run.
package plain
