package main

import (
	"slices"
	"testing"

	"extui/client"
)

func names(all ...string) *commandNames {
	n := &commandNames{}
	for _, name := range all {
		n.all = append(n.all, client.CommandInfo{Name: name})
	}
	return n
}

func TestLocalCommandOfALine(t *testing.T) {
	n := names("new", "deploy")
	for line, want := range map[string]string{
		"/help":           "help",
		"/call bash ls":   "call",
		"//call bash ls":  "call",
		"/new":            "", // The agent has a command of this name.
		"//new":           "new",
		"/deploy":         "",
		"//deploy":        "", // There is no such local command: it is for the agent.
		"/unknown":        "",
		"help":            "",
		" /help":          "",
		"/":               "",
		"//":              "",
		"// a comment":    "",
		"/help\nsomebody": "",
	} {
		got, _, ok := n.local(line)
		if got.name != want || ok != (want != "") {
			t.Errorf("%q is the local command %q, want %q", line, got.name, want)
		}
	}
	if l, args, _ := n.local("//call  bash a  b "); l.name != "call" || args != " bash a  b " {
		t.Errorf("got %q with %q", l.name, args)
	}
}

func TestComplete(t *testing.T) {
	n := names("new", "deploy", "demo", "de\u202eceit", "call:1")
	for typed, want := range map[string][]string{
		"/de":   {"/demo ", "/deploy "}, // Not the one that does not show itself.
		"/n":    {"/new "},
		"//n":   {"//new "},
		"//":    {"//abort ", "//call ", "//commands ", "//help ", "//new ", "//quit ", "//state "},
		"/ca":   {"/call ", "/call:1 "},
		"/de x": nil,
		"de":    nil,
		"":      nil,
	} {
		if got := n.complete(typed+"behind", len(typed)); !slices.Equal(got, want) {
			t.Errorf("%q completes to %q, want %q", typed, got, want)
		}
	}
}
