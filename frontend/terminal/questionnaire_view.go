package terminal

import (
	"fmt"
	"strings"

	"extui/internal/safetext"
	"extui/protocol"
)

// sideBySide is the width from which a preview stands beside the options.
const sideBySide = 76

func (b *questionnaireBody) view(l *look, width, height int) pane {
	p := pane{note: b.hint}
	head := b.tabLine(l, width)
	height--
	var rows []string
	from, to := -1, -1
	if b.review() {
		rows = b.reviewRows(l, width)
	} else {
		rows, from, to = b.questionRows(l, width)
	}
	boxH := 0
	if b.typing != nil {
		b.typing.layout(width-2, l.method)
		boxH = max(1, b.typing.height(max(1, min(6, height/2))))
	}
	room := max(1, height-boxH)
	b.step = max(1, room-1)
	if b.review() && b.readWidth != width {
		b.page, b.read, b.readWidth = page{}, 0, width
	}
	body, above, below, inView := b.page.viewMark(rows, room, from, to, b.moved)
	b.moved, b.inView = false, inView
	if b.review() {
		if above <= b.read {
			b.read = max(b.read, above+len(body))
		}
		b.unread = len(rows) - b.read
	}
	p.rows = append([]string{head}, body...)
	p.above, p.below = above, below
	if b.typing != nil {
		placeholder := "your answer"
		if b.typingFor == rowChat {
			placeholder = "what to talk about; may stay empty"
		}
		addBox(l, &p, b.typing, placeholder, width, boxH)
	}
	return p
}

// questionRows are the rows of the tab's question, and those of the marked row.
func (b *questionnaireBody) questionRows(l *look, width int) (rows []string, from, to int) {
	s := &b.questions[b.tab]
	rows = paintAll(l.strong, wrap(safetext.Block(s.q.Question), width, l.method))
	if s.q.MultiSelect {
		rows = append(rows, paint(l.faint, clip("any number of them: space ticks", width, l.method)))
	}
	left, beside := width, s.preview && width >= sideBySide
	if beside {
		left = width * 2 / 5
	}
	from, to = -1, -1
	var list []string
	for i := range s.rows {
		begin := len(list)
		list = append(list, b.choiceRows(l, s, i, left)...)
		if i == s.mark {
			from, to = len(rows)+begin, len(rows)+len(list)-1
		}
	}
	preview := b.previewRows(l, s, width, left, beside)
	if !beside {
		rows = append(rows, list...)
		return append(rows, preview...), from, to
	}
	for i := range max(len(list), len(preview)) {
		a, c := "", ""
		if i < len(list) {
			a = list[i]
		}
		if i < len(preview) {
			c = preview[i]
		}
		rows = append(rows, pad(a, left, l.method)+paint(l.faint, " │ ")+c)
	}
	return rows, from, to
}

// previewRows are the preview of the marked option, if it has one.
func (b *questionnaireBody) previewRows(l *look, s *questionState, width, left int, beside bool) []string {
	if s.mark < 0 || s.rows[s.mark] != rowOption || !s.q.Options[s.mark].HasPreview() {
		if s.preview && beside {
			return []string{paint(l.faint, "mark an option to see what it means")}
		}
		return nil
	}
	text := safetext.Block(*s.q.Options[s.mark].Preview)
	if beside {
		return l.md.rows(text, width-left-3, l.method)
	}
	title := paint(l.faint, clip("── "+safetext.Line(s.q.Options[s.mark].Label)+" "+strings.Repeat("─", width), width, l.method))
	return append([]string{title}, l.md.rows(text, width, l.method)...)
}

// choiceRows are the rows of one choice.
func (b *questionnaireBody) choiceRows(l *look, s *questionState, i, width int) []string {
	label, description := "", ""
	chosen := false
	switch s.rows[i] {
	case rowOption:
		o := &s.q.Options[i]
		label, description = safetext.Label(o.Label), safetext.Block(o.Description)
		if s.q.Recommended != nil && *s.q.Recommended == i {
			label += " (recommended)"
		}
		chosen = s.ticked[i] || s.answer != nil && !s.q.MultiSelect && s.answer.Answer != nil &&
			s.answer.Kind == protocol.KindOption && *s.answer.Answer == o.Label
	case rowNone:
		label, chosen = labelNone, s.none()
	case rowCustom:
		label, description = labelCustom, s.custom
		chosen = s.answer != nil && s.answer.Kind == protocol.KindCustom
	case rowChat:
		label, description = labelChat, s.chat
		chosen = s.answer != nil && s.answer.Kind == protocol.KindChat
	}
	if s.rows[i] == rowCustom || s.rows[i] == rowChat {
		if chosen && s.answer.Answer != nil { // what is sent, not what was typed since
			description = *s.answer.Answer
		} else if chosen {
			description = ""
		}
		description = summary(description, width)
	}
	box := "( ) "
	switch {
	case s.q.MultiSelect && s.rows[i] <= rowNone && chosen:
		box = "[x] "
	case s.q.MultiSelect && s.rows[i] <= rowNone:
		box = "[ ] "
	case chosen:
		box = "(•) "
	}
	number := fmt.Sprintf("%d ", i+1)
	indent := 2 + len(number) + 4
	var rows []string
	for j, text := range wrap(label, max(1, width-indent), l.method) {
		switch {
		case i == s.mark && j == 0:
			rows = append(rows, paint(l.marked, "▸ "+number+box+text))
		case i == s.mark:
			rows = append(rows, paint(l.marked, strings.Repeat(" ", indent)+text))
		case j == 0:
			rows = append(rows, "  "+paint(l.faint, number)+box+text)
		default:
			rows = append(rows, strings.Repeat(" ", indent)+text)
		}
	}
	if description == "" {
		return rows
	}
	for _, text := range wrap(description, max(1, width-indent), l.method) {
		rows = append(rows, strings.Repeat(" ", indent)+paint(l.faint, text))
	}
	return rows
}

// reviewRows are all answers as they would be sent.
func (b *questionnaireBody) reviewRows(l *look, width int) []string {
	n := len(b.answers())
	title := fmt.Sprintf("Enter sends these answers: %d of %d", n, len(b.questions))
	if n < len(b.questions) {
		title += ", the rest stays open"
	}
	rows := paintAll(l.strong, wrap(title, width, l.method))
	for i := range b.questions {
		s := &b.questions[i]
		rows = append(rows, wrap(fmt.Sprintf("%d. %s", i+1, safetext.Block(s.q.Question)), width, l.method)...)
		text, st := "not answered", l.faint
		if s.answer != nil {
			text, st = safetext.Block(answerText(s.answer)), l.accent
		}
		for _, r := range wrap(text, max(1, width-4), l.method) {
			rows = append(rows, "   "+paint(st, r))
		}
	}
	return rows
}
