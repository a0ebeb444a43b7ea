package terminal

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Notify says how to call for attention when a dialog appears while the terminal
// has no focus. Terminals that do not report their focus count as having it.
type Notify int

// The ways of calling.
const (
	NotifyAuto Notify = iota // what the terminal is known to understand, or the bell
	NotifyOff
	NotifyBell   // BEL
	NotifyOSC9   // a desktop notification of iTerm2 and others
	NotifyOSC777 // the same of urxvt, foot and others
)

// resolve replaces NotifyAuto.
func (n Notify) resolve(env map[string]string) Notify {
	if n != NotifyAuto {
		return n
	}
	if env["TMUX"] != "" || env["STY"] != "" {
		return NotifyBell // which multiplexers pass on, unlike the others
	}
	switch env["TERM_PROGRAM"] {
	case "iTerm.app", "WezTerm", "ghostty":
		return NotifyOSC9
	}
	switch term := env["TERM"]; {
	case strings.HasPrefix(term, "foot"), strings.HasPrefix(term, "rxvt"):
		return NotifyOSC777
	case strings.Contains(term, "kitty"), strings.Contains(term, "ghostty"):
		return NotifyOSC9
	}
	return NotifyBell
}

// sequence is what to write to the terminal. title must be a safe line; it cannot
// end the sequence early.
func (n Notify) sequence(title string) string {
	text := "The agent asks: " + strings.ReplaceAll(ansi.Truncate(title, 100, "…"), ";", ",")
	switch n {
	case NotifyBell:
		return "\a"
	case NotifyOSC9:
		return "\x1b]9;" + text + "\a"
	case NotifyOSC777:
		return "\x1b]777;notify;extui;" + text + "\a"
	}
	return ""
}
