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
		s.block(fmt.Sprintf("  %d. ", i+1), "     ", safetext.Block(c.label)+c.note)
		if c.description != "" {
			s.block("     ", "     ", safetext.Block(c.description))
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

// choose finds the choice that a line means: its number, its number behind a #, or its text, exactly or
// as it is shown, spaces around it apart. Otherwise problem says why there is none, or not one.
func choose(choices []choice, line string) (i int, problem string) {
	trimmed := strings.TrimSpace(line)
	if trimmed == "" {
		return 0, "an empty line chooses nothing: type " + numbers(len(choices))
	}
	outside := func(n string) string {
		return fmt.Sprintf("there is no option %s: type %s", safetext.Line(n), numbers(len(choices)))
	}
	texts := matching(choices, line)
	if digits, ok := strings.CutPrefix(trimmed, "#"); ok && len(texts) == 0 {
		n, ok := number(digits)
		if !ok || n > len(choices) {
			return 0, outside(trimmed)
		}
		return n - 1, ""
	}
	n, isNumber := number(trimmed)
	inRange := isNumber && n <= len(choices)
	for _, t := range texts {
		if inRange && choices[t].answer != choices[n-1].answer {
			return 0, fmt.Sprintf("%d is a number here and the text of option %d: type #%d or #%d for the one or the other",
				n, t+1, n, t+1)
		}
		if choices[t].answer != choices[texts[0]].answer {
			return 0, fmt.Sprintf("options %d and %d have this text: type the number", texts[0]+1, t+1)
		}
	}
	switch {
	case inRange:
		return n - 1, ""
	case len(texts) > 0:
		return texts[0], ""
	case isNumber || strings.Trim(trimmed, "0123456789") == "":
		return 0, outside(trimmed)
	}
	return 0, "no option has this text: type " + numbers(len(choices))
}

// matching returns the choices whose text is line.
func matching(choices []choice, line string) []int {
	var out []int
	for i, c := range choices {
		if c.label == line || c.label != "" && (strings.TrimSpace(c.label) == strings.TrimSpace(line) ||
			strings.TrimSpace(safetext.Line(c.label)) == strings.TrimSpace(line)) {
			out = append(out, i)
		}
	}
	return out
}

// chooseSeveral reads numbers and nothing else, with commas between them: "1,3". Spaces around a
// number do no harm.
func chooseSeveral(choices []choice, line string) (chosen []int, problem string) {
	for part := range strings.SplitSeq(line, ",") {
		part = strings.TrimSpace(part)
		n, ok := number(part)
		switch {
		case !ok:
			return nil, fmt.Sprintf("%q is no number: type numbers with commas between them, such as 1,2", safetext.Line(part))
		case n > len(choices):
			return nil, fmt.Sprintf("there is no option %d: the numbers go from 1 to %d", n, len(choices))
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
