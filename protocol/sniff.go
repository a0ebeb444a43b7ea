package protocol

// The values of "type" that matter to this protocol. Every other type is an
// event of the agent, which the protocol leaves alone.
const (
	TypeRequest         = "extension_ui_request"
	TypeResponse        = "extension_ui_response"
	TypeCommandResponse = "response"
	TypeExtensionError  = "extension_error"
)

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
		isType := string(b[i+1:end-1]) == "type"
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
	if escaped || surrogatePair(b[i:end]) >= 0 {
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
	case "tool_execution_update":
		return "tool_execution_update", true
	default:
		return string(s), true
	}
}

func escapedIs(token []byte, want string) bool {
	s, err := Unquote(token)
	return err == nil && s == want
}
