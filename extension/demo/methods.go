package demo

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"extui/agent"
	"extui/extension"
	"extui/protocol"
)

func askSelect(ctx *extension.Context, _ string) error {
	choice, err := ctx.UI.Select(ctx, "Which database?", []string{"SQLite", "PostgreSQL", "None"}, nil)
	return tell(ctx, "You chose "+choice+".", err)
}

func askConfirm(ctx *extension.Context, _ string) error {
	yes, err := ctx.UI.Confirm(ctx, "Create the tables?", "This is a demo: nothing is created.", nil)
	if yes {
		return tell(ctx, "You said yes.", err)
	}
	return tell(ctx, "You said no.", err)
}

func askInput(ctx *extension.Context, _ string) error {
	text, err := ctx.UI.Input(ctx, "What is the project called?", "a short name", nil)
	return tell(ctx, fmt.Sprintf("You typed %q.", text), err)
}

func askEditor(ctx *extension.Context, _ string) error {
	text, err := ctx.UI.Editor(ctx, "Describe it", "# Project\n\nWhat it is for.", nil)
	return tell(ctx, fmt.Sprintf("You wrote %s: %q.", count(text), text), err)
}

// askInTime shows that an agent's time limit is its own: the dialog is over when
// the time is, whatever the client does.
func askInTime(ctx *extension.Context, args string) error {
	seconds, err := strconv.ParseFloat(cmp.Or(args, "10"), 64)
	if err != nil || seconds <= 0 || seconds > 3600 {
		return fmt.Errorf("/timeout takes a number of seconds up to 3600, not %q", args)
	}
	limit := time.Duration(seconds * float64(time.Second))
	yes, err := ctx.UI.Confirm(ctx, "Are you quick?", fmt.Sprintf("The question ends after %v.", limit), &agent.DialogOptions{Timeout: limit})
	return tell(ctx, fmt.Sprintf("You answered in time: %t.", yes), err)
}

// askTwo asks two questions at once. They may be answered in any order.
func askTwo(ctx *extension.Context, _ string) error {
	questions := []string{"Where from?", "Where to?"}
	failed := make([]error, len(questions))
	var asked sync.WaitGroup
	for i, question := range questions {
		asked.Go(func() {
			text, err := ctx.UI.Input(ctx, question, "a place", nil)
			failed[i] = tell(ctx, fmt.Sprintf("%s %q.", question, text), err)
		})
	}
	asked.Wait()
	return errors.Join(failed...)
}

func notify(ctx *extension.Context, _ string) error {
	return errors.Join(
		ctx.UI.Notify(ctx, "This is for your information.", protocol.NotifyInfo),
		ctx.UI.Notify(ctx, "This is a warning.", protocol.NotifyWarning),
		ctx.UI.Notify(ctx, "This is an error.", protocol.NotifyError),
	)
}

func setStatus(ctx *extension.Context, args string) error {
	if args == "" {
		return ctx.UI.ClearStatus(ctx, name)
	}
	return ctx.UI.SetStatus(ctx, name, args)
}

func setWidget(ctx *extension.Context, args string) error {
	const below = name + "-below"
	if args == "clear" {
		return errors.Join(ctx.UI.ClearWidget(ctx, name), ctx.UI.ClearWidget(ctx, below))
	}
	return errors.Join(
		ctx.UI.SetWidget(ctx, name, []string{"A widget above the editor", "with two lines"}, protocol.AboveEditor),
		ctx.UI.SetWidget(ctx, below, []string{"A widget below the editor"}, protocol.BelowEditor),
	)
}

func setTitle(ctx *extension.Context, args string) error {
	return ctx.UI.SetTitle(ctx, cmp.Or(args, "extui demo"))
}

func prefill(ctx *extension.Context, args string) error {
	return ctx.UI.SetEditorText(ctx, cmp.Or(args, "This text was put here by an extension."))
}

func fail(_ *extension.Context, args string) error {
	if args == "panic" {
		panic("this command panics on purpose")
	}
	return errors.New("this command fails on purpose; /fail panic panics")
}

// unsupported calls what an agent without a screen cannot do. None of it fails
// hard: each method has a value that the documents state.
func unsupported(ctx *extension.Context, _ string) error {
	custom := ctx.UI.Custom(ctx, nil)
	ctx.UI.SetWorkingMessage(ctx, "working")
	ctx.UI.SetFooter(ctx, nil)
	theme := ctx.UI.SetTheme(ctx, "dark")
	ctx.UI.SetToolsExpanded(ctx, true)
	return ctx.UI.Notify(ctx, fmt.Sprintf("custom: %v; editor text: %q; themes: %d; setTheme: %s; tools expanded: %t",
		custom, ctx.UI.GetEditorText(ctx), len(ctx.UI.GetAllThemes(ctx)), theme.Error, ctx.UI.GetToolsExpanded(ctx)), protocol.NotifyInfo)
}
