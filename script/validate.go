package script

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// checkInput checks the input of a tool against the JSON Schema that it was registered
// with, as pi does before anybody is asked about the call, and returns it as the schema
// wants it: models often send "42" for a number, one value for a list of one, or null
// for what they leave out. The error is the text that a model gets.
//
// It knows the keywords of JSON Schema but for the unevaluated ones of arrays,
// $dynamicRef and references to other documents; a full validator would compile its own
// schemas at each start of the program. Patterns are JavaScript's, and tried there: with
// one that cannot be, no input is right.
func checkInput(tool string, schema, input jsontext.Value, ask matcher) (jsontext.Value, error) {
	numbers, err := readNumbers(input)
	if err != nil {
		return nil, refusal(tool, input, []problem{{"", err.Error()}})
	}
	input = numbers
	tried := &patterns{ask: ask, known: map[pair]bool{}}
	tried.compile(schema)
	fitted := fit(schema, input, tried)
	found := newChecker(schema, fitted, tried)
	found.check("", schema, fitted)
	if tried.err != nil {
		return nil, fmt.Errorf("validate the arguments of tool %q: %w", tool, tried.err)
	}
	if len(found.problems) == 0 {
		return fitted, nil
	}
	return nil, refusal(tool, input, found.problems)
}

func refusal(tool string, input jsontext.Value, problems []problem) error {
	shown := input.Clone()
	if shown.Indent(jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true)) != nil {
		shown = input
	}
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.line())
	}
	return errors.New(fmt.Sprintf("Validation failed for tool %q:\n", tool) + strings.Join(lines, "\n") + "\n\nReceived arguments:\n" + string(shown))
}

// problem is one thing that is wrong with an input.
type problem struct {
	path string // of names, with dots; "" for the whole
	text string
}

func (p problem) line() string {
	if p.path == "" {
		return "  - root: " + p.text
	}
	return "  - " + p.path + ": " + p.text
}

// checker finds what is wrong with a value.
type checker struct {
	root     jsontext.Value // the schema that references look in
	problems []problem
	depth    int  // of schemas inside of each other
	left     *int // how many schemas may still be followed for the value, all in all
	tried    *patterns
}

// deepest is how far schemas are followed into each other: one that refers to itself
// without an end must not be.
const deepest = 300

// newChecker returns a checker of v, or of what it is made into: how much work that may be
// goes by its size.
func newChecker(root, v jsontext.Value, tried *patterns) checker {
	return checker{root: root, left: new(20_000 + 100*len(v)), tried: tried}
}

// inner returns a checker for what may not count.
func (c *checker) inner() checker { return checker{c.root, nil, c.depth, c.left, c.tried} }

// enter reports whether one more schema may be followed. leave comes after it.
func (c *checker) enter() bool {
	c.depth++
	*c.left--
	return c.depth <= deepest && *c.left >= 0
}

func (c *checker) leave() { c.depth-- }

func (c *checker) say(path, format string, args ...any) {
	c.problems = append(c.problems, problem{path, fmt.Sprintf(format, args...)})
}

// fits reports whether a value is right by a schema.
func (c *checker) fits(schema, v jsontext.Value) bool {
	inner := c.inner()
	inner.check("", schema, v)
	return len(inner.problems) == 0
}

// check finds what is wrong with the value at a path.
func (c *checker) check(path string, schema, v jsontext.Value) {
	switch schema.Kind() {
	case 'f':
		c.say(path, "no value is allowed here")
		return
	case '{':
	default:
		return
	}
	defer c.leave()
	if !c.enter() {
		c.say(path, "the schema refers to itself without an end, or is too large for this value")
		return
	}
	keywords := keywordsOf(schema)
	before := len(c.problems)
	if types := textsOf(keywords["type"]); len(types) > 0 && !slices.ContainsFunc(types, func(t string) bool { return isType(t, v) }) {
		c.say(path, "expected %s, got %s", strings.Join(types, " or "), typeOf(v))
		return
	}
	if list := keywords["enum"]; list != nil && !slices.ContainsFunc(itemsOf(list), func(x jsontext.Value) bool { return sameJSON(x, v) }) {
		c.say(path, "expected one of %s", listed(itemsOf(list)))
	}
	if want := keywords["const"]; want != nil && !sameJSON(want, v) {
		c.say(path, "expected %s", want)
	}
	switch v.Kind() {
	case '"':
		c.text(path, keywords, textOf(v))
	case '0':
		c.number(path, keywords, v)
	case '[':
		c.list(path, keywords, itemsOf(v))
	case '{':
		c.object(path, keywords, v)
	}
	c.forms(path, keywords, v)
	if rest := keywords["unevaluatedProperties"]; rest != nil && len(c.problems) == before {
		c.unevaluated(path, schema, rest, v)
	}
}

// forms checks what a schema says by other schemas.
func (c *checker) forms(path string, keywords map[string]jsontext.Value, v jsontext.Value) {
	for _, all := range itemsOf(keywords["allOf"]) {
		c.check(path, all, v)
	}
	c.union(path, itemsOf(keywords["anyOf"]), v, false)
	c.union(path, itemsOf(keywords["oneOf"]), v, true)
	if not := keywords["not"]; not != nil && c.fits(not, v) {
		c.say(path, "must not match the schema in not")
	}
	if condition := keywords["if"]; condition != nil {
		branch := "else"
		if c.fits(condition, v) {
			branch = "then"
		}
		c.check(path, keywords[branch], v)
	}
	if ref := keywords["$ref"]; ref.Kind() == '"' {
		target := resolveRef(c.root, textOf(ref))
		if target == nil {
			c.say(path, "unresolved reference %s", textOf(ref))
		}
		c.check(path, target, v)
	}
}

// union checks the forms of which one has to fit. If none does, it tells of the one that
// was most likely meant: that which a member of it names, or that which knows most members
// of the value, or whose first problem is deepest.
func (c *checker) union(path string, forms []jsontext.Value, v jsontext.Value, exactlyOne bool) {
	fits := 0
	for _, form := range forms {
		if c.fits(form, v) {
			fits++
		}
	}
	switch {
	case len(forms) == 0 || fits == 1 || fits > 0 && !exactlyOne:
		return
	case fits > 1:
		c.say(path, "matches more than one alternative")
		return
	}
	if key, values := c.tag(forms); key != "" && v.Kind() == '{' {
		got := memberOf(v, key)
		at := slices.IndexFunc(values, func(x jsontext.Value) bool { return got != nil && sameJSON(x, got) })
		if at < 0 {
			c.say(below(path, key), "expected one of %s", listed(values))
			return
		}
		c.check(path, forms[at], v)
		return
	}
	var best []problem
	most := -1
	for _, form := range forms {
		inner := c.inner()
		inner.check(path, form, v)
		known := 0
		properties := memberOf(followRef(c.root, form), "properties")
		for _, m := range membersOf(v) {
			if memberOf(properties, m.name) != nil {
				known++
			}
		}
		if known > most || known == most && len(inner.problems[0].path) > len(best[0].path) {
			best, most = inner.problems, known
		}
	}
	c.problems = append(c.problems, best...)
}

// tag returns the property by whose constant the forms are told apart, "" if there is none.
func (c *checker) tag(forms []jsontext.Value) (key string, values []jsontext.Value) {
	for _, m := range membersOf(memberOf(followRef(c.root, forms[0]), "properties")) {
		values = nil
		for _, form := range forms {
			constant := memberOf(memberOf(memberOf(followRef(c.root, form), "properties"), m.name), "const")
			if constant == nil || constant.Kind() == '{' || constant.Kind() == '[' ||
				slices.ContainsFunc(values, func(x jsontext.Value) bool { return sameJSON(x, constant) }) {
				break
			}
			values = append(values, constant)
		}
		if len(values) == len(forms) {
			return m.name, values
		}
	}
	return "", nil
}

func (c *checker) text(path string, keywords map[string]jsontext.Value, s string) {
	// The characters of JSON Schema are code points.
	length := float64(utf8.RuneCountInString(s))
	if n, ok := numberOf(keywords["minLength"]); ok && length < n {
		c.say(path, "expected at least %v characters", n)
	}
	if n, ok := numberOf(keywords["maxLength"]); ok && length > n {
		c.say(path, "expected at most %v characters", n)
	}
	if pattern := keywords["pattern"]; pattern.Kind() == '"' && !c.tried.match(textOf(pattern), s) {
		c.say(path, "expected to match %s", textOf(pattern))
	}
	if format := keywords["format"]; format.Kind() == '"' {
		if ok, known := formats[textOf(format)]; known && !ok(s) {
			c.say(path, "expected format %s", textOf(format))
		}
	}
}

func (c *checker) number(path string, keywords map[string]jsontext.Value, v jsontext.Value) {
	f, _ := numberOf(v)
	for _, limit := range []struct {
		keyword, text string
		bad           func(n float64) bool
	}{
		{"minimum", ">= %s", func(n float64) bool { return f < n }},
		{"maximum", "<= %s", func(n float64) bool { return f > n }},
		{"exclusiveMinimum", "> %s", func(n float64) bool { return f <= n }},
		{"exclusiveMaximum", "< %s", func(n float64) bool { return f >= n }},
		{"multipleOf", "a multiple of %s", func(n float64) bool { q := f / n; return n > 0 && math.Abs(q-math.Round(q)) > 1e-9 }},
	} {
		if n, ok := numberOf(keywords[limit.keyword]); ok && limit.bad(n) {
			c.say(path, "expected "+limit.text, string(keywords[limit.keyword]))
		}
	}
}

func (c *checker) list(path string, keywords map[string]jsontext.Value, items []jsontext.Value) {
	first, rest := itemSchemas(keywords)
	for i, item := range items {
		each := rest
		if i < len(first) {
			each = first[i]
		}
		c.check(below(path, strconv.Itoa(i)), each, item)
	}
	if n, ok := numberOf(keywords["minItems"]); ok && float64(len(items)) < n {
		c.say(path, "expected at least %v items", n)
	}
	if n, ok := numberOf(keywords["maxItems"]); ok && float64(len(items)) > n {
		c.say(path, "expected at most %v items", n)
	}
	if keywords["uniqueItems"].Kind() == 't' {
		for i, item := range items {
			if slices.ContainsFunc(items[:i], func(x jsontext.Value) bool { return sameJSON(x, item) }) {
				c.say(path, "expected unique items")
				break
			}
		}
	}
	if contains := keywords["contains"]; contains != nil {
		c.contains(path, keywords, contains, items)
	}
}

func (c *checker) contains(path string, keywords map[string]jsontext.Value, contains jsontext.Value, items []jsontext.Value) {
	least, most := 1.0, math.Inf(1)
	if n, ok := numberOf(keywords["minContains"]); ok {
		least = n
	}
	if n, ok := numberOf(keywords["maxContains"]); ok {
		most = n
	}
	count := 0.0
	for _, item := range items {
		if c.fits(contains, item) {
			count++
		}
	}
	plural := func(n float64) string {
		if n == 1 {
			return "item"
		}
		return "items"
	}
	switch {
	case count >= least && count <= most:
	case math.IsInf(most, 1):
		c.say(path, "expected at least %v matching %s", least, plural(least))
	case least == 0:
		c.say(path, "expected at most %v matching %s", most, plural(most))
	default:
		c.say(path, "expected between %v and %v matching items", least, most)
	}
}

func (c *checker) object(path string, keywords map[string]jsontext.Value, v jsontext.Value) {
	members := membersOf(v)
	for _, name := range textsOf(keywords["required"]) {
		if find(members, name) == nil {
			c.say(below(path, name), "missing")
		}
	}
	properties := membersOf(keywords["properties"])
	for _, property := range properties {
		if value := find(members, property.name); value != nil {
			c.check(below(path, property.name), property.value, value)
		}
	}
	more := keywords["additionalProperties"]
	for _, m := range members {
		known := find(properties, m.name) != nil
		for _, schema := range c.patternsFor(keywords, m.name) {
			known = true
			c.check(below(path, m.name), schema, m.value)
		}
		switch {
		case known:
		case more.Kind() == 'f':
			c.say(below(path, m.name), "unknown field")
		default:
			c.check(below(path, m.name), more, m.value)
		}
		if names := keywords["propertyNames"]; names != nil && !c.fits(names, textValue(m.name)) {
			c.say(below(path, m.name), "invalid property name")
		}
	}
	if n, ok := numberOf(keywords["minProperties"]); ok && float64(len(members)) < n {
		c.say(path, "expected at least %v properties", n)
	}
	if n, ok := numberOf(keywords["maxProperties"]); ok && float64(len(members)) > n {
		c.say(path, "expected at most %v properties", n)
	}
	for _, keyword := range []string{"dependentRequired", "dependencies", "dependentSchemas"} {
		for _, d := range membersOf(keywords[keyword]) {
			switch {
			case find(members, d.name) == nil:
			case d.value.Kind() == '[':
				for _, name := range textsOf(d.value) {
					if find(members, name) == nil {
						c.say(below(path, name), "required when %s is present", d.name)
					}
				}
			default:
				c.check(path, d.value, v)
			}
		}
	}
}

// unevaluated checks those members of which neither the schema speaks nor a form of it
// that fits.
func (c *checker) unevaluated(path string, schema, rest, v jsontext.Value) {
	for _, m := range membersOf(v) {
		if c.speaksOf(schema, m.name, v, 0) {
			continue
		}
		if rest.Kind() == 'f' {
			c.say(below(path, m.name), "unknown field")
		} else {
			c.check(below(path, m.name), rest, m.value)
		}
	}
}

func (c *checker) speaksOf(schema jsontext.Value, name string, v jsontext.Value, depth int) bool {
	keywords := keywordsOf(followRef(c.root, schema))
	if memberOf(keywords["properties"], name) != nil || len(c.patternsFor(keywords, name)) > 0 || keywords["additionalProperties"] != nil {
		return true
	}
	if depth > deepest {
		return false
	}
	for _, form := range itemsOf(keywords["allOf"]) {
		if c.speaksOf(form, name, v, depth+1) {
			return true
		}
	}
	for _, form := range append(itemsOf(keywords["anyOf"]), itemsOf(keywords["oneOf"])...) {
		if c.fits(form, v) && c.speaksOf(form, name, v, depth+1) {
			return true
		}
	}
	return false
}

// listed shows values, but not very many of them.
func listed(values []jsontext.Value) string {
	const most = 20
	var texts []string
	for _, v := range values[:min(len(values), most)] {
		v = v.Clone()
		_ = v.Compact(jsontext.AllowInvalidUTF8(true)) // it stays as it is
		texts = append(texts, string(v))
	}
	out := "[" + strings.Join(texts, ",")
	if len(values) > most {
		return fmt.Sprintf("%s, ... and %d more]", out, len(values)-most)
	}
	return out + "]"
}
