package scenario

import (
	"strings"
	"testing"
)

// updated plays a file against shop, accepts what comes, and returns the new text.
func updated(t *testing.T, text string) string {
	t.Helper()
	r := against(t, text, &Options{Update: true})
	passes(t, r)
	got, ok := r.Update()
	if !ok {
		t.Fatal("nothing was accepted")
	}
	return string(got)
}

// The lines of a file are counted, and written, as they end.
func TestUpdateKeepsTheEndsOfLines(t *testing.T) {
	const file = `# A comment.
about: x   # trailing

steps:
  # Comments, each of which
  # ends with CR LF.
  - client: {prompt: /deploy}
  # The question.
  - agent: {select: Where from?}
    answer: staging
  - agent: {confirm: Sure?}
    answer: false
  # The last one.
  - agent: {notify: Nothing deployed}
`
	want := strings.Replace(file, "Where from?", `"Where to?"`, 1)
	for _, end := range []string{"\n", "\r\n", "\r"} {
		in := func(s string) string { return strings.ReplaceAll(s, "\n", end) }
		if got := updated(t, in(file)); got != in(want) {
			t.Errorf("with %q it is\n%q, want\n%q", end, got, in(want))
		}
		fails(t, against(t, in(file), nil), 9, "Where from?")
	}
}
