package terminal

import (
	"strings"
	"testing"

	"extui/protocol"
)

// Options that differ by blanks, or are nothing else, can be told from each other.
func TestLabelsCanBeTold(t *testing.T) {
	labels := []string{"Allow", "Allow ", " Allow", "Allow\u00a0", "", " ", "\u2800", "\u3164", "\u115f"}
	want := []string{"Allow", "Allow␠", "␠Allow", "Allow<U+00A0>", "<empty>", "␠", "<U+2800>", "<U+3164>", "<U+115F>"}
	var several []protocol.QuestionOption
	for _, l := range labels {
		several = append(several, protocol.QuestionOption{Label: l})
	}
	for name, d := range map[string]protocol.Dialog{
		"select":        &protocol.Select{Title: "Which?", Options: protocol.Options(labels...)},
		"questionnaire": &protocol.Questionnaire{Questions: []protocol.Question{{Question: "Which?", Options: several}}},
	} {
		s := newScreen(t, 80, 24)
		s.ask(d)
		for _, w := range want {
			found := false
			for _, row := range strings.Split(s.picture(), "\n") {
				found = found || strings.HasSuffix(row, " "+w)
			}
			if !found {
				t.Errorf("%s: no option %q:\n%s", name, w, s.picture())
			}
		}
	}
}
