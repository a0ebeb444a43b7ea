package protocol

import (
	"strings"
	"testing"
)

func TestRecordType(t *testing.T) {
	for _, c := range []struct {
		in, typ string
		ok      bool
	}{
		{`{"type":"extension_ui_request","id":"1"}`, TypeRequest, true},
		{`{"id":"p","type":"response","success":true}`, TypeCommandResponse, true},
		{`{"type":"extension_error"}`, TypeExtensionError, true},
		{`{"type":"extension_ui_response"}`, TypeResponse, true},
		{`{"type":"tool_execution_update"}`, "tool_execution_update", true},
		{`{"type":"agent_start"}`, "agent_start", true},
		{`{"type":""}`, "", true},
		{" {\t\"id\" : 7 ,\r\n \"type\" : \"x\" } \r\n", "x", true},
		{`{"t\u0079pe":"\u0078"}`, "x", true},
		{`{"message":{"type":"inner","a":["}","{",{"type":"deep"}]},"type":"outer"}`, "outer", true},
		{`{"n":-1.5e+3,"t":true,"f":false,"z":null,"a":[],"o":{},"type":"x"}`, "x", true},
		{`{"a\"b":"\\","c":"\\\"","type":"x"}`, "x", true},
		{`{}`, "", true},
		{`{ }`, "", true},
		{`{"id":"1"}`, "", true},
		{`{"type":5}`, "", true},
		{`{"type":{"type":"x"}}`, "", true},
		{`{"Type":"x"}`, "", true},
		{`{"type ":"x"}`, "", true},
		// Not objects.
		{``, "", false}, {`{`, "", false}, {`}`, "", false}, {`null`, "", false}, {`42`, "", false}, {`"x"`, "", false}, {`["type","x"]`, "", false},
		// No more than it must be looked at, but never out of bounds.
		{`{"type"}`, "", false}, {`{"type":}`, "", false}, {`{"type":"x}`, "", false}, {`{"a":1 "type":"x"}`, "", false}, {`{a:1}`, "", false},
		{`{"a":"}`, "", false}, {`{"a":[}`, "", false}, {`{"a":]}`, "", false}, {`{"a"}`, "", false}, {`{"a":"\"}`, "", false}, {`{"a":,}`, "", false},
		{`{"a":1,}`, "", false}, {`{"a":1}}`, "", false}, {`{}}`, "", false}, {`{"a\`, "", false}, {`{"\u00":1}`, "", true},
	} {
		if typ, ok := RecordType([]byte(c.in)); typ != c.typ || ok != c.ok {
			t.Errorf("%s: got %q, %v; want %q, %v", c.in, typ, ok, c.typ, c.ok)
		}
	}
}

// A string is found to end where it does whatever its length and wherever its
// escapes are: there is a slow look at its start and a search for the rest.
func TestStringEnd(t *testing.T) {
	for n := range 60 {
		plain := strings.Repeat("x", n)
		for _, escape := range []string{``, `\"`, `\\`, `\\\"`, `\"` + plain + `\"`, `\\` + plain + `\"x`} {
			s := `"` + plain + escape + plain + `"`
			for _, rest := range []string{``, `,"next":"\""`} {
				if end, escaped := stringEnd([]byte(s+rest), 0); end != len(s) || escaped != (escape != "") {
					t.Fatalf("%s: ends at %d, escaped %v", s+rest, end, escaped)
				}
			}
			if end, _ := stringEnd([]byte(s[:len(s)-1]), 0); end != -1 {
				t.Fatalf("%s: no end, found %d", s[:len(s)-1], end)
			}
		}
	}
	if end, _ := stringEnd([]byte(`"x\`), 0); end != -1 {
		t.Errorf("a cut escape ends at %d", end)
	}
}

// The look at a record that concerns nobody costs no memory.
func TestRecordTypeAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() {
		RecordType(benchUpdate)
		RecordType(benchLate)
		RecordType(benchSelect)
		RecordType(benchValue)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
