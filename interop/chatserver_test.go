package interop_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"extui/interop"
)

// A chatServer is a model behind HTTP on loopback, as pi talks to any
// OpenAI-compatible endpoint: streamed chat completions. To a prompt it knows it
// answers with a call of one tool; to the tool's result with a text that repeats
// the result.
type chatServer struct {
	t     *testing.T
	tool  string
	calls map[string]any // by prompt: the arguments of the call, written as JSON
	url   string
	told  chan string // the tool results as the model gets them
}

// newChatServer starts one. It ends with the test, after whatever is started later.
func newChatServer(t *testing.T, tool string, calls map[string]any) *chatServer {
	t.Helper()
	s := &chatServer{t: t, tool: tool, calls: calls, told: make(chan string, 100)}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// pi returns the command that starts pi with the extensions and with this server
// as its model, by the file that pi's users write for one.
func (s *chatServer) pi(extensions ...string) interop.Command {
	s.t.Helper()
	pi := interop.Pi(s.t, extensions...)
	const variable = "PI_CODING_AGENT_DIR="
	i := slices.IndexFunc(pi.Env, func(v string) bool { return strings.HasPrefix(v, variable) })
	if i < 0 {
		s.t.Fatalf("pi's environment has no %s", variable)
	}
	dir := strings.TrimPrefix(pi.Env[i], variable)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		s.t.Fatal(err)
	}
	models := fmt.Sprintf(`{"providers": {"loopback": {
		"baseUrl": "%s/v1", "api": "openai-completions", "apiKey": "none", "models": [{"id": "scripted"}]}}}`, s.url)
	if err := os.WriteFile(filepath.Join(dir, "models.json"), []byte(models), 0o666); err != nil {
		s.t.Fatal(err)
	}
	pi.Args = append(pi.Args, "--provider", "loopback", "--model", "scripted")
	return pi
}

// chatRequest is what the server reads of a request.
type chatRequest struct {
	Stream   bool
	Messages []chatMessage
	Tools    []struct {
		Function struct{ Name string }
	}
}

type chatMessage struct {
	Role    string
	Content json.RawMessage // a string, or an array of parts
}

func (m chatMessage) text() (string, error) {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return text, nil
	}
	var parts []struct{ Text string }
	if err := json.Unmarshal(m.Content, &parts); err != nil {
		return "", fmt.Errorf("content %s: %w", m.Content, err)
	}
	for _, part := range parts {
		text += part.Text
	}
	return text, nil
}

func (s *chatServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	deltas, reason, err := s.reply(r)
	if err != nil {
		s.t.Errorf("pi asked its model %s %s: %v", r.Method, r.URL.Path, err)
		http.Error(w, err.Error(), http.StatusBadRequest) // pi tries no request of this status again
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	chunk := func(delta any, reason any) {
		b, err := json.Marshal(map[string]any{
			"id": "chat", "object": "chat.completion.chunk", "created": 0, "model": "scripted",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}},
		})
		if err != nil {
			s.t.Errorf("encode the model's reply: %v", err)
		}
		fmt.Fprintf(w, "data: %s\n\n", b)
		w.(http.Flusher).Flush()
	}
	for _, delta := range deltas {
		chunk(delta, nil)
	}
	chunk(struct{}{}, reason)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// reply returns the pieces of the model's message, and why it ends.
func (s *chatServer) reply(r *http.Request) (deltas []any, reason string, err error) {
	var request chatRequest
	if r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" {
		return nil, "", errors.New("nothing is there")
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		return nil, "", fmt.Errorf("decode the request: %w", err)
	}
	if !request.Stream || len(request.Messages) == 0 {
		return nil, "", fmt.Errorf("stream %t, %d messages", request.Stream, len(request.Messages))
	}
	offered := false
	for _, tool := range request.Tools {
		offered = offered || tool.Function.Name == s.tool
	}
	if !offered {
		return nil, "", fmt.Errorf("the tools %+v are without %s", request.Tools, s.tool)
	}
	last := request.Messages[len(request.Messages)-1]
	text, err := last.text()
	if err != nil {
		return nil, "", err
	}
	switch last.Role {
	case "tool":
		s.told <- text
		return []any{map[string]any{"role": "assistant", "content": "I was told: "}, map[string]any{"content": text}}, "stop", nil
	case "user":
		args, ok := s.calls[text]
		if !ok {
			return nil, "", fmt.Errorf("no call for the prompt %q", text)
		}
		b, err := json.Marshal(args)
		if err != nil {
			return nil, "", fmt.Errorf("encode the arguments for the prompt %q: %w", text, err)
		}
		half := strings.IndexByte(string(b), ',') // arguments come in pieces
		begin := map[string]any{"index": 0, "id": fmt.Sprintf("call-%d", len(request.Messages)), "type": "function",
			"function": map[string]any{"name": s.tool, "arguments": string(b[:half])}}
		rest := map[string]any{"index": 0, "function": map[string]any{"arguments": string(b[half:])}}
		return []any{
			map[string]any{"role": "assistant", "tool_calls": []any{begin}},
			map[string]any{"tool_calls": []any{rest}},
		}, "tool_calls", nil
	}
	return nil, "", fmt.Errorf("the last message is of role %q", last.Role)
}
