package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Difference is one place where what came is not what was expected.
type Difference struct {
	Path string `json:"path"` // such as "options[1]"; "" for the whole
	Want string `json:"want"` // the pattern as JSON, or words
	Got  string `json:"got"`  // the JSON text that came, shortened; "" if nothing stood there
}

// String is the difference in one line.
func (d Difference) String() string {
	got := d.Got
	if got == "" {
		got = "nothing"
	}
	if d.Path == "" {
		return fmt.Sprintf("expected %s, got %s", d.Want, got)
	}
	return fmt.Sprintf("%s: expected %s, got %s", d.Path, d.Want, got)
}

// matcher compares with the values of variables.
type matcher struct {
	vars  map[string]value
	found []Difference
}

// match returns how got differs from the pattern want; nil if it does not.
func match(want, got value, vars map[string]value) []Difference {
	m := &matcher{vars: vars}
	m.compare(want, &got, "")
	return m.found
}

func (m *matcher) differ(path, want string, got *value) {
	d := Difference{Path: path, Want: want}
	if got != nil {
		d.Got = got.short()
	}
	m.found = append(m.found, d)
}

// compare compares one value; got is nil if there is none.
func (m *matcher) compare(want value, got *value, path string) {
	if isOperator(want) {
		m.operator(want, got, path)
		return
	}
	filled := fill(want, m.vars)
	if got == nil {
		m.differ(path, filled.short(), nil)
		return
	}
	if want.kind == text {
		if expr, ok := shorthand(want.text); ok {
			m.expression(expr, got, path)
			return
		}
	}
	switch {
	case filled.kind == object && got.kind == object:
		for _, member := range filled.members {
			at := member.name
			if path != "" {
				at = path + "." + member.name
			}
			if v, ok := got.get(member.name); ok {
				m.compare(member.value, &v, at)
			} else {
				m.compare(member.value, nil, at)
			}
		}
	case filled.kind == array && got.kind == array:
		if len(filled.items) != len(got.items) {
			m.differ(path, filled.short(), got)
			return
		}
		for i := range filled.items {
			m.compare(filled.items[i], &got.items[i], fmt.Sprintf("%s[%d]", path, i))
		}
	case !equal(filled, *got):
		m.differ(path, filled.short(), got)
	}
}

// expression compares with a regular expression, variables in it taken literally.
func (m *matcher) expression(expr string, got *value, path string) {
	expr = variable().ReplaceAllStringFunc(expr, func(name string) string {
		if strings.HasPrefix(name, "$$") {
			return regexp.QuoteMeta(name[1:])
		}
		return regexp.QuoteMeta(fill(textValue(name), m.vars).text)
	})
	re, err := regexp.Compile(expr)
	if err != nil || got == nil || got.kind != text || !re.MatchString(got.text) {
		m.differ(path, "a text that matches /"+expr+"/", got)
	}
}

func (m *matcher) same(want value, got *value) bool {
	inner := &matcher{vars: m.vars}
	inner.compare(want, got, "")
	return len(inner.found) == 0
}

func (m *matcher) operator(want value, got *value, path string) {
	name, arg := operator(want)
	switch name {
	case "$absent":
		if got != nil {
			m.differ(path, "nothing", got)
		}
		return
	case "$not":
		if m.same(arg, got) {
			m.differ(path, "anything but "+arg.short(), got)
		}
		return
	}
	if got == nil {
		m.differ(path, strings.TrimPrefix(name, "$")+" "+arg.short(), nil)
		return
	}
	ok := true
	switch name {
	case "$is":
		ok = m.exactly(arg, got)
	case "$matches":
		m.expression(arg.text, got, path)
	case "$contains":
		ok = m.contains(arg, got)
	case "$oneOf":
		ok = slices.ContainsFunc(arg.items, func(v value) bool { return m.same(v, got) })
	case "$anyOrder":
		ok = m.permuted(arg.items, got)
	case "$length":
		n := len(got.items)
		if got.kind == text {
			n = utf8.RuneCountInString(got.text)
		}
		ok = (got.kind == array || got.kind == text) && strconv.Itoa(n) == arg.text
	}
	if !ok {
		m.differ(path, strings.TrimPrefix(name, "$")+" "+fill(arg, m.vars).short(), got)
	}
}

// exactly compares without expressions and without members left out.
func (m *matcher) exactly(want value, got *value) bool {
	return equal(fill(want, m.vars), *got)
}

func (m *matcher) contains(arg value, got *value) bool {
	if got.kind == text && arg.kind == text {
		return strings.Contains(got.text, fill(arg, m.vars).text)
	}
	return slices.ContainsFunc(got.items, func(v value) bool { return m.same(arg, &v) })
}

// permuted reports whether the items of got are those wanted in some order. Each
// takes the first that fits, so that patterns are best written from the narrowest.
func (m *matcher) permuted(want []value, got *value) bool {
	if got.kind != array || len(got.items) != len(want) {
		return false
	}
	left := slices.Clone(got.items)
	for _, w := range want {
		i := slices.IndexFunc(left, func(v value) bool { return m.same(w, &v) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}
