//go:build unix

package scenario

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes a command the first of a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends all that is left of the group of a process. An error means that
// there is nothing left.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
