package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// secretShapes are texts that are secrets wherever they stand.
var secretShapes = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{16,}`),
		regexp.MustCompile(`\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{20,}`),
		regexp.MustCompile(`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`),
		regexp.MustCompile(`\bA(?:KIA|SIA)[0-9A-Z]{16}\b`),
		regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{30,}`),
		regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*`),
		regexp.MustCompile(`(?i)\bbearer\s+[A-Za-z0-9._~+/=-]{12,}`),
		regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`),
	}
})

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
	shapes []*regexp.Regexp
	known  []string // the longest first
	names  map[string]string
}

// NewMasker returns a Masker for texts that look like secrets (keys and tokens of
// well-known services, bearer tokens, private keys, passwords in URLs), for what the patterns match,
// and for the values of those environment variables, NAME=VALUE, whose names say
// that they hold one. Values of fewer than eight bytes are left alone: they stand
// in too many other texts.
func NewMasker(patterns []*regexp.Regexp, env []string) *Masker {
	m := &Masker{shapes: append(slices.Clone(secretShapes()), patterns...), names: map[string]string{}}
	for _, entry := range env {
		name, v, _ := strings.Cut(entry, "=")
		if len(v) >= 8 && secretName().MatchString(name) {
			m.known = append(m.known, v)
		}
	}
	slices.SortFunc(m.known, func(a, b string) int { return len(b) - len(a) })
	return m
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
	for _, secret := range m.known {
		if strings.Contains(s, secret) {
			s = strings.ReplaceAll(s, secret, m.name(secret))
		}
	}
	for _, shape := range m.shapes {
		s = shape.ReplaceAllStringFunc(s, func(secret string) string {
			if secret == "" {
				return "" // An expression that matches nothing masks nothing.
			}
			return m.name(secret)
		})
	}
	return urlPassword().ReplaceAllStringFunc(s, func(url string) string {
		parts := urlPassword().FindStringSubmatch(url)
		return parts[1] + m.secret(parts[2]) + "@"
	})
}

// secret masks a text that is a secret as a whole, and from here on wherever else it
// stands, unless it is so short that it would be found everywhere.
func (m *Masker) secret(s string) string {
	if maskedName().MatchString(s) {
		return s
	}
	if len(s) >= 8 && !slices.Contains(m.known, s) {
		m.known = append(m.known, s)
		slices.SortFunc(m.known, func(a, b string) int { return len(b) - len(a) })
	}
	return m.name(s)
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
