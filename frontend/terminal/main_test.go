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
	goleak.VerifyTestMain(m)
}
