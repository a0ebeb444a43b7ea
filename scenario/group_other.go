//go:build !unix

package scenario

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

// killGroup ends the process alone: groups do not exist here. An error means that it
// has ended.
func killGroup(p *os.Process) { _ = p.Kill() }
