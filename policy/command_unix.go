//go:build unix

package policy

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// shellCommand is the command line of a shell.
func shellCommand(line string) []string { return []string{"/bin/sh", "-c", line} }

// ownGroup lets killGroup reach what a command has started, and keeps the terminal's
// signals from it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return os.ErrProcessDone
	}
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// syncDir makes the names in a folder last.
func syncDir(dir string) error {
	d, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return err
	}
	err = d.Sync()
	// Some file systems have nothing to sync there, and say so.
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
