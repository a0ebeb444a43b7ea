package conformance

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// Known is how an implementation is known to deviate from the rules.
type Known struct {
	// Name is that of the file, such as pi-1.6.0.
	Name       string
	Deviations []Deviation
}

// Deviation is a rule that an implementation does not keep.
type Deviation struct {
	ID     string `yaml:"id" json:"-"`
	Reason string `yaml:"reason" json:"reason"` // why it is so
	Says   string `yaml:"says" json:"says"`     // what it does instead
	// Message is part of the message with which the rule fails; "" is any. A rule that
	// fails otherwise is a failure all the same.
	Message string `yaml:"message" json:"-"`
}

// KnownNames are the lists that come with the package.
func KnownNames() []string {
	names, err := fs.Glob(files, "known/*.yaml")
	if err != nil {
		panic(err) // The pattern is good.
	}
	for i, name := range names {
		names[i] = strings.TrimSuffix(path.Base(name), ".yaml")
	}
	return names
}

// ErrNoList is matched by the error of [KnownList] for a name that there is not.
var ErrNoList = errors.New("no such list of deviations")

// KnownList returns one of the lists that come with the package.
func KnownList(name string) (*Known, error) {
	file := "known/" + name + ".yaml"
	source, err := files.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %q; there are %s", ErrNoList, name, strings.Join(KnownNames(), ", "))
	}
	return ParseKnown(file, source)
}

// ParseKnown reads a list of deviations: YAML, a list of maps with id, reason and says,
// and message where the way in which the rule fails matters.
func ParseKnown(file string, source []byte) (*Known, error) {
	k := &Known{Name: strings.TrimSuffix(path.Base(file), path.Ext(file))}
	if err := yaml.UnmarshalWithOptions(source, &k.Deviations, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("read deviations %s: %w", file, err)
	}
	rules := slices.Concat(Rules("agent"), Rules("client"))
	for i, d := range k.Deviations {
		is := func(other Deviation) bool { return other.ID == d.ID }
		exists := false
		for _, s := range rules {
			exists = exists || s.Rule.ID == d.ID
		}
		switch {
		case d.ID == "" || d.Reason == "" || d.Says == "":
			return nil, fmt.Errorf("read deviations %s: entry %d (%s): id, reason and says must be there", file, i+1, d.ID)
		case !exists:
			return nil, fmt.Errorf("read deviations %s: entry %d: no rule %q", file, i+1, d.ID)
		case slices.ContainsFunc(k.Deviations[:i], is):
			return nil, fmt.Errorf("read deviations %s: entry %d: %s is listed twice", file, i+1, d.ID)
		}
	}
	return k, nil
}

// apply turns the failure of a rule that is listed into a known one, and its success
// into one that has gone. k may be nil.
func (k *Known) apply(r *Result) {
	if k == nil {
		return
	}
	i := slices.IndexFunc(k.Deviations, func(d Deviation) bool { return d.ID == r.Rule.ID })
	if i < 0 {
		return
	}
	d := k.Deviations[i]
	switch {
	case r.Verdict == Pass:
		r.Verdict, r.Deviation = Gone, &d
		r.Message = "it keeps the rule now; take it from the list of deviations"
	case r.Verdict == Fail && strings.Contains(r.Message, d.Message):
		r.Verdict, r.Deviation = Expected, &d
	}
}
