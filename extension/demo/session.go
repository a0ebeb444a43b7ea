package demo

import (
	"errors"

	"extui/agent"
	"extui/extension"
	"extui/protocol"
)

// greet sets the title, a status entry and a widget when a session starts. No
// client need have sent anything by then.
func greet(ctx *extension.Context, e *extension.SessionStart) error {
	title := "extui demo"
	if e.Reason == agent.ReasonNew {
		title += " (new session)"
	}
	return errors.Join(
		ctx.UI.SetTitle(ctx, title),
		ctx.UI.SetStatus(ctx, name, "ready"),
		ctx.UI.SetWidget(ctx, name, []string{
			"This is the demo agent. It has no model and changes nothing.",
			"/demo asks one question of each kind; /call bash rm -rf build meets a gate.",
		}, protocol.AboveEditor),
	)
}

// guardSession asks before a session is left. Only a yes lets it go.
func guardSession(ctx *extension.Context, _ *extension.SessionBeforeSwitch) (cancel bool, err error) {
	yes, err := ctx.UI.Confirm(ctx, "Clear session?", "All messages will be lost.", nil)
	if yes && err == nil {
		return false, nil
	}
	if errors.Is(err, agent.ErrNoAnswer) {
		err = nil // A dismissed question is a no like any other.
	}
	return true, errors.Join(err, ctx.UI.Notify(ctx, "The session stays.", protocol.NotifyInfo))
}
