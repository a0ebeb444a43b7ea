package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"extui/scenario"
)

// AgentNames are the names under which a client finds its agent.
var AgentNames = []string{"agent", "pi", "atomic", "omp"}

// AgentArgument stands for the path of the agent in a client's command line.
const AgentArgument = "{agent}"

// stage is the folder of one rule: the rule, its agent under all names, and where the
// verdict will be.
type stage struct{ dir string }

// path is a file of the stage. Agents have the suffix that the system wants.
func (s *stage) path(name string) string {
	if runtime.GOOS == "windows" && filepath.Ext(name) == "" && name != "output" {
		name += ".cmd"
	}
	return filepath.Join(s.dir, name)
}

// setStages makes a stage for each rule. clean removes them all.
func setStages(rules []*scenario.Scenario, player []string) (all []*stage, clean func(), err error) {
	root, err := os.MkdirTemp("", "extui-check")
	if err != nil {
		return nil, nil, fmt.Errorf("prepare the rules: %w", err)
	}
	clean = func() { _ = os.RemoveAll(root) } // A temporary folder, which others clean too.
	for _, rule := range rules {
		s := &stage{filepath.Join(root, rule.Rule.ID)}
		if err := s.set(rule, player); err != nil {
			clean()
			return nil, nil, fmt.Errorf("prepare rule %s: %w", rule.Rule.ID, err)
		}
		all = append(all, s)
	}
	return all, clean, nil
}

func (s *stage) set(rule *scenario.Scenario, player []string) error {
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		return err
	}
	file := s.path(rule.Rule.ID + ".yaml")
	errs := []error{os.WriteFile(file, rule.Source(), 0o600)}
	script := agentScript(append(player[:len(player):len(player)], "--verdict", s.path("verdict.json"), file))
	for _, name := range AgentNames {
		errs = append(errs, os.WriteFile(s.path(name), []byte(script), 0o700))
	}
	return errors.Join(errs...)
}

// agentScript is a program that runs argv, whatever arguments it gets itself.
func agentScript(argv []string) string {
	var quoted []string
	for _, arg := range argv {
		if runtime.GOOS == "windows" {
			quoted = append(quoted, `"`+strings.ReplaceAll(arg, "%", "%%")+`"`)
		} else {
			quoted = append(quoted, "'"+strings.ReplaceAll(arg, "'", `'\''`)+"'")
		}
	}
	if runtime.GOOS == "windows" {
		return "@" + strings.Join(quoted, " ") + "\r\n"
	}
	return "#!/bin/sh\nexec " + strings.Join(quoted, " ") + "\n"
}

// clientEnv is what a rule tells a client through its environment.
func clientEnv(s *scenario.Scenario, at *stage) []string {
	var choices []string
	for _, c := range s.Choices {
		choices = append(choices, c.JSON)
	}
	return append(envLines(s.Env),
		"EXTUI_CHECK=1",
		"EXTUI_CHECK_RULE="+s.Rule.ID,
		"EXTUI_CHOICES=["+strings.Join(choices, ",")+"]",
		"EXTUI_NEEDS="+strings.Join(s.Rule.Needs, ","),
		"EXTUI_AGENT="+at.path(AgentNames[0]),
	)
}

// ClientCommand starts a command line as the client under test, each in a process group
// of its own, with the agent's folder first in PATH and its path in the place of
// [AgentArgument]. Its standard input stays open, empty, until its agent has ended. env
// is its environment, as os.Environ gives it.
func ClientCommand(argv, env []string) ClientStart {
	return func(ctx context.Context, run *ClientRun) (*Client, error) {
		args := append([]string(nil), argv...)
		replace(args, AgentArgument, run.Agent)
		full := withEnv(env, run.Env)
		path := ""
		for _, line := range full {
			if p, ok := strings.CutPrefix(line, "PATH="); ok {
				path = p
			}
		}
		full = scenario.SetEnv(full, "PATH", run.Dir+string(os.PathListSeparator)+path)
		// Not a buffer: what the client leaves behind may hold it open.
		peer, err := scenario.StartGroup(ctx, args, full, run.Output, run.Output)
		if err != nil {
			return nil, err
		}
		return &Client{Wait: peer.Wait, Leave: func() { _ = peer.In.Close() }, Stop: peer.Stop}, nil
	}
}
