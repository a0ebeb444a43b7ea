package main

import (
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	const ok = `{"Action":"output","Package":"p","Test":"TestA","Output":"noise\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}
{"Action":"pass","Package":"p"}
`
	for _, test := range []struct {
		name, in string
		code     int
		shows    []string
		hides    []string
	}{
		{"pass", ok, 0, []string{"ok  \tp\t0.1s\n", "1 tests passed, 0 failures, 0 skipped"}, []string{"noise"}},
		{"package without tests", ok + `{"Action":"output","Package":"q","Output":"?   \tq\t[no test files]\n"}
{"Action":"skip","Package":"q"}
`, 0, []string{"?   \tq"}, []string{"SKIPPED"}},
		{"skip", ok + `{"Action":"output","Package":"q","Test":"TestB","Output":"no tmux\n"}
{"Action":"skip","Package":"q","Test":"TestB"}
{"Action":"pass","Package":"q"}
`, 1, []string{"no tmux", "SKIPPED, which is a failure here: q TestB"}, nil},
		{"fail", ok + `{"Action":"output","Package":"q","Test":"TestB","Output":"got 1\n"}
{"Action":"fail","Package":"q","Test":"TestB"}
{"Action":"output","Package":"q","Output":"FAIL\tq\t0.1s\n"}
{"Action":"fail","Package":"q"}
`, 1, []string{"got 1\nFAIL\tq\t0.1s\n", "FAILED: q TestB"}, []string{"noise"}},
		{"crash", ok + `{"Action":"output","Package":"q","Test":"TestB","Output":"panic: boom\n"}
{"Action":"fail","Package":"q"}
`, 1, []string{"panic: boom"}, nil},
		{"does not build", `{"ImportPath":"q","Action":"build-output","Output":"undefined: x\n"}
{"ImportPath":"q","Action":"build-fail"}
`, 1, []string{"undefined: x"}, nil},
		{"plain text", "go: no such tool\n" + ok, 0, []string{"go: no such tool"}, nil},
		{"nothing ran", "", 1, []string{"0 tests passed"}, nil},
		{"last line cut off", strings.TrimSuffix(ok, "\n"), 0, []string{"ok  \tp"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			if code := run(strings.NewReader(test.in), &out); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			for _, want := range test.shows {
				if !strings.Contains(out.String(), want) {
					t.Errorf("output lacks %q:\n%s", want, &out)
				}
			}
			for _, not := range test.hides {
				if strings.Contains(out.String(), not) {
					t.Errorf("output holds %q:\n%s", not, &out)
				}
			}
		})
	}
}
