package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// secretShapes are texts that are secrets wherever they stand. Where a shape has a
// group, the group is the secret. What may stand before one: see [standsAlone].
var secretShapes = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`sk-[A-Za-z0-9_-]{16,}`),
		regexp.MustCompile(`(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{20,}`),
		regexp.MustCompile(`xox[abeoprs]-[A-Za-z0-9-]{10,}`),
		regexp.MustCompile(`A(?:KIA|SIA)[0-9A-Z]{16}`),
		regexp.MustCompile(`AIza[0-9A-Za-z_-]{30,}`),
		regexp.MustCompile(`eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*`),
		regexp.MustCompile(`(?i)bearer(?:\s|%20|\+)+([A-Za-z0-9._~+/=-]{12,})`),
		regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`),
	}
})

// standsAlone reports whether a secret's shape at s[begin:end] is one, rather than the
// end of a word, as in task-list-of-the-day. Behind an escape, such as %3D or \n, a
// word begins; behind another letter what looks like chance is a secret all the same.
func standsAlone(s string, begin, end int) bool {
	if wordBegins(s[:begin]) {
		return true
	}
	found := s[begin:end]
	return strings.ContainsAny(found, digits) && strings.ContainsAny(found, capitals)
}

// wordBegins reports whether a word begins behind before.
func wordBegins(before string) bool {
	before = before[max(0, len(before)-len(`\u0041`)):]
	return !wordEnd().MatchString(before) || escapeEnd().MatchString(before)
}

const (
	digits   = "0123456789"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

var (
	wordEnd   = lazily(`[A-Za-z0-9]$`)
	escapeEnd = lazily(`(?:%[0-9A-Fa-f]{2}|\\[a-z]|\\u[0-9A-Fa-f]{4})$`)
)

// secretName is the name of an environment variable, or the title of a dialog, whose
// value is one.
var secretName = lazily(`(?i)(password|passphrase|passwd|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|credential|_key$)`)

// urlPassword is what stands before a password in a URL, it, and the rest.
var urlPassword = lazily(`(?i)\b([a-z][a-z0-9+.-]*://[^\s/?#:@"'<>]*:)([^\s/?#"'<>]+)@`)

// maskedName ends with a hyphen too, so that a digit behind it is not read as its own.
var maskedName = lazily(`^MASKED-[0-9]+-$`)

// Masker replaces secrets in texts. The same secret becomes the same MASKED-n-, so
// that a conversation still shows where it is used again. A Masker belongs to one
// [Recorder].
type Masker struct {
	shapes []*regexp.Regexp // those of secretShapes first
	known  []secretForm     // the longest first
	names  map[string]string
	fresh  bool // a secret has become known since the last look at old texts
}

// secretForm is one way in which a known secret is written.
type secretForm struct {
	text, secret string
	word         bool // it is found as a whole word only, short as it is
}

// NewMasker returns a Masker for texts that look like secrets (keys and tokens of
// well-known services, bearer tokens, private keys, passwords in URLs), for what the patterns match,
// and for the values of those environment variables, NAME=VALUE, whose names say
// that they hold one. Once found, a secret is masked wherever else it stands: as it is,
// percent-encoded, escaped as in JSON, and in base64. Values of environment variables
// of fewer than eight bytes are left alone: they stand in too many other texts.
func NewMasker(patterns []*regexp.Regexp, env []string) *Masker {
	m := &Masker{shapes: append(slices.Clone(secretShapes()), patterns...), names: map[string]string{}}
	for _, entry := range env {
		name, v, _ := strings.Cut(entry, "=")
		if len(v) >= minSecret && secretName().MatchString(name) {
			m.learn(v)
		}
	}
	m.fresh = false
	return m
}

// minSecret is how many bytes a text has that is masked in the midst of others.
const minSecret = 8

// minWord is how many a secret has that is masked where it is a word.
const minWord = 4

// learn makes s, a secret as a whole, known in all its forms, unless it is so short
// that it would be found everywhere.
func (m *Masker) learn(s string) {
	word := len(s) < minSecret
	if len(s) < minWord || word && !strings.ContainsFunc(s, func(c rune) bool { return c < 'a' || c > 'z' }) {
		return // A word such as "test" is in other texts too.
	}
	if maskedName().MatchString(s) || slices.ContainsFunc(m.known, func(f secretForm) bool { return f.text == s }) {
		return
	}
	m.fresh = true
	for _, form := range encodings(s) {
		m.known = append(m.known, secretForm{form, s, word})
	}
	slices.SortStableFunc(m.known, func(a, b secretForm) int { return len(b.text) - len(a.text) })
}

// name is what stands for a secret.
func (m *Masker) name(secret string) string {
	n, ok := m.names[secret]
	if !ok {
		n = fmt.Sprintf("MASKED-%d-", len(m.names)+1)
		m.names[secret] = n
	}
	return n
}

// Text returns s without its secrets.
func (m *Masker) Text(s string) string {
	s = m.withoutKnown(s)
	for i, shape := range m.shapes {
		s = m.withoutShape(s, shape, i < len(secretShapes()))
	}
	s = urlPassword().ReplaceAllStringFunc(s, func(url string) string {
		parts := urlPassword().FindStringSubmatch(url)
		return parts[1] + m.secret(parts[2]) + "@"
	})
	return m.withoutKnown(s) // What was found last may stand before it.
}

// withoutKnown replaces the secrets that are known.
func (m *Masker) withoutKnown(s string) string {
	for _, form := range m.known {
		if !strings.Contains(s, form.text) {
			continue
		}
		if form.word {
			s = replaceWord(s, form.text, m.name(form.secret))
		} else {
			s = strings.ReplaceAll(s, form.text, m.name(form.secret))
		}
	}
	return s
}

// withoutShape replaces what looks like a secret, and makes it known. One of our own
// shapes without a digit may be a plain word behind "bearer".
func (m *Masker) withoutShape(s string, shape *regexp.Regexp, own bool) string {
	out, last := "", 0
	for _, at := range shape.FindAllStringSubmatchIndex(s, -1) {
		begin, end := at[0], at[1]
		if own && len(at) > 2 {
			begin, end = at[2], at[3]
		}
		secret := s[begin:end]
		if secret == "" || maskedName().MatchString(secret) || own && !standsAlone(s, at[0], at[1]) {
			continue // An expression that matches nothing masks nothing.
		}
		if len(secret) >= minSecret && (!own || strings.ContainsAny(secret, digits)) {
			m.learn(secret)
		}
		out += s[last:begin] + m.name(secret)
		last = end
	}
	return out + s[last:]
}

// secret masks a text that is a secret as a whole, and from here on wherever else it
// stands.
func (m *Masker) secret(s string) string {
	if maskedName().MatchString(s) {
		return s
	}
	m.learn(s)
	return m.name(s)
}

// replaceWord replaces a word where no letter or digit stands beside it.
func replaceWord(s, word, with string) string {
	out := ""
	for {
		before, after, found := strings.Cut(s, word)
		if !found {
			return out + s
		}
		if begins := before == "" && wordBegins(out) || before != "" && wordBegins(before); begins && (after == "" || !wordEnd().MatchString(after[:1])) {
			out += before + with
		} else {
			out += before + word
		}
		s = after
	}
}

// value masks every text in v, the names of members too.
func (m *Masker) value(v value) value {
	switch v.kind {
	case text:
		v.text = m.Text(v.text)
	case array:
		v.items = slices.Clone(v.items)
		for i := range v.items {
			v.items[i] = m.value(v.items[i])
		}
	case object:
		v.members = slices.Clone(v.members)
		for i, member := range v.members {
			v.members[i] = field(m.Text(member.name), m.value(member.value))
		}
	}
	return v
}
