package protocol

import (
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string, byte for byte as Node's
// JSON.stringify writes it: the short escapes, \u00xx for other control
// characters, everything else raw (U+2028, '<' and '&' too).
//
// s may hold what JavaScript strings may: a lone surrogate in its three-byte
// form is written as \udxxx. Other bytes that are no UTF-8 are written as they
// are, so that a text which an agent sent broken returns to it unchanged.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			if sur, ok := loneSurrogate(s[i:]); ok {
				dst = append(dst, s[start:i]...)
				dst = append(dst, '\\', 'u', hexDigits[sur>>12], hexDigits[sur>>8&15], hexDigits[sur>>4&15], hexDigits[sur&15])
				i += 3
				start = i
				continue
			}
			_, n := utf8.DecodeRuneInString(s[i:])
			i += n
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// loneSurrogate reads the three bytes ED A0..BF xx that stand for a UTF-16
// surrogate at the start of s.
func loneSurrogate(s string) (uint16, bool) {
	if len(s) < 3 || s[0] != 0xED || s[1] < 0xA0 || s[1] > 0xBF || s[2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | uint16(s[1]&0x3F)<<6 | uint16(s[2]&0x3F), true
}

// Unquote returns the value of a JSON string. An escaped lone surrogate becomes
// its three bytes (see [AppendString]), and bytes that are no UTF-8 stay as they
// are. It is an error if raw is not one JSON string.
func Unquote(raw []byte) (string, error) {
	v := jsontext.Value(raw)
	if v.Kind() != '"' || !v.IsValid(jsontext.AllowInvalidUTF8(true)) {
		return "", fmt.Errorf("unquote %s: not a JSON string", shorten(raw))
	}
	return unquote(trimSpace(v)), nil
}

func trimSpace(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// unquote is Unquote for a token that the decoder has found valid.
func unquote(raw []byte) string {
	raw = raw[1 : len(raw)-1]
	esc := -1
	for i, c := range raw {
		if c == '\\' {
			esc = i
			break
		}
	}
	if esc < 0 {
		return string(raw)
	}
	out := append(make([]byte, 0, len(raw)), raw[:esc]...)
	for i := esc; i < len(raw); {
		c := raw[i]
		if c != '\\' {
			out = append(out, c)
			i++
			continue
		}
		i++
		switch raw[i] {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r := hex4(raw[i+1:])
			i += 4
			if r >= 0xD800 && r < 0xDC00 && len(raw) >= i+7 && raw[i+1] == '\\' && raw[i+2] == 'u' {
				if low := hex4(raw[i+3:]); low >= 0xDC00 && low < 0xE000 {
					r = 0x10000 + (r-0xD800)<<10 + (low - 0xDC00)
					i += 6
				}
			}
			out = appendCodePoint(out, r)
		default: // '"', '\\', '/'
			out = append(out, raw[i])
		}
		i++
	}
	return string(out)
}

// appendCodePoint is utf8.AppendRune, but for surrogates, which keep their bits.
func appendCodePoint(dst []byte, r rune) []byte {
	if r >= 0xD800 && r < 0xE000 {
		return append(dst, 0xED, 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
	}
	return utf8.AppendRune(dst, r)
}

func hex4(b []byte) rune {
	var r rune
	for _, c := range b[:4] {
		r <<= 4
		switch {
		case c <= '9':
			r |= rune(c - '0')
		case c <= 'F':
			r |= rune(c - 'A' + 10)
		default:
			r |= rune(c - 'a' + 10)
		}
	}
	return r
}

// shorten makes raw fit for an error message: at most 80 bytes, quoted, with a
// sign of what was cut.
func shorten[T ~string | ~[]byte](raw T) string {
	const limit = 80
	if len(raw) <= limit {
		return string(AppendString(nil, string(raw)))
	}
	cut := limit
	for cut > limit-4 && raw[cut]&0xC0 == 0x80 {
		cut--
	}
	return fmt.Sprintf("%s… (%d bytes)", AppendString(nil, string(raw[:cut])), len(raw))
}
