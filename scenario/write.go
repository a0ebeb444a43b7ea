package scenario

import (
	"slices"
	"strings"

	"extui/protocol"
)

// plainScalar are texts that YAML reads as what they are without quotes.
var plainScalar = lazily(`^[A-Za-z_$][A-Za-z0-9_$./ -]*$`)

// yaml writes v on one line, as a person would.
func (v value) yaml() string { return string(v.appendYAML(nil)) }

func (v value) appendYAML(dst []byte) []byte {
	switch v.kind {
	case object:
		dst = append(dst, '{')
		for i, m := range v.members {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendScalar(dst, m.name)
			dst = append(dst, ": "...)
			dst = m.value.appendYAML(dst)
		}
		return append(dst, '}')
	case array:
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = item.appendYAML(dst)
		}
		return append(dst, ']')
	case text:
		return appendScalar(dst, v.text)
	default:
		return v.append(dst)
	}
}

// reserved are texts that YAML, in one version or another, takes for something else.
var reserved = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"}

func appendScalar(dst []byte, s string) []byte {
	if plainScalar().MatchString(s) && !strings.HasSuffix(s, " ") && !slices.Contains(reserved, strings.ToLower(s)) {
		return append(dst, s...)
	}
	return protocol.AppendString(dst, s)
}
