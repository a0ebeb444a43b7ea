// Screenshots writes docs/terminal/*.svg: what the terminal UI looks like, as tmux
// sees it. Run it from the module's root after a change of the screens:
//
//	go run ./frontend/terminal/screenshots
//
// It builds the program, starts it in a tmux of its own with an agent that sends
// prepared records, presses keys and turns what is on the screen into pictures,
// at 80 columns and at 40. It needs tmux and a POSIX shell.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	out := flag.String("out", filepath.Join("docs", "terminal"), "`FOLDER` for the pictures")
	only := flag.String("only", "", "make only the pictures of this `SCENE`")
	flag.Parse()
	if err := run(*out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		os.Exit(1)
	}
}

var sizes = [][2]int{{80, 24}, {40, 12}}

func run(out, only string) (err error) {
	dir, err := os.MkdirTemp("", "extui-shots")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	program := filepath.Join(dir, "extui")
	build := exec.Command("go", "build", "-o", program, "./cmd/extui")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build the program: %w", err)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return fmt.Errorf("make %s: %w", out, err)
	}
	for _, s := range scenes {
		if only != "" && s.name != only {
			continue
		}
		for _, size := range sizes {
			screen, err := shoot(dir, program, s, size[0], size[1])
			if err != nil {
				return fmt.Errorf("%s at %d columns: %w", s.name, size[0], err)
			}
			name := filepath.Join(out, fmt.Sprintf("%s-%d.svg", s.name, size[0]))
			title := fmt.Sprintf("%s, %d columns", s.about, size[0])
			if err := os.WriteFile(name, svg(screen, size[0], size[1], title), 0o644); err != nil {
				return fmt.Errorf("write a picture: %w", err)
			}
			fmt.Println(name)
		}
	}
	return nil
}

// patience is how long the program may take to show something.
const patience = 20 * time.Second

// shoot plays a scene and returns the screen as tmux prints it, colours included.
func shoot(dir, program string, s scene, width, height int) (screen string, err error) {
	records, agent := filepath.Join(dir, "records"), filepath.Join(dir, "agent")
	if err := os.WriteFile(records, []byte(strings.Join(append(conversation, s.records...), "\n")+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("write the agent's records: %w", err)
	}
	if err := os.WriteFile(agent, []byte("#!/bin/sh\ncat '"+records+"'\ncat >'"+dir+"/answers'\n"), 0o700); err != nil {
		return "", fmt.Errorf("write the agent: %w", err)
	}
	socket := filepath.Join(dir, fmt.Sprintf("%s-%d", s.name, width))
	tmux := func(args ...string) (string, error) {
		out, err := exec.Command("tmux", append([]string{"-S", socket}, args...)...).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("tmux %s: %w: %s", args[0], err, out)
		}
		return string(out), nil
	}
	_, err = tmux("-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height),
		"env", "COLORTERM=truecolor", "LC_ALL=C.UTF-8", program, "run", "--dialect", "pi", "--", agent)
	if err != nil {
		return "", err
	}
	defer func() {
		_, killErr := tmux("kill-server")
		err = errors.Join(err, killErr)
	}()
	wait := func(text string) error {
		for late := time.Now().Add(patience); ; {
			screen, err := tmux("capture-pane", "-p")
			if err != nil {
				return err
			}
			if strings.Contains(screen, text) {
				return nil
			}
			if time.Now().After(late) {
				return fmt.Errorf("%q is not on the screen:\n%s", text, screen)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	if err := wait(s.wait); err != nil {
		return "", err
	}
	for _, key := range s.keys {
		time.Sleep(500 * time.Millisecond) // Keys count once a person could have read.
		if _, err := tmux("send-keys", "--", key); err != nil {
			return "", err
		}
	}
	if s.until != "" {
		if err := wait(s.until); err != nil {
			return "", err
		}
	}
	time.Sleep(300 * time.Millisecond)
	return tmux("capture-pane", "-p", "-e")
}
