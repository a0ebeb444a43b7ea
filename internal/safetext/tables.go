package safetext

import (
	"unicode"
	"unicode/utf8"
)

const (
	zwnj      = '\u200C'
	zwj       = '\u200D'
	blackFlag = '\U0001F3F4'
	tagFirst  = '\U000E0020'
	tagLast   = '\U000E007F' // ends the tags of a flag
)

// hidden reports whether r has no shape of its own, or changes the direction of others.
func hidden(r rune) bool {
	switch {
	case r >= 0x80 && r < 0xA0: // C1 controls
		return true
	case r >= 0x600 && r <= 0x605, r == 0x6DD, r == 0x70F, r == 0x890, r == 0x891, r == 0x8E2,
		r == 0x110BD, r == 0x110CD: // signs under numbers: of category Cf, yet seen
		return false
	case r == 0x34F, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x3164, r == 0xFFA0, r == 0x16FE4:
		return true // joiner and fillers that count as letters and marks
	case r == 0x2800, r == 0x1D159:
		return true // a Braille pattern without dots and a note without a head, which count as symbols
	case r >= 0xFFF0 && r <= 0xFFF8, r >= 0xE0000 && r <= 0xE0FFF, r == 0x2065:
		return true // reserved for more of the kind
	case r&0xFFFE == 0xFFFE, r >= 0xFDD0 && r <= 0xFDEF:
		return true // no characters
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// joining are the scripts whose spelling needs joiners between letters.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Mongolian, unicode.Devanagari,
	unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Myanmar, unicode.Khmer, unicode.Tibetan,
	unicode.Balinese, unicode.Javanese,
}

// joins reports whether joiner j, behind what was kept and before after, belongs to the text: it
// makes one picture out of two emoji, or shapes letters of a script that needs it.
func (f *filter) joins(j, after rune) bool {
	if f.prev == zwj || f.prev == zwnj {
		return false
	}
	if j == zwj && emoji(f.base) && emoji(after) {
		return true
	}
	// A joiner may end a word there, but then a space or punctuation follows that shows its end.
	return unicode.In(f.base, joining...) && (unicode.In(after, joining...) || after == ' ')
}

// emoji reports whether r can be a part of an emoji sequence. The ranges are wider than Unicode's
// property: they decide only whether a joiner or selector between two symbols is natural.
func emoji(r rune) bool {
	switch {
	case r >= 0x1F000 && r <= 0x1FAFF, r >= 0x2190 && r <= 0x21FF, r >= 0x2300 && r <= 0x23FF,
		r >= 0x25A0 && r <= 0x27BF, r >= 0x2900 && r <= 0x297F, r >= 0x2B00 && r <= 0x2BFF:
		return true
	}
	switch r {
	case 0xA9, 0xAE, 0x203C, 0x2049, 0x2122, 0x2139, 0x24C2, 0x3030, 0x303D, 0x3297, 0x3299:
		return true
	}
	return false
}

// isSelector reports whether r chooses a variant of the rune before it.
func isSelector(r rune) bool {
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF || r >= 0x180B && r <= 0x180D || r == 0x180F
}

// selects reports whether selector v can have an effect on base. One without effect is a way to
// hide data.
func selects(base, v rune) bool {
	switch {
	case v == 0xFE0E || v == 0xFE0F:
		return emoji(base) || base >= '0' && base <= '9' || base == '#' || base == '*' || unicode.Is(unicode.Han, base)
	case v >= 0xFE00 && v <= 0xFE0F:
		return unicode.Is(unicode.Han, base) || unicode.In(base, unicode.Sm, unicode.Myanmar, unicode.Phags_Pa)
	case v >= 0xE0100:
		return unicode.Is(unicode.Han, base)
	}
	return unicode.Is(unicode.Mongolian, base)
}

// maxTags is how many tags a flag may have; those in use have five or six and the end.
const maxTags = 8

// tags returns the length of the tags of a flag at the start of s, 0 if they are malformed. more
// is true if s ends before that can be told.
func tags(s string) (length int, more bool) {
	for range maxTags {
		if !fullRune(s[length:]) {
			return 0, true
		}
		r, n := utf8.DecodeRuneInString(s[length:])
		length += n
		if r == tagLast {
			return length, false
		}
		if r < tagFirst || r > tagLast {
			return 0, false
		}
	}
	return 0, false
}
