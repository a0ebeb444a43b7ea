package client

import (
	"reflect"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestDecodeEvent(t *testing.T) {
	for _, test := range []struct {
		record string
		want   Event
	}{
		{`{"type":"agent_start"}`, AgentStart{}},
		{`{"type":"agent_end","messages":[{"role":"user"}],"willRetry":true}`, AgentEnd{true}},
		{`{"type":"agent_end","messages":[]}`, AgentEnd{}},
		{`{"type":"agent_settled","aborted":true}`, AgentSettled{true}},
		{`{"type":"turn_start"}`, TurnStart{}},
		{`{"type":"turn_end","message":{},"toolResults":[]}`, TurnEnd{}},
		{`{"type":"message_start","message":{"role":"assistant","content":[],"stopReason":"pending"}}`, MessageStart{"assistant"}},
		{`{"type":"message_end","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hello "},{"type":"text","text":"world"},{"type":"toolCall","id":"c"}],"stopReason":"toolUse"}}`,
			MessageEnd{"assistant", "Hello world", "toolUse", ""}},
		{`{"type":"message_end","message":{"role":"assistant","content":[],"stopReason":"aborted","errorMessage":"Request was aborted"}}`,
			MessageEnd{"assistant", "", "aborted", "Request was aborted"}},
		{`{"type":"message_end","message":{"role":"system","content":"you are"}}`, MessageEnd{Role: "system", Text: "you are"}},
		{`{"type":"message_update","usage":{"input":0},"assistantMessageEvent":{"type":"text_delta","contentIndex":1,"delta":"Hi\u2028"}}`, TextDelta{"Hi\u2028"}},
		{`{"type":"message_update","assistantMessageEvent":{"type":"thinking_delta","contentIndex":0,"delta":"hm"}}`, ThinkingDelta{"hm"}},
		{`{"type":"message_update","assistantMessageEvent":{"type":"toolcall_delta","delta":"{"}}`, nil},
		{`{"type":"tool_execution_start","toolCallId":"c1","toolName":"bash","args":{"command":"ls"}}`, ToolStart{"c1", "bash", jsontext.Value(`{"command":"ls"}`)}},
		{`{"type":"tool_execution_update","toolCallId":"c1","toolName":"bash","args":{},"partialResult":{"content":[{"type":"text","text":"hi\n"}],"details":{}}}`, ToolUpdate{"c1", "bash", "hi\n"}},
		{`{"type":"tool_execution_end","toolCallId":"c1","toolName":"bash","result":{"content":[{"type":"text","text":"Blocked"}],"details":{}},"isError":true}`, ToolEnd{"c1", "bash", "Blocked", true}},
		{`{"type":"tool_execution_end","toolCallId":"c1","toolName":"x","result":"plain"}`, ToolEnd{"c1", "x", "plain", false}},
		{`{"type":"tool_execution_end","toolCallId":"c1","toolName":"x","result":null}`, ToolEnd{"c1", "x", "", false}},
		{`{"type":"extension_error","extensionPath":"command:x","event":"command","error":"not caught"}`, ExtensionError{"command:x", "command", "not caught", ""}},
		{`{"type":"queue_update","steering":[]}`, nil},
		{`{"no":"type"}`, nil},
	} {
		got, err := DecodeEvent([]byte(test.record))
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s\n got %#v %v\nwant %#v", test.record, got, err, test.want)
		}
	}
	for _, bad := range []string{"", "null", `{"type":"agent_end","willRetry":3}`, `{"type":"message_update","assistantMessageEvent":[}`} {
		if got, err := DecodeEvent([]byte(bad)); err == nil || got != nil {
			t.Errorf("%s: got %#v %v, want an error", bad, got, err)
		}
	}
}

func TestDecodedEventSharesNothing(t *testing.T) {
	record := []byte(`{"type":"tool_execution_start","toolCallId":"c1","toolName":"bash","args":{"command":"ls"}}`)
	got, err := DecodeEvent(record)
	clear(record)
	if s, ok := got.(ToolStart); err != nil || !ok || s.Name != "bash" || string(s.Args) != `{"command":"ls"}` {
		t.Errorf("got %#v %v", got, err)
	}
}
