package demo

import (
	"errors"
	"fmt"
	"strings"

	"extui/agent"
	"extui/extension"
	"extui/protocol"
)

// tour asks one question of each kind. A question that is dismissed does not end
// it; an abort, and the end of the session or of the client, does.
func tour(ctx *extension.Context, _ string) error {
	steps := []func(*extension.Context, string) error{askSelect, askConfirm, askInput, askEditor}
	for i, step := range steps {
		if err := ctx.UI.SetStatus(ctx, name, fmt.Sprintf("question %d of %d", i+1, len(steps))); err != nil {
			return err
		}
		if err := step(ctx, ""); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
	}
	return ctx.UI.SetStatus(ctx, name, "ready")
}

// tell says what became of a dialog: what was answered, or why there is no answer.
// It returns an error only for what is a mistake of this extension.
func tell(ctx *extension.Context, answer string, err error) error {
	switch {
	case err == nil:
		return ctx.UI.Notify(ctx, answer, protocol.NotifyInfo)
	case ctx.Err() != nil:
		return nil // Whoever ended us knows.
	case errors.Is(err, agent.ErrDismissed):
		return ctx.UI.Notify(ctx, "You dismissed the question.", protocol.NotifyWarning)
	case errors.Is(err, agent.ErrTimedOut):
		return ctx.UI.Notify(ctx, "The time ran out.", protocol.NotifyWarning)
	case errors.Is(err, agent.ErrNoAnswer):
		return ctx.UI.Notify(ctx, fmt.Sprintf("No answer: %v.", err), protocol.NotifyWarning)
	}
	return err
}

// count returns "1 line" or "3 lines".
func count(text string) string {
	n := strings.Count(text, "\n") + 1
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}
