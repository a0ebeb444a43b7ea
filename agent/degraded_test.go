package agent_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"extui/agent"
)

// values calls every method that needs a terminal, twice.
func values(ctx context.Context, ui *agent.UI) map[string]any {
	out := map[string]any{}
	for range 2 {
		out["custom"] = errors.Is(ui.Custom(ctx, nil), agent.ErrUnsupported)
		unsubscribe := ui.OnTerminalInput(ctx, func(string) {})
		unsubscribe()
		ui.SetWorkingMessage(ctx, "x")
		ui.SetWorkingVisible(ctx, false)
		ui.SetWorkingIndicator(ctx, nil)
		ui.SetHiddenThinkingLabel(ctx, "x")
		ui.SetFooter(ctx, nil)
		ui.SetHeader(ctx, nil)
		ui.AddAutocompleteProvider(ctx, nil)
		ui.SetEditorComponent(ctx, nil)
		out["getEditorComponent"] = ui.GetEditorComponent(ctx)
		out["getEditorText"] = ui.GetEditorText(ctx)
		out["getAllThemes"] = ui.GetAllThemes(ctx)
		out["getTheme"] = ui.GetTheme(ctx, "dark")
		out["setTheme"] = ui.SetTheme(ctx, "dark")
		out["mode"] = ui.Mode()
		out["hasUI"] = ui.HasUI()
	}
	out["expanded before"] = ui.GetToolsExpanded(ctx)
	ui.SetToolsExpanded(ctx, true)
	out["expanded after"] = ui.GetToolsExpanded(ctx)
	out["settings"] = ui.GetChatRenderSettings(ctx)
	return out
}

// Every method that needs a terminal returns what the documents state, writes
// nothing, and is reported once a session (B21 to B26).
func TestDegradedMethods(t *testing.T) {
	common := map[string]any{
		"custom": true, "getEditorComponent": nil, "getEditorText": "", "getAllThemes": []agent.Theme{},
		"getTheme": (*agent.Theme)(nil),
		"setTheme": agent.ThemeResult{Error: "Theme switching not supported in RPC mode"},
		"mode":     "rpc", "hasUI": true, "expanded before": false,
	}
	for _, dialect := range []agent.Dialect{agent.Atomic, agent.Pi} {
		want := map[string]any{}
		for k, v := range common {
			want[k] = v
		}
		atomic := dialect == agent.Atomic
		want["expanded after"] = atomic
		want["settings"] = agent.ChatRenderSettings{ToolOutputExpanded: atomic}
		reports := uint64(15)
		if !atomic {
			reports += 3 // the expansion
		}
		var got map[string]any
		var supports []bool
		r := one(func(ctx context.Context, ui *agent.UI) {
			got = values(ctx, ui)
			for _, m := range []string{"custom", "setFooter", "getEditorText", "no such", "setToolsExpanded", "setWidget", "pasteToEditor"} {
				supports = append(supports, ui.Supports(m))
			}
		})
		d := serve(t, r, &agent.Options{Dialect: dialect})
		d.send(goLine)
		d.expect(handled)
		d.quit()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", dialect, got, want)
		}
		if n := d.agent.Stats().Unsupported; n != reports {
			t.Errorf("%s: %d reports, want %d", dialect, n, reports)
		}
		if want := []bool{false, false, false, false, atomic, true, true}; !reflect.DeepEqual(supports, want) {
			t.Errorf("%s: supports %v, want %v", dialect, supports, want)
		}
	}
}

// The zero UI is complete as well: every method returns at once (B26).
func TestZeroUIIsComplete(t *testing.T) {
	var ui agent.UI
	got := values(t.Context(), &ui)
	if got["hasUI"] != false || got["custom"] != true || got["expanded after"] != false {
		t.Errorf("got %v", got)
	}
	for name, err := range map[string]error{
		"setStatus": ui.SetStatus(t.Context(), "k", "t"), "clearStatus": ui.ClearStatus(t.Context(), "k"),
		"setTitle": ui.SetTitle(t.Context(), "t"), "paste": ui.PasteToEditor(t.Context(), "t"),
	} {
		if !errors.Is(err, agent.ErrNoUI) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
