package terminal

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"extui/protocol"
)

// screen is a model without a terminal: keys in, a picture out, and a clock that
// only moves when it is told to.
type screen struct {
	t       *testing.T
	m       *model
	at      time.Time
	answers map[int]protocol.Answer
	over    map[int]bool // dialogs whose answers come too late
	sent    []string
	ctrlC   int
	eofs    int
	lastID  int
	cmd     tea.Cmd
	slow    time.Duration // how long a frame takes
	drawing bool
}

func newScreen(t *testing.T, width, height int) *screen {
	s := &screen{t: t, at: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), answers: map[int]protocol.Answer{}, over: map[int]bool{}}
	s.m = newModel(config{minDelay: defaultDelay, now: s.now, closing: t.Context()}, s)
	s.send(tea.WindowSizeMsg{Width: width, Height: height})
	return s
}

func (s *screen) now() time.Time {
	if s.drawing {
		s.wait(s.slow)
	}
	return s.at
}

func (s *screen) answer(id int, a protocol.Answer) bool {
	if s.over[id] {
		return false
	}
	if old, twice := s.answers[id]; twice {
		s.t.Errorf("dialog %d answered twice: %v, then %v", id, old, a)
	}
	s.answers[id] = a
	return true
}
func (s *screen) submit(text string) { s.sent = append(s.sent, text) }
func (s *screen) interrupt()         { s.ctrlC++ }
func (s *screen) eof()               { s.eofs++ }

func (s *screen) send(msgs ...tea.Msg) {
	for _, msg := range msgs {
		_, s.cmd = s.m.Update(msg)
		s.drawing = true
		s.m.View() // as the program does after each
		s.drawing = false
	}
}

// ask opens a dialog and returns its number.
func (s *screen) ask(d protocol.Dialog) int {
	s.lastID++
	var deadline time.Time
	if limit, ok := d.DialogTimeout().Duration(); ok {
		deadline = s.at.Add(limit)
	}
	s.send(askMsg{s.lastID, d, deadline, uint64(s.lastID)})
	return s.lastID
}

func (s *screen) wait(d time.Duration) { s.at = s.at.Add(d) }

// settle lets what is shown be there long enough to count.
func (s *screen) settle() { s.wait(defaultDelay) }

// keys presses keys by their names, such as "enter", "ctrl+n" or "x", one after the
// other as a person does who knows which.
func (s *screen) keys(names ...string) {
	for i, name := range names {
		if i > 0 {
			s.wait(defaultDelay / 2)
		}
		s.send(keyPress(name))
	}
}

// burst presses keys as fast as a program does.
func (s *screen) burst(names ...string) {
	for _, name := range names {
		s.send(keyPress(name))
	}
}

func (s *screen) typed(text string) {
	for _, r := range text {
		s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

var namedKeys = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"space": tea.KeySpace, "f1": tea.KeyF1, "f2": tea.KeyF2,
}

func keyPress(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	for {
		mod, rest, ok := strings.Cut(name, "+")
		if !ok || rest == "" {
			break
		}
		k.Mod |= map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}[mod]
		name = rest
	}
	if code, ok := namedKeys[name]; ok {
		k.Code = code
		if name == "space" {
			k.Text = " "
		}
		return k
	}
	k.Code = []rune(name)[0]
	if k.Mod == 0 {
		k.Text = name
	}
	return k
}

// picture is the screen without styles, blanks at line ends cut.
func (s *screen) picture() string {
	rows := strings.Split(ansi.Strip(s.m.View().Content), "\n")
	for i, r := range rows {
		rows[i] = strings.TrimRight(r, " ")
	}
	return strings.Join(rows, "\n")
}

func (s *screen) wants(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if !strings.Contains(s.picture(), text) {
			s.t.Errorf("the screen does not show %q:\n%s", text, s.picture())
		}
	}
}

func (s *screen) lacks(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if strings.Contains(s.picture(), text) {
			s.t.Errorf("the screen shows %q:\n%s", text, s.picture())
		}
	}
}

func after(d time.Duration) protocol.Timeout {
	t, err := protocol.After(d)
	if err != nil {
		panic(err)
	}
	return t
}
