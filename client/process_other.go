//go:build !unix

package client

import (
	"os"
	"os/exec"
)

// There are no process groups to signal here: an agent is asked to end by
// closing its input, and killed otherwise.
func ownGroup(*exec.Cmd) {}

func askToEnd(*os.Process) bool { return false }

// kill ends the process. An error means that it has ended.
func kill(p *os.Process) { _ = p.Kill() }

func signalName(*os.ProcessState) string { return "" }
