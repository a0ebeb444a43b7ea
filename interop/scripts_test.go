package interop_test

import (
	"path/filepath"
	"testing"

	"extui/interop"
)

// scriptTalks are conversations with extensions of our own, in testdata, that pi's
// examples have no case for.
var scriptTalks = []exampleTalk{
	{
		name:     "arguments of other types",
		examples: []string{"odd.ts"},
		say: []string{
			"/numbers", "/objects", "/none", "/text", "/nothing", "/nulls", "/times", "/placeholder", "/prefill", "/symbol", "/bigint",
		},
		answers: []string{
			`"value":"1"`, `"value":"x"`, `"cancelled":true`, `"cancelled":true`, `"confirmed":true`, `"confirmed":false`,
			`"value":"a"`, `"value":"b"`, `"value":"c"`, `"value":"d"`,
		},
	},
}

// TestScripts has these conversations with the real pi and with extui agent.
func TestScripts(t *testing.T) {
	t.Parallel()
	interop.Long(t)
	interop.Pi(t) // skips before anything is built
	program := buildProgram(t)
	for _, talk := range scriptTalks {
		t.Run(talk.name, func(t *testing.T) {
			t.Parallel()
			var paths []string
			for _, name := range talk.examples {
				path, err := filepath.Abs(filepath.Join("testdata", name))
				if err != nil {
					t.Fatal(err)
				}
				paths = append(paths, path)
			}
			talk.compare(t, program, paths)
		})
	}
}
