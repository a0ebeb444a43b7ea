package main

import (
	"errors"
	"strings"
	"testing"
)

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }

func TestFirstError(t *testing.T) {
	bad := &firstError{w: failing{}}
	_, _ = bad.Write([]byte("a\n")) // As one who does not look.
	bad.w = &strings.Builder{}
	_, _ = bad.Write([]byte("b\n"))
	if !errors.Is(bad.err, errors.ErrUnsupported) {
		t.Errorf("kept %v", bad.err)
	}
}

// On a narrow terminal what does not fit goes on below itself.
func TestHelpWraps(t *testing.T) {
	var out strings.Builder
	p := helpPrinter{w: &out, width: 35}
	p.table("flags", [][2]string{{"--one", "what it does is a long story"}}, 10)
	if got, want := out.String(), "\n  FLAGS\n\n    --one     what it does is a\n              long story\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What could not be shown is part of the outcome, whatever else went wrong.
func TestUnseen(t *testing.T) {
	lost := errors.New("no space")
	usual := &failure{codeAgentEnded, errors.New("it ended"), "a hint"}
	for name, test := range map[string]struct {
		err, lost error
		code      int
		text      string
	}{
		"all well":     {nil, nil, 0, ""},
		"lost":         {nil, lost, codeFailed, "extui: not everything could be shown: no space\n"},
		"both":         {usual, lost, codeAgentEnded, "extui: it ended; not everything could be shown: no space\nhint: a hint\n"},
		"same":         {&failure{codeFailed, lost, ""}, lost, codeFailed, "extui: no space\n"},
		"by signal":    {&failure{code: codeInterrupted}, lost, codeInterrupted, "extui: not everything could be shown: no space\n"},
		"nothing lost": {usual, nil, codeAgentEnded, "extui: it ended\nhint: a hint\n"},
	} {
		var out strings.Builder
		if code := report(&out, unseen(test.err, test.lost)); code != test.code || out.String() != test.text {
			t.Errorf("%s: code %d and %q", name, code, out.String())
		}
	}
}
