package scenario

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// dialogMethods are the requests that wait for an answer.
var dialogMethods = []string{"select", "confirm", "input", "editor", "questionnaire", "ask"}

func isDialog(v value) bool {
	return v.str("type") == "extension_ui_request" && slices.Contains(dialogMethods, v.str("method"))
}

func isUpdate(a arrival) bool {
	return a.v.str("type") == "extension_ui_request" && !isDialog(a.v)
}

// wanted is the pattern of a step with its id, as far as that is known. missing
// says what it would have to refer to.
func (p *player) wanted(st *step, about *dialog) (want value, missing string) {
	want = st.record
	switch st.verb.id {
	case answerID, targetID:
		d := about
		if d == nil {
			d = p.dialog(st.to)
		}
		if d == nil {
			return want, "no dialog is open that it could be for"
		}
		name := "id"
		if st.verb.id == targetID {
			name = "targetId"
		}
		want.members = append(slices.Clone(want.members), field(name, exact(d.id)))
	case responseID:
		c := p.command(st.to)
		if c == nil {
			return want, "no command came before that it could be for"
		}
		if c.id.kind != null {
			want.members = append(slices.Clone(want.members), field("id", exact(c.id)))
		}
	}
	return want, ""
}

// exact is a pattern that v alone matches.
func exact(v value) value {
	if v.kind == text {
		v.text = strings.ReplaceAll(v.text, "${", "$${")
	}
	return objectOf(field("$is", v))
}

// dialog finds the dialog of that name, or the last one that is not answered.
func (p *player) dialog(name string) *dialog {
	for _, d := range slices.Backward(p.dialogs) {
		if name != "" && d.name == name || name == "" && !d.answered {
			return d
		}
	}
	return nil
}

// command finds the command of that name, or the last one.
func (p *player) command(name string) *command {
	for _, c := range slices.Backward(p.commands) {
		if name == "" || c.name == name {
			return c
		}
	}
	return nil
}

// expect waits for what a step says. about is the dialog that it answers, if that
// is not the usual one.
func (p *player) expect(st *step, about *dialog) bool {
	if p.me == Agent && st.verb.id != answerID {
		// A client may wait for the end of one command before it sends the next.
		p.settle()
	}
	deadline := p.deadline(st)
	for {
		want, missing := p.wanted(st, about)
		if missing != "" {
			return p.fail(st, "%s", missing)
		}
		a, ok, ended := p.early(st), true, false
		if a.raw == nil {
			a, ok, ended = p.take(deadline)
		}
		if !ok {
			return p.absent(st, ended)
		}
		differ := p.differ(st, want, a)
		if len(differ) == 0 && !p.forbidden(a) {
			if p.opts.Update && a.v.kind == object && !st.isRaw() {
				if why := p.round(accepted{st, a.v, maps.Clone(p.vars)}); why != "" {
					return p.fail(st, "%s", why)
				}
			}
			return p.came(st, a, OK, nil)
		}
		why := "it came otherwise"
		if !p.responds(st, a) {
			why = p.unexpected(a)
		}
		if why == "" {
			continue
		}
		if st.optional && !p.forbidden(a) {
			p.in.back(a)
			return p.result(st, Skipped, nil, "")
		}
		if p.acceptable(st, want, a) {
			if why := p.round(accepted{st, a.v, maps.Clone(p.vars)}); why != "" {
				return p.result(st, Failed, differ, "%s", why)
			}
			return p.came(st, a, Updated, differ)
		}
		return p.surprise(st, differ, a, why)
	}
}

// acceptable reports whether a may be written in the place of a step.
func (p *player) acceptable(st *step, want value, a arrival) bool {
	if !p.opts.Update || st.isRaw() || !sameKind(want, a) || len(st.lineDifferences(a, p.vars)) > 0 || p.forbidden(a) {
		return false
	}
	_, own := p.s.indent(st)
	return own || p.s.inPlace(accepted{st, a.v, p.vars})
}

// responds reports whether a is the response that a step waits for, whatever it
// says: there will be no other.
func (p *player) responds(st *step, a arrival) bool {
	if st.verb.id != responseID || a.v.str("type") != "response" {
		return false
	}
	c := p.command(st.to)
	id, ok := a.v.get("id")
	return c != nil && ok && equal(c.id, id)
}

// early returns the response that a step waits for if it came before.
func (p *player) early(st *step) arrival {
	if st.verb.id != responseID {
		return arrival{}
	}
	c := p.command(st.to)
	if c == nil || c.response == nil {
		return arrival{}
	}
	a := *c.response
	c.response = nil
	return a
}

func (p *player) differ(st *step, want value, a arrival) []Difference {
	if st.name == "line" {
		want := st.lineBytes(p.vars)
		switch {
		case bytes.Equal(a.raw, want):
			return st.endDifferences(a.end)
		case !utf8.Valid(a.raw) || !utf8.Valid(want):
			return []Difference{{Want: quoteBytes(want), Got: quoteBytes(a.raw)}}
		}
		return []Difference{{Want: string(want), Got: shorten(string(a.raw))}}
	}
	if st.meansTwice(a) {
		a.v = a.read
	}
	return append(p.valueDifferences(want, a), st.lineDifferences(a, p.vars)...)
}

// valueDifferences compares without looking at the bytes.
func (p *player) valueDifferences(want value, a arrival) []Difference {
	if a.v.kind != object {
		return []Difference{{Want: "a record", Got: shorten(string(a.raw))}}
	}
	return append(match(want, a.v, p.vars), cancelledToo(want, a.v)...)
}

// cancelledToo is the difference between an answer and one that is cancelled at once:
// readers let that count. A step may name cancelled itself.
func cancelledToo(want, got value) []Difference {
	if got.str("type") != "extension_ui_response" {
		return nil
	}
	if _, named := want.get("cancelled"); named {
		return nil
	}
	cancelled, ok := got.get("cancelled")
	if !ok || cancelled.kind == null || cancelled.kind == truth && cancelled.text == "false" {
		return nil
	}
	for _, name := range []string{"confirmed", "value", "answers"} {
		if w, ok := want.get(name); ok && !absent(w) {
			return []Difference{{Path: "cancelled", Want: "nothing beside " + name, Got: cancelled.short()}}
		}
	}
	return nil
}

// absent reports whether a pattern is that of a member that is not there.
func absent(want value) bool {
	if !isOperator(want) {
		return false
	}
	name, _ := operator(want)
	return name == "$absent"
}

// absent reports that nothing came.
func (p *player) absent(st *step, ended bool) bool {
	if ended {
		p.ended = true
	}
	switch {
	case st.optional:
		return p.result(st, Skipped, nil, "")
	case ended:
		return p.fail(st, "the %s has ended instead", st.who)
	}
	return p.fail(st, "nothing of the kind within %v%s", p.patience(st), p.timedHint(p.patience(st)))
}

// timedHint says that a step has waited no longer than an open dialog, at the end of
// whose time more may come.
func (p *player) timedHint(waited time.Duration) string {
	for _, d := range p.dialogs {
		timeout, _ := d.record.get("timeout")
		ms, err := strconv.ParseFloat(timeout.text, 64)
		if timeout.kind == number && err == nil && !d.answered && time.Duration(ms*float64(time.Millisecond)) == waited {
			return "; the time of the dialog before it, " + waited.String() + " too, ends only then: within must be longer to see what comes of it"
		}
	}
	return ""
}

// sameKind reports whether a is what a step may be updated to.
func sameKind(want value, a arrival) bool {
	for _, name := range []string{"type", "method", "id", "targetId", "command"} {
		w, ok := want.get(name)
		if !ok {
			continue
		}
		got, ok := a.v.get(name)
		if !ok || len(match(w, got, nil)) > 0 {
			return false
		}
	}
	return a.v.kind == object
}

// came takes note of a record that a step expected, and answers it.
func (p *player) came(st *step, a arrival, status Status, differ []Difference) bool {
	if len(a.twice) > 0 {
		a.v = a.read // A step that means such a line may be answered.
	}
	about := p.passed(st.who, a.v, st)
	for _, s := range st.save {
		v, ok := a.v.path(s.path)
		if !ok {
			return p.fail(st, "nothing stands at %s, which is to be saved as %s: %s", s.path, s.name, shorten(string(a.raw)))
		}
		p.vars[s.name] = v
	}
	if status == Updated {
		p.report.accepted = append(p.report.accepted, accepted{st, a.v, maps.Clone(p.vars)})
	}
	if !p.result(st, status, differ, "") {
		return false
	}
	if st.answer != nil {
		return p.say(st.answer, about)
	}
	return true
}

// passed enters a record of either end into the tables. st is its step, or nil.
func (p *player) passed(from Role, v value, st *step) *dialog {
	id, hasID := v.get("id")
	if !hasID {
		id = value{kind: null}
	}
	name := ""
	if st != nil {
		name = st.as
	}
	if name != "" {
		p.vars[name] = id
	}
	kind := v.str("type")
	switch {
	case from == Agent && isDialog(v):
		d := &dialog{name: name, id: id, record: v}
		p.dialogs = append(p.dialogs, d)
		return d
	case from == Agent && v.str("method") == "cancel":
		target, _ := v.get("targetId")
		p.answered(target)
	case from == Agent && kind == "response":
		for _, c := range p.commands {
			if equal(c.id, id) && id.kind != null {
				c.owed = false
			}
		}
	case from == Client && kind == "extension_ui_response":
		p.answered(id)
	case from == Client && kind != "":
		c := &command{name: name, kind: kind, id: id, stated: st != nil && st.answered}
		c.owed = p.me == Agent && !c.stated
		p.commands = append(p.commands, c)
	}
	return nil
}

func (p *player) answered(id value) {
	for _, d := range slices.Backward(p.dialogs) {
		if equal(d.id, id) {
			d.answered = true
			return
		}
	}
}

// forbidden reports whether a record is one that must not come.
func (p *player) forbidden(a arrival) bool { return p.prohibition(a) != nil }

func (p *player) prohibition(a arrival) *step {
	for _, n := range p.nevers {
		st := n.steps[0]
		want, missing := p.wanted(st, nil)
		if st.who != p.me && missing == "" && len(p.differ(st, want, a)) == 0 {
			return n
		}
	}
	return nil
}

// unexpected deals with a record that no step waits for now. It returns why that
// fails the scenario, or "" if it does not.
func (p *player) unexpected(a arrival) string {
	if n := p.prohibition(a); n != nil {
		return "this was never to come"
	}
	kind := a.v.str("type")
	if slices.Contains(p.s.ignore, kind) || kind == "extension_ui_request" && slices.Contains(p.s.ignore, a.v.str("method")) {
		return ""
	}
	if p.me == Agent {
		return p.unexpectedOfClient(a, kind)
	}
	switch kind {
	case "response":
		return p.unexpectedResponse(a)
	case "extension_ui_request":
		for _, rule := range p.s.rules {
			if isDialog(a.v) && len(match(rule.record, a.v, p.vars)) == 0 {
				if p.came(rule, a, OK, nil) {
					return ""
				}
				return "its answer could not be sent"
			}
		}
		return "no step expects this now"
	case "extension_error":
		return "an extension failed"
	}
	if a.v.kind != object {
		return a.noRecord()
	}
	return "" // An event that is not about the UI.
}

func (p *player) unexpectedResponse(a arrival) string {
	id, _ := a.v.get("id")
	success, _ := a.v.get("success")
	for _, c := range p.commands {
		if equal(c.id, id) && id.kind != null {
			if c.stated {
				c.response = &a
				return ""
			}
			break
		}
	}
	if success.text == "true" {
		return ""
	}
	return "a command failed"
}

// surprise fails a step because of a record.
func (p *player) surprise(st *step, differ []Difference, a arrival, why string) bool {
	if st != nil && st.meansTwice(a) {
		a.v, a.twice = a.read, nil
	}
	said := describe(a)
	if st != nil && len(differ) > 0 {
		want, _ := p.wanted(st, nil)
		if st.name != "line" && st.name != "record" && !sameKind(want, a) {
			differ = nil // They have nothing in common.
		} else if !p.forbidden(a) && (len(a.twice) == 0 || st.name == "line") {
			why = "it came otherwise"
		}
	}
	return p.result(st, Failed, differ, "%s: %s", why, said)
}

// describe is a record in few words, or as it is.
func describe(a arrival) string {
	if a.v.str("type") != "extension_ui_request" {
		return shorten(string(a.raw))
	}
	v := value{kind: object}
	for _, m := range a.v.members {
		if m.name != "type" && m.name != "id" && m.name != "method" {
			v.members = append(v.members, m)
		}
	}
	return a.v.str("method") + " " + v.short()
}

// expectAll waits for all steps of a group, in any order.
func (p *player) expectAll(group *step) bool {
	deadline := time.Now().Add(p.patience(group))
	left := slices.Clone(group.steps)
	for len(left) > 0 {
		a, ok, ended := arrival{}, false, false
		for _, st := range left {
			if a = p.early(st); a.raw != nil {
				ok = true
				break
			}
		}
		if !ok {
			a, ok, ended = p.take(deadline)
		}
		if !ok {
			if i := slices.IndexFunc(left, func(st *step) bool { return !st.optional }); i >= 0 {
				return p.absent(left[i], ended)
			}
			return true
		}
		at := slices.IndexFunc(left, func(st *step) bool {
			want, missing := p.wanted(st, nil)
			return missing == "" && len(p.differ(st, want, a)) == 0
		})
		if at >= 0 && !p.forbidden(a) {
			st := left[at]
			left = slices.Delete(left, at, at+1)
			if !p.came(st, a, OK, nil) {
				return false
			}
			continue
		}
		why := "it came otherwise"
		if !slices.ContainsFunc(left, func(st *step) bool { return p.responds(st, a) }) {
			why = p.unexpected(a)
		}
		if why != "" {
			return p.nearest(left, a, why)
		}
	}
	return true
}

// nearest fails the step of a group to which a record comes closest.
func (p *player) nearest(left []*step, a arrival, why string) bool {
	best, differ := left[0], []Difference(nil)
	for _, st := range left {
		want, missing := p.wanted(st, nil)
		if missing != "" || !sameKind(want, a) {
			continue
		}
		if d := p.differ(st, want, a); differ == nil || len(d) < len(differ) {
			best, differ = st, d
		}
	}
	return p.surprise(best, differ, a, why)
}
