//go:build !unix

package scenario

import (
	"fmt"
	"os"
)

// signalProcess knows KILL alone: the others do not exist here.
func signalProcess(p *os.Process, name string) error {
	if name != "KILL" {
		return fmt.Errorf("send %s: only KILL exists on this system", name)
	}
	if err := p.Kill(); err != nil {
		return fmt.Errorf("send KILL: %w", err)
	}
	return nil
}

func exitOf(state *os.ProcessState) Exit { return Exit{Code: state.ExitCode(), Reason: state.String()} }
