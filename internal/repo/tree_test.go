package repo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// source is one parsed Go file of the module.
type source struct {
	name string // Relative to the module's root, with forward slashes.
	file *ast.File
	test bool
}

// sources parses every Go file of the module, whatever system it is for. Files in testdata are
// not ours to judge.
func sources(t *testing.T) (*token.FileSet, []source) {
	t.Helper()
	root, files := tree(t)
	set := token.NewFileSet()
	var all []source
	for _, name := range files {
		if path.Ext(name) != ".go" || slices.Contains(strings.Split(name, "/"), "testdata") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%v: make it compile", err)
		}
		all = append(all, source{name, file, strings.HasSuffix(name, "_test.go")})
	}
	if len(all) == 0 {
		t.Fatal("found no Go files")
	}
	return set, all
}

func tree(t *testing.T) (root string, files []string) {
	t.Helper()
	root, err := Root(".")
	if err != nil {
		t.Fatal(err)
	}
	files, err = Files(root)
	if err != nil {
		t.Fatal(err)
	}
	return root, files
}

// parse makes a source of a text, for the tests of the rules themselves.
func parse(t *testing.T, name, text string) (*token.FileSet, source) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return set, source{name, file, strings.HasSuffix(name, "_test.go")}
}

// report fails the test with what a rule has found, one line each.
func report(t *testing.T, found []string) {
	t.Helper()
	for _, line := range found {
		t.Error(line)
	}
}
