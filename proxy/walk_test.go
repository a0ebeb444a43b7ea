package proxy

import (
	"strings"
	"testing"
)

const (
	questions = `{"type":"extension_ui_request","id":"q1","method":"questionnaire","questions":[` +
		`{"question":"Which storage?","header":"Storage","options":[{"label":"SQLite","description":"a"},{"label":"Files","description":"b"}]}]}`
	success = `"type":"response","command":"set_extension_ui_capabilities","success":true}`
)

// id returns the id of a record.
func id(t *testing.T, record string) string {
	t.Helper()
	_, rest, ok := strings.Cut(record, `"id":"`)
	if !ok {
		t.Fatalf("no id in %s", record)
	}
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// A client of the four plain dialogs answers a questionnaire, and knows nothing of
// how it came.
func TestWalksQuestionnaire(t *testing.T) {
	e := start(t, Options{})
	optIn := line(t, "the agent", e.agentReads)
	if !strings.Contains(optIn, `"type":"set_extension_ui_capabilities",`) {
		t.Fatalf("the agent gets %s", optIn)
	}
	e.agent(`{"id":"` + id(t, optIn) + `",` + success)
	e.agent(questions)
	question := line(t, "the client", e.clientReads)
	if !strings.Contains(question, `"method":"select"`) || !strings.Contains(question, "Which storage?") {
		t.Fatalf("the client gets %s", question)
	}
	_, rest, _ := strings.Cut(question, `"options":["`)
	option, _, _ := strings.Cut(rest, `"`)
	e.client(`{"type":"extension_ui_response","id":"` + id(t, question) + `","value":"` + option + `"}`)
	e.agentGets(`{"type":"extension_ui_response","id":"q1","answers":[{"questionIndex":0,"question":"Which storage?","kind":"option","answer":"SQLite"}]}`)

	// Once more, and declined.
	e.agent(strings.Replace(questions, "q1", "q2", 1))
	question = line(t, "the client", e.clientReads)
	e.client(`{"type":"extension_ui_response","id":"` + id(t, question) + `","cancelled":true}`)
	e.agentGets(`{"type":"extension_ui_response","id":"q2","cancelled":true}`)
	e.ended()
}

// The opt-in is repeated after what may have undone it, and the client sees nothing
// of it.
func TestOptInIsRepeated(t *testing.T) {
	e := start(t, Options{})
	e.agent(`{"id":"` + id(t, line(t, "the agent", e.agentReads)) + `",` + success)
	e.client(`{"id":"n","type":"new_session"}`)
	e.agentGets(`{"id":"n","type":"new_session"}`)
	response := `{"id":"n","type":"response","command":"new_session","success":true,"data":{"cancelled":false}}`
	go e.agent(response)
	e.clientGets(response)
	again := line(t, "the agent", e.agentReads)
	if !strings.Contains(again, `"questionnaire":true`) {
		t.Errorf("the agent gets %s", again)
	}
	// An agent that knows nothing of it is not asked once more.
	e.agent(`{"id":"` + id(t, again) + `","type":"response","command":"set_extension_ui_capabilities","success":false,"error":"Unknown command: set_extension_ui_capabilities"}`)
	e.client(`{"id":"m","type":"new_session"}`)
	e.agentGets(`{"id":"m","type":"new_session"}`)
	go e.agent(strings.Replace(response, `"n"`, `"m"`, 1), `{"type":"after"}`)
	e.clientGets(strings.Replace(response, `"n"`, `"m"`, 1))
	e.clientGets(`{"type":"after"}`)
	e.client(`{"type":"abort"}`)
	e.agentGets(`{"type":"abort"}`)
	e.ended()
}

// What the client says of itself does not turn off what the proxy does for it.
func TestCapabilitiesOfTheClient(t *testing.T) {
	e := start(t, Options{})
	e.agent(`{"id":"` + id(t, line(t, "the agent", e.agentReads)) + `",` + success)
	e.client(`{"id":"c","type":"set_extension_ui_capabilities","questionnaire":false,"dismiss":true}`)
	e.agentGets(`{"type":"set_extension_ui_capabilities","id":"c","dismiss":true,"questionnaire":true}`)
	own := `{"id":"c","type":"set_extension_ui_capabilities","questionnaire":true}`
	e.client(own)
	e.agentGets(own)
	e.agent(questions)
	e.clientGets(questions)
	answer := `{"type":"extension_ui_response","id":"q1","answers":[]}`
	e.client(answer)
	e.agentGets(answer)
	e.ended()
}

// Questions that cannot be walked are cancelled, and oh-my-pi's own ones are not
// judged by Atomic's limits.
func TestQuestionsThatCannotBeWalked(t *testing.T) {
	e := start(t, Options{Client: KnowsPi})
	line(t, "the agent", e.agentReads)
	e.agent(strings.Replace(questions, `"Files"`, `"SQLite"`, 1))
	e.agentGets(`{"type":"extension_ui_response","id":"q1","cancelled":true}`)
	e.agent(`{"type":"extension_ui_request","id":"a1","method":"ask","questions":[{"id":"x","question":"` + strings.Repeat("Why? ", 50) +
		`","options":[{"label":"A"},{"label":"B"},{"label":"C"},{"label":"D"},{"label":"E"}]}]}`)
	question := line(t, "the client", e.clientReads)
	if !strings.Contains(question, `"method":"select"`) {
		t.Errorf("the client gets %s", question)
	}
	e.ended()
}
