package policy

import (
	"regexp"
	"testing"
)

// Words that nobody wrote make another sentence where they follow each other, and where
// there are many; a word with signs in it may be a path or a flag.
func TestOpenWords(t *testing.T) {
	for expression, open := range map[string]bool{
		`^Build [a-z]+ [a-z]+ [a-z]+ [a-z]+$`:                true,
		`^Build [a-z]+ [a-z]+$`:                              true,
		`^Build( [a-z]+)?( [a-z]+)?$`:                        true,
		`^Build(?: [a-z]+){1}(?: [a-z]+){1}$`:                true,
		`^Build(?: [a-z]+){2}$`:                              true,
		`^Build( [a-z]+)*$`:                                  true,
		`^Build [a-z]+( |_)[a-z]+$`:                          true,
		`^Build ([a-z]+) "([a-z]+)"$`:                        true,
		`^Build [a-z]+[,;] [a-z]+$`:                          true,
		`^Build [a-z]+ (?:the )?[a-z]+$`:                     true,
		`^Build ([a-z]+|it) ([A-Z]+|that)$`:                  true,
		`^Build [a-z]{1,20} [a-z]{1,20}$`:                    true,
		`^(?i)build [a-z]+ \w+$`:                             true,
		`^Build [a-z]+ in [a-z]+ for [a-z]+ with [a-z]+ on$`: true,
		`^Delete [\w./-]+\?$`:                                true,
		`^Delete [a-z/]+$`:                                   true,
		`^Delete [a-z-]+$`:                                   true,
		`^Delete ([a-z.]+)$`:                                 true,
		`^Delete "[a-z.]+"$`:                                 true,
		`^Delete (?:file )?[a-z-]{1,9}$`:                     true,
		`^[a-z.-]+ Delete$`:                                  true,
		`^Build [a-z]+$`:                                     false,
		`^Build [a-z]+ and [a-z]+$`:                          false,
		`^Build [a-z]+ in [a-z]+ for [a-z]+$`:                false,
		`^Build [0-9]+ [a-z]+$`:                              false,
		`^Build [0-9]+ of [0-9]+, [0-9]+ failed$`:            false,
		`^Build [0-9]+\.[0-9]+\.[0-9]+ [0-9]+$`:              false,
		`^Build [A-Z][a-z]+$`:                                false,
		`^Build [a-z]+-[a-z]+$`:                              false,
		`^Build [a-z]+(?:-[a-z]+)*$`:                         false,
		`^Build [a-z]+\?$`:                                   false,
		`^Build (?:staging|production)( now| later)?$`:       false,
		`^Delete [a-z][a-z0-9.-]*$`:                          false,
		`^Delete v[a-z0-9.-]+$`:                              false,
		`^Delete src/[a-z]+$`:                                false,
		`^Deploy v[0-9.]+$`:                                  false,
		`^Build [a-z]+ (?:to|in) [a-z]+$`:                    false,
		`^Type ([a-z]{1,20}) to confirm$`:                    false,
	} {
		e := alternative{re: regexp.MustCompile(expression)}.evidence()
		if (e.open != "") != open {
			t.Errorf("%s: %q, want open %v", expression, e.open, open)
		}
	}
}
