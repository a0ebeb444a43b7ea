package demo

import "regexp"

// dangerous holds a reason for each kind of command that somebody must allow. It
// is an example: a list of what is bad can always be got round, so that a gate
// for real use lists what is harmless and asks about all else.
var dangerous = []struct {
	pattern *regexp.Regexp
	why     string
}{
	{regexp.MustCompile(`\brm\b.*\s(-[a-zA-Z]*[rRf]|--(recursive|force))`), "deletes without asking"},
	{regexp.MustCompile(`\b(sudo|doas)\b`), "runs as another user"},
	{regexp.MustCompile(`\b(chmod|chown)\b.*\b0?777\b`), "opens files to everybody"},
	{regexp.MustCompile(`\b(mkfs|dd|shred)\b`), "overwrites a disk"},
	{regexp.MustCompile(`\bgit\b.*\bpush\b.*(--force|\s-f)\b`), "rewrites a shared history"},
	{regexp.MustCompile(`\b(curl|wget)\b.*\|\s*(ba|z)?sh\b`), "runs what it downloads"},
	{regexp.MustCompile(`>\s*/dev/(sd|nvme|disk)`), "overwrites a disk"},
}

// danger says why a command must be allowed first, "" if it need not.
func danger(command string) string {
	for _, d := range dangerous {
		if d.pattern.MatchString(command) {
			return d.why
		}
	}
	return ""
}
