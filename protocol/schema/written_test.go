package schema_test

import (
	"testing"

	"extui/protocol"
)

func timeout(t *testing.T, ms float64) protocol.Timeout {
	t.Helper()
	v, err := protocol.Milliseconds(ms)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func requests(t *testing.T) []protocol.Request {
	id := protocol.StringID("1")
	extra := protocol.Extra{{Name: "toolCallId", Value: []byte(`"x"`)}}
	question := protocol.Question{Question: "Q?", Header: "H", Options: []protocol.QuestionOption{
		{Label: "a", Description: "A", Preview: new("# A")}, {Label: "b"}}}
	multi := protocol.Question{Question: "R?", Options: []protocol.QuestionOption{{Label: "c"}, {Label: "d"}}, MultiSelect: true, Extra: extra}
	asked := question
	asked.ID, asked.Recommended = "q", new(1)
	return []protocol.Request{
		&protocol.Select{ID: id, Title: "t", Options: protocol.Options("a", "b"), Timeout: timeout(t, 250.5)},
		&protocol.Select{ID: id, Options: []protocol.Option{{Label: "a", Description: "A"}, {Label: "b", Value: new("v"), Description: "B"}}, Extra: extra},
		&protocol.Confirm{ID: id, Title: "t"},
		&protocol.Confirm{ID: id, Title: "t", Message: new(""), Timeout: timeout(t, 0)},
		&protocol.Input{ID: id}, &protocol.Input{ID: id, Placeholder: new("p"), Timeout: timeout(t, 1e21)},
		&protocol.Editor{ID: id}, &protocol.Editor{ID: id, Prefill: new("a\nb"), Timeout: timeout(t, 1)},
		&protocol.Questionnaire{ID: id, Questions: []protocol.Question{question, multi}, Timeout: timeout(t, 5)},
		&protocol.Questionnaire{ID: id, Questions: []protocol.Question{asked, multi}, Ask: true},
		&protocol.Notify{ID: id}, &protocol.Notify{ID: id, Message: "m", Type: protocol.NotifyError},
		&protocol.SetStatus{ID: id, Key: "k"}, &protocol.SetStatus{ID: id, Key: "k", Text: new("")},
		&protocol.SetWidget{ID: id, Key: "k"}, &protocol.SetWidget{ID: id, Key: "k", Lines: []string{}},
		&protocol.SetWidget{ID: id, Key: "k", Lines: []string{"a"}, Placement: protocol.BorderTopLeft},
		&protocol.SetTitle{ID: id, Title: "t"}, &protocol.SetEditorText{ID: id, Text: "t"},
		&protocol.OpenURL{ID: id, URL: "http://localhost/", LaunchURL: "l", Instructions: "i"},
		&protocol.Cancel{ID: id, TargetID: protocol.StringID("2"), Reason: "timeout"},
	}
}

func TestWhatWeWriteIsValid(t *testing.T) {
	every, any := all(t), named(t, "extension-ui-request")
	for _, r := range requests(t) {
		b, err := protocol.AppendRequest(nil, r)
		if err != nil {
			t.Fatal(err)
		}
		one := named(t, string(r.Method()))
		for _, err := range []error{check(t, one, b), check(t, any, b), check(t, every, b)} {
			if err != nil {
				t.Errorf("%s: %v", b, err)
			}
		}
	}
}

func TestWhatWeAnswerIsValid(t *testing.T) {
	every, any := all(t), named(t, "extension-ui-response")
	for _, r := range requests(t) {
		d, ok := r.(protocol.Dialog)
		if !ok {
			continue
		}
		var answers []protocol.Answer
		switch d := d.(type) {
		case *protocol.Select:
			answers = []protocol.Answer{protocol.Value(d.Options[1].Answer())}
		case *protocol.Confirm:
			answers = []protocol.Answer{protocol.Confirmed(true), protocol.Confirmed(false)}
		case *protocol.Questionnaire:
			q, m := d.Questions[0].Question, d.Questions[1].Question
			answers = []protocol.Answer{
				protocol.Answers{},
				protocol.Answers{{QuestionIndex: 1, Question: m, Kind: protocol.KindMulti}},
				protocol.Answers{
					{QuestionIndex: 1, Question: m, Kind: protocol.KindMulti, Selected: []string{"d", "c"}},
					{QuestionIndex: 0, Question: q, Kind: protocol.KindOption, Answer: new("a")},
				},
			}
			if !d.Ask {
				answers = append(answers,
					protocol.Answers{{QuestionIndex: 0, Question: q, Kind: protocol.KindChat}},
					protocol.Answers{{QuestionIndex: 1, Question: m, Kind: protocol.KindChat, Answer: new("hm")}})
			}
		default:
			answers = []protocol.Answer{protocol.Value("")}
		}
		for _, a := range append(answers, protocol.Cancelled{}, protocol.Cancelled{TimedOut: true}) {
			resp, err := protocol.Respond(d, a)
			if err != nil {
				t.Fatal(err)
			}
			b := protocol.AppendResponse(nil, resp)
			for _, err := range []error{check(t, any, b), check(t, every, b)} {
				if err != nil {
					t.Errorf("%s: %v", b, err)
				}
			}
		}
	}
}

func TestOtherRecordsWeWriteAreValid(t *testing.T) {
	id := protocol.StringID("1")
	for name, records := range map[string][][]byte{
		"command-response": {
			protocol.AppendCommandResponse(nil, &protocol.CommandResponse{ID: id, Command: "prompt", Success: true}),
			protocol.AppendCommandResponse(nil, &protocol.CommandResponse{Command: "get_state", Success: true, Data: []byte(`{"a":1}`)}),
			protocol.AppendCommandResponse(nil, &protocol.CommandResponse{Command: "parse", Error: "no"}),
		},
		"extension-error": {
			protocol.AppendExtensionError(nil, &protocol.ExtensionError{ExtensionPath: "command:x", Event: "command", Error: "e"}),
			protocol.AppendExtensionError(nil, &protocol.ExtensionError{Stack: "s"}),
		},
		"set_extension_ui_capabilities": {
			protocol.AppendCommand(nil, &protocol.Command{Type: protocol.TypeSetCapabilities, ID: id,
				Fields: protocol.Capabilities{Questionnaire: true, Dismiss: true}.Fields()}),
			protocol.AppendCommand(nil, &protocol.Command{Type: protocol.TypeSetCapabilities}),
		},
		"call_tool": {
			protocol.AppendCommand(nil, &protocol.Command{Type: "call_tool", ID: id,
				Fields: []protocol.Field{protocol.StringField("toolName", "bash"), {Name: "input", Value: []byte(`{}`)}}}),
		},
	} {
		for _, b := range records {
			for _, err := range []error{check(t, named(t, name), b), check(t, all(t), b)} {
				if err != nil {
					t.Errorf("%s: %v", b, err)
				}
			}
		}
	}
}
