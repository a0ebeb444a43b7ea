// Command extui runs a coding agent and answers the dialogs of its extensions,
// or is such an agent. See docs/run.md for the manual, and the package client
// for the same in a Go program.
//
// # Who is at fault when something blocks
//
// The program waits for three parties: the person (an open dialog, or the next
// line), the agent (the answer to a command) and, at the end, the agent's exit,
// which is forced after a few seconds. Ctrl-C ends any of them.
package main

import "os"

func main() {
	os.Exit(execute(processWorld()))
}
