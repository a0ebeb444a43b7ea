package script

import (
	"bytes"
	"fmt"

	"extui/extension"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// pair is a regular expression of JavaScript and a text that it may match somewhere.
type pair struct{ pattern, text string }

// matcher reports for each pair whether it does. The error says that this cannot be known.
type matcher func(pairs []pair) ([]bool, error)

// matches asks the extension's engine. Go's own expressions read some patterns otherwise
// and others not at all.
func (r *run) matches(ctx *extension.Context, pairs []pair) ([]bool, error) {
	list := []byte{'['}
	for i, p := range pairs {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(append(append(append(append(list, '['), textValue(p.pattern)...), ','), textValue(p.text)...), ']')
	}
	out, err := r.invoke(ctx, ctx, "matches", string(append(list, ']')))
	if err != nil {
		return nil, r.explain("a pattern", err)
	}
	var answers []bool
	if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(pairs) {
		return nil, fmt.Errorf("try %d patterns: got %q", len(pairs), out)
	}
	return answers, nil
}

// patterns are the regular expressions of a schema, with what has been asked about them
// while one input is checked.
type patterns struct {
	ask   matcher
	known map[pair]bool
	err   error // the first; what was found since means nothing
}

// match reports whether a text matches; false if that is not known.
func (p *patterns) match(pattern, text string) bool {
	key := pair{pattern, text}
	p.find([]pair{key})
	return p.known[key]
}

// find asks about those pairs that are not known yet.
func (p *patterns) find(pairs []pair) {
	var unknown []pair
	for _, key := range pairs {
		if _, ok := p.known[key]; !ok {
			unknown = append(unknown, key)
		}
	}
	if p.err != nil || len(unknown) == 0 {
		return
	}
	answers, err := p.ask(unknown)
	if err != nil {
		p.err = err
		return
	}
	for i, key := range unknown {
		p.known[key] = answers[i]
	}
}

// compile tries all patterns of a schema: as in pi, one that is wrong makes each call
// fail, whether its place is reached or not.
func (p *patterns) compile(schema jsontext.Value) {
	if !bytes.Contains(schema, []byte("attern")) {
		return
	}
	w := patternWalk{root: schema, refs: map[string]bool{}}
	w.walk(schema, 0)
	p.find(w.found)
}

// patternWalk finds the patterns of a schema.
type patternWalk struct {
	root  jsontext.Value
	refs  map[string]bool // that were followed
	found []pair
}

func (w *patternWalk) walk(schema jsontext.Value, depth int) {
	if depth > deepest {
		return
	}
	for _, item := range itemsOf(schema) {
		w.walk(item, depth+1)
	}
	for _, m := range membersOf(schema) {
		switch m.name {
		case "const", "enum", "default", "example", "examples": // values
		case "$defs", "definitions": // only what is referred to counts
		case "$ref":
			if ref := textOf(m.value); m.value.Kind() == '"' && !w.refs[ref] {
				w.refs[ref] = true
				w.walk(resolveRef(w.root, ref), depth+1)
			}
		case "pattern":
			if m.value.Kind() == '"' {
				w.found = append(w.found, pair{textOf(m.value), ""})
			}
		case "properties", "patternProperties", "dependentSchemas", "dependencies":
			for _, inner := range membersOf(m.value) {
				if m.name == "patternProperties" {
					w.found = append(w.found, pair{inner.name, ""})
				}
				w.walk(inner.value, depth+1)
			}
		default:
			w.walk(m.value, depth+1)
		}
	}
}

// patternsFor returns the schemas of patternProperties that a name falls under.
func (c *checker) patternsFor(keywords map[string]jsontext.Value, name string) (out []jsontext.Value) {
	for _, m := range membersOf(keywords["patternProperties"]) {
		if c.tried.match(m.name, name) {
			out = append(out, m.value)
		}
	}
	return out
}
