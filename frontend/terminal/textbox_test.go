package terminal

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// The rows of a line are the line, none is too wide, and a break is behind a
// space where the row has one.
func FuzzWrapLine(f *testing.F) {
	for _, text := range texts {
		f.Add(text, uint8(20))
	}
	f.Add("aaa bbb ccc", uint8(5))
	f.Fuzz(func(t *testing.T, line string, width uint8) {
		line = strings.ReplaceAll(line, "\n", "")
		for _, m := range []ansi.Method{ansi.WcWidth, ansi.GraphemeWidth} {
			at := 0
			for _, r := range wrapLine(line, int(width), m) {
				if r.from != at || r.to < at {
					t.Fatalf("a row from %d to %d behind %d of %q", r.from, r.to, at, line)
				}
				at = r.to
				if w := m.StringWidth(r.text); w != r.width || w > max(int(width), 1) && r.to-r.from > 1 && w > 2 {
					t.Fatalf("row %q is %d wide, said to be %d, of %d; line %q", r.text, w, r.width, width, line)
				}
			}
			if at != len(line) {
				t.Fatalf("rows end at %d of %d: %q", at, len(line), line)
			}
		}
	})
}

func TestWrapLine(t *testing.T) {
	for _, c := range []struct {
		line  string
		width int
		want  string
	}{
		{"", 5, ""},
		{"aaa bbb ccc", 8, "aaa bbb |ccc"},
		{"aaa bbb ccc", 7, "aaa |bbb ccc"},
		{"abcdefgh", 3, "abc|def|gh"},
		{"a bcdefgh", 4, "a |bcde|fgh"},
		{"請選擇要", 5, "請選|擇要"},
		{"a\tb", 10, "a   b"},
	} {
		var rows []string
		for _, r := range wrapLine(c.line, c.width, ansi.WcWidth) {
			rows = append(rows, r.text)
		}
		if got := strings.Join(rows, "|"); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.line, c.width, got, c.want)
		}
	}
}

func TestTextboxEdits(t *testing.T) {
	for _, c := range []struct {
		keys, want string
	}{
		{"left X", "one twXo"},
		{"ctrl+w Y", "one Y"},
		{"ctrl+left Z ctrl+_", "one two"},
		{"ctrl+u", ""},
		{"home ctrl+k ctrl+y ctrl+y", "one twoone two"},
		{"home alt+d", " two"},
		{"home delete end backspace", "ne tw"},
		{"home ctrl+right X", "oneX two"},
		{"a b ctrl+_", "one two"}, // what was typed in one go is undone in one go
	} {
		b := newTextbox("one two", false)
		for _, k := range strings.Fields(c.keys) {
			b.key(keyPress(k))
		}
		if got := b.text(); got != c.want {
			t.Errorf("%s: %q, want %q", c.keys, got, c.want)
		}
	}
}

// Whatever is pressed, the cursor stays inside, at the beginning of a cluster,
// and undoing everything brings the first text back.
func TestTextboxHoldsTogether(t *testing.T) {
	strokes := strings.Fields("left right up down home end ctrl+left ctrl+right ctrl+home ctrl+end backspace delete ctrl+w ctrl+k ctrl+u ctrl+y alt+d x é")
	random := rand.New(rand.NewPCG(1, 2))
	for name, text := range texts {
		for _, width := range []int{7, 40} {
			b := newTextbox(text, false)
			for range 400 {
				k := strokes[random.IntN(len(strokes))]
				b.layout(width, ansi.WcWidth)
				b.key(keyPress(k))
				if random.IntN(8) == 0 {
					b.insert("a\n\tb ", false)
				}
				if b.row < 0 || b.row >= len(b.lines) || b.col < 0 || b.col > len(b.lines[b.row]) {
					t.Fatalf("%s: the cursor is at %d:%d after %s", name, b.row, b.col, k)
				}
				rows, x, y, _, _ := b.view(width, 5, ansi.WcWidth)
				if y < 0 || y >= len(rows) || x < 0 || x >= width {
					t.Fatalf("%s: the cursor is shown at %d,%d of %d rows after %s", name, x, y, len(rows), k)
				}
			}
			if len(b.undo) < maxUndo {
				for len(b.undo) > 0 {
					b.undoLast()
				}
				if b.text() != text {
					t.Errorf("%s: undo came to %q", name, b.text())
				}
			}
		}
	}
}
