package terminal

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(agentVariable) != "" {
		os.Exit(playAgent())
	}
	goleak.VerifyTestMain(m,
		// A clock of the syntax highlighter's, which stops by itself.
		goleak.IgnoreAnyFunction("github.com/dlclark/regexp2.runClock"))
}
