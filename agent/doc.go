// Package agent is the agent end of the protocol: ctx.ui for extensions, and the
// command loop on the stdin and stdout of a headless coding agent.
//
//	a := agent.New(host, nil) // host: extension.NewHost(…), or any Runtime
//	err := a.Serve(ctx, os.Stdin, os.Stdout)
//
// In any handler, or with a.UI() from elsewhere in the program:
//
//	ok, err := ui.Confirm(ctx, "Clear session?", "All messages will be lost.", nil)
//	if errors.Is(err, agent.ErrNoAnswer) {
//		return // nobody decided: dismissed, timed out, disconnected, …
//	}
//	ui.Notify(ctx, "Cleared", protocol.NotifyInfo)
package agent
