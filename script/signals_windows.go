package script

import (
	"os"
	"os/exec"
	"syscall"
)

// signals are those that end a process here, and that Node.js knows on Windows.
var signals = map[string]syscall.Signal{
	"SIGHUP": syscall.SIGHUP, "SIGINT": syscall.SIGINT, "SIGQUIT": syscall.SIGQUIT, "SIGILL": syscall.SIGILL,
	"SIGABRT": syscall.SIGABRT, "SIGFPE": syscall.SIGFPE, "SIGKILL": syscall.SIGKILL, "SIGSEGV": syscall.SIGSEGV, "SIGTERM": syscall.SIGTERM,
}

// killProcess ends any process; signal 0 asks whether there is one.
func killProcess(pid int, s syscall.Signal) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return errNoProcess
	}
	defer func() { _ = p.Release() }() // there is nothing to do about it
	if s == 0 {
		return nil
	}
	return p.Kill()
}

// errNoProcess is what Windows has no error of the C library for.
var errNoProcess = &codedError{"ESRCH", "no such process"}

// detach gives cmd a group of its own.
func detach(cmd *exec.Cmd, detached bool) {
	if detached {
		const newGroup, detachedProcess = 0x200, 0x8
		cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: newGroup | detachedProcess}
	}
}
