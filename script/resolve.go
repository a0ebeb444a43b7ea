package script

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// Entries returns the extension files that path stands for, absolute and in order: path
// itself if it is a file, those that the manifest of a package names (the member pi
// or atomic of its package.json, with a list extensions), or the index.ts of a
// folder (or index.js, index.mjs). An error says what was looked for.
func Entries(path string) ([]string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("find extension %s: %w", path, err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return nil, fmt.Errorf("find extension %s: %w", path, err)
	}
	if !info.IsDir() {
		if !slices.Contains([]string{".ts", ".js", ".mjs", ".mts", ".cjs", ".cts"}, filepath.Ext(abs)) {
			return nil, fmt.Errorf("find extension %s: it is neither TypeScript nor JavaScript", path)
		}
		return []string{abs}, nil
	}
	// As in pi, what a manifest names and is not there counts for nothing.
	entries, err := manifestEntries(abs)
	if entries != nil {
		return entries, nil
	}
	if index := indexFile(abs); index != "" {
		return []string{index}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find extension %s: %w", path, err)
	}
	return nil, fmt.Errorf("find extension %s: the folder has no index.ts or index.js, and no package.json with a list of extensions under \"pi\" or \"atomic\"", path)
}

func indexFile(dir string) string {
	for _, name := range []string{"index.ts", "index.js", "index.mjs"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.IsDir() {
			return filepath.Join(dir, name)
		}
	}
	return ""
}

// manifestEntries returns what a package's manifest names, nil if it has none.
func manifestEntries(dir string) ([]string, error) {
	file := filepath.Join(dir, "package.json")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	type part struct {
		Extensions []string `json:"extensions"`
	}
	var manifest struct {
		Atomic *part `json:"atomic"`
		Pi     *part `json:"pi"`
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	named := manifest.Atomic
	if named == nil {
		named = manifest.Pi
	}
	if named == nil || len(named.Extensions) == 0 {
		return nil, nil
	}
	var out []string
	var missing []error
	for _, name := range named.Extensions {
		found, err := expand(dir, name)
		if err != nil {
			missing = append(missing, fmt.Errorf("%s names the extension %q: %w", file, name, err))
			continue
		}
		out = append(out, found...)
	}
	return out, errors.Join(missing...)
}

// expand returns the files that one name in a manifest stands for: a file, a folder
// with an index, a folder of extensions, or a pattern.
func expand(dir, name string) ([]string, error) {
	full := filepath.Join(dir, filepath.FromSlash(name))
	if strings.ContainsAny(name, "*?[") {
		found, err := filepath.Glob(full)
		if err == nil && len(found) == 0 {
			err = fs.ErrNotExist
		}
		return found, err
	}
	info, err := os.Stat(full)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{full}, nil
	}
	if index := indexFile(full); index != "" {
		return []string{index}, nil
	}
	list, err := os.ReadDir(full)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range list {
		at := filepath.Join(full, e.Name())
		switch {
		case e.IsDir():
			if index := indexFile(at); index != "" {
				out = append(out, index)
			}
		case filepath.Ext(at) == ".ts" && !strings.HasSuffix(at, ".d.ts"), filepath.Ext(at) == ".js":
			out = append(out, at)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("the folder holds no extension")
	}
	return out, nil
}
