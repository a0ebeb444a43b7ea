package policy

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"extui/internal/yamlfile"
	"extui/protocol"
)

// Rules is a policy file that has been read and checked. It never changes, whatever
// becomes of the file; several goroutines may use it at once.
type Rules struct {
	file      string
	rules     []*rule
	otherwise *rule           // what holds where no rule matches: cancel or ask
	stages    []time.Duration // the times that "open" names, in order
	same      int             // the same question may be answered the same way so often in a row; 0: no limit
	each      int             // a rule that may approve may answer so often in a row; 0: no limit
	then      ActionKind      // what happens beyond that: cancel or ask
	audit     string          // path, "" if the file names none
	auditOpts AuditOptions
	warnings  []Warning
}

// rule is one entry of the list.
type rule struct {
	name string
	at   Pos
	when condition
	do   action
}

// DefaultSame is how often in a row rules answer the same question the same way, unless
// the file says otherwise.
const DefaultSame = 10

// parse is what reading a file knows.
type parse struct {
	*faults
	rules *Rules
	text  []string // the lines of the file
}

// Load reads and checks a policy file. Errors about what it says match [ErrSyntax] and
// are [SyntaxError] values, joined; others are those of reading it.
func Load(path string) (*Rules, error) {
	source, err := yamlfile.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read policy: %w", err)
	}
	return Parse(path, source)
}

// Parse is [Load] for a text. The file's name is for messages, and relative paths in the
// text begin in its folder.
func Parse(file string, source []byte) (*Rules, error) {
	f := &faults{file: file}
	r := &Rules{
		file: file, same: DefaultSame, then: ActionCancel,
		otherwise: &rule{do: action{kind: ActionCancel}},
	}
	source = bytes.TrimPrefix(source, []byte("\ufeff"))
	root, ok := readYAML(source, f)
	if !ok {
		return nil, f.err()
	}
	p := &parse{f, r, strings.Split(string(yamlfile.Unified(source)), "\n")}
	if !p.is(root, object, "") {
		return nil, f.err()
	}
	for _, m := range root.members {
		p.top(m)
	}
	if _, ok := root.get("rules"); !ok {
		p.add(root.at, "rules", "", "is missing: the list of rules, which may be empty ([])")
	}
	p.finish()
	if err := f.err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(r.warnings, func(a, b Warning) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column)
	})
	return r, nil
}

// Warnings returns what works, but perhaps not as it was meant, in the order of the file.
func (r *Rules) Warnings() []Warning { return slices.Clone(r.warnings) }

// Len returns how many rules there are.
func (r *Rules) Len() int { return len(r.rules) }

// AuditLog returns the audit log that the file names, for [OpenAudit]. path is "" if it
// names none. opts.Policy is the file's own path even then.
func (r *Rules) AuditLog() (path string, opts AuditOptions) {
	opts = r.auditOpts
	opts.Policy = r.file
	return r.audit, opts
}

func (p *parse) warn(at Pos, where, format string, args ...any) {
	p.rules.warnings = append(p.rules.warnings, Warning{p.file, at, where, fmt.Sprintf(format, args...)})
}

// topKeys are the keys of a file.
var topKeys = []string{"about", "otherwise", "limits", "audit", "rules"}

func (p *parse) top(m member) {
	switch m.name {
	case "about":
		p.is(m.value, text, m.name)
	case "otherwise":
		p.otherwise(m.value, m.name)
	case "limits":
		p.limits(m.value, m.name)
	case "audit":
		p.audit(m.value, m.name)
	case "rules":
		if !p.is(m.value, array, m.name) {
			return
		}
		for i, v := range m.value.items {
			p.rule(v, fmt.Sprintf("rules[%d]", i), i)
		}
	default:
		p.unknown(m, m.name, topKeys)
	}
}

func (p *parse) otherwise(v value, where string) {
	o := p.rules.otherwise
	switch {
	case v.kind == text && v.text == "cancel":
	case v.kind == text && v.text == "ask":
		o.do.kind = ActionAsk
	case v.kind == object:
		o.do.kind = ActionAsk
		asks := false
		for _, m := range v.members {
			switch m.name {
			case "ask":
				asks = p.isTrue(m.value, where+".ask")
			case "within":
				o.do.within = p.duration(m.value, where+".within")
			default:
				p.unknown(m, where+"."+m.name, []string{"ask", "within"})
			}
		}
		if !asks {
			p.add(v.at, where, "", "cancel, ask, or {ask: true, within: 5m}")
		}
	default:
		p.add(v.at, where, v.short(), "cancel, ask, or {ask: true, within: 5m}")
	}
}

func (p *parse) limits(v value, where string) {
	if !p.is(v, object, where) {
		return
	}
	for _, m := range v.members {
		at := where + "." + m.name
		switch m.name {
		case "same":
			p.rules.same = int(p.count(m.value, at, 0, "how often in a row the same question may be answered the same way; 0 is no limit"))
		case "rule":
			p.rules.each = int(p.count(m.value, at, 0, "how often in a row one rule may answer, whatever it is asked; 0 is no limit"))
		case "then":
			p.rules.then = ActionKind(m.value.text)
			if m.value.kind != text || p.rules.then != ActionCancel && p.rules.then != ActionAsk {
				p.add(m.value.at, at, m.value.short(), "cancel or ask")
			}
		default:
			p.unknown(m, at, []string{"same", "rule", "then"})
		}
	}
}

func (p *parse) audit(v value, where string) {
	if v.kind == text {
		v = value{kind: object, at: v.at, members: []member{{"file", v, v.at}}}
	}
	if !p.is(v, object, where) {
		return
	}
	for _, m := range v.members {
		at := where + "." + m.name
		switch m.name {
		case "file":
			if p.is(m.value, text, at) && m.value.text == "" {
				p.add(m.value.at, at, `""`, "the path of the log")
			}
			p.rules.audit = p.path(m.value.text)
		case "maxBytes":
			p.rules.auditOpts.MaxBytes = p.count(m.value, at, 1, "a number of bytes")
		case "keep":
			p.rules.auditOpts.Keep = int(p.count(m.value, at, 1, "how many older files are kept, one at least"))
		default:
			p.unknown(m, at, []string{"file", "maxBytes", "keep"})
		}
	}
	if _, ok := v.get("file"); !ok {
		p.add(v.at, where+".file", "", "is missing: the path of the log")
	}
}

// path returns a path of the file, which begins in its folder.
func (p *parse) path(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(p.file), path)
}

// actionKeys are the keys of which a rule has exactly one.
var actionKeys = []string{"answer", "confirmed", "value", "answers", "cancel", "ask", "run", "shell"}

// ruleKeys are all keys of a rule.
var ruleKeys = append([]string{"name", "note", "when", "within"}, actionKeys...)

func (p *parse) rule(v value, where string, index int) {
	if !p.is(v, object, where) {
		return
	}
	r := &rule{name: fmt.Sprintf("rule %d", index+1), at: v.at}
	var does *member
	for i, m := range v.members {
		at := where + "." + m.name
		switch {
		case m.name == "name":
			if p.is(m.value, text, at) && m.value.text == "" {
				p.add(m.value.at, at, `""`, "a name for the log")
			}
			r.name = m.value.text
		case m.name == "note":
			p.is(m.value, text, at)
		case m.name == "when":
			r.when = p.condition(m.value, at)
		case m.name == "within":
			r.do.within = p.duration(m.value, at)
		case slices.Contains(actionKeys, m.name):
			if does != nil {
				p.add(m.at, at, "", "%s and %s are two answers; a rule has one", does.name, m.name)
			}
			does = &v.members[i]
		default:
			p.unknown(m, at, ruleKeys)
		}
	}
	if does == nil {
		p.add(v.at, where, "", "says nothing to do: one of %s", list(actionKeys))
		return
	}
	before := len(p.all)
	p.action(r, does, where+"."+does.name)
	if w, ok := v.get("within"); ok && r.do.kind != ActionAsk && r.do.kind != ActionRun {
		p.add(w.at, where+".within", "", "a time limit is for ask, run and shell")
	}
	if slices.ContainsFunc(p.rules.rules, func(other *rule) bool { return other.name == r.name }) {
		p.add(v.at, where+".name", short(r.name), "another rule has this name")
	}
	if len(p.all) == before {
		p.judge(r, where)
		p.never(r, where)
	}
	p.rules.rules = append(p.rules.rules, r)
}

// action reads what a rule does.
func (p *parse) action(r *rule, m *member, where string) {
	v, do := m.value, &r.do
	do.kind = ActionKind(m.name)
	switch m.name {
	case "answer":
		do.option = p.label(v, where)
	case "confirmed":
		p.is(v, truth, where)
		do.confirmed = v.text == "true"
	case "value":
		do.value = p.template(v, where, &r.when)
	case "answers":
		do.answers = p.questionRules(v, where)
	case "cancel", "ask":
		p.isTrue(v, where)
	case "run":
		do.argv = p.texts(v, where)
		if v.kind == array && (len(do.argv) == 0 || do.argv[0] == "") {
			p.add(v.at, where, "", "the command and its arguments: [./decide.sh, --strict]")
		} else if len(do.argv) > 0 && strings.ContainsAny(do.argv[0], `/`+string(filepath.Separator)) {
			do.argv[0] = p.command(do.argv[0])
		}
	case "shell":
		do.kind = ActionRun
		if p.is(v, text, where) && strings.TrimSpace(v.text) == "" {
			p.add(v.at, where, v.short(), "a command line for the shell")
		}
		do.argv = shellCommand(v.text)
	}
	if do.kind == ActionRun && do.within == 0 {
		do.within = defaultCommandTime
	}
	if only := do.methods(); only != nil {
		p.onlyFor(r, m, only, where)
	}
}

// label reads the text of an option.
func (p *parse) label(v value, where string) string {
	if v.kind == number || v.kind == truth {
		p.add(v.at, where, v.text, "the text of an option; put quotes around it")
	} else if p.is(v, text, where) {
		p.hidden(v, where)
		p.lineEnd(v, where)
	}
	return v.text
}

// command is path for a program: without a folder in front, it would be looked up in PATH.
func (p *parse) command(path string) string {
	path = p.path(path)
	if !filepath.IsAbs(path) && !strings.ContainsRune(path, filepath.Separator) {
		path = "." + string(filepath.Separator) + path
	}
	return path
}

// onlyFor limits a rule to the dialogs that its answer is for.
func (p *parse) onlyFor(r *rule, m *member, only []protocol.Method, where string) {
	if r.when.methods == nil {
		r.when.methods = only
		return
	}
	for _, method := range r.when.methods {
		if !slices.Contains(only, method) {
			p.add(m.at, where, "", "this is for %s, and the rule for %s", list(only), list(r.when.methods))
			return
		}
	}
}

// finish numbers the times for "open".
func (p *parse) finish() {
	r := p.rules
	for _, rule := range r.rules {
		if rule.when.open > 0 {
			r.stages = append(r.stages, rule.when.open)
		}
	}
	slices.Sort(r.stages)
	r.stages = slices.Compact(r.stages)
	for _, rule := range r.rules {
		if rule.when.open > 0 {
			rule.when.stage = slices.Index(r.stages, rule.when.open) + 1
		}
	}
	p.unreachable()
	p.shadowed()
}

func (p *parse) is(v value, k kind, where string) bool {
	if v.kind != k {
		p.add(v.at, where, v.short(), "%s", k)
		return false
	}
	return true
}

func (p *parse) isTrue(v value, where string) bool {
	if v.kind != truth || v.text != "true" {
		p.add(v.at, where, v.short(), "true")
		return false
	}
	return true
}

func (p *parse) texts(v value, where string) []string {
	if !p.is(v, array, where) {
		return nil
	}
	var all []string
	for i, item := range v.items {
		at := fmt.Sprintf("%s[%d]", where, i)
		if item.kind == number || item.kind == truth {
			p.add(item.at, at, item.text, "a text; put quotes around it")
		} else if p.is(item, text, at) {
			p.hidden(item, at)
		}
		all = append(all, item.text)
	}
	return all
}

// leadingZero reports whether a number begins with a 0 for nothing: 010 is eight to some.
func leadingZero(number string) bool {
	digits := strings.TrimLeft(number, "+-")
	return len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9'
}

// count reads a whole number.
func (p *parse) count(v value, where string, least int64, want string) int64 {
	n, err := strconv.ParseInt(v.text, 10, strconv.IntSize)
	switch {
	case v.kind == number && leadingZero(v.text):
		p.add(v.at, where, v.text, "a number without a 0 in front, which would be octal to some readers: %s", want)
	case v.kind != number || err != nil || v.text != strconv.FormatInt(n, 10) || n < least:
		p.add(v.at, where, v.short(), "%s", want)
	}
	return n
}

func (p *parse) duration(v value, where string) time.Duration {
	d, err := time.ParseDuration(v.text)
	if v.kind != text || err != nil || d <= 0 || leadingZero(v.text) {
		p.add(v.at, where, v.short(), "a time such as 500ms, 30s or 2m")
	}
	return d
}

func (p *parse) unknown(m member, where string, known []string) {
	p.add(m.at, where, "", "no such key; there are %s", list(known))
}

func list[T ~string](all []T) string {
	var texts []string
	for _, t := range all {
		texts = append(texts, string(t))
	}
	return strings.Join(texts, ", ")
}
