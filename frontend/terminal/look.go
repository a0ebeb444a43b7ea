package terminal

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"extui/internal/safetext"
)

// look is how things are drawn at the moment: how wide the terminal takes
// characters to be, and its colours. Nothing is said by colour alone, so that a
// terminal without colours shows as much.
type look struct {
	method ansi.Method
	dark   bool
	sgr    safetext.SGR // what becomes of colours in widgets and statuses
	md     *markdown

	faint, strong, accent, good, warn, bad, marked ink
}

// ink is a style as what to write before and behind a text.
type ink struct{ on, off string }

func newInk(st lipgloss.Style) ink {
	on, off, _ := strings.Cut(st.Render("x"), "x")
	return ink{on, off}
}

func newLook(dark bool, keepColors bool) *look {
	l := &look{dark: dark, sgr: safetext.Strip}
	if keepColors {
		l.sgr = safetext.Keep
	}
	pick := lipgloss.LightDark(dark)
	color := func(light, dark string) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(pick(lipgloss.Color(light), lipgloss.Color(dark)))
	}
	l.faint = newInk(color("242", "245"))
	l.strong = newInk(lipgloss.NewStyle().Bold(true))
	l.accent = newInk(color("25", "117").Bold(true))
	l.good = newInk(color("28", "114"))
	l.warn = newInk(color("130", "221"))
	l.bad = newInk(color("160", "210").Bold(true))
	l.marked = l.accent
	l.md = newMarkdown(dark)
	return l
}

// paint draws s in a style; the empty text stays empty.
func paint(st ink, s string) string {
	if s == "" {
		return ""
	}
	return st.on + s + st.off
}

// paintAll draws each row in a style.
func paintAll(st ink, rows []string) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = paint(st, r)
	}
	return out
}

// rule is a line across the screen with a text near each end.
func (l *look) rule(left, right string, width int) string {
	if left != "" {
		left = " " + left + " "
	}
	if right != "" {
		right = " " + right + " "
	}
	lead := 2
	if width < 60 {
		lead = 1
	}
	room := width - 2*lead
	rw := l.method.StringWidth(right)
	if rw > room {
		right = clip(right, room, l.method)
		rw = l.method.StringWidth(right)
	}
	if l.method.StringWidth(left) > room-rw {
		left = clip(left, room-rw, l.method)
	}
	gap := max(0, room-rw-l.method.StringWidth(left))
	line := func(n int) string { return paint(l.faint, strings.Repeat("─", n)) }
	return line(lead) + left + line(gap) + right + line(max(0, width-lead-gap-rw-l.method.StringWidth(left)))
}

// decorated returns lines of a widget or a status, which may keep their
// colours but are no longer than the width; what is cut off leaves a sign.
func (l *look) decorated(line string, width int) string {
	return clip(strings.ReplaceAll(l.sgr.Line(line), "\t", "    "), width, l.method)
}
