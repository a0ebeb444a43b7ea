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

// What is written must be what came, in each round of a repetition.
func TestUpdateRefusesRoundsThatDiffer(t *testing.T) {
	const rounds = `steps:
  - repeat: 2
    steps:
      - client: {prompt: /deploy}
      - agent: {select: Where from?}
        answer: staging
      - agent: {confirm: Sure?, message: Deploy to staging}
        answer: false
      - agent: {notify: Nothing deployed}
      - client: {call: bash, input: {n: "${n}"}}
      - agent: {result: RESULT}
`
	text := rounds
	for _, result := range []string{"old", `'ran {"n":1}'`, `'ran {"n":2}'`} {
		r := against(t, strings.Replace(text, "RESULT", result, 1), &Options{Update: true})
		fails(t, r, 11, "it came differently before")
		if _, ok := r.Update(); ok {
			t.Errorf("with %s, half of a scenario that failed is rewritten", result)
		}
	}
	// A variable that matches is kept, one that does not is not replaced by its value.
	text = strings.Replace(text, "RESULT", `'ran {"n":${n}}'`, 1)
	if got, want := updated(t, text), strings.Replace(text, "Where from?", `"Where to?"`, 1); got != want {
		t.Errorf("updated:\n%s\nwant:\n%s", got, want)
	}
	fails(t, against(t, strings.Replace(text, "'ran", "'run", 1), &Options{Update: true}), 11, "is not rewritten: the value of a variable")
}

func TestUpdateKeepsComments(t *testing.T) {
	const file = `steps:
  - client: {prompt: /deploy} # says "#1"
  - agent: {select: Where from?}  # why # here
    answer: staging
  # Above.
  - agent:      # first
      confirm: "# Really?"   # second
      # third
      message: Deploy to staging
    # fourth
    answer: true
`
	const want = `steps:
  - client: {prompt: /deploy} # says "#1"
  - agent: {select: "Where to?"}  # why # here
    answer: staging
  # Above.
  # second
  # third
  # fourth
  - agent: {confirm: "Sure?", message: Deploy to staging}      # first
    answer: true
`
	if got := updated(t, file); got != want {
		t.Errorf("updated:\n%s\nwant:\n%s", got, want)
	}
}
