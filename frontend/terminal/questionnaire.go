package terminal

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"extui/internal/safetext"
	"extui/protocol"
)

// The rows that a question has besides its options.
const (
	labelCustom = "Type something."
	labelChat   = "Chat about this"
	labelNone   = "None of these"
)

// rowKind is what a row of a question stands for.
type rowKind int

const (
	rowOption rowKind = iota
	rowNone           // of several
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
	inView    bool // the marked row was on the screen in the last view
	step      int
	hint      string
	// read is how many rows of the review have been on the screen, from the first
	// one without a gap, at a width of readWidth; unread is how many have not.
	read, readWidth, unread int
}

// questionState is one question and what was decided about it.
type questionState struct {
	q       *protocol.Question
	rows    []rowKind
	mark    int // a row, -1 for none
	answer  *protocol.QuestionAnswer
	ticked  map[int]bool // multi: the options that are chosen; empty if the answer is another one
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
			s.preview = s.preview || o.HasPreview()
		}
		if !d.Ask && q.MultiSelect { // an ask has no word for it
			s.rows = append(s.rows, rowNone)
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
			switch {
			case stroke != "enter":
				return nil, false
			case b.unread > 0:
				b.hint = readOn
				return nil, true
			}
			return b.answers(), true
		}
		return nil, b.questionKey(stroke)
	}
	return nil, true
}

func (b *questionnaireBody) turn(n int) {
	b.tab = max(0, min(len(b.questions), b.tab+n))
	b.page, b.moved = page{}, true
	b.read, b.unread = 0, 1 // until they are drawn
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
		switch {
		case s.mark >= 0 && !b.inView:
			b.hint, b.moved = hintMarked, true
		case s.q.MultiSelect && s.mark < 0:
			b.hint = "mark one first: ↑ ↓"
		case s.q.MultiSelect && (s.rows[s.mark] == rowOption || s.rows[s.mark] == rowNone):
			b.tick(s)
		default:
			b.hint = "enter chooses"
		}
		return true
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

// tick turns the marked row of several on or off. With nothing ticked the
// question is open: only the row of its own says that none is wanted.
func (b *questionnaireBody) tick(s *questionState) {
	if s.rows[s.mark] == rowNone {
		was := s.none()
		s.answer = nil
		clear(s.ticked)
		if !was {
			s.answer = b.several([]string{})
		}
		return
	}
	if s.ticked[s.mark] {
		delete(s.ticked, s.mark)
	} else {
		s.ticked[s.mark] = true
	}
	s.answer = nil
	var selected []string
	for i, o := range s.q.Options {
		if s.ticked[i] && !slices.Contains(selected, o.Label) { // the protocol takes a label once
			selected = append(selected, o.Label)
		}
	}
	if len(selected) > 0 {
		s.answer = b.several(selected)
	}
}

func (b *questionnaireBody) several(selected []string) *protocol.QuestionAnswer {
	return &protocol.QuestionAnswer{QuestionIndex: b.tab, Question: b.questions[b.tab].q.Question, Kind: protocol.KindMulti, Selected: selected}
}

// none reports whether the answer is that no option is wanted.
func (s *questionState) none() bool {
	return s.answer != nil && s.answer.Kind == protocol.KindMulti && len(s.answer.Selected) == 0
}

// choose is Enter on the marked row.
func (b *questionnaireBody) choose(s *questionState) {
	switch {
	case s.mark >= 0 && !b.inView:
		b.hint, b.moved = hintMarked, true
		return
	case s.mark >= 0:
	case !s.q.MultiSelect:
		b.hint = "mark one first: ↑ ↓"
		return
	default:
		if s.answer == nil {
			b.hint = "nothing ticked: left open"
		}
		b.turn(1)
		return
	}
	switch s.rows[s.mark] {
	case rowNone:
		if !s.none() {
			b.tick(s)
		}
		b.turn(1)
	case rowCustom:
		b.typing, b.typingFor = newTextbox(s.custom, false), rowCustom
	case rowChat:
		b.typing, b.typingFor = newTextbox(s.chat, false), rowChat
	case rowOption:
		if s.q.MultiSelect {
			if len(s.ticked) == 0 {
				b.hint = "nothing ticked: space ticks"
				return
			}
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
		clear(s.ticked)
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
		var texts []string
		if s.answer != nil {
			texts = append(texts, answerText(s.answer))
		}
		custom, chat := s.custom, s.chat
		if b.typing != nil && i == b.tab {
			if b.typingFor == rowChat {
				chat = b.typing.text()
			} else {
				custom = b.typing.text()
			}
		}
		for _, text := range []string{custom, chat} {
			if text != "" && (s.answer == nil || s.answer.Answer == nil || *s.answer.Answer != text) {
				texts = append(texts, text)
			}
		}
		if len(texts) > 0 {
			lines = append(lines, s.q.Question+"\n"+strings.Join(texts, "\n"))
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
	case b.review() && b.unread > 0:
		return []key.Binding{bind("pgdown", "read all, then send"), bind("←", "back"), bind("esc", "cancel all")}
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
	full, short := []string{}, []string{}
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
		full = append(full, sign+" "+name)
		short = append(short, fmt.Sprintf("%s%d", sign, i+1))
	}
	full, short = append(full, "Review"), append(short, "✓")
	parts := full
	if rowWidth(l, parts) > width {
		parts = short
		current := full[b.tab]
		if !b.review() {
			current = strings.Replace(current, " ", fmt.Sprintf("%d ", b.tab+1), 1)
		}
		parts[b.tab] = ""
		if room := width - rowWidth(l, parts); room >= 8 {
			parts[b.tab] = clip(current, room, l.method)
		} else { // no room for the numbers of the others
			count := fmt.Sprintf(" of %d", len(b.questions))
			return paint(l.marked, "["+clip(current, width-2-len(count), l.method)+"]") + paint(l.faint, count)
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

// rowWidth is how wide tabs with these names are.
func rowWidth(l *look, parts []string) int {
	w := -1
	for _, p := range parts {
		w += l.method.StringWidth(p) + 3
	}
	return w
}
