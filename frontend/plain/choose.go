package plain

import (
	"fmt"
	"strconv"
	"strings"

	"extui/internal/safetext"
)

// choice is an option of a select or of a question.
type choice struct {
	label, description string
	note               string // a word of ours behind the label
	answer             string // what choosing it answers; choices with equal ones are interchangeable
}

func printChoices(s *screen, choices []choice) {
	for i, c := range choices {
		s.block(fmt.Sprintf("  %d. ", i+1), optionMark, safetext.Label(c.label)+c.note)
		if c.description != "" {
			s.block(optionMark, optionMark, safetext.Block(c.description))
		}
	}
}

func numbers(n int) string {
	if n == 1 {
		return "the number 1"
	}
	return fmt.Sprintf("a number from 1 to %d", n)
}

func span(n int) string {
	if n == 1 {
		return "1"
	}
	return "1-" + itoa(n)
}

// number reads a number as it is written in front of an option: digits, without leading zeros.
func number(s string) (n int, ok bool) {
	if s == "" || s[0] < '1' || s[0] > '9' {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// choose finds the choice that a line means. Otherwise problem says why there is none, or not one.
//
// The options are worded by the agent, which may give one the text "1" or "#1". So there are two
// forms that mean the same whatever the options are: #N is option number N, and =TEXT the option
// with that text. Anything else is a number or a text, and is refused if it is both, or the text of
// several options with different answers. A text counts exactly or as it is shown, spaces around it
// apart.
func choose(choices []choice, line string) (i int, problem string) {
	trimmed := trim(line)
	if trimmed == "" {
		return 0, "an empty line chooses nothing: type " + numbers(len(choices))
	}
	if digits, ok := strings.CutPrefix(trimmed, "#"); ok && isDigits(digits) {
		return numbered(choices, digits)
	}
	if text, ok := strings.CutPrefix(trimmed, "="); ok {
		i, found, problem := texted(choices, text)
		if problem == "" && !found {
			problem = "no option has the text behind the =: type " + numbers(len(choices))
		}
		return i, problem
	}
	i, found, problem := texted(choices, line)
	if isDigits(trimmed) {
		n, outside := numbered(choices, trimmed)
		if outside == "" && (found && choices[i].answer != choices[n].answer || problem != "") {
			return 0, fmt.Sprintf("%s is a number here and the text of option %d: type #%s for option %s, or =%s for the text",
				trimmed, matching(choices, line)[0]+1, trimmed, trimmed, trimmed)
		}
		if outside == "" || !found && problem == "" {
			return n, outside
		}
	}
	if problem == "" && !found {
		problem = "no option has this text: type " + numbers(len(choices))
	}
	return i, problem
}

// numbered finds the choice with a number.
func numbered(choices []choice, digits string) (i int, problem string) {
	n, ok := number(digits)
	if !ok || n > len(choices) {
		return 0, fmt.Sprintf("there is no option %s: type %s", safetext.Line(digits), numbers(len(choices)))
	}
	return n - 1, ""
}

// texted finds the choice with a text.
func texted(choices []choice, text string) (i int, found bool, problem string) {
	texts := matching(choices, text)
	if len(texts) == 0 {
		return 0, false, ""
	}
	for _, t := range texts {
		if choices[t].answer != choices[texts[0]].answer {
			return 0, false, fmt.Sprintf("options %d and %d have this text: type #%d or #%d", texts[0]+1, t+1, texts[0]+1, t+1)
		}
	}
	return texts[0], true, ""
}

// trim takes blanks off both ends of a line. A no-break space and its like are none: nobody types
// one by accident, so whoever did meant something else.
func trim(s string) string { return strings.Trim(s, " \t") }

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// matching returns the choices whose text is line.
func matching(choices []choice, line string) []int {
	var out []int
	for i, c := range choices {
		if c.label == line || c.label != "" && (trim(c.label) == trim(line) ||
			trim(safetext.Line(c.label)) == trim(line)) {
			out = append(out, i)
		}
	}
	return out
}

// chooseSeveral reads numbers and nothing else, with commas between them: "1,3". Spaces around a
// number do no harm, and a # in front of it says that it is no text; see choose.
func chooseSeveral(choices []choice, line string) (chosen []int, problem string) {
	for part := range strings.SplitSeq(line, ",") {
		part = trim(part)
		digits := strings.TrimPrefix(part, "#")
		n, ok := number(digits)
		switch {
		case !ok:
			return nil, fmt.Sprintf("%q is no number: type numbers with commas between them, such as 1,2", safetext.Line(part))
		case n > len(choices):
			return nil, fmt.Sprintf("there is no option %d: the numbers go from 1 to %d", n, len(choices))
		}
		for _, t := range matching(choices, part) {
			if digits == part && choices[t].answer != choices[n-1].answer {
				return nil, fmt.Sprintf("%d is a number here and the text of option %d: type #%d or #%d for the one or the other",
					n, t+1, n, t+1)
			}
		}
		for _, c := range chosen {
			if c == n-1 {
				return nil, fmt.Sprintf("%d is there twice", n)
			}
		}
		chosen = append(chosen, n-1)
	}
	return chosen, ""
}
