package script

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"extui/internal/vectors"
)

// deliberate holds, for each case in which we do not write what pi does, the reason and
// what we write. An entry that is not needed any more fails the test, and so does a
// difference that has no entry.
var deliberate = map[string]struct {
	why  string
	from []string // our lines, ids hidden
}{
	"bad-array":      {"a record that is no object is a parse error, and says so", parseError(`command: not a JSON object: \"[]\"`)},
	"bad-blank-line": {"a blank line is skipped", nil},
	"bad-not-json":   {"the texts of parse errors are those of the parser", parseError(`command: not a JSON object: \"not json\": jsontext: invalid character 'o' in literal null (expecting 'u') after offset 1`)},
	"bad-null":       {"pi exits on null", parseError(`command: not a JSON object: \"null\"`)},
	"bad-number":     {"a record that is no object is a parse error, and says so", parseError(`command: not a JSON object: \"42\"`)},
	"bad-prompt-without-model": {"there is no login that could be done", []string{
		`{"id":"p9","type":"response","command":"prompt","success":false,"error":"nothing handles this prompt: there is no command /no-such-command-but-a-model-is-missing and no model"}`,
	}},
	"editor-with-options": {"the editor takes a timeout and a signal like the other dialogs", []string{
		`{"type":"extension_ui_request","id":"id-1","method":"editor","title":"Edit some text","prefill":"x","timeout":300}`,
		`{"type":"extension_ui_request","id":"id-2","method":"notify","message":"result \"x\""}`, handled,
	}},
	"select-value-not-a-string":             {"an answer that is none of the options is no answer", noAnswer},
	"select-with-a-value-that-is-no-option": {"an answer that is none of the options is no answer", noAnswer},
}

const handled = `{"id":"p","type":"response","command":"prompt","success":true,"data":{"disposition":"handled"}}`

var noAnswer = []string{
	`{"type":"extension_ui_request","id":"id-1","method":"select","title":"Allow dangerous command?","options":["Allow","Block"]}`,
	`{"type":"extension_ui_request","id":"id-2","method":"notify","message":"result undefined"}`, handled,
}

func parseError(text string) []string {
	return []string{`{"type":"response","command":"parse","success":false,"error":"Failed to parse command: ` + text + `"}`}
}

// TestVectors replays what the real pi was recorded to write, against our agent with
// the same extension: byte for byte, but for ids.
func TestVectors(t *testing.T) {
	t.Parallel()
	cases, err := vectors.Load("../interop/testdata/pi")
	if err != nil {
		t.Fatal(err)
	}
	probe, err := filepath.Abs("../interop/testdata/probe.ts")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, v := range cases {
		seen[v.Name] = true
		if slowEngine && i%7 != 0 && v.Name != "two-dialogs-at-once-answered-in-reverse" {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			var got, want []string
			// Timeouts of seconds pass at once.
			c := prepare(t, []string{probe}, nil)
			// An engine that is started outside of the bubble does not belong to it.
			for _, u := range c.loader.units {
				u.engine.close()
				u.engine = nil
			}
			synctest.Test(t, func(t *testing.T) {
				c.start(t)
				got, want = replay(c, probe, v, func() { time.Sleep(5 * time.Second) })
			})
			known, listed := deliberate[v.Name]
			switch {
			case !listed && !slices.Equal(got, want):
				t.Errorf("the agent wrote\n%s\nand pi\n%s", lines(got), lines(want))
			case listed && slices.Equal(got, want):
				t.Errorf("listed as deliberately different (%s), but it is the same as pi", known.why)
			case listed && !slices.Equal(got, known.from):
				t.Errorf("the agent wrote\n%s\nand the list of deliberate differences has\n%s", lines(got), lines(known.from))
			}
		})
	}
	for name := range deliberate {
		if !seen[name] {
			t.Errorf("listed as deliberately different: %s, but there is no such case", name)
		}
	}
}

func lines(list []string) string {
	var b bytes.Buffer
	for _, l := range list {
		b.WriteString("  " + l + "\n")
	}
	return b.String()
}

// replay plays the client's part. Each line is sent when all that the agent writes
// before is there, so that a missing line holds up nothing. pass lets time pass.
func replay(c *talk, probe string, v vectors.Case, pass func()) (got, want []string) {
	var ids vectors.IDs
	take := func() {
		synctest.Wait()
		for {
			select {
			case line, ok := <-c.lines:
				if !ok {
					return
				}
				got = append(got, string(bytes.ReplaceAll(ids.Hide([]byte(line)), []byte(probe), []byte("$PROBE"))))
				continue
			default:
			}
			return
		}
	}
	for i, line := range v.Wire {
		if !line.ToAgent {
			want = append(want, string(line.Text))
			continue
		}
		if i > 0 && !v.Wire[i-1].ToAgent {
			take()
		}
		c.send(string(ids.Reveal(line.Text)))
	}
	take()
	// A dialog may still be open, and its time has to run out.
	if len(got) < len(want) {
		pass()
		take()
	}
	c.end()
	return got, want
}
