package protocol

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const hexDigits = "0123456789abcdef"

// special marks the bytes that AppendString cannot copy without a look at them.
var special = func() (t [256]bool) {
	for c := range 0x20 {
		t[c] = true
	}
	t['"'], t['\\'], t[surrogateLead] = true, true, true
	return t
}()

// AppendString appends s as a JSON string, byte for byte as Node's
// JSON.stringify writes it: the short escapes, \u00xx for other control
// characters, everything else raw (U+2028, '<' and '&' too).
//
// s may hold what JavaScript strings may: a lone surrogate in its three-byte
// form is written as \udxxx, and two such that form a pair as the character they
// stand for. Other bytes that are no UTF-8 are written as they are, so that a
// text which an agent sent broken returns to it unchanged.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !special[c] {
			continue
		}
		if c == surrogateLead {
			r, n := surrogate(s[i:])
			if n == 0 {
				continue
			}
			dst = append(dst, s[start:i]...)
			if n == 6 {
				dst = utf8.AppendRune(dst, r)
			} else {
				dst = append(dst, '\\', 'u', 'd', hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
			}
			start = i + n
			i = start - 1
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
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
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// surrogateLead is the first of the three bytes that a UTF-16 surrogate would
// have in UTF-8. In UTF-8 proper it starts characters from U+D000 to U+D7FF.
const surrogateLead = 0xED

// surrogate reads the surrogate in three-byte form at the start of s, or two of
// them that form a pair, and returns how many bytes that were: 0, 3 or 6.
func surrogate[T ~string | ~[]byte](s T) (r rune, n int) {
	one := func(i int) rune {
		if len(s) < i+3 || s[i] != surrogateLead || s[i+1] < 0xA0 || s[i+1] > 0xBF || s[i+2]&0xC0 != 0x80 {
			return 0
		}
		return 0xD000 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F)
	}
	high := one(0)
	if high == 0 {
		return 0, 0
	}
	if low := one(3); high < 0xDC00 && low >= 0xDC00 {
		return 0x10000 + (high-0xD800)<<10 + (low - 0xDC00), 6
	}
	return high, 3
}

// surrogatePair returns the index of the first pair of surrogates in three-byte
// form, or -1.
func surrogatePair(s []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(s[i:], surrogateLead)
		if n < 0 {
			return -1
		}
		i += n
		if _, n := surrogate(s[i:]); n == 6 {
			return i
		}
		i++
	}
}

// joinPairs replaces pairs of surrogates in three-byte form by the characters
// they stand for, so that one text has one form.
func joinPairs(s []byte) string {
	var out strings.Builder
	out.Grow(len(s))
	for i := surrogatePair(s); i >= 0; i = surrogatePair(s) {
		r, n := surrogate(s[i:])
		out.Write(s[:i])
		out.WriteRune(r)
		s = s[i+n:]
	}
	out.Write(s)
	return out.String()
}

// Unquote returns the value of a JSON string. An escaped lone surrogate becomes
// its three bytes (see [AppendString]), a pair in that form the character that
// it stands for, and other bytes that are no UTF-8 stay as they are. It is an
// error if raw is not one JSON string.
func Unquote(raw []byte) (string, error) {
	v := jsontext.Value(raw)
	if v.Kind() != '"' || !v.IsValid(jsontext.AllowInvalidUTF8(true)) {
		return "", fmt.Errorf("unquote %s: not a JSON string", shorten(raw))
	}
	return unquote(trimSpace(v)), nil
}

// unquote is Unquote for a token that is known to be valid.
func unquote(token []byte) string {
	raw := token[1 : len(token)-1]
	esc := bytes.IndexByte(raw, '\\')
	if esc < 0 {
		if surrogatePair(raw) < 0 {
			return string(raw)
		}
		return joinPairs(raw)
	}
	var out strings.Builder
	out.Grow(len(raw))
	for ; esc >= 0; esc = bytes.IndexByte(raw, '\\') {
		out.Write(raw[:esc])
		raw = unescape(&out, raw[esc:])
	}
	out.Write(raw)
	s := out.String()
	if strings.IndexByte(s, surrogateLead) >= 0 && surrogatePair([]byte(s)) >= 0 {
		return joinPairs([]byte(s))
	}
	return s
}

// unescape writes what the escapes at the start of raw stand for and returns
// what is behind them.
func unescape(out *strings.Builder, raw []byte) []byte {
	for len(raw) > 0 && raw[0] == '\\' {
		c := raw[1]
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r := hex4(raw[2:])
			raw = raw[6:]
			if r >= 0xD800 && r < 0xDC00 && len(raw) >= 6 && raw[0] == '\\' && raw[1] == 'u' {
				if low := hex4(raw[2:]); low >= 0xDC00 && low < 0xE000 {
					r = 0x10000 + (r-0xD800)<<10 + (low - 0xDC00)
					raw = raw[6:]
				}
			}
			if r >= 0xD800 && r < 0xE000 {
				out.Write([]byte{surrogateLead, 0x80 | byte(r>>6&0x3F), 0x80 | byte(r&0x3F)})
			} else {
				out.WriteRune(r)
			}
			continue
		}
		out.WriteByte(c) // '"', '\\' and '/' stand for themselves
		raw = raw[2:]
	}
	return raw
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

// appendRaw appends a JSON text as it is, unless there are line ends in it: they
// can only stand between tokens, and one of them would end the record.
func appendRaw(dst, raw []byte) []byte {
	if bytes.IndexByte(raw, '\n') < 0 {
		return append(dst, raw...)
	}
	v := jsontext.Value(bytes.Clone(raw))
	if v.Compact() != nil { // it is not valid; then this at least stays one record
		v = bytes.ReplaceAll(raw, []byte{'\n'}, []byte{' '})
	}
	return append(dst, v...)
}

// limit is how much of a value an error message holds, in bytes.
const limit = 80

// shorten makes raw fit for an error message: at most 80 bytes, quoted, with a
// sign of what was cut.
func shorten[T ~string | ~[]byte](raw T) string {
	if len(raw) <= limit {
		return string(AppendString(nil, string(raw)))
	}
	return fmt.Sprintf("%s… (%d bytes)", AppendString(nil, string(raw[:cut(raw)])), len(raw))
}

// excerpt is shorten for JSON text, which needs no quotes.
func excerpt(v jsontext.Value) string {
	if len(v) <= limit {
		return string(v)
	}
	return fmt.Sprintf("%s… (%d bytes)", v[:cut(v)], len(v))
}

// cut returns the last place up to the limit that is not within a character.
func cut[T ~string | ~[]byte](raw T) int {
	n := limit
	for n > limit-4 && raw[n]&0xC0 == 0x80 {
		n--
	}
	return n
}
