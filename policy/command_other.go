//go:build !unix

package policy

import (
	"os"
	"os/exec"
)

// shellCommand is the command line of a shell.
func shellCommand(line string) []string { return []string{"cmd.exe", "/C", line} }

// There are no process groups here: what a command has started outlives it.
func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return os.ErrProcessDone
	}
	return cmd.Process.Kill()
}

// syncDir does nothing: names in folders cannot be synced here.
func syncDir(string) error { return nil }
