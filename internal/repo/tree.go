package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// ErrNoModule is returned by Root when no directory on the way up holds a go.mod, and by
// ModulePath when the go.mod names no module.
var ErrNoModule = errors.New("no module here")

var moduleLine = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)"?`)

// Root returns the directory of the go.mod that dir belongs to: dir itself or the nearest
// directory above it. It returns an error that matches ErrNoModule where there is none.
func Root(dir string) (string, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the module of %s: %w", dir, err)
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		up := filepath.Dir(at)
		if up == at {
			return "", fmt.Errorf("find the module of %s: %w", dir, ErrNoModule)
		}
		at = up
	}
}

// ModulePath returns the path that root's go.mod gives the module. A go.mod without one is an
// error that matches ErrNoModule.
func ModulePath(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("read the module's path: %w", err)
	}
	found := moduleLine.FindSubmatch(text)
	if found == nil {
		return "", fmt.Errorf("read the module's path: %s names none: %w", filepath.Join(root, "go.mod"), ErrNoModule)
	}
	return string(found[1]), nil
}

// Files returns the regular files below root, as sorted paths relative to it with forward
// slashes. Directories that hold nothing of ours are left out: node_modules, and every one
// whose name begins with a dot except .ci.
func Files(root string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != root && (name == "node_modules" || strings.HasPrefix(name, ".") && name != ".ci") {
				return fs.SkipDir
			}
			return nil
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		files = append(files, filepath.ToSlash(relative))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", root, err)
	}
	return files, nil
}
