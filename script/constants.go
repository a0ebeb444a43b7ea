package script

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// constantFixes are the places, by file, where an extension assigns to a constant. In
// JavaScript that throws when the line runs, if it ever does; esbuild refuses to bundle
// it, for it turns constants into variables.
type constantFixes map[string][]api.Location

// constantsAssigned returns the places if they are all that esbuild has against an
// extension in dir, and nil otherwise.
func constantsAssigned(messages []api.Message, dir string) constantFixes {
	fixes := constantFixes{}
	for _, m := range messages {
		if m.Location == nil || !strings.HasPrefix(m.Text, "Cannot assign to ") || !strings.HasSuffix(m.Text, " because it is a constant") {
			return nil
		}
		file := m.Location.File
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		fixes[file] = append(fixes[file], *m.Location)
	}
	if len(fixes) == 0 {
		return nil
	}
	return fixes
}

// fixConstants puts something that throws when it is assigned to in the place of each
// constant, on the same line.
func fixConstants(text string, places []api.Location) string {
	lines := strings.SplitAfter(text, "\n")
	// From the end, so that the columns before stay what they are.
	places = slices.SortedFunc(slices.Values(places), func(a, b api.Location) int {
		return -cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	for _, p := range places {
		if p.Line < 1 || p.Line > len(lines) || p.Column+p.Length > len(lines[p.Line-1]) {
			continue
		}
		line := lines[p.Line-1]
		name := line[p.Column : p.Column+p.Length]
		setter := `({ get _() { return ` + name + `; }, set _(_) { throw new TypeError("Assignment to constant variable."); } })._`
		lines[p.Line-1] = line[:p.Column] + setter + line[p.Column+p.Length:]
	}
	return strings.Join(lines, "")
}
