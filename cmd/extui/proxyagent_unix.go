//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends a process that has not ended, with its group.
func killGroup(p *os.Process) {
	if p.Signal(syscall.Signal(0)) == nil {
		_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
	}
}

// signalAgent sends a signal by the name that [scenario.Peer] has for it.
func signalAgent(p *os.Process, name string) error {
	s := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL}[name]
	if err := p.Signal(s); err != nil {
		return fmt.Errorf("send %s: %w", name, err)
	}
	return nil
}

// exitCode is 128 and the signal's number after a signal, as a shell has it.
func exitCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
