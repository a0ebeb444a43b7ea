package repo

import (
	"fmt"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// room is a directory with all below it that is not a room itself.
type room struct {
	dir string
	// level orders the rooms. An import leads to a smaller level, so that rooms of one level
	// know nothing of each other.
	level int
	// modules are what the room may import from outside the standard library, packages below
	// them included.
	modules []string
	// alone rooms import nothing of this module.
	alone bool
	// tests rooms are imported by test files only.
	tests bool
	why   string
}

const (
	jsonModule = "github.com/go-json-experiment/json"
	yamlModule = "github.com/goccy/go-yaml"
)

// rooms is the whole module. To add a package, enter it here and say what it is for; to let a
// room import more, say why the room cannot do without.
var rooms = []room{
	{dir: "protocol", level: 1, alone: true, modules: []string{jsonModule},
		why: "the records alone, so that whoever speaks the protocol needs nothing else of ours"},
	{dir: "internal/jsonl", level: 2, alone: true,
		why: "framing knows bytes and lines, not what is in them"},
	{dir: "internal/safetext", level: 2, alone: true,
		why: "every front end makes an agent's text safe in the same way, for whatever it shows it on"},
	{dir: "internal/pi", level: 2, alone: true,
		why: "where the real pi is and how it starts, for whatever is measured or tested against it"},
	{dir: "internal/yamlfile", level: 2, alone: true, modules: []string{yamlModule},
		why: "a file is parsed within the same bounds whatever it means"},
	{dir: "internal/vectors", level: 3, tests: true, modules: []string{jsonModule},
		why: "recorded conversations, for the tests of both ends"},
	{dir: "internal/crew", level: 2, alone: true,
		why: "code of others runs in goroutines that somebody waits for, and its panics end nothing else"},
	{dir: "internal/uuid", level: 2, alone: true,
		why: "ids for dialogs, sessions and calls, from whichever engine they come"},
	{dir: "internal/long", level: 3, tests: true, alone: true,
		why: "one word for the tests that a plain go test leaves out"},
	{dir: "internal/tmux", level: 3, tests: true, alone: true,
		why: "a terminal for the tests of the program and of the real agents"},
	{dir: "agent", level: 4, modules: []string{jsonModule},
		why: "an agent is built on the library without its other end"},
	{dir: "client", level: 5, modules: []string{jsonModule},
		why: "a program that drives an agent needs no terminal and no web server"},
	{dir: "questionnaire", level: 6, modules: []string{jsonModule},
		why: "the rules of one tool, for either end"},
	{dir: "extension", level: 7, modules: []string{jsonModule},
		why: "Go extensions work without a script engine"},
	{dir: "script", level: 8, modules: []string{"github.com/evanw/esbuild", "modernc.org/quickjs", "modernc.org/libquickjs", "modernc.org/libc",
		"github.com/nlnwa/whatwg-url", yamlModule, jsonModule},
		why: "the only room that knows JavaScript"},
	{dir: "policy", level: 9, modules: []string{yamlModule, "github.com/expr-lang/expr", jsonModule},
		why: "rules are YAML and expressions, and decide without any front end"},
	{dir: "scenario", level: 10, modules: []string{yamlModule, jsonModule},
		why: "plays either end from a file"},
	{dir: "scenario/conformance", level: 11, modules: []string{yamlModule, jsonModule},
		why: "the rules as scenarios, and who keeps them; it starts what it judges and knows neither end's code"},
	{dir: "proxy", level: 11, modules: []string{jsonModule},
		why: "stands between an agent and a client with the rules and the walk, and knows neither processes nor flags"},
	{dir: "frontend/terminal", level: 11,
		modules: []string{"charm.land/bubbletea/v2", "charm.land/bubbles/v2", "charm.land/huh/v2",
			"charm.land/lipgloss/v2", "github.com/yuin/goldmark", "github.com/charmbracelet/x", "github.com/charmbracelet/colorprofile", "golang.org/x/sys"},
		why: "the full-screen interface, which is what its libraries are for; goldmark alone reads Markdown, for a renderer with a highlighter would slow down every start"},
	{dir: "frontend/plain", level: 11,
		modules: []string{"golang.org/x/term", "golang.org/x/sys", "github.com/muesli/cancelreader", "github.com/clipperhouse/displaywidth"},
		why:     "prompts on any stream: it asks whether that is a terminal, how wide a text is, must be able to stop reading, and throws half a typed line away"},
	{dir: "hub", level: 12, modules: []string{"github.com/nats-io/nats-server/v2", "github.com/nats-io/nats.go", jsonModule},
		why: "many agents and viewers are NATS and nothing of our own"},
	{dir: "frontend/web", level: 13,
		modules: []string{"github.com/coder/websocket", "github.com/yuin/goldmark", "github.com/microcosm-cc/bluemonday", jsonModule},
		why:     "a viewer of the hub in a browser"},
	{dir: "cmd/extui", level: 14,
		modules: []string{"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/charmbracelet/x/ansi", "golang.org/x/term", "golang.org/x/sys", jsonModule},
		why:     "flags in, one call out"},
	{dir: "examples", level: 15, modules: []string{jsonModule}, why: "programs that show how the rooms are used"},
	{dir: "interop", level: 15, modules: []string{jsonModule, "github.com/creack/pty"},
		why: "the real agents, through the program and the client; interop/conformance sits at clients that want a terminal"},
	{dir: "bench", level: 16, modules: []string{jsonModule}, why: "measures any of the rooms"},
	{dir: "internal/repo", level: 17, why: "looks at the source of all rooms and links none of them"},
}

// testModules are what tests of every room may import besides.
var testModules = []string{
	"go.uber.org/goleak",                       // Goroutines left behind.
	"github.com/rogpeppe/go-internal",          // The program in script files.
	"github.com/santhosh-tekuri/jsonschema/v6", // Our schemas judged by another's code.
	"github.com/creack/pty",                    // A terminal without a screen.
	"golang.org/x/sys",                         // What the other end of that terminal needs.
	"github.com/go-json-experiment/json",       // Records, read to be compared.
}

// roomOf returns the row of the deepest room that holds dir.
func roomOf(dir string) (room, bool) {
	for at := dir; ; at = path.Dir(at) {
		if i := slices.IndexFunc(rooms, func(r room) bool { return r.dir == at }); i >= 0 {
			return rooms[i], true
		}
		if at == "." || at == "/" {
			return room{}, false
		}
	}
}

// importFaults returns a line for each import of s that the table does not allow.
func importFaults(set *token.FileSet, s source, module string) []string {
	from, ok := roomOf(path.Dir(s.name))
	if !ok {
		return []string{fmt.Sprintf("%s: %s is in no room; enter it in rooms in internal/repo/imports_test.go with its reason",
			s.name, path.Dir(s.name))}
	}
	var faults []string
	for _, spec := range s.file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			panic(err) // The parser has accepted it.
		}
		fault := ""
		if dir, ours := strings.CutPrefix(name, module+"/"); ours {
			fault = roomFault(from, dir, s.test)
		} else if strings.Contains(strings.Split(name, "/")[0], ".") {
			allowed := func(m string) bool { return name == m || strings.HasPrefix(name, m+"/") }
			if !slices.ContainsFunc(from.modules, allowed) && !(s.test && slices.ContainsFunc(testModules, allowed)) {
				fault = "is no module that this room may use"
			}
		}
		if fault != "" {
			faults = append(faults, fmt.Sprintf("%s: import of %s: %s (%s: %s); move the code, or change rooms in internal/repo/imports_test.go",
				set.Position(spec.Pos()), name, fault, from.dir, from.why))
		}
	}
	return faults
}

// roomFault says why a file in room from may not import our package dir, or "".
func roomFault(from room, dir string, test bool) string {
	to, ok := roomOf(dir)
	switch {
	case !ok:
		return "it is in no room"
	case to.dir == from.dir:
		return ""
	case from.alone:
		return "this room imports nothing of ours"
	case to.level >= from.level:
		return fmt.Sprintf("%s stands below or beside this room", to.dir)
	case to.tests && !test && from.level < 15:
		return fmt.Sprintf("%s is for tests", to.dir)
	}
	return ""
}

func TestImportDirections(t *testing.T) {
	root, _ := tree(t)
	module, err := ModulePath(root)
	if err != nil {
		t.Fatal(err)
	}
	set, all := sources(t)
	for _, s := range all {
		report(t, importFaults(set, s, module))
	}
}

func TestRoomsSayWhy(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rooms {
		if r.why == "" || r.level == 0 || seen[r.dir] {
			t.Errorf("room %q: give it one row, a level and a reason", r.dir)
		}
		seen[r.dir] = true
	}
}

func TestImportFaults(t *testing.T) {
	for _, test := range []struct{ file, imports, want string }{
		{"client/a.go", "m/protocol", ""},
		{"client/a.go", "m/internal/jsonl", ""},
		{"client/a.go", "net/http", ""},
		{"client/inner/a.go", "m/client", ""},
		{"client/a.go", jsonModule + "/jsontext", ""},
		{"client/a.go", "m/frontend/plain", "stands below"},
		{"agent/a.go", "m/client", "stands below"},
		{"agent/a_test.go", "m/client", "stands below"},
		{"frontend/plain/a.go", "m/frontend/terminal", "stands below or beside"},
		{"client/a.go", "github.com/spf13/cobra", "no module that this room may use"},
		{"client/a.go", jsonModule + "x", "no module that this room may use"},
		{"client/a.go", "go.uber.org/goleak", "no module that this room may use"},
		{"client/a_test.go", "go.uber.org/goleak", ""},
		{"client/a.go", "m/internal/vectors", "is for tests"},
		{"client/a_test.go", "m/internal/vectors", ""},
		{"internal/jsonl/a.go", "m/protocol", "imports nothing of ours"},
		{"internal/jsonl/a.go", jsonModule, "no module that this room may use"},
		{"client/a.go", "m/nowhere", "is in no room"},
		{"nowhere/a.go", "fmt", "is in no room"},
		{"a.go", "fmt", "is in no room"},
		{"bench/a.go", "m/cmd/extui", ""},
	} {
		set, s := parse(t, test.file, "package p\nimport _ "+strconv.Quote(test.imports))
		got := strings.Join(importFaults(set, s, "m"), "\n")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s imports %s: got %q, want %q", test.file, test.imports, got, test.want)
		}
	}
}
