package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"extui/client"
	"extui/internal/safetext"
)

// local is a command that extui itself carries out.
type local struct {
	name      string
	args      string // For the help.
	help      string
	immediate bool // It is over at once, so that nobody has to be waited for.
	run       func(ctx context.Context, s *session, args string) error
}

// locals are the commands of extui in the order of the help. An agent's command
// of the same name wins; //NAME is always the local one.
func locals() []local {
	return []local{
		{"call", "TOOL INPUT", "run a tool as the model would; INPUT is JSON, or text for bash, read and the like", false, callTool},
		{"new", "", "start a new session", false, newSessionCommand},
		{"abort", "", "stop what the agent does", false, func(ctx context.Context, s *session, _ string) error { return s.client.Abort(ctx) }},
		{"state", "", "show the agent's state", false, showState},
		{"commands", "", "list the agent's commands", false, listCommands},
		{"help", "", "list these", true, showHelp},
		{"quit", "", "stop the agent and leave", true, func(context.Context, *session, string) error { return errLeave }},
	}
}

func findLocal(name string) (local, bool) {
	all := locals()
	i := slices.IndexFunc(all, func(l local) bool { return l.name == name })
	if i < 0 {
		return local{}, false
	}
	return all[i], true
}

func callTool(ctx context.Context, s *session, args string) error {
	tool, text, _ := strings.Cut(strings.TrimSpace(args), " ")
	if tool == "" {
		return errors.New("which tool? /call TOOL INPUT, such as /call bash ls")
	}
	input, err := toolInput(tool, text)
	if err != nil {
		return err
	}
	result, err := s.client.CallTool(ctx, tool, input)
	s.answered(err)
	if errors.Is(err, client.ErrUnknownCommand) {
		return fmt.Errorf("%w; /call needs call_tool, which only extui's own agent knows", err)
	}
	if err != nil {
		return err
	}
	s.ui.Line(safetext.Block(describeToolResult(tool, result)))
	return nil
}

func newSessionCommand(ctx context.Context, s *session, _ string) error {
	cancelled, err := s.client.NewSession(ctx)
	s.answered(err)
	if err != nil {
		return err
	}
	if cancelled {
		s.ui.Line("[the session stays: an extension said no]")
		return nil
	}
	s.ui.Line("[new session]")
	s.learnCommands(ctx, nil)
	return nil
}

func showState(ctx context.Context, s *session, _ string) error {
	var state *client.State
	err := s.soon(ctx, func(ctx context.Context) (err error) {
		state, err = s.client.GetState(ctx)
		return err
	})
	if err != nil {
		return err
	}
	text := state.Raw.Clone()
	if err := text.Indent(jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
		return fmt.Errorf("show the agent's state: %w", err)
	}
	s.ui.Line(safetext.Block(string(text)))
	return nil
}

func listCommands(ctx context.Context, s *session, _ string) error {
	var all []client.CommandInfo
	err := s.soon(ctx, func(ctx context.Context) (err error) {
		all, err = s.client.GetCommands(ctx)
		return err
	})
	if err != nil {
		return err
	}
	s.names.set(all)
	if len(all) == 0 {
		s.ui.Line("[the agent has no commands]")
	}
	for _, c := range all {
		s.ui.Line(safetext.Line(strings.TrimSpace(fmt.Sprintf("/%-14s %s", c.Name, c.Description))))
	}
	return nil
}

func showHelp(_ context.Context, s *session, _ string) error {
	s.ui.Line("Commands of extui; all else goes to the agent, whose commands /commands lists:")
	for _, l := range locals() {
		slash := "/"
		if s.names.has(l.name) {
			slash = "//" // The agent has one of this name.
		}
		s.ui.Line(fmt.Sprintf("  %-18s %s", strings.TrimSpace(slash+l.name+" "+l.args), l.help))
	}
	return nil
}

// commandNames are the agent's commands as last heard.
type commandNames struct {
	mu  sync.Mutex
	all []client.CommandInfo // Replaced whole, guarded by mu.
}

func (n *commandNames) set(all []client.CommandInfo) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = all
}

func (n *commandNames) get() []client.CommandInfo {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.all
}

// has reports whether the agent has a command of that name.
func (n *commandNames) has(name string) bool {
	return slices.ContainsFunc(n.get(), func(c client.CommandInfo) bool { return c.Name == name })
}

// local returns the local command that a line means, and what stands behind it.
func (n *commandNames) local(text string) (l local, args string, ok bool) {
	rest, slash := strings.CutPrefix(text, "/")
	if !slash {
		return local{}, "", false
	}
	rest, forced := strings.CutPrefix(rest, "/")
	name, args, _ := strings.Cut(rest, " ")
	if l, ok = findLocal(name); !ok || !forced && n.has(name) {
		return local{}, "", false
	}
	return l, args, true
}

// complete returns what the beginning of a line may become: the names of
// commands, the agent's and extui's.
func (n *commandNames) complete(line string, pos int) []string {
	typed := line[:pos]
	if !strings.HasPrefix(typed, "/") || strings.Contains(typed, " ") {
		return nil
	}
	var found []string
	add := func(text string) {
		if strings.HasPrefix(text, typed) {
			found = append(found, text)
		}
	}
	for _, c := range n.get() {
		// A name that does not show itself is not put into a line unseen.
		if safetext.Line(c.Name) == c.Name {
			add("/" + c.Name + " ")
		}
	}
	for _, l := range locals() {
		if n.has(l.name) || strings.HasPrefix(typed, "//") {
			add("//" + l.name + " ")
		} else {
			add("/" + l.name + " ")
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
