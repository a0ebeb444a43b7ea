//go:build unix

package client

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup keeps the terminal's signals from the agent, and lets kill reach
// what it has started.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// askToEnd sends SIGTERM to the group and reports whether there is such a thing
// here. An error means that the group has ended.
func askToEnd(p *os.Process) bool {
	_ = syscall.Kill(-p.Pid, syscall.SIGTERM)
	return true
}

func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

func signalName(s *os.ProcessState) string {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return w.Signal().String()
	}
	return ""
}
