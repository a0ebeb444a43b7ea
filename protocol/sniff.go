package protocol

// The values of "type" that matter to this protocol. Every other type is an
// event of the agent, which the protocol leaves alone.
const (
	TypeRequest         = "extension_ui_request"
	TypeResponse        = "extension_ui_response"
	TypeCommandResponse = "response"
	TypeExtensionError  = "extension_error"
)

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// RecordType returns the top-level "type" of a record without decoding it: a
// busy agent writes megabytes of events of which few concern a dialog, and this
// is all that is done to the others. It returns "" for an object whose type is
// missing or no string.
//
// ok is false if the record is plainly no JSON object. It looks no further than
// it must, so true does not mean that the record is valid.
func RecordType(record []byte) (typ string, ok bool) {
	b := trimSpace(record)
	if len(b) < 2 || b[0] != '{' || b[len(b)-1] != '}' {
		return "", false
	}
	i := skipSpace(b, 1)
	if b[i] == '}' {
		return "", i == len(b)-1
	}
	for i < len(b) {
		if b[i] != '"' {
			return "", false
		}
		end, escaped := stringEnd(b, i)
		if end < 0 {
			return "", false
		}
		name := b[i+1 : end-1]
		isType := string(name) == "type"
		if escaped && !isType {
			isType = escapedIs(b[i:end], "type")
		}
		if i = skipSpace(b, end); i >= len(b) || b[i] != ':' {
			return "", false
		}
		i = skipSpace(b, i+1)
		if isType {
			return typeValue(b, i)
		}
		if i = valueEnd(b, i); i < 0 {
			return "", false
		}
		if i = skipSpace(b, i); i >= len(b) {
			return "", false
		}
		switch b[i] {
		case ',':
			i = skipSpace(b, i+1)
		case '}':
			return "", i == len(b)-1
		default:
			return "", false
		}
	}
	return "", false
}

func typeValue(b []byte, i int) (string, bool) {
	if i >= len(b) {
		return "", false
	}
	if b[i] != '"' {
		return "", valueEnd(b, i) > 0
	}
	end, escaped := stringEnd(b, i)
	if end < 0 {
		return "", false
	}
	if escaped {
		s, err := Unquote(b[i:end])
		return s, err == nil
	}
	// The compiler allocates nothing for these comparisons.
	switch s := b[i+1 : end-1]; string(s) {
	case TypeRequest:
		return TypeRequest, true
	case TypeCommandResponse:
		return TypeCommandResponse, true
	case TypeResponse:
		return TypeResponse, true
	case TypeExtensionError:
		return TypeExtensionError, true
	case "message_update":
		return "message_update", true
	default:
		return string(s), true
	}
}

func escapedIs(token []byte, want string) bool {
	s, err := Unquote(token)
	return err == nil && s == want
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

// stringEnd returns the index behind the string that starts at i, or -1.
func stringEnd(b []byte, i int) (end int, escaped bool) {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '"':
			return i + 1, escaped
		case '\\':
			escaped = true
			i++
		}
	}
	return -1, escaped
}

// valueEnd returns the index behind the value that starts at i, or -1.
func valueEnd(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i, _ = stringEnd(b, i); i < 0 {
				return -1
			}
		case '{', '[':
			depth++
			i++
		case '}', ']':
			if depth == 0 {
				return -1
			}
			depth--
			i++
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return -1
			}
			i++
			continue
		default:
			for i < len(b) && !isDelimiter(b[i]) {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}

func isDelimiter(c byte) bool {
	return c == ',' || c == '}' || c == ']' || c == ':' || c == '"' || c == '{' || c == '[' || isSpace(c)
}
