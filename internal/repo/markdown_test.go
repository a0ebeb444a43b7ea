package repo

import (
	"fmt"
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// page is a Markdown file, its lines sorted into prose and code.
type page struct {
	name  string
	prose []line // Outside fenced blocks.
	shell []line // In fenced blocks marked sh.
}

type line struct {
	number int
	text   string
}

func parsePage(name, text string) page {
	p := page{name: name}
	fence, language := "", ""
	for i, s := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(s)
		switch marks := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`~"))]; {
		case fence == "" && len(marks) >= 3:
			fence, language = marks, strings.TrimSpace(trimmed[len(marks):])
		case fence != "" && trimmed == fence:
			fence = ""
		case fence == "":
			p.prose = append(p.prose, line{i + 1, s})
		case language == "sh":
			p.shell = append(p.shell, line{i + 1, trimmed})
		}
	}
	return p
}

func pages(t *testing.T) (root string, all []page) {
	t.Helper()
	root, files := tree(t)
	for _, name := range files {
		if path.Ext(name) != ".md" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, parsePage(name, string(text)))
	}
	return root, all
}

var (
	codeSpan = regexp.MustCompile("`[^`]*`")
	link     = regexp.MustCompile(`\]\(<?([^)\s>]+)`)
	scheme   = regexp.MustCompile(`^[a-z][a-z0-9+.-]*:`)
	heading  = regexp.MustCompile(`^#{1,6}\s+(.*)`)
)

// brokenLinks returns a line for each link of p to a file, directory or heading that is not
// below root. Addresses elsewhere are not looked at.
func brokenLinks(root string, p page) []string {
	var faults []string
	for _, l := range p.prose {
		for _, found := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(l.text, "``"), -1) {
			if scheme.MatchString(found[1]) {
				continue
			}
			file, anchor, _ := strings.Cut(found[1], "#")
			target := p.name
			if file != "" {
				target = path.Join(path.Dir(p.name), file)
			}
			text, err := os.ReadFile(filepath.Join(root, target))
			if _, statErr := os.Stat(filepath.Join(root, target)); statErr != nil {
				faults = append(faults, fmt.Sprintf("%s:%d: link to %s: no such file; correct the link", p.name, l.number, found[1]))
			} else if anchor != "" && path.Ext(target) == ".md" &&
				(err != nil || !slices.Contains(anchors(parsePage(target, string(text))), anchor)) {
				faults = append(faults, fmt.Sprintf("%s:%d: link to %s: no heading has that anchor; correct the link", p.name, l.number, found[1]))
			}
		}
	}
	return faults
}

// anchors returns what the headings of p are linked by: small letters, digits, hyphens and
// underscores, spaces as hyphens.
func anchors(p page) []string {
	var all []string
	for _, l := range p.prose {
		if found := heading.FindStringSubmatch(l.text); found != nil {
			all = append(all, strings.Map(func(r rune) rune {
				switch {
				case r == ' ':
					return '-'
				case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
					return unicode.ToLower(r)
				}
				return -1
			}, strings.TrimSpace(found[1])))
		}
	}
	return all
}

// unknownCommands returns a line for each shell line of p that runs the program with a
// subcommand that is not among known.
func unknownCommands(p page, known []string) []string {
	var faults []string
	for _, l := range p.shell {
		_, arguments, found := strings.Cut(l.text, "go run ./cmd/extui ")
		if !found {
			continue
		}
		words := strings.Fields(arguments)
		if len(words) > 0 && regexp.MustCompile(`^[a-z]+$`).MatchString(words[0]) && !slices.Contains(known, words[0]) {
			faults = append(faults, fmt.Sprintf("%s:%d: the program has no subcommand %q, only %s; correct the line",
				p.name, l.number, words[0], strings.Join(known, ", ")))
		}
	}
	return faults
}

// subcommands returns the first word of each Use field in cmd/extui, and cobra's own commands.
func subcommands(all []source) []string {
	known := []string{"completion", "help"}
	for _, s := range all {
		if s.test || !strings.HasPrefix(s.name, "cmd/extui/") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			pair, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			key, _ := pair.Key.(*ast.Ident)
			value, _ := pair.Value.(*ast.BasicLit)
			if key != nil && key.Name == "Use" && value != nil {
				if use, err := strconv.Unquote(value.Value); err == nil && use != "" {
					known = append(known, strings.Fields(use)[0])
				}
			}
			return true
		})
	}
	slices.Sort(known)
	return slices.Compact(known)
}

func TestMarkdownLinksLeadSomewhere(t *testing.T) {
	root, all := pages(t)
	for _, p := range all {
		report(t, brokenLinks(root, p))
	}
}

func TestDocumentedSubcommandsExist(t *testing.T) {
	_, all := sources(t)
	known := subcommands(all)
	_, texts := pages(t)
	for _, p := range texts {
		report(t, unknownCommands(p, known))
	}
}

func TestBrokenLinks(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "docs"), 0o777); err != nil {
		t.Fatal(err)
	}
	const other = "# The Top: of `it`\n```\n# not a heading\n```\n"
	if err := os.WriteFile(filepath.Join(root, "docs", "other.md"), []byte(other), 0o666); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"[a](docs/other.md) [b](docs)":        0,
		"[a](docs/none.md)":                   1,
		"[a](docs/other.md#the-top-of-it)":    0,
		"[a](docs/other.md#not-a-heading)":    1,
		"# Here\n[a](#here) [b](#there)":      1,
		"[a](https://example.org/x)":          0,
		"`[a](none)` ![image](none.png)":      1,
		"```\n[a](none)\n```\n[b](also-none)": 1,
	} {
		if err := os.WriteFile(filepath.Join(root, "README.md"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := brokenLinks(root, parsePage("README.md", text)); len(got) != want {
			t.Errorf("%q: got %d faults, want %d: %q", text, len(got), want, got)
		}
	}
}

func TestUnknownCommands(t *testing.T) {
	p := parsePage("README.md", "```sh\ngo run ./cmd/extui run\n$ go run ./cmd/extui rum -x\ngo run ./cmd/extui --help\ngo run ./cmd/extui\n```\n"+
		"```\ngo run ./cmd/extui other\n```\n")
	got := unknownCommands(p, []string{"run"})
	if len(got) != 1 || !strings.Contains(got[0], `README.md:3: the program has no subcommand "rum"`) {
		t.Errorf("got %q", got)
	}
}
