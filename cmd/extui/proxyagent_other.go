//go:build !unix

package main

import (
	"fmt"
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

// killGroup ends a process; there are no groups here.
func killGroup(p *os.Process) { _ = p.Kill() }

// signalAgent can only kill here.
func signalAgent(p *os.Process, name string) error {
	if name != "KILL" {
		return fmt.Errorf("send %s: this system cannot", name)
	}
	if err := p.Kill(); err != nil {
		return fmt.Errorf("send %s: %w", name, err)
	}
	return nil
}

func exitCode(state *os.ProcessState) int { return state.ExitCode() }
