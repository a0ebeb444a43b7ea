package conformance

import (
	"slices"

	"extui/scenario"
)

// matrix is rules by implementations, for one end.
type matrix struct {
	Role     scenario.Role
	Reports  []*Report
	Sections []matrixSection
}

type matrixSection struct {
	Name string
	Rows []matrixRow
}

type matrixRow struct {
	Rule scenario.Rule
	// Cells are the results, one for each report; nil where the rule was not checked.
	Cells []*Result
}

// matrices are those of the ends for which there are reports; of both, with all rules,
// if every is true.
func matrices(reports []*Report, every bool) []matrix {
	var all []matrix
	for _, role := range []scenario.Role{scenario.Agent, scenario.Client} {
		m := matrix{Role: role}
		for _, r := range reports {
			if r.Role == role {
				m.Reports = append(m.Reports, r)
			}
		}
		if every || len(m.Reports) > 0 {
			m.fill(every)
			all = append(all, m)
		}
	}
	return all
}

// fill makes the rows: of the rules of the suite that any report has, or all, and of
// those that only reports know, from another version.
func (m *matrix) fill(every bool) {
	seen := map[string]bool{}
	var rules []scenario.Rule
	for _, s := range Rules(m.Role) {
		reported := slices.ContainsFunc(m.Reports, func(r *Report) bool { return r.result(s.Rule.ID) != nil })
		if every || reported {
			rules, seen[s.Rule.ID] = append(rules, *s.Rule), true
		}
	}
	for _, r := range m.Reports {
		for i := range r.Results {
			if rule := r.Results[i].Rule; !seen[rule.ID] {
				rules, seen[rule.ID] = append(rules, rule), true
			}
		}
	}
	slices.SortStableFunc(rules, func(a, b scenario.Rule) int { return compareRules(&a, &b) })
	for _, rule := range rules {
		if n := len(m.Sections); n == 0 || m.Sections[n-1].Name != rule.Section {
			m.Sections = append(m.Sections, matrixSection{Name: rule.Section})
		}
		row := matrixRow{Rule: rule}
		for _, r := range m.Reports {
			row.Cells = append(row.Cells, r.result(rule.ID))
		}
		last := &m.Sections[len(m.Sections)-1]
		last.Rows = append(last.Rows, row)
	}
}

// rules is how many there are.
func (m *matrix) rules() int {
	n := 0
	for _, s := range m.Sections {
		n += len(s.Rows)
	}
	return n
}
