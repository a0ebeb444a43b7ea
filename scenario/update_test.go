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
  - agent: {notify: /./}
`
	const want = `steps:
  - client: {prompt: /deploy} # says "#1"
  - agent: {select: "Where to?"}  # why # here
    answer: staging
  # Above.
  - agent:      # first
      confirm: "Sure?"   # second
      # third
      message: Deploy to staging
    # fourth
    answer: true
  - agent: {notify: /./}
`
	if got := updated(t, file); got != want {
		t.Errorf("updated:\n%s\nwant:\n%s", got, want)
	}
}

// Values are replaced where they stand: the way a step is written stays, and so do the
// anchors beside them, and the mark with which an editor begins a file.
func TestUpdateReplacesInPlace(t *testing.T) {
	const file = "\uFEFF" + `steps:
  - client: {prompt: /deploy}
  - agent: {select: 'Where''s it?', options: ["staging", 'x]', "q"], id: /./} # ü
    answer: &where "staging"
  -
    agent:
      message: Deploy to moon # one
      # two
      confirm: Sure??
    answer: true
  - agent: {notify: "Deployed to staging"}
  - client: {call: bash, input: {where: *where}}
  - agent:
      result: old
`
	want := strings.NewReplacer(`'Where''s it?'`, `"Where to?"`, `["staging", 'x]', "q"]`, `[staging, production]`,
		"Deploy to moon", "Deploy to staging", "Sure??", `"Sure?"`, "result: old", `result: "ran {\"where\":\"staging\"}"`).Replace(file)
	if got := updated(t, file); got != want {
		t.Errorf("updated:\n%s\nwant:\n%s", got, want)
	}
}

// A step that has to be written anew keeps its style, and loses nothing.
func TestUpdateWritesAStepAnew(t *testing.T) {
	const block = "steps:\n  - client: {prompt: /deploy}\n  - agent:   # here\n      select: Where to?\n      options:\n        - staging\n    answer: ANSWER\n  - agent: {notify: /./}\n"
	file := strings.Replace(block, "ANSWER", "null", 1)
	want := strings.Replace(file, "select: Where to?\n      options:\n        - staging\n", "select: Where to?\n      options: [staging, production]\n", 1)
	want = strings.Replace(want, "select: Where to?", `select: "Where to?"`, 1)
	if got := updated(t, file); got != want {
		t.Errorf("updated:\n%s\nwant:\n%s", got, want)
	}
	for _, test := range []struct{ old, with, why string }{
		{"ANSWER", `&x "staging"`, "it has an anchor or an alias"},
		{"- staging\n", "- staging # the first\n", "a comment stands among its lines, # the first"},
	} {
		text := strings.Replace(strings.Replace(block, test.old, test.with, 1), "ANSWER", "null", 1)
		r := against(t, text, &Options{Update: true})
		fails(t, r, 3, test.why)
		if _, ok := r.Update(); ok {
			t.Errorf("%s: the file is rewritten", test.with)
		}
	}
	// A value with an anchor is another's too.
	r := against(t, "steps:\n  - client: {prompt: /deploy}\n  - agent: {select: &x Where from?}\n    answer: null\n  - agent: {notify: /./}\n", &Options{Update: true})
	fails(t, r, 3, "it has an anchor")
}
