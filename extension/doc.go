// Package extension is what an extension is: slash commands, handlers of events and
// tools. An extension in Go is a value with a Setup function:
//
//	var hello = extension.Extension{Name: "hello", Setup: func(api *extension.API) error {
//		api.RegisterCommand(extension.Command{
//			Name: "hello",
//			Handler: func(ctx *extension.Context, args string) error {
//				name, err := ctx.UI.Input(ctx, "Who are you?", "name", nil)
//				if err != nil {
//					return err
//				}
//				return ctx.UI.Notify(ctx, "Hello, "+name, protocol.NotifyInfo)
//			},
//		})
//		return nil
//	}}
//
// A [Host] holds extensions and is the runtime of an agent:
//
//	err := agent.New(extension.NewHost(hello), nil).Serve(ctx, os.Stdin, os.Stdout)
//
// Extensions in other languages are hosted by a package that registers through the
// same [API]; [API.On] gives it events as JSON.
//
// # Sessions
//
// Setup runs anew for each session, as pi loads an extension anew, so what it keeps
// in local variables lasts as long as the session. Its order of events:
//
//	Setup, session_start, commands and tools …, session_before_switch (may cancel),
//	then every open dialog ends, session_shutdown, and the next session's Setup
//
// # Gates
//
// Handlers of tool_call and session_before_switch decide whether something may
// happen. They fail closed: an error or a panic in one blocks the tool or cancels
// the switch. Handlers run in the order of the extensions, then of registration.
//
// # Concurrency
//
// Commands, tools and handlers run at once, each in a goroutine that the agent owns;
// what an extension shares among them it must guard. They may block. A [Context]
// ends when the client aborts, when the session is replaced and when the agent ends;
// a handler that does not return then is at fault, holds up the end of the agent for
// its grace, and is reported by name. An error or a panic becomes an
// extension_error record and stops nothing else.
package extension
