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

// The first question stands in the place of the questionnaire.
func TestWalkKeepsItsPlace(t *testing.T) {
	for range 20 {
		e := start(t, Options{})
		line(t, "the agent", e.agentReads) // the opt-in
		go e.agent(questions, `{"type":"behind"}`)
		question := line(t, "the client", e.clientReads)
		if !strings.Contains(question, `"method":"select"`) {
			t.Fatalf("the client gets %s", question)
		}
		e.clientGets(`{"type":"behind"}`)
		e.client(`{"type":"extension_ui_response","id":"` + id(t, question) + `","cancelled":true}`)
		e.agentGets(`{"type":"extension_ui_response","id":"q1","cancelled":true}`)
		e.ended()
	}
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

// walkTo starts a walk and returns the client's first dialog and its first option.
func walkTo(t *testing.T, opts Options) (e *ends, question, option string) {
	t.Helper()
	e = start(t, opts)
	e.agent(`{"id":"` + id(t, line(t, "the agent", e.agentReads)) + `",` + success)
	e.agent(questions)
	question = line(t, "the client", e.clientReads)
	_, rest, _ := strings.Cut(question, `"options":["`)
	option, _, _ = strings.Cut(rest, `"`)
	return e, question, option
}

// What the client says after its last answer does not overtake it, and the end of
// what it says does not take it back.
func TestWalkIsAnsweredBeforeTheEnd(t *testing.T) {
	e, question, option := walkTo(t, Options{})
	e.client(`{"type":"extension_ui_response","id":"`+id(t, question)+`","value":"`+option+`"}`, `{"type":"abort"}`)
	e.clientSays.Close()
	e.agentGets(`{"type":"extension_ui_response","id":"q1","answers":[{"questionIndex":0,"question":"Which storage?","kind":"option","answer":"SQLite"}]}`)
	e.agentGets(`{"type":"abort"}`)
	e.ended()
}

// A walk that the client leaves unanswered is cancelled.
func TestWalkEndsWithTheClient(t *testing.T) {
	e, _, _ := walkTo(t, Options{})
	e.clientSays.Close()
	e.agentGets(`{"type":"extension_ui_response","id":"q1","cancelled":true}`)
	e.ended()
}

// A client that has asked to know which dialogs end is told of the one that it sees.
func TestWalkIsTakenBack(t *testing.T) {
	e := start(t, Options{})
	e.agent(`{"id":"` + id(t, line(t, "the agent", e.agentReads)) + `",` + success)
	e.client(`{"id":"c","type":"set_extension_ui_capabilities","dismiss":true}`)
	e.agentGets(`{"type":"set_extension_ui_capabilities","id":"c","dismiss":true,"questionnaire":true}`)
	e.agent(questions)
	question := line(t, "the client", e.clientReads)
	e.agent(`{"type":"extension_ui_request","id":"c1","method":"cancel","targetId":"q1","reason":"aborted"}`)
	back := line(t, "the client", e.clientReads)
	if !strings.Contains(back, `"method":"cancel","targetId":"`+id(t, question)+`"`) || !strings.Contains(back, "aborted") {
		t.Errorf("the client gets %s", back)
	}
	e.client(`{"type":"extension_ui_response","id":"`+id(t, question)+`","cancelled":true}`, `{"type":"abort"}`)
	e.agentGets(`{"type":"abort"}`)
	e.ended()
}

// The opt-in that is repeated turns nothing off that the client has turned on, and is
// repeated for the response that it waits for.
func TestOptInKeepsTheClients(t *testing.T) {
	e := start(t, Options{})
	e.agent(`{"id":"` + id(t, line(t, "the agent", e.agentReads)) + `",` + success)
	e.client(`{"id":"c","type":"set_extension_ui_capabilities","dismiss":true}`)
	line(t, "the agent", e.agentReads)
	e.client(`{"id":"c","type":"new_session"}`)
	e.agentGets(`{"id":"c","type":"new_session"}`)
	// The response to the first command comes late, and with the id of the second.
	late := `{"id":"c","type":"response","command":"set_extension_ui_capabilities","success":false,"error":"busy"}`
	reset := `{"id":"c","type":"response","command":"new_session","success":true}`
	go e.agent(late, reset)
	e.clientGets(late)
	e.clientGets(reset)
	again := line(t, "the agent", e.agentReads)
	if !strings.Contains(again, `"dismiss":true,"questionnaire":true`) {
		t.Errorf("the agent gets %s", again)
	}
	e.client(`{"type":"abort"}`)
	e.agentGets(`{"type":"abort"}`)
	e.ended()
}
