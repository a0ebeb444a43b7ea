package script

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"extui/agent"

	"github.com/go-json-experiment/json"
)

// TestNode runs the expressions in testdata/node, and compares what they give with what
// Node.js 22 gave. A file has an expression a line, and below it what that gave as JSON.
func TestNode(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("written for POSIX paths, a shell and signals")
	}
	files, err := filepath.Glob("testdata/node/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	prelude, err := os.ReadFile("testdata/node/prelude.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var tests [][2]string
			for line := range strings.Lines(string(text)) {
				line = strings.TrimSuffix(line, "\n")
				if want, ok := strings.CutPrefix(line, "=> "); ok {
					tests[len(tests)-1][1] = want
				} else if line != "" && !strings.HasPrefix(line, "#") {
					tests = append(tests, [2]string{line, ""})
				}
			}
			if slowEngine { // A deep stack is moved for minutes then.
				tests = slices.DeleteFunc(tests, func(test [2]string) bool { return strings.HasSuffix(test[0], "(100000)") })
			}
			code := string(prelude)
			for _, test := range tests {
				code += "cases.push(async () => (" + test[0] + "));\n"
			}
			code += `export default (pi) => { pi.registerCommand("go", { handler: async (_, ctx) => ctx.ui.notify(JSON.stringify(await results())) }); };`
			dir := t.TempDir()
			path := writeIn(t, dir, "cases.js", code)
			c := serve(t, []string{path}, func(o *Options, _ *agent.Options) { o.Cwd = dir; o.Env = append(os.Environ(), "TZ=UTC") })
			var notice struct {
				Message string `json:"message"`
			}
			line := c.prompt("/go")[0]
			if err := json.Unmarshal([]byte(line), &notice); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			var got []string
			if err := json.Unmarshal([]byte(notice.Message), &got); err != nil || len(got) != len(tests) {
				t.Fatalf("%d results for %d cases, %v: %s", len(got), len(tests), err, notice.Message)
			}
			for i, test := range tests {
				if got[i] != test[1] {
					t.Errorf("%s\ngot  %s\nwant %s", test[0], got[i], test[1])
				}
			}
		})
	}
}
