//go:build unix

package scenario

import (
	"fmt"
	"os"
	"syscall"
)

var signalNumbers = map[string]syscall.Signal{
	"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL,
}

func signalProcess(p *os.Process, name string) error {
	if err := p.Signal(signalNumbers[name]); err != nil {
		return fmt.Errorf("send %s: %w", name, err)
	}
	return nil
}

func exitOf(state *os.ProcessState) Exit {
	exit := Exit{Code: state.ExitCode(), Reason: state.String()}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		exit.Code = 128 + int(status.Signal())
		for name, number := range signalNumbers {
			if number == status.Signal() {
				exit.Signal = name
			}
		}
	}
	return exit
}
