package terminal

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// key changes the text as a key press says and reports whether it means
// something here. Enter, Tab and Escape never do: they are the owner's.
func (t *textbox) key(k tea.KeyPressMsg) bool {
	if t.edit(k.Keystroke()) {
		return true
	}
	if k.Text != "" && k.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
		t.insert(k.Text, true)
		return true
	}
	return false
}

// edit obeys the editing keys.
//
// long: one table
func (t *textbox) edit(stroke string) bool {
	lineEnd := len(t.lines[t.row])
	switch stroke {
	case "left", "ctrl+b":
		t.moveTo(t.left())
	case "right", "ctrl+f":
		t.moveTo(t.right())
	case "ctrl+left", "alt+left", "alt+b":
		t.moveTo(t.wordLeft())
	case "ctrl+right", "alt+right", "alt+f":
		t.moveTo(t.wordRight())
	case "home", "ctrl+a":
		t.moveTo(t.row, 0)
	case "end":
		t.moveTo(t.row, lineEnd)
	case "ctrl+home", "alt+<":
		t.moveTo(0, 0)
	case "ctrl+end", "alt+>":
		t.end()
	case "up":
		return t.vertical(-1)
	case "down":
		return t.vertical(1)
	case "backspace", "shift+backspace", "ctrl+h":
		row, col := t.left()
		t.deleteTo(row, col, false)
	case "delete", "ctrl+d":
		row, col := t.right()
		t.deleteTo(row, col, false)
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		row, col := t.wordLeft()
		t.deleteTo(row, col, true)
	case "alt+d", "ctrl+delete":
		row, col := t.wordRight()
		t.deleteTo(row, col, true)
	case "ctrl+u":
		t.deleteTo(t.row, 0, true)
	case "ctrl+k":
		if t.col == lineEnd && t.row < len(t.lines)-1 {
			t.deleteTo(t.row+1, 0, true)
		} else {
			t.deleteTo(t.row, lineEnd, true)
		}
	case "ctrl+y":
		t.insert(t.killed, false)
	case "ctrl+_", "ctrl+/", "ctrl+-", "ctrl+shift+-":
		t.undoLast()
	default:
		return false
	}
	return true
}

// paste puts a pasted text in. Terminals write a line break in a paste as CR,
// whatever it was, so that CR LF and CR both become LF.
func (t *textbox) paste(s string) {
	t.insert(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"), false)
}
