package agent_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/agent"
	"extui/protocol"
)

func selectAB(ctx context.Context, ui *agent.UI) (any, error) {
	return ui.Select(ctx, "Pick", []string{"A", "B"}, nil)
}

func confirm(ctx context.Context, ui *agent.UI) (any, error) {
	return ui.Confirm(ctx, "Sure?", "Really.", nil)
}

const (
	selectLine  = `{"type":"extension_ui_request","id":"id-2","method":"select","title":"Pick","options":["A","B"]}`
	confirmLine = `{"type":"extension_ui_request","id":"id-2","method":"confirm","title":"Sure?","message":"Really."}`
)

// No timeout and a timeout of 0 both mean to wait for ever, and a 0 is written.
func TestContractAgent_TimeoutZeroIsNone(t *testing.T) {
	zero, err := protocol.Milliseconds(0)
	if err != nil {
		t.Fatal(err)
	}
	for wire, timeout := range map[string]protocol.Timeout{``: {}, `,"timeout":0`: zero} {
		out := dialog(t, func(ctx context.Context, ui *agent.UI) (any, error) {
			return ui.Ask(ctx, &protocol.Confirm{Title: "Sure?", Timeout: timeout})
		}, func(d *driver) {
			d.expect(`{"type":"extension_ui_request","id":"id-2","method":"confirm","title":"Sure?"` + wire + `}`)
			<-time.After(1000 * time.Hour)
			d.send(`{"type":"extension_ui_response","id":"id-2","confirmed":true}`)
		})
		if out.value != protocol.Confirmed(true) || out.err != nil {
			t.Errorf("timeout %q: got %v, %v after 1000 hours", wire, out.value, out.err)
		}
	}
}

// A negative timeout is a mistake of the caller: an error, and nothing is written.
func TestContractAgent_NegativeTimeoutIsAnError(t *testing.T) {
	opts := &agent.DialogOptions{Timeout: -time.Nanosecond}
	for name, ask := range map[string]func(ctx context.Context, ui *agent.UI) (any, error){
		"select":  func(ctx context.Context, ui *agent.UI) (any, error) { return ui.Select(ctx, "t", []string{"A"}, opts) },
		"confirm": func(ctx context.Context, ui *agent.UI) (any, error) { return ui.Confirm(ctx, "t", "m", opts) },
		"input":   func(ctx context.Context, ui *agent.UI) (any, error) { return ui.Input(ctx, "t", "", opts) },
		"editor":  func(ctx context.Context, ui *agent.UI) (any, error) { return ui.Editor(ctx, "t", "", opts) },
		"questionnaire": func(ctx context.Context, ui *agent.UI) (any, error) {
			return ui.Questionnaire(ctx, nil, opts)
		},
	} {
		out := dialog(t, ask, func(*driver) {})
		if out.err == nil || errors.Is(out.err, agent.ErrNoAnswer) || !strings.Contains(out.err.Error(), "-1ns") {
			t.Errorf("%s: error %v, want one that names the timeout", name, out.err)
		}
	}
}

// A timeout that Node's timers cannot hold, where they fire at once, is kept to.
func TestContractAgent_LongTimeoutIsHonoured(t *testing.T) {
	const limit = (math.MaxInt32 + 1) * time.Millisecond
	var took time.Duration
	out := dialog(t, func(ctx context.Context, ui *agent.UI) (any, error) {
		start := time.Now()
		defer func() { took = time.Since(start) }()
		return ui.Confirm(ctx, "Sure?", "Really.", &agent.DialogOptions{Timeout: limit})
	}, func(d *driver) {
		d.expect(strings.Replace(confirmLine, `}`, `,"timeout":2147483648}`, 1))
	})
	wantErrors(t, out.err, agent.ErrTimedOut, agent.ErrNoAnswer)
	if took != limit {
		t.Errorf("took %v, want %v", took, limit)
	}
}

// A context that is over already: nothing is written, the default comes at once.
func TestContractAgent_ContextAlreadyOver(t *testing.T) {
	why := errors.New("changed my mind")
	for _, ask := range []func(ctx context.Context, ui *agent.UI) (any, error){selectAB, confirm} {
		out := dialog(t, func(ctx context.Context, ui *agent.UI) (any, error) {
			ctx, cancel := context.WithCancelCause(ctx)
			cancel(why)
			return ask(ctx, ui)
		}, func(*driver) {})
		if out.value != "" && out.value != false {
			t.Errorf("value %v", out.value)
		}
		wantErrors(t, out.err, agent.ErrAborted, agent.ErrNoAnswer, context.Canceled, why)
	}
}

// A context that ends later settles the dialog at once, and so does its timeout. A
// client that opted in to dismiss is told, exactly once; another is not.
func TestContractAgent_ContextOverLater(t *testing.T) {
	for _, optedIn := range []bool{false, true} {
		for _, timeout := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				var err error
				d := serve(t, one(func(ctx context.Context, ui *agent.UI) {
					ctx, cancel := context.WithTimeout(ctx, time.Second)
					defer cancel()
					opts := &agent.DialogOptions{Timeout: time.Minute}
					if timeout {
						opts.Timeout = 300 * time.Millisecond
					}
					_, err = ui.Editor(ctx, "Text", "", opts)
				}), nil)
				if optedIn {
					d.send(dismiss)
					d.expect(capsOn)
				}
				d.send(goLine)
				reason, wire := "aborted", "60000"
				if timeout {
					reason, wire = "timeout", "300"
				}
				d.expect(`{"type":"extension_ui_request","id":"id-2","method":"editor","title":"Text","timeout":` + wire + `}`)
				if optedIn {
					d.expect(`{"type":"extension_ui_request","id":"id-3","method":"cancel","targetId":"id-2","reason":"` + reason + `"}`)
				}
				d.expect(handled)
				d.quit()
				if timeout {
					wantErrors(t, err, agent.ErrTimedOut)
				} else {
					wantErrors(t, err, agent.ErrAborted, context.DeadlineExceeded)
				}
			})
		}
	}
}

// An answer that comes late, twice, or for an id that never was, is ignored and
// counted; there is no error record.
func TestContractAgent_LateAnswersAreIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got asked
		d := serve(t, one(func(ctx context.Context, ui *agent.UI) { got.value, got.err = confirm(ctx, ui) }), nil)
		d.send(`{"type":"extension_ui_response","id":"nobody","confirmed":true}`, `{"type":"extension_ui_response"}`, `{"type":"extension_ui_response","id":2}`)
		d.send(goLine)
		d.expect(confirmLine)
		d.send(`{"type":"extension_ui_response","id":"id-2","confirmed":false}`, `{"type":"extension_ui_response","id":"id-2","confirmed":true}`)
		d.expect(handled)
		d.send(`{"type":"extension_ui_response","id":"id-2","confirmed":true}`)
		d.quit()
		if got.value != false || got.err != nil {
			t.Errorf("got %v, %v; the first answer counts", got.value, got.err)
		}
		if n := d.agent.Stats().IgnoredAnswers; n != 5 {
			t.Errorf("%d ignored answers, want 5", n)
		}
	})
}

// answered returns what a dialog makes of one answer; fields is all but type and id.
func answered(t *testing.T, ask func(ctx context.Context, ui *agent.UI) (any, error), fields string) (asked, agent.Stats) {
	t.Helper()
	var stats agent.Stats
	out := dialog(t, ask, func(d *driver) {
		d.line()
		d.send(`{"type":"extension_ui_response","id":"id-2"` + fields + `}`)
		synctest.Wait()
		stats = d.agent.Stats()
	})
	return out, stats
}

// "cancelled":true wins over whatever stands beside it.
func TestContractAgent_CancelledWins(t *testing.T) {
	for fields, ask := range map[string]func(ctx context.Context, ui *agent.UI) (any, error){
		`,"confirmed":true,"cancelled":true`: confirm,
		`,"cancelled":true,"value":"A"`:      selectAB,
	} {
		out, _ := answered(t, ask, fields)
		wantErrors(t, out.err, agent.ErrDismissed, agent.ErrNoAnswer)
		if out.value != "" && out.value != false {
			t.Errorf("%s: value %v", fields, out.value)
		}
	}
}

// "cancelled":false is as if it were absent.
func TestContractAgent_CancelledFalseIsAbsent(t *testing.T) {
	if out, _ := answered(t, selectAB, `,"cancelled":false,"value":"A"`); out.value != "A" || out.err != nil {
		t.Errorf("got %v, %v", out.value, out.err)
	}
	out, _ := answered(t, selectAB, `,"cancelled":false`)
	wantErrors(t, out.err, agent.ErrInvalidAnswer)
}

// A select is answered by one of its options or not at all; pi passes anything on.
func TestContractAgent_SelectTakesOnlyItsOptions(t *testing.T) {
	for _, fields := range []string{`,"value":"C"`, `,"value":3`, `,"value":null`, ``, `,"confirmed":true`, `,"value":["A"]`} {
		out, stats := answered(t, selectAB, fields)
		if out.value != "" {
			t.Errorf("%s: value %v", fields, out.value)
		}
		wantErrors(t, out.err, agent.ErrInvalidAnswer, agent.ErrNoAnswer)
		if e, ok := errors.AsType[*protocol.AnswerError](out.err); !ok || e.Field != "value" || e.ID.String() != "id-2" {
			t.Errorf("%s: error %v does not say what is wrong", fields, out.err)
		}
		if stats.InvalidAnswers != 1 {
			t.Errorf("%s: %d diagnostics, want 1", fields, stats.InvalidAnswers)
		}
	}
}

// An invalid answer ends its dialog, so a client that wants to know is told.
func TestContractAgent_InvalidAnswerIsDismissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := serve(t, one(func(ctx context.Context, ui *agent.UI) { _, _ = selectAB(ctx, ui) }), nil)
		d.send(dismiss, goLine)
		d.expect(capsOn, selectLine)
		d.send(`{"type":"extension_ui_response","id":"id-2","value":"C"}`)
		d.expect(`{"type":"extension_ui_request","id":"id-3","method":"cancel","targetId":"id-2","reason":"answered"}`, handled)
		d.quit()
	})
}

// Only "confirmed":true is a yes; "value":true is none.
func TestContractAgent_ConfirmValueIsNoApproval(t *testing.T) {
	for fields, want := range map[string]bool{
		`,"confirmed":true`: true, `,"confirmed":false`: false, `,"value":true`: false, ``: false,
		`,"confirmed":"true"`: false, `,"confirmed":1`: false, `,"confirmed":null`: false, `,"answers":[]`: false,
	} {
		out, _ := answered(t, confirm, fields)
		if out.value != want || out.err != nil {
			t.Errorf("%s: %v, %v; want %v", fields, out.value, out.err, want)
		}
	}
}

// The empty text is an answer of an input and of an editor.
func TestContractAgent_EmptyTextIsAnAnswer(t *testing.T) {
	for name, ask := range map[string]func(ctx context.Context, ui *agent.UI) (any, error){
		"input":  func(ctx context.Context, ui *agent.UI) (any, error) { return ui.Input(ctx, "t", "", nil) },
		"editor": func(ctx context.Context, ui *agent.UI) (any, error) { return ui.Editor(ctx, "t", "x", nil) },
	} {
		if out, _ := answered(t, ask, `,"value":""`); out.value != "" || out.err != nil {
			t.Errorf("%s: %v, %v", name, out.value, out.err)
		}
	}
}

// A select without options is refused in Go before anything is written; through Ask,
// which scripts use, it is written as pi does.
func TestContractAgent_SelectWithoutOptions(t *testing.T) {
	out := dialog(t, func(ctx context.Context, ui *agent.UI) (any, error) {
		return ui.Select(ctx, "Nothing", nil, nil)
	}, func(*driver) {})
	if out.err == nil || errors.Is(out.err, agent.ErrNoAnswer) {
		t.Errorf("error %v, want a mistake of the caller", out.err)
	}
	dialog(t, func(ctx context.Context, ui *agent.UI) (any, error) {
		return ui.Ask(ctx, &protocol.Select{Title: "Nothing"})
	}, func(d *driver) {
		d.expect(`{"type":"extension_ui_request","id":"id-2","method":"select","title":"Nothing","options":[]}`)
		d.send(`{"type":"extension_ui_response","id":"id-2","cancelled":true}`)
	})
}

// The same option may be offered twice.
func TestContractAgent_SameOptionTwice(t *testing.T) {
	out := dialog(t, func(ctx context.Context, ui *agent.UI) (any, error) {
		return ui.Select(ctx, "Twice", []string{"same", "same"}, nil)
	}, func(d *driver) {
		d.expect(`{"type":"extension_ui_request","id":"id-2","method":"select","title":"Twice","options":["same","same"]}`)
		d.send(`{"type":"extension_ui_response","id":"id-2","value":"same"}`)
	})
	if out.value != "same" || out.err != nil {
		t.Errorf("got %v, %v", out.value, out.err)
	}
}

// With nobody attached, or nobody who can show it, a dialog gets its default at
// once, with a reason of its own (B14, B26).
func TestContractAgent_NoCapableClient(t *testing.T) {
	live, cancel := context.WithCancel(t.Context())
	defer cancel()
	var zero agent.UI
	for name, ui := range map[string]*agent.UI{"zero": &zero, "not served": agent.New(nil, nil).UI()} {
		if ui.HasUI() || ui.Supports("confirm") {
			t.Errorf("%s: says that it has a UI", name)
		}
		yes, err := ui.Confirm(live, "t", "m", nil)
		if yes {
			t.Errorf("%s: approved", name)
		}
		wantErrors(t, err, agent.ErrNoUI, agent.ErrNoAnswer)
		wantErrors(t, ui.Notify(live, "x", ""), agent.ErrNoUI)
	}
	out := dialog(t, func(ctx context.Context, ui *agent.UI) (any, error) {
		if ui.Supports("questionnaire") || !ui.Supports("select") {
			t.Error("Supports is wrong about questionnaire or select")
		}
		return ui.Questionnaire(ctx, []protocol.Question{{Question: "Q?"}}, nil)
	}, func(*driver) {})
	wantErrors(t, out.err, agent.ErrNoQuestionnaire, agent.ErrNoAnswer)
}

// An empty widget is written as an empty list; clearing leaves the list out.
func TestContractAgent_EmptyWidget(t *testing.T) {
	dialog(t, func(ctx context.Context, ui *agent.UI) (any, error) {
		return nil, errors.Join(ui.SetWidget(ctx, "k", []string{}, ""), ui.SetWidget(ctx, "k", nil, ""), ui.ClearWidget(ctx, "k"))
	}, func(d *driver) {
		d.expect(`{"type":"extension_ui_request","id":"id-2","method":"setWidget","widgetKey":"k","widgetLines":[]}`,
			`{"type":"extension_ui_request","id":"id-3","method":"setWidget","widgetKey":"k","widgetLines":[]}`,
			`{"type":"extension_ui_request","id":"id-4","method":"setWidget","widgetKey":"k"}`)
	})
}

// An editor takes a timeout and a context like the others (B13); both are shown in
// TestContractAgent_ContextOverLater. Here: an abort by the client ends it.
func TestContractAgent_EditorIsAborted(t *testing.T) {
	out := dialog(t, func(ctx context.Context, ui *agent.UI) (any, error) {
		return ui.Editor(ctx, "x", "", nil)
	}, func(d *driver) {
		d.expect(`{"type":"extension_ui_request","id":"id-2","method":"editor","title":"x"}`)
		d.send(`{"type":"abort"}`)
		d.expect(`{"type":"response","command":"abort","success":true}`)
	})
	wantErrors(t, out.err, agent.ErrAborted, context.Canceled)
}
