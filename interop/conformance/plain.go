package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"extui/protocol"
	"extui/scenario/conformance/choices"
)

// plainStyle drives extui run with its plain front end, which shows one dialog after
// the other and says which.
type plainStyle struct {
	program string
	seen    int    // bytes of the screen
	now     *asked // on the screen
	lines   []string
	typed   int // bytes of the screen at the last line
}

func (s *plainStyle) start(dir, _ string) ([]string, error) {
	return []string{s.program, "run", "--ui", "plain", "--", dir + "/node"}, nil
}

func (s *plainStyle) ready(*typist) bool { return true }

func (s *plainStyle) tell(t *typist, c choices.Command) bool {
	line := "/new"
	if c.Name == "prompt" {
		if json.Unmarshal(c.Members[0].Value, &line) != nil {
			return false
		}
	} else if c.Name != "new_session" {
		return false
	}
	t.keys(line + "\n")
	return true
}

// hurry is how long a person takes who sees that the agent is about to go.
const hurry = 700 * time.Millisecond

// heading is how the plain front end begins a dialog.
var heading = regexp.MustCompile(`(?m)^(select|confirm|input|editor|questions): (.*?)\r?$`)

func (s *plainStyle) act(t *typist) {
	text := t.printed()
	whole := bytes.LastIndexByte(text, '\n') + 1
	for s.seen < whole {
		m := heading.FindSubmatchIndex(text[s.seen:whole])
		if m == nil {
			s.seen = whole
			break
		}
		if !s.show(t, string(text[s.seen+m[4]:s.seen+m[5]])) {
			return // It is on the screen before it is in the tap.
		}
		s.seen += m[1]
	}
	if !t.over.IsZero() && time.Since(t.over) < hurry {
		return
	}
	// The prompt for the agent is no more than "> ": the dialog is over then.
	if prompt := text[whole:]; s.now == nil || len(prompt) <= len("> ") || !bytes.HasSuffix(prompt, []byte("> ")) || len(text) == s.typed || !t.isStill() || time.Now().Before(s.now.at) || len(s.lines) == 0 {
		return
	}
	s.typed = len(text)
	t.keys(s.lines[0])
	s.lines = s.lines[1:]
}

// show finds the dialog that the screen begins to show.
func (s *plainStyle) show(t *typist, title string) bool {
	i := slices.IndexFunc(t.open, func(a *asked) bool { return !a.shown && a.title() == title })
	if i < 0 {
		i = slices.IndexFunc(t.open, func(a *asked) bool { return !a.shown })
	}
	if i < 0 {
		return false
	}
	s.now = t.open[i]
	s.now.shown = true
	s.lines = plainLines(s.now)
	return true
}

// leave is Ctrl-D.
func (s *plainStyle) leave(t *typist) { t.keys("\x04") }

// plainLines are what a person types, each when there is a prompt for it.
func plainLines(a *asked) []string {
	c := a.choice
	switch {
	case c.Wait, c.Stop:
		return nil
	case c.Confirmed != nil && *c.Confirmed:
		return []string{"y\n"}
	case c.Confirmed != nil:
		return []string{"n\n"}
	case c.Answers != nil:
		return questionnaireLines(a)
	case a.Method == "select" && (c.Value != nil || c.Option != nil):
		return []string{fmt.Sprintf("#%d\n", a.index()+1)}
	case a.Method == "editor" && c.Value != nil:
		var lines strings.Builder
		for line := range strings.SplitSeq(*c.Value, "\n") {
			if strings.HasPrefix(line, ".") {
				line = "." + line
			}
			lines.WriteString(line + "\n")
		}
		if *c.Value == "" {
			return []string{".\n"}
		}
		return []string{lines.String() + ".\n"}
	case c.Value != nil:
		return []string{*c.Value + "\n"}
	}
	return []string{"/cancel\n"}
}

func questionnaireLines(a *asked) []string {
	var answers []struct {
		QuestionIndex int
		Kind          protocol.AnswerKind
		Answer        *string
		Selected      []string
	}
	if err := json.Unmarshal(a.choice.Answers, &answers, json.MatchCaseInsensitiveNames(true)); err != nil {
		panic(err) // A rule of ours.
	}
	var lines []string
	for q, question := range a.Questions {
		number := func(label string) string {
			for i, o := range question.Options {
				if o.Label == label {
					return fmt.Sprint(i + 1)
				}
			}
			return label
		}
		line := "/skip"
		for _, answer := range answers {
			if answer.QuestionIndex != q {
				continue
			}
			switch answer.Kind {
			case protocol.KindOption:
				line = "#" + number(*answer.Answer)
			case protocol.KindMulti:
				var all []string
				for _, label := range answer.Selected {
					all = append(all, number(label))
				}
				line = strings.Join(all, ",")
				if line == "" {
					line = "/none"
				}
			case protocol.KindCustom:
				line = "/own " + *answer.Answer
			case protocol.KindChat:
				line = "/chat"
				if answer.Answer != nil {
					line += " " + *answer.Answer
				}
			}
		}
		lines = append(lines, line+"\n")
	}
	return append(lines, "send\n")
}
