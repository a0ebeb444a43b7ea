package extension_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"extui/agent"
	"extui/extension"
)

// The example of Atomic's document: one question, and its answer.
const (
	exampleQuestions = `[{"question":"Which storage should runs use?","header":"Storage","options":[{"label":"SQLite","description":"A local file"},{"label":"libSQL","description":"A shared database"}]}]`
	exampleAnswers   = `[{"questionIndex":0,"question":"Which storage should runs use?","kind":"option","answer":"libSQL"}]`
	turnOn           = `{"type":"set_extension_ui_capabilities","questionnaire":true}`
	turnedOn         = `{"type":"response","command":"set_extension_ui_capabilities","success":true,"data":{"on":["questionnaire"],"supported":["dismiss","questionnaire"]}}`
)

func callQuestions(id string) string {
	return fmt.Sprintf(`{"type":"call_tool","id":%q,"toolName":"ask_user_question","input":{"questions":%s}}`, id, exampleQuestions)
}

// toolResult reads the response to a call_tool.
func (c *client) toolResult(id string) (text, details string, isError bool) {
	c.t.Helper()
	var r struct {
		ID      string
		Success bool
		Data    struct {
			Content []struct{ Text string }
			Details any
			IsError bool
		}
	}
	if err := json.Unmarshal([]byte(c.line()), &r, json.MatchCaseInsensitiveNames(true)); err != nil {
		c.t.Fatal(err)
	}
	if r.ID != id || !r.Success || len(r.Data.Content) != 1 {
		c.t.Fatalf("got %+v", r)
	}
	d, err := json.Marshal(r.Data.Details, json.Deterministic(true))
	if err != nil {
		c.t.Fatal(err)
	}
	return r.Data.Content[0].Text, string(d), r.Data.IsError
}

// The document's example, byte for byte in both directions. (Contract: without
// the capability the tool call fails at once, and not as if somebody had declined.)
func TestContractQuestionnaire_ClientDidNotOptIn(t *testing.T) {
	c := start(t, extension.NewHost(extension.Questions(false)), agent.Options{})
	c.send(callQuestions("t1"))
	text, details, isError := c.toolResult("t1")
	if !isError || !strings.Contains(text, "cannot show a questionnaire") ||
		details != `{"answers":[],"cancelled":true,"error":"questionnaire_unsupported","outcome":"failed"}` {
		t.Errorf("without the capability: %q %s %v", text, details, isError)
	}

	c.send(turnOn)
	c.expect(turnedOn)
	c.send(callQuestions("t2"))
	request := c.line()
	id := between(request, `"id":"`, `"`)
	if want := `{"type":"extension_ui_request","id":"` + id + `","method":"questionnaire","questions":` + exampleQuestions + `}`; request != want {
		t.Errorf("request\n got %s\nwant %s", request, want)
	}
	c.send(`{"type":"extension_ui_response","id":"` + id + `","answers":` + exampleAnswers + `}`)
	text, details, isError = c.toolResult("t2")
	if isError || !strings.Contains(text, `"libSQL"`) ||
		details != `{"answers":[{"answer":"libSQL","kind":"option","question":"Which storage should runs use?","questionIndex":0}],"cancelled":false,"outcome":"answered"}` {
		t.Errorf("answered: %q %s %v", text, details, isError)
	}

	c.send(callQuestions("t3"))
	id = between(c.line(), `"id":"`, `"`)
	c.send(`{"type":"extension_ui_response","id":"` + id + `","answers":[{"questionIndex":0,"question":"Which storage should runs use?","kind":"option","answer":"MySQL"}]}`)
	text, details, isError = c.toolResult("t3")
	if !isError || !strings.Contains(text, `answers[0].answer`) || !strings.Contains(text, `"MySQL"`) || !strings.Contains(details, `"error":"invalid_answer"`) {
		t.Errorf("an unknown label: %q %s %v", text, details, isError)
	}

	c.send(callQuestions("t4"))
	id = between(c.line(), `"id":"`, `"`)
	c.send(`{"type":"extension_ui_response","id":"` + id + `","cancelled":true}`)
	text, details, isError = c.toolResult("t4")
	if isError || !strings.Contains(text, "declined") || details != `{"answers":[],"cancelled":true,"outcome":"declined"}` {
		t.Errorf("cancelled: %q %s %v", text, details, isError)
	}
	if rest := c.end(); rest != "" {
		t.Errorf("and then %q", rest)
	}
}

// With the walk turned on, the same client is asked in plain dialogs. (Contract:
// cancelling a text goes back to its question, cancelling the question cancels all.)
func TestContractQuestionnaire_Walk(t *testing.T) {
	for _, dialect := range []agent.Dialect{agent.Atomic, agent.Pi} {
		c := start(t, extension.NewHost(extension.Questions(true)), agent.Options{Dialect: dialect})
		c.send(callQuestions("t1"))
		answer := func(method, payload string) {
			t.Helper()
			request := c.line()
			if !strings.Contains(request, `"method":"`+method+`"`) {
				t.Fatalf("%s: asked %s, want a %s", dialect, request, method)
			}
			c.send(`{"type":"extension_ui_response","id":"` + between(request, `"id":"`, `"`) + `",` + payload + `}`)
		}
		answer("select", `"value":"Type something."`)
		answer("input", `"cancelled":true`)
		answer("select", `"value":"2. libSQL — A shared database"`)
		if text, _, isError := c.toolResult("t1"); isError || !strings.Contains(text, `"libSQL"`) {
			t.Errorf("%s: %q", dialect, text)
		}
		c.send(callQuestions("t2"))
		answer("select", `"cancelled":true`)
		if _, details, _ := c.toolResult("t2"); !strings.Contains(details, `"outcome":"declined"`) {
			t.Errorf("%s: %s", dialect, details)
		}
		c.end()
	}
}

// between returns what stands in s between the first before and the next after.
func between(s, before, after string) string {
	_, s, _ = strings.Cut(s, before)
	s, _, _ = strings.Cut(s, after)
	return s
}
