package main

import (
	"strings"
	"testing"
)

func TestToolInput(t *testing.T) {
	for _, test := range []struct{ tool, text, want, err string }{
		{"bash", "rm -rf build", `{"command":"rm -rf build"}`, ""},
		{"bash", ` echo "a"\b `, `{"command":"echo \"a\"\\b"}`, ""},
		{"bash", "{ ls; }", `{"command":"{ ls; }"}`, ""},
		{"bash", `{"command":"ls","timeout":3}`, `{"command":"ls","timeout":3}`, ""},
		{"bash", "  ", "", "needs its command"},
		{"read", "a b.txt", `{"path":"a b.txt"}`, ""},
		{"deploy", "", `{}`, ""},
		{"deploy", `{"to":"x"}`, `{"to":"x"}`, ""},
		{"deploy", "now", "", "needs a JSON object"},
		{"deploy", `{"to":`, "", "needs a JSON object"},
		{"deploy", `["to"]`, "", "needs a JSON object"},
	} {
		got, err := toolInput(test.tool, test.text)
		if string(got) != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("toolInput(%q, %q) = %s, %v; want %s, %q", test.tool, test.text, got, err, test.want, test.err)
		}
	}
}
