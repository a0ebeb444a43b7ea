package conformance

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"extui/scenario"
)

//go:embed agent/*.yaml client/*.yaml known/*.yaml probe.ts
var files embed.FS

// Sections are the headings of the reports in their order. Others come after them.
var Sections = []string{
	"Framing", "Commands", "Capabilities", "Requests", "Requests that are unknown or wrong", "Answers", "Select", "Confirm", "Input", "Editor",
	"Open dialogs", "Timeouts and signals", "Deadlines and dialogs taken back", "Updates", "Degraded methods", "Tools", "Questionnaires",
	"Errors", "Lifecycle", "Ends",
}

// suite reads the embedded rules once. A test makes sure that they are good.
var suite = sync.OnceValue(func() map[scenario.Role][]*scenario.Scenario {
	all, err := Load(files)
	if err != nil {
		panic(fmt.Sprintf("the rules of the conformance suite: %v", err))
	}
	return all
})

// Rules returns the rules for one end, by section and id. The scenarios are shared.
func Rules(role scenario.Role) []*scenario.Scenario { return slices.Clone(suite()[role]) }

// Probe returns the extension that an agent under test loads, in TypeScript.
func Probe() []byte {
	text, err := files.ReadFile("probe.ts")
	if err != nil {
		panic(err) // It is embedded.
	}
	return text
}

// Load reads the rules in the folders agent and client of fsys, each from a file with
// the name of its id. All that is wrong with them is in the error.
func Load(fsys fs.FS) (map[scenario.Role][]*scenario.Scenario, error) {
	all := map[scenario.Role][]*scenario.Scenario{}
	seen := map[string]string{}
	var faults []error
	for _, role := range []scenario.Role{scenario.Agent, scenario.Client} {
		names, err := fs.Glob(fsys, string(role)+"/*.yaml")
		if err != nil {
			return nil, fmt.Errorf("list rules: %w", err)
		}
		for _, name := range names {
			s, err := loadRule(fsys, name, role)
			if err != nil {
				faults = append(faults, err)
				continue
			}
			if other, twice := seen[s.Rule.ID]; twice {
				faults = append(faults, fmt.Errorf("%s: the id %s is that of %s", name, s.Rule.ID, other))
			}
			seen[s.Rule.ID] = name
			all[role] = append(all[role], s)
		}
		slices.SortFunc(all[role], func(a, b *scenario.Scenario) int { return compareRules(a.Rule, b.Rule) })
	}
	return all, errors.Join(faults...)
}

func loadRule(fsys fs.FS, name string, role scenario.Role) (*scenario.Scenario, error) {
	source, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("read rule: %w", err)
	}
	s, err := scenario.Parse(name, source)
	if err != nil {
		return nil, err
	}
	me := scenario.Client
	if role == scenario.Client {
		me = scenario.Agent
	}
	switch {
	case s.Rule == nil:
		return nil, fmt.Errorf("%s: has no rule in its head", name)
	case s.Rule.ID+".yaml" != path.Base(name):
		return nil, fmt.Errorf("%s: the id %s is not the name of the file", name, s.Rule.ID)
	case role == scenario.Agent && s.Choices != nil:
		return nil, fmt.Errorf("%s: choices are for clients", name)
	}
	for _, need := range s.Rule.Needs {
		if !isFeature(role, need) {
			return nil, fmt.Errorf("%s: needs %q, which is no feature of an end of that kind; there are %s", name, need, featureNames(role))
		}
	}
	return s, s.CheckRole(me)
}

// compareRules orders by section, then by id, numbers as numbers.
func compareRules(a, b *scenario.Rule) int {
	nameA, numberA := splitID(a.ID)
	nameB, numberB := splitID(b.ID)
	return cmp.Or(
		cmp.Compare(sectionIndex(a.Section), sectionIndex(b.Section)), cmp.Compare(a.Section, b.Section),
		cmp.Compare(nameA, nameB), cmp.Compare(numberA, numberB),
	)
}

func sectionIndex(name string) int {
	if i := slices.Index(Sections, name); i >= 0 {
		return i
	}
	return len(Sections)
}

func splitID(id string) (name string, number int) {
	name, digits, _ := strings.Cut(id, "-")
	number, _ = strconv.Atoi(digits) // The parser has looked at it.
	return name, number
}
