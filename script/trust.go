package script

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// projectFolders are where a project keeps what is meant for its agent.
var projectFolders = []string{".pi", ".atomic"}

// checkTrust returns an error that matches ErrUntrusted if one of the files belongs to a
// project that is not trusted.
func (l *Loader) checkTrust(files ...string) error {
	if l.opts.Trusted {
		return nil
	}
	folders := foldersOfProject(l.opts.Cwd)
	for _, file := range files {
		for _, name := range bothNames(file) {
			if slices.ContainsFunc(folders, func(folder string) bool { return inside(folder, name) }) {
				return fmt.Errorf("%s: %w", file, ErrUntrusted)
			}
		}
	}
	return nil
}

// foldersOfProject lists the folders of the projects that dir is in, whether or not they
// are there. Those of the user's home directory are the user's own.
func foldersOfProject(dir string) []string {
	home, err := os.UserHomeDir()
	var own []string
	if err == nil {
		own = bothNames(home)
	}
	var out []string
	for _, at := range bothNames(dir) {
		for {
			if !slices.Contains(own, at) {
				for _, name := range projectFolders {
					out = append(out, bothNames(filepath.Join(at, name))...)
				}
			}
			parent := filepath.Dir(at)
			if parent == at {
				break
			}
			at = parent
		}
	}
	return out
}

// bothNames returns a path and, if another, what it links to.
func bothNames(path string) []string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
		return []string{path, real}
	}
	return []string{path}
}

func inside(folder, file string) bool {
	rel, err := filepath.Rel(folder, file)
	return err == nil && filepath.IsLocal(rel)
}

// needsTrust reports whether the project in dir has anything that is not to be used
// unless the project is trusted. As in pi, an empty folder is nothing.
func needsTrust(dir string) bool {
	for _, folder := range projectFolders {
		for _, name := range []string{"settings.json", "mcp.json", "extensions", "skills", "prompts", "themes", "SYSTEM.md", "APPEND_SYSTEM.md"} {
			if _, err := os.Lstat(filepath.Join(dir, folder, name)); err == nil {
				return true
			}
		}
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".agents", "skills")); err == nil {
			if home, err := os.UserHomeDir(); err != nil || home != at {
				return true
			}
		}
		if filepath.Dir(at) == at {
			return false
		}
	}
}
