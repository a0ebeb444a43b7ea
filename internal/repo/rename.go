package repo

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// ErrBadPath is returned by Rename for a text that cannot be a module's path.
var ErrBadPath = errors.New("not a module path")

var modulePath = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.~-]*(/[A-Za-z0-9_.~-]+)*$`)

// Rename gives the module at root the path to, and returns the files that it rewrote.
//
// It changes the module line of go.mod and, in every text file, the old path where it stands
// before the directory of one of the module's packages: "extui/client" in an import, in a
// comment's link, in a go:generate line, in a command or a code block of the documentation.
// The bare word stays, being the program's name, and so does a path in the file system such as
// ./cmd/extui/main.go. Go files are formatted again, since their imports sort differently.
//
// Errors match ErrBadPath, or say which file could not be read, formatted or written; files
// before that one are then already rewritten, and running it again finishes the work.
func Rename(root, to string) ([]string, error) {
	if !modulePath.MatchString(to) {
		return nil, fmt.Errorf("rename the module to %q: %w", to, ErrBadPath)
	}
	from, err := ModulePath(root)
	if err != nil {
		return nil, err
	}
	files, err := Files(root)
	if err != nil {
		return nil, err
	}
	packages := packageDirs(files)
	var changed []string
	// go.mod comes last: as long as it holds the old path, a run that failed can be repeated.
	files = append(slices.DeleteFunc(files, func(name string) bool { return name == "go.mod" }), "go.mod")
	for _, name := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		text, err := os.ReadFile(full)
		if err != nil {
			return changed, fmt.Errorf("rename the module in %s: %w", name, err)
		}
		after := text
		if name == "go.mod" {
			after = renameInMod(text, to)
		} else if utf8.Valid(text) {
			after = renameInText(text, from, to, packages)
		}
		if bytes.Equal(text, after) {
			continue
		}
		if path.Ext(name) == ".go" {
			if after, err = format.Source(after); err != nil {
				return changed, fmt.Errorf("format %s: %w", name, err)
			}
		}
		if err := os.WriteFile(full, after, 0o666); err != nil {
			return changed, fmt.Errorf("rename the module in %s: %w", name, err)
		}
		changed = append(changed, name)
	}
	return changed, nil
}

// packageDirs returns the directories that hold Go files, and those above them, since
// module/frontend/... is a path too.
func packageDirs(files []string) map[string]bool {
	dirs := map[string]bool{}
	for _, name := range files {
		if path.Ext(name) != ".go" {
			continue
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	return dirs
}

func renameInMod(text []byte, to string) []byte {
	at := moduleLine.FindSubmatchIndex(text)
	return bytes.Join([][]byte{text[:at[2]], []byte(to), text[at[3]:]}, nil)
}

func renameInText(text []byte, from, to string, packages map[string]bool) []byte {
	var out bytes.Buffer
	prefix := []byte(from + "/")
	for {
		at := bytes.Index(text, prefix)
		if at < 0 {
			break
		}
		rest := text[at+len(prefix):]
		// A path that goes on to the left is another path that ends like ours.
		ours := (at == 0 || !strings.ContainsRune("/.-_~@", rune(text[at-1])) && !isWord(text[at-1])) &&
			namesPackage(rest, packages)
		out.Write(text[:at])
		if ours {
			out.WriteString(to + "/")
		} else {
			out.Write(prefix)
		}
		text = rest
	}
	out.Write(text)
	return out.Bytes()
}

// namesPackage reports whether text begins with the directory of a package or with "...", the
// go command's pattern for all of them. A dot ends the directory, as in a link to a name:
// [extui/protocol.Dialog].
func namesPackage(text []byte, packages map[string]bool) bool {
	if bytes.HasPrefix(text, []byte("...")) {
		return true
	}
	end := 0
	for end < len(text) && (isWord(text[end]) || text[end] == '/' || text[end] == '-' || text[end] == '_') {
		end++
	}
	return packages[strings.TrimSuffix(string(text[:end]), "/")]
}

func isWord(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}
