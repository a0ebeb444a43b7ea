package script

import (
	"regexp"
	"strings"
	"sync"
)

// QuickJS knows the places of calls, property accesses and the like, and of nothing
// else: of a loop without one of them it names what came before it. Where that loop
// stands is found by the layout of a bundle: esbuild indents each block by two more
// spaces than what it is in.
//
// The expressions are made when the first loop was stopped, not when the program starts.
var (
	loopLine     = lazily(`^(?:[\p{L}\p{N}_$]+: )*(?:for|while|do)\b`)
	functionLine = lazily(`(?:\bfunction\b.*|=>) \{$`)
	methodLine   = lazily(`^[^ (]?[^(]*\(.*\) \{$`)
	blockLine    = lazily(`^(?:\} )?(?:[\p{L}\p{N}_$]+: )*(?:if|for|while|switch|catch|else|with)\b`)
)

func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// beginsFunction reports whether a function's body follows a line of a bundle.
func beginsFunction(line string) bool {
	return functionLine().MatchString(line) || methodLine().MatchString(line) && !blockLine().MatchString(line)
}

// loopAt returns the place of the loop that runs in a bundle after the place that is
// known: the loop that it is in, or the next one of the same function. ok is false if
// there is none or the place itself is in one. All count from 1.
func loopAt(code string, row int) (line, column int, ok bool) {
	lines := strings.Split(code, "\n")
	if row < 1 || row > len(lines) {
		return 0, 0, false
	}
	indent := func(i int) int { return len(lines[i]) - len(strings.TrimLeft(lines[i], " ")) }
	text := func(i int) string { return strings.TrimLeft(lines[i], " ") }
	at := row - 1
	if loopLine().MatchString(text(at)) {
		return 0, 0, false
	}
	// What it is in, from the inside out.
	body := -1 // the indent of the function
	if beginsFunction(text(at)) {
		body = indent(at)
	} else {
		inner := indent(at)
		for i := at - 1; i >= 0 && inner > 0; i-- {
			if lines[i] == "" || indent(i) >= inner {
				continue
			}
			inner = indent(i)
			if loopLine().MatchString(text(i)) {
				return 0, 0, false
			}
			if beginsFunction(text(i)) {
				body = inner
				break
			}
		}
	}
	skip := -1 // the indent of another function, whose lines are not looked at
	for i := at + 1; i < len(lines); i++ {
		switch {
		case lines[i] == "":
		case indent(i) <= body:
			return 0, 0, false
		case skip >= 0 && indent(i) > skip:
		case beginsFunction(text(i)):
			skip = indent(i)
		case loopLine().MatchString(text(i)):
			return i + 1, indent(i) + 1, true
		default:
			skip = -1
		}
	}
	return 0, 0, false
}
