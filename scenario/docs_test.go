package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// The examples of the manual are scenarios.
func TestDocumentedScenariosParse(t *testing.T) {
	s := compiled(t)
	for _, name := range []string{"scenarios.md", "testing-extensions.md"} {
		text, err := os.ReadFile(filepath.Join("..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		blocks := yamlBlock.FindAllStringSubmatch(string(text), -1)
		if len(blocks) == 0 {
			t.Errorf("%s has no example", name)
		}
		for i, b := range blocks {
			if _, err := Parse(fmt.Sprintf("%s example %d", name, i+1), []byte(b[1])); err != nil {
				t.Error(err)
			}
			if doc, ok := asJSON(t, []byte(b[1])); ok {
				if err := s.Validate(doc); err != nil {
					t.Errorf("%s example %d: %v", name, i+1, err)
				}
			}
		}
	}
}

// Every key, verb and operator stands in the manual.
func TestManualIsComplete(t *testing.T) {
	text, err := os.ReadFile("../docs/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	all = append(all, topLevel...)
	all = append(all, heads...)
	all = append(all, operators...)
	for name := range modifiers {
		all = append(all, name)
	}
	for _, r := range []Role{Client, Agent} {
		for name := range verbs[r] {
			all = append(all, name)
		}
	}
	for _, word := range all {
		if word == "ask" || word == "open_url" {
			continue // oh-my-pi's, in the schema alone.
		}
		if !strings.Contains(string(text), word) {
			t.Errorf("the manual says nothing of %s", word)
		}
	}
}
