package terminal

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"extui/internal/safetext"
	"extui/protocol"
)

// The rows that a question has besides its options. Authors may not use these
// labels, so that nobody can take one for the other.
const (
	labelCustom = "Type something."
	labelChat   = "Chat about this"
)

// rowKind is what a row of a question stands for.
type rowKind int

const (
	rowOption rowKind = iota
	rowCustom
	rowChat
)

// questionnaireBody asks several questions, one on each tab, and shows all
// answers on a last tab before they are sent. Nothing is answered that was not
// chosen.
type questionnaireBody struct {
	d         *protocol.Questionnaire
	questions []questionState
	tab       int // len(questions) is the review
	typing    *textbox
	typingFor rowKind
	page      page
	moved     bool
	step      int
	hint      string
}

// questionState is one question and what was decided about it.
type questionState struct {
	q       *protocol.Question
	rows    []rowKind
	mark    int // a row, -1 for none
	answer  *protocol.QuestionAnswer
	ticked  map[int]bool // multi: the options that are chosen
	custom  string       // what was typed, kept when another answer is chosen
	chat    string
	preview bool // an option has one
}

func newQuestionnaire(d *protocol.Questionnaire) *questionnaireBody {
	b := &questionnaireBody{d: d}
	for i := range d.Questions {
		q := &d.Questions[i]
		s := questionState{q: q, mark: -1, ticked: map[int]bool{}}
		for _, o := range q.Options {
			s.rows = append(s.rows, rowOption)
			s.preview = s.preview || o.Preview != nil
		}
		if d.Ask || !q.MultiSelect && !s.preview {
			s.rows = append(s.rows, rowCustom)
		}
		if !d.Ask {
			s.rows = append(s.rows, rowChat)
		}
		b.questions = append(b.questions, s)
	}
	return b
}

// review reports whether the last tab is shown.
func (b *questionnaireBody) review() bool { return b.tab == len(b.questions) }

func (b *questionnaireBody) key(k tea.KeyPressMsg) (protocol.Answer, bool) {
	b.hint = ""
	stroke := k.Keystroke()
	if b.typing != nil {
		return nil, b.typingKey(k, stroke)
	}
	switch stroke {
	case "tab", "right":
		b.turn(1)
	case "shift+tab", "left":
		b.turn(-1)
	default:
		if b.page.scroll(stroke, b.step) {
			return nil, true
		}
		if b.review() {
			if stroke == "enter" {
				return b.answers(), true
			}
			return nil, false
		}
		return nil, b.questionKey(stroke)
	}
	return nil, true
}

func (b *questionnaireBody) turn(n int) {
	b.tab = max(0, min(len(b.questions), b.tab+n))
	b.page, b.moved = page{}, true
}

// questionKey handles the keys of a tab with a question.
func (b *questionnaireBody) questionKey(stroke string) bool {
	s := &b.questions[b.tab]
	switch stroke {
	case "up", "k":
		if s.mark--; s.mark < 0 {
			s.mark = len(s.rows) - 1
		}
	case "down", "j":
		s.mark = (s.mark + 1) % len(s.rows)
	case "space", "x":
		if !s.q.MultiSelect || s.mark < 0 || s.rows[s.mark] != rowOption {
			b.hint = "enter chooses"
			return true
		}
		b.tick(s)
	case "backspace", "delete":
		s.answer = nil
		clear(s.ticked)
	case "enter":
		b.choose(s)
		return true
	default:
		if len(stroke) == 1 && stroke[0] >= '1' && int(stroke[0]-'1') < len(s.rows) {
			s.mark = int(stroke[0] - '1')
			break
		}
		return false
	}
	b.moved = true
	return true
}

func (b *questionnaireBody) tick(s *questionState) {
	s.ticked[s.mark] = !s.ticked[s.mark]
	b.setMulti(s)
}

func (b *questionnaireBody) setMulti(s *questionState) {
	selected := []string{}
	for i, o := range s.q.Options {
		if s.ticked[i] {
			selected = append(selected, o.Label)
		}
	}
	s.answer = &protocol.QuestionAnswer{QuestionIndex: b.tab, Question: s.q.Question, Kind: protocol.KindMulti, Selected: selected}
}

// choose is Enter on the marked row.
func (b *questionnaireBody) choose(s *questionState) {
	if s.mark < 0 {
		b.hint = "mark one first: ↑ ↓"
		return
	}
	switch s.rows[s.mark] {
	case rowCustom:
		b.typing, b.typingFor = newTextbox(s.custom, false), rowCustom
	case rowChat:
		b.typing, b.typingFor = newTextbox(s.chat, false), rowChat
	case rowOption:
		if s.q.MultiSelect {
			b.setMulti(s) // what is ticked, be it nothing
		} else {
			s.answer = &protocol.QuestionAnswer{QuestionIndex: b.tab, Question: s.q.Question,
				Kind: protocol.KindOption, Answer: new(s.q.Options[s.mark].Label)}
		}
		b.turn(1)
	}
}

// typingKey handles the keys of the text box of a question.
func (b *questionnaireBody) typingKey(k tea.KeyPressMsg, stroke string) bool {
	s := &b.questions[b.tab]
	text := b.typing.text()
	switch stroke {
	case "esc":
		b.keepTyped(s, text)
		b.typing = nil
	case "shift+enter", "alt+enter", "ctrl+j":
		b.typing.insert("\n", true)
	case "enter":
		b.keepTyped(s, text)
		a := &protocol.QuestionAnswer{QuestionIndex: b.tab, Question: s.q.Question, Kind: protocol.KindCustom, Answer: &text}
		if b.typingFor == rowChat {
			a.Kind = protocol.KindChat
			if text == "" {
				a.Answer = nil
			}
		} else if text == "" {
			b.hint = "type something, or esc"
			return true
		}
		b.typing = nil
		s.answer = a
		b.turn(1)
	default:
		return b.page.scroll(stroke, b.step) || b.typing.key(k)
	}
	return true
}

func (b *questionnaireBody) keepTyped(s *questionState, text string) {
	if b.typingFor == rowChat {
		s.chat = text
	} else {
		s.custom = text
	}
}

// answers is what was decided, in the order of the questions.
func (b *questionnaireBody) answers() protocol.Answers {
	out := protocol.Answers{}
	for _, s := range b.questions {
		if s.answer != nil {
			out = append(out, *s.answer)
		}
	}
	return out
}

func (b *questionnaireBody) paste(text string) {
	if b.typing != nil {
		b.typing.paste(text)
	}
}

// draft is all that was typed or chosen, in words.
func (b *questionnaireBody) draft() string {
	var lines []string
	for i := range b.questions {
		s := &b.questions[i]
		text := ""
		if s.answer != nil {
			text = answerText(s.answer)
		}
		if b.typing != nil && i == b.tab {
			text = b.typing.text()
		}
		if text == "" && s.custom+s.chat != "" {
			text = strings.TrimSpace(s.custom + "\n" + s.chat)
		}
		if text != "" {
			lines = append(lines, s.q.Question+"\n"+text)
		}
	}
	return strings.Join(lines, "\n")
}

// answerText is an answer in words.
func answerText(a *protocol.QuestionAnswer) string {
	switch {
	case a.Kind == protocol.KindMulti && len(a.Selected) == 0:
		return "none of them"
	case a.Kind == protocol.KindMulti:
		return strings.Join(a.Selected, ", ")
	case a.Kind == protocol.KindChat && a.Answer == nil:
		return "talk about it"
	case a.Kind == protocol.KindChat:
		return "talk about it: " + *a.Answer
	case a.Answer != nil:
		return *a.Answer
	}
	return ""
}

func (b *questionnaireBody) hints() []key.Binding {
	switch {
	case b.typing != nil:
		return []key.Binding{bind("enter", "take it"), bind("esc", "back"), bind("alt+enter", "new line")}
	case b.review():
		return []key.Binding{bind("enter", "send"), bind("←", "back"), bind("esc", "cancel all")}
	}
	out := []key.Binding{bind("enter", "choose"), bind("↑ ↓", "mark")}
	if b.questions[b.tab].q.MultiSelect {
		out = []key.Binding{bind("space", "tick"), bind("enter", "take"), bind("↑ ↓", "mark")}
	}
	return append(out, bind("tab", "next"), bind("esc", "cancel all"), bind("backspace", "leave open"))
}

// tabLine names the tabs: which is shown, and which have an answer.
func (b *questionnaireBody) tabLine(l *look, width int) string {
	var parts []string
	for i := range b.questions {
		s := &b.questions[i]
		sign := "○"
		if s.answer != nil {
			sign = "●"
		}
		name := safetext.Line(s.q.Header)
		if name == "" {
			name = fmt.Sprintf("Question %d", i+1)
		}
		parts = append(parts, sign+" "+name)
	}
	parts = append(parts, "Review")
	room := width
	for _, p := range parts {
		room -= l.method.StringWidth(p) + 3
	}
	if room < 0 { // names of the others do not fit
		for i := range parts {
			if i != b.tab {
				parts[i] = strings.Fields(parts[i])[0]
				if i == len(b.questions) {
					parts[i] = "✓"
				}
			}
		}
	}
	for i, p := range parts {
		if i == b.tab {
			parts[i] = paint(l.marked, "["+p+"]")
		} else {
			parts[i] = paint(l.faint, " "+p+" ")
		}
	}
	return clip(strings.Join(parts, " "), width, l.method)
}
