// Package demo is an extension that shows all that an extension can ask and say,
// and an example of how one is written in Go.
//
// An extension is a value with a Setup function, which registers commands, tools
// and handlers of events. Handlers get a Context: it is a context.Context, which
// ends when the client aborts, and its UI field is what TypeScript extensions call
// ctx.ui. This is a whole extension:
//
//	extension.Extension{Name: "release", Setup: func(api *extension.API) error {
//		api.RegisterCommand(extension.Command{Name: "release", Handler: func(ctx *extension.Context, args string) error {
//			ok, err := ctx.UI.Confirm(ctx, "Release now?", "The tag is "+args, nil)
//			if err != nil || !ok {
//				return err // nobody said yes
//			}
//			return ctx.UI.Notify(ctx, "Released.", protocol.NotifyInfo)
//		}})
//		return nil
//	}}
//
// The files here, from simple to not so simple: methods.go has one command for
// each method; tour.go asks one question after the other and tells apart why an
// answer is missing; ask.go asks several in one dialog; session.go decorates the screen and guards the session;
// gate.go keeps a tool from running unless somebody allows it; reply.go streams an
// answer as a model would.
//
// # Concurrency
//
// [Extension] and [NewHost] may be called at once. The extension keeps nothing
// between calls, so that its handlers may run at once, too. They block while a
// person thinks, and return when their context ends.
package demo

import (
	"extui/extension"
)

// name names the extension, its status entry and its widget.
const name = "demo"

// Extension returns the demo extension.
func Extension() extension.Extension {
	return extension.Extension{Name: name, Path: "<demo>", Setup: setup}
}

// NewHost returns a host of the demo extension, and of those that are given, that
// also answers plain prompts.
func NewHost(more ...extension.Extension) *extension.Host {
	host := extension.NewHost(append([]extension.Extension{Extension()}, more...)...)
	host.OnPrompt = reply
	return host
}

func setup(api *extension.API) error {
	api.OnSessionStart(greet)
	api.OnSessionBeforeSwitch(guardSession)
	api.OnToolCall(gate)
	api.RegisterTool(bash())
	for _, c := range commands {
		api.RegisterCommand(c)
	}
	return nil
}

// commands are the slash commands, in the order in which a client lists them.
var commands = []extension.Command{
	{Name: "demo", Description: "Ask one question of each kind", Handler: tour},
	{Name: "select", Description: "Ask to choose from a list", Handler: askSelect},
	{Name: "confirm", Description: "Ask for a yes or no", Handler: askConfirm},
	{Name: "input", Description: "Ask for a line of text", Handler: askInput},
	{Name: "editor", Description: "Ask for a text of several lines", Handler: askEditor},
	{Name: "ask", Description: "Ask several questions in one dialog", Handler: askQuestions},
	{Name: "timeout", Description: "Ask with a time limit: /timeout SECONDS", Handler: askInTime},
	{Name: "two", Description: "Ask two questions at once", Handler: askTwo},
	{Name: "notify", Description: "Send a notification of each severity", Handler: notify},
	{Name: "status", Description: "Set the status entry: /status TEXT, or nothing to clear it", Handler: setStatus},
	{Name: "widget", Description: "Show widgets above and below the editor, /widget clear removes them", Handler: setWidget},
	{Name: "title", Description: "Set the title: /title TEXT", Handler: setTitle},
	{Name: "prefill", Description: "Put text into the editor: /prefill TEXT", Handler: prefill},
	{Name: "fail", Description: "Fail, to show how that is reported", Handler: fail},
	{Name: "unsupported", Description: "Call what needs a real terminal", Handler: unsupported},
}
