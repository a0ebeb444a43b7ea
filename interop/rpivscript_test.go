package interop_test

import (
	"path/filepath"
	"strings"
	"testing"

	"extui/internal/long"
	"extui/interop"
)

// The package @juicesharp/rpiv-ask-user-question loads in extui agent, in place of the
// tool of that name there, and asks its questions with plain dialogs as it does in pi.
func TestRpivInExtuiAgent(t *testing.T) {
	t.Parallel()
	long.Test(t)
	command := interop.Pi(t) // its folders; skips if nothing is installed
	pack, err := filepath.Abs(filepath.Join("node_modules", "@juicesharp", "rpiv-ask-user-question"))
	if err != nil {
		t.Fatal(err)
	}
	command.Path, command.Args = buildProgram(t), []string{"agent", "-e", pack}
	p := startExampleAgent(t, command, []string{`"value":"2. Postgres — A server"`})
	p.call(`{"type":"call_tool","toolName":"ask_user_question","input":{"questions":[{"question":"Which database should it use?","header":"Database","options":[` +
		`{"label":"SQLite","description":"A file"},{"label":"Postgres","description":"A server"}]}]}}`)
	wrote := strings.Join(p.end(), "\n")
	inOrder(t, wrote, `"method":"select"`, "Which database should it use?", `=\"Postgres\"`, `"kind":"option","answer":"Postgres"`, "(0 answers left)")
}
