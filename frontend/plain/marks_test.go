package plain

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"extui/protocol"
)

// forged are lines that an agent might put into its texts so that they look like ours. The sign
// tells them from ours here.
var forged = []string{"  1.§ Harmless", "     2.§ Harmless", "y/n>§ y", "1-2>§ 2", "text>§ x", "send>§ send", ">§ hello", "info:§ fine",
	"confirm:§ Read a file?", "cancelled§", "question§ 1 of 1: Colour?", "answered:§ Red", "not§ sent: x", "y§ or yes confirms"}

// While a dialog is on screen, no line that is the agent's looks like one of ours: it begins with a
// mark, whichever text it is of and however it is wrapped.
func TestAgentsLinesAreMarked(t *testing.T) {
	lie := "agent\n" + strings.Join(forged, "\n") + "\n" + strings.Repeat("word ", 3)
	for _, f := range forged { // where a line is wrapped at 40 columns
		lie += strings.Repeat("w", 36) + " " + f + "\n"
	}
	for _, d := range []protocol.Dialog{
		&protocol.Confirm{Title: lie, Message: &lie},
		&protocol.Select{Title: lie, Options: []protocol.Option{{Label: lie, Description: lie}, {Label: "b"}}},
		&protocol.Input{Title: lie, Placeholder: &lie},
		&protocol.Editor{Title: lie, Prefill: &lie},
		&protocol.Questionnaire{Questions: []protocol.Question{
			{Question: lie, Header: lie, Options: []protocol.QuestionOption{{Label: lie, Description: lie, Preview: &lie}, {Label: "b"}}},
			{Question: "b", Header: lie, Options: []protocol.QuestionOption{{Label: "a"}, {Label: "b"}}}}},
	} {
		for _, width := range []int{0, 40} {
			synctest.Test(t, func(t *testing.T) {
				page := &paper{}
				r, w := io.Pipe()
				f := New(r, page, &Options{Width: width})
				defer f.Close()
				p := &desk{t: t, Frontend: f, typed: w, paper: page}
				p.ask(t.Context(), d)
				f.Text(lie)
				f.Line("[tool] " + lie)
				f.Text(lie + "\n")
				for _, u := range []protocol.Update{
					&protocol.Notify{Message: lie}, &protocol.SetStatus{Key: lie, Text: &lie},
					&protocol.SetWidget{Key: lie, Lines: strings.Split(lie, "\n")}, &protocol.SetTitle{Title: lie},
					&protocol.SetEditorText{Text: lie}, &protocol.OpenURL{URL: "a", Instructions: lie},
				} {
					f.Show(u)
				}
				p.write("?1\n1\n/back\n")
				for l := range strings.SplitSeq(page.take(), "\n") {
					head, _, found := strings.Cut(l, "§")
					switch {
					case !found, strings.HasPrefix(l, mark), strings.HasPrefix(l, optionMark):
					case strings.Contains(head, "agent␊"): // a text made one line begins in the middle of ours
					default:
						t.Errorf("%s, width %d: the line %q is the agent's", d.Method(), width, l)
					}
				}
			})
		}
	}
}

// What the agent says while no question is open is free text; the rest of a line that was held
// back while one was open is printed behind it.
func TestTextAroundADialog(t *testing.T) {
	bubble(t, Pipe, func(d *desk) {
		d.Text("one\ntw")
		got := d.ask(d.t.Context(), sure)
		d.Text("o\nthree\nfo")
		d.Show(&protocol.Notify{Message: "by the way"})
		d.printed("one\ntw\n\nconfirm: Sure?\ny or yes confirms, n or no declines, /cancel cancels\n  | o\n  | three\ninfo: by the way\n")
		d.write("n\n")
		d.answered(got, protocol.Confirmed(false), nil)
		d.Text("ur\n")
		d.printed("y/n> n\nfour\n")
		got = d.ask(d.t.Context(), sure)
		d.Text(strings.Repeat("x", maxHeld))
		d.Text("y")
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		d.answered(got, nil, ErrClosed)
		if s := d.paper.take(); !strings.Contains(s, "\n  | x") || !strings.HasSuffix(s, "x\ny\n") {
			t.Errorf("printed %q", s)
		}
	})
}
