package interop_test

import (
	"path/filepath"
	"testing"

	"extui/internal/long"
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
	{
		name:     "events and sessions",
		examples: []string{"events.ts"},
		say: []string{
			"hello", "/name a name", "/list",
			"/entry one", "/message two", "/label one", "/list", "/at two", "/list", "/before two", "/at no", "/at nothing", "/at-with two", "/list",
			"/go nothing", "/go two", "/list", "/entry three", "/go-no one", "/go-label one", "/list", "/go one", "/unlabel one", "/go-summary three", "/list", "/at three", "/list",
			"/fresh", "/list", "/fresh-with", "/list", "/before message", "/list", `{"type":"new_session"}`, "/list",
		},
		differ: []exampleDifference{{"there is no login that could be done",
			`{"id":"call-1","type":"response","command":"prompt","success":false,"error":"No API key found for the selected model."}`,
			[]string{`{"id":"call-1","type":"response","command":"prompt","success":false,"error":"nothing handles this prompt: there is no model"}`},
		}},
	},
}

// TestScripts has these conversations with the real pi and with extui agent.
func TestScripts(t *testing.T) {
	t.Parallel()
	long.Test(t)
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
