package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"extui/internal/pi"
)

// tapVariable names the file into which the agent's output is copied.
const tapVariable = "EXTUI_TAP"

// tapEnd is the line behind the last of the agent's.
const tapEnd = "the end of the agent's output"

// tap is the agent of the rule between the client and the checker's own process: it
// copies what the agent writes into a file, for whoever types at the client. All ends
// are passed on.
func tap(agent string, copyTo string) error {
	log, err := os.OpenFile(copyTo, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("tap the agent: %w", err)
	}
	defer log.Close()
	cmd := exec.Command(agent)
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("tap the agent: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("tap the agent: %w", err)
	}
	// The client first: that is what is judged.
	_, err = io.Copy(io.MultiWriter(os.Stdout, log), out)
	os.Stdout.Close()
	_, _ = log.WriteString("\n" + tapEnd + "\n") // Whoever types has one answer less to give.
	if werr := cmd.Wait(); err == nil {
		err = werr
	}
	return err
}

// asNode makes a folder with a program node that is the agent, with a tap on it if
// tapped is the name of a file. pi's clients start "node" from PATH.
func asNode(dir, agent, tapped string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	script := "#!/bin/sh\nexec '" + agent + "'\n"
	if tapped != "" {
		script = "#!/bin/sh\n" + tapVariable + "='" + tapped + "' exec '" + self + "' tap '" + agent + "'\n"
	}
	return os.WriteFile(filepath.Join(dir, "node"), []byte(script), 0o700)
}

// runRPCClient is pi's RpcClient as the client under test; it returns its exit code.
func runRPCClient(ctx context.Context, install pi.Install, agent string) (int, error) {
	dir, err := os.MkdirTemp("", "extui-rpcclient")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	if err := asNode(dir, agent, ""); err != nil {
		return 1, err
	}
	cmd := exec.CommandContext(ctx, install.Node, filepath.Join(install.Dir, "conformance", "rpcclient.mjs"))
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() >= 0 {
		return exit.ExitCode(), nil
	}
	return 1, err
}
