package policy

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/client"
	"extui/protocol"
)

const (
	approveDeploy = `rules: [{when: {title: "Deploy to staging?"}, confirmed: true}]`
	approveGlob   = `rules: [{when: {title: {glob: "Deploy *"}}, confirmed: true}]`
	allow         = `rules: [{when: {title: Run it?}, answer: Allow}]`
	approveExpr   = `rules: [{when: {expr: 'title matches "^Deploy .*$"'}, confirmed: true}]`
)

// TestApprovals makes sure that the policies of the table below approve at all: that they
// refuse what it lists would say nothing otherwise.
func TestApprovals(t *testing.T) {
	for _, test := range []struct {
		policy string
		dialog protocol.Dialog
		want   protocol.Answer
	}{
		{approveDeploy, confirm("Deploy to staging?", ""), protocol.Confirmed(true)},
		{approveGlob, confirm("Deploy to staging?", "now"), protocol.Confirmed(true)},
		{approveExpr, confirm("Deploy to staging", "now"), protocol.Confirmed(true)},
		{allow, choose("Run it?", "Allow", "Block"), protocol.Value("Allow")},
		{`rules: [{when: {title: Name}, value: x}]`, input("Name"), protocol.Value("x")},
	} {
		if a, d := ask(t, test.policy, test.dialog); a != test.want || d.Who != ByRule || d.Outcome != Answered || d.Line != 1 {
			t.Errorf("%s: %#v, %+v", test.policy, a, d)
		}
	}
}

// TestNothingIsApprovedThatNoRuleGrants is a table of ways to get a yes that no rule
// grants. Each ends with a cancellation and a reason.
func TestNothingIsApprovedThatNoRuleGrants(t *testing.T) {
	for name, test := range map[string]struct {
		policy  string
		dialog  protocol.Dialog
		outcome Outcome
		why     string
	}{
		"no rule":                            {`rules: []`, confirm("Sure?", ""), NoRule, "no rule matches"},
		"nobody to ask":                      {`{otherwise: ask, rules: []}`, confirm("Sure?", ""), NoRule, "nobody to ask"},
		"a rule that asks nobody":            {`rules: [{ask: true}]`, confirm("Sure?", ""), NoRule, "nobody to ask"},
		"option that is not offered":         {allow, choose("Run it?", "Yes", "No"), Failed, `"Allow" is not offered`},
		"option offered twice":               {allow, choose("Run it?", "Allow", "Block", "Allow"), Failed, "offered twice"},
		"option in another case":             {allow, choose("Run it?", "ALLOW", "Block"), Failed, `there is "ALLOW"`},
		"option with a blank":                {allow, choose("Run it?", "Allow ", "Block"), Failed, `there is "Allow "`},
		"option with a direction override":   {allow, choose("Run it?", "\u202eAllow", "Block"), NoRule, "no rule matches"},
		"option with an invisible character": {allow, choose("Run it?", "Al\u200blow", "Block"), NoRule, "no rule matches"},
		"option in other letters":            {allow, choose("Run it?", "\u0410llow", "Block"), Failed, "not offered"},
		"option composed otherwise":          {"rules: [{when: {title: Run it?}, answer: \"Zul\u00e4ssig\"}]", choose("Run it?", "Zula\u0308ssig"), Failed, "not offered"},
		"option with a lone surrogate":       {allow, decode(t, `"method":"select","title":"Run it?","options":["Allow\ud800","\udc00Allow"]`), NoRule, "no rule matches"},
		"option whose value is another's label": {allow,
			decode(t, `"method":"select","title":"Run it?","options":[{"label":"Block","value":"Allow"},{"label":"Allow","value":"yes"}]`), Failed, "the same text"},
		"options with one value": {allow,
			decode(t, `"method":"select","title":"Run it?","options":[{"label":"Block","value":"x"},{"label":"Allow","value":"x"}]`), Failed, "the same text"},
		"option with another value than its label": {allow,
			decode(t, `"method":"select","title":"Run it?","options":[{"label":"Allow","value":"DELETE"},"Block"]`), Failed, `another text, "DELETE"`},
		"the option's value instead of its label": {allow, decode(t, `"method":"select","title":"Run it?","options":[{"label":"Block","value":"Allow"}]`), Failed, "not offered"},
		"no options at all":                       {allow, choose("Run it?"), Failed, "not offered"},

		"title in another case":           {approveDeploy, confirm("deploy to staging?", ""), NoRule, ""},
		"title with a blank":              {approveDeploy, confirm("Deploy to staging? ", ""), NoRule, ""},
		"title with a line behind it":     {approveDeploy, confirm("Deploy to staging?\nand delete it", ""), NoRule, ""},
		"title with a direction override": {approveDeploy, confirm("Deploy to \u202estaging?", ""), NoRule, ""},
		"glob and a direction override":   {approveGlob, confirm("Deploy \u202egnigats ot", ""), NoRule, ""},
		"glob and an isolate":             {approveGlob, confirm("Deploy to \u2067staging", ""), NoRule, ""},
		"glob and an invisible character": {approveGlob, confirm("Deploy to pro\u200bduction", ""), NoRule, ""},
		"glob and an escape sequence":     {approveGlob, confirm("Deploy to x\x1b[8m production\x1b[0m", ""), NoRule, ""},
		"glob and a lone surrogate":       {approveGlob, decode(t, `"method":"confirm","title":"Deploy \ud800"`), NoRule, ""},
		"glob and a backspace":            {approveGlob, confirm("Deploy x\b\bproduction", ""), NoRule, ""},
		"glob and a title of 1 MB":        {approveGlob, confirm("Deploy "+strings.Repeat("x", 1<<20), ""), NoRule, ""},
		"exact title of 1 MB":             {approveDeploy, confirm("Deploy to staging?"+strings.Repeat(" ", 1<<20), ""), NoRule, ""},
		"expression and 1 MB":             {approveExpr, confirm("Deploy "+strings.Repeat("x", 1<<20), ""), NoRule, ""},
		"expression and a direction mark": {approveExpr, confirm("Deploy \u202ex", ""), NoRule, ""},
		"expression and a hidden message": {approveExpr, confirm("Deploy x", "and \u2066delete"), NoRule, ""},
		"expression that fails":           {`rules: [{when: {expr: 'options[5] == "x"'}, cancel: true}, {when: {title: Sure?}, confirmed: true}]`, confirm("Sure?", ""), Failed, "cannot be evaluated"},
		"expression that is too much":     {`rules: [{when: {expr: 'any(options, {let o = #; any(options, # == o + "")})'}, cancel: true}]`, nil, "", ""},
		"another method":                  {approveDeploy, input("Deploy to staging?"), NoRule, ""},
		"an editor for a confirm":         {approveDeploy, &protocol.Editor{Title: "Deploy to staging?"}, NoRule, ""},
		"value of two lines for an input": {`rules: [{when: {title: {regexp: "^Type"}}, value: "{{title}}"}]`, input("Type\nx"), Failed, "one line"},
		"template without its field":      {`rules: [{when: {title: Name}, value: "{{placeholder}}"}]`, input("Name"), Failed, "no placeholder"},
		"template with a hidden title":    {`rules: [{when: {title: "a\u200bb"}, value: "{{title}}"}]`, input("a\u200bb"), Failed, "does not show all that it holds"},
		"status that is not set":          {`rules: [{when: {title: Sure?, status: {mode: auto}}, confirmed: true}]`, confirm("Sure?", ""), NoRule, ""},
		"another session":                 {`rules: [{when: {title: Sure?, session: t}, confirmed: true}]`, confirm("Sure?", ""), NoRule, ""},
		"message that is absent":          {`rules: [{when: {title: Sure?, message: ""}, confirmed: true}]`, &protocol.Confirm{Title: "Sure?"}, NoRule, ""},
		"options in another order":        {`rules: [{when: {title: Run it?, options: [Allow, Block]}, answer: Allow}]`, choose("Run it?", "Block", "Allow"), NoRule, ""},
		"an option more":                  {`rules: [{when: {title: Run it?, options: [Allow, Block]}, answer: Allow}]`, choose("Run it?", "Allow", "Block", "Never"), NoRule, ""},
		"questionnaire with another question": {`rules: [{when: {question: Which?}, answers: [{question: Which?, option: A}]}]`,
			questions("Which?", "And that?"), Failed, `no answer to the question "And that?"`},
		"questionnaire with a question less": {`rules: [{when: {question: Which?}, answers: [{question: Which?, option: A}, {question: "And that?", option: B}]}]`,
			questions("Which?"), Failed, `"And that?" is not asked`},
		"questionnaire with a question twice": {`rules: [{when: {question: Which?}, answers: [{question: Which?, option: A}]}]`, questions("Which?", "Which?"), Failed, "asked twice"},
		"questionnaire without the option":    {`rules: [{when: {question: Which?}, answers: [{question: Which?, option: a}]}]`, questions("Which?"), Failed, "does not offer"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.dialog == nil {
				if _, err := Parse("p.yaml", []byte(test.policy)); !errors.Is(err, ErrSyntax) {
					t.Errorf("it parses: %v", err)
				}
				return
			}
			a, d := ask(t, test.policy, test.dialog)
			if a != (protocol.Cancelled{}) || d.Answer != a || d.Outcome != test.outcome || d.Who != ByNobody || !strings.Contains(d.Why, test.why) {
				t.Errorf("answer %#v, %s by %s: %s; want cancelled, %s: %s", a, d.Outcome, d.Who, d.Why, test.outcome, test.why)
			}
		})
	}
}

func questions(texts ...string) *protocol.Questionnaire {
	q := &protocol.Questionnaire{ID: protocol.StringID("q")}
	for _, text := range texts {
		q.Questions = append(q.Questions, protocol.Question{Question: text, Options: []protocol.QuestionOption{{Label: "A"}, {Label: "B"}}})
	}
	return q
}

// A command approves with one JSON object, in time, and with exit code 0, or not at all.
func TestCommandsThatApproveNothing(t *testing.T) {
	yes := `{"confirmed":true}`
	// What a command says is read without starting one.
	printed := func(out string) string { return "printed: " + out }
	for name, test := range map[string]struct {
		run    string
		dialog protocol.Dialog
		why    string
	}{
		"crash after the answer": {self(t, "crash", yes), confirm("x", ""), "signal: killed"},
		"exit code":              {self(t, "fail", yes), confirm("x", ""), `exit status 3; its last line on standard error was "it did not work"`},
		"not there":              {"[/no/such/program]", confirm("x", ""), "no such file"},
		"no output":              {printed(""), confirm("x", ""), "printed nothing"},
		"garbage":                {printed("yes"), confirm("x", ""), "not one JSON object"},
		"two answers":            {printed(yes + "\n" + yes), confirm("x", ""), "not one JSON object"},
		"an answer and garbage":  {printed(yes + "\ndone"), confirm("x", ""), "not one JSON object"},
		"half an answer":         {printed(`{"confirmed":true`), confirm("x", ""), "not one JSON object"},
		"a list":                 {printed(`[true]`), confirm("x", ""), "not one JSON object"},
		"a key twice":            {printed(`{"confirmed":false,"confirmed":true}`), confirm("x", ""), "not one JSON object"},
		"a text for a truth":     {printed(`{"confirmed":"true"}`), confirm("x", ""), "true or false"},
		"a value for a confirm":  {printed(`{"value":"yes"}`), confirm("x", ""), "no answer to a confirm"},
		"a confirm for a select": {printed(yes), choose("x", "A"), "no answer to a select"},
		"cancelled and a value":  {printed(`{"cancelled":false,"confirmed":true}`), confirm("x", ""), "2 members"},
		"another key":            {printed(`{"approve":true}`), confirm("x", ""), "none of value"},
		"another case":           {printed(`{"Confirmed":true}`), confirm("x", ""), "none of value"},
		"another option":         {printed(`{"value":"C"}`), choose("x", "A", "B"), "one of the options"},
		"option in another case": {printed(`{"value":"a"}`), choose("x", "A", "B"), "one of the options"},
		"an option twice":        {printed(`{"value":"A"}`), choose("x", "A", "A"), "offered 2 times"},
		"a value that is another's label": {printed(`{"value":"A"}`),
			decode(t, `"method":"select","title":"x","options":[{"label":"B","value":"A"},{"label":"A","value":"C"}]`), "may mean"},
		"options with one label": {printed(`{"value":"A"}`),
			decode(t, `"method":"select","title":"x","options":[{"label":"B","value":"A"},{"label":"B","value":"C"}]`), "may mean"},
		"a label that is another's value": {printed(`{"value":"A"}`),
			decode(t, `"method":"select","title":"x","options":[{"label":"B","value":"A"},{"label":"C","value":"B"}]`), "may mean"},
		"an index":               {printed(`{"value":0}`), choose("x", "A", "B"), "string"},
		"too much output":        {self(t, "flood", yes), confirm("x", ""), "more than"},
		"the wish to ask nobody": {printed(`{"ask":true}`), confirm("x", ""), "nobody to ask"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log decisions
			out, ok := strings.CutPrefix(test.run, "printed: ")
			if ok {
				test.run = "[print]"
			}
			f := New(mustParse(t, "rules: [{when: {title: x}, run: "+test.run+"}]"), &Options{OnDecision: log.add, Env: commandEnv()})
			if ok {
				f.run = func(context.Context, []string, []string, []byte) ([]byte, error) { return []byte(out), nil }
			}
			a, err := f.Ask(t.Context(), test.dialog)
			if err != nil {
				t.Fatal(err)
			}
			d := log.last(t)
			if a != (protocol.Cancelled{}) || d.Who != ByNobody || !strings.Contains(d.Why, test.why) {
				t.Errorf("answer %#v by %s: %s; want cancelled: %s", a, d.Who, d.Why, test.why)
			}
		})
	}
	t.Run("hangs after the answer", func(t *testing.T) {
		t.Parallel()
		a, d := ask(t, "rules: [{when: {title: x}, run: "+self(t, "hang", yes)+", within: 300ms}]", confirm("x", ""))
		if a != (protocol.Cancelled{}) || d.Outcome != Failed || d.Why != "no answer within 300ms" {
			t.Errorf("answer %#v, %+v", a, d)
		}
	})
}

// A command that hangs is ended by the end of its dialog as well, and then nothing is sent.
func TestDialogEndsWhileTheCommandRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log decisions
		f := New(mustParse(t, `rules: [{when: {title: x}, run: [decide], within: 1h}]`), &Options{OnDecision: log.add})
		f.run = func(ctx context.Context, _, _ []string, _ []byte) ([]byte, error) {
			<-ctx.Done()
			return []byte(`{"confirmed":true}`), nil
		}
		ctx, cancel := context.WithTimeoutCause(t.Context(), 30*time.Second, client.ErrExpired)
		defer cancel()
		a, err := f.Ask(ctx, confirm("x", ""))
		if a != nil || !errors.Is(err, client.ErrExpired) || log.last(t).Outcome != Over || f.Stats() != (Stats{Over: 1}) {
			t.Errorf("answer %#v, error %v, %+v", a, err, f.Stats())
		}
	})
}

// A dialog that has ended before it is answered gets no answer, whoever noticed.
func TestExpiredDialogs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(mustParse(t, approveDeploy), nil)
		ended, cancel := context.WithCancelCause(t.Context())
		cancel(client.ErrTakenBack)
		if a, err := f.Ask(ended, confirm("Deploy to staging?", "")); a != nil || !errors.Is(err, client.ErrTakenBack) {
			t.Errorf("taken back: %#v %v", a, err)
		}
		// Its deadline has passed and its timer is late.
		late := limitedContext{t.Context(), time.Now()}
		if a, err := f.Ask(late, confirm("Deploy to staging?", "")); a != nil || !errors.Is(err, client.ErrExpired) {
			t.Errorf("expired: %#v %v", a, err)
		}
	})
}

// An answer that cannot be logged is not given: not a rule's, and not a person's.
func TestFullAuditLogApprovesNothing(t *testing.T) {
	full := func(t *testing.T) *Audit {
		if runtime.GOOS == "linux" {
			// OpenAudit refuses a device; this is a disk that has become full.
			file, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			return &Audit{path: "/dev/full", file: file}
		}
		a, err := OpenAudit(filepath.Join(t.TempDir(), "audit"), nil)
		if err != nil {
			t.Fatal(err)
		}
		a.file.Close()
		return a
	}
	yes := nextFunc(func(context.Context, protocol.Dialog) (protocol.Answer, error) { return protocol.Confirmed(true), nil })
	for _, policy := range []string{approveDeploy, `{otherwise: ask, rules: []}`} {
		var log decisions
		audit := full(t)
		f := New(mustParse(t, policy), &Options{Audit: audit, Next: yes, OnDecision: log.add})
		a, err := f.Ask(t.Context(), confirm("Deploy to staging?", ""))
		if d := log.last(t); a != (protocol.Cancelled{}) || err != nil || d.Outcome != Failed || d.Who != ByNobody || !strings.Contains(d.Why, ErrAudit.Error()) {
			t.Errorf("%s: %#v, %v, %+v", policy, a, err, d)
		}
		if s := f.Stats(); s.AuditLost != 1 || s.Failed != 1 || s.Wanting() != 1 {
			t.Errorf("%s: %+v", policy, s)
		}
		audit.Close()
	}
}

// A next front end that panics, fails, or answers what does not fit cancels.
func TestNextThatFails(t *testing.T) {
	for name, test := range map[string]struct {
		next nextFunc
		why  string
	}{
		"panic": {func(context.Context, protocol.Dialog) (protocol.Answer, error) { panic("boom") }, "panic: boom"},
		"error": {func(context.Context, protocol.Dialog) (protocol.Answer, error) {
			return protocol.Confirmed(true), os.ErrClosed
		}, "already closed"},
		"nothing":   {func(context.Context, protocol.Dialog) (protocol.Answer, error) { return nil, nil }, "no answer"},
		"not a fit": {func(context.Context, protocol.Dialog) (protocol.Answer, error) { return protocol.Value("yes"), nil }, "confirm"},
	} {
		var log decisions
		f := New(mustParse(t, `{otherwise: ask, rules: []}`), &Options{Next: test.next, OnDecision: log.add})
		a, err := f.Ask(t.Context(), confirm("Sure?", ""))
		if d := log.last(t); a != (protocol.Cancelled{}) || err != nil || d.Outcome != Failed || !strings.Contains(d.Why, test.why) {
			t.Errorf("%s: %#v, %v, %+v", name, a, err, d)
		}
	}
}

// A panic of our own cancels as well.
func TestPanicApprovesNothing(t *testing.T) {
	var log decisions
	f := New(mustParse(t, `rules: [{when: {title: x}, run: [decide]}]`), &Options{OnDecision: log.add})
	f.run = func(context.Context, []string, []string, []byte) ([]byte, error) { panic("boom") }
	a, err := f.Ask(t.Context(), confirm("x", ""))
	if d := log.last(t); a != (protocol.Cancelled{}) || err != nil || d.Outcome != Failed || d.Why != "panic: boom" {
		t.Errorf("%#v, %v, %+v", a, err, d)
	}
}

// The rules are those that were checked, whatever becomes of the file.
func TestFileChangedUnderUs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.yaml")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`rules: []`)
	rules, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	f := New(rules, nil)
	write(approveDeploy)
	if a, err := f.Ask(t.Context(), confirm("Deploy to staging?", "")); a != (protocol.Cancelled{}) || err != nil {
		t.Errorf("%#v, %v", a, err)
	}
}

// A person's answer counts only within the time that the rule gives, from a front end that
// does not heed its context too.
func TestNothingIsApprovedByTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &person{answer: make(chan protocol.Answer), deaf: true}
		var log decisions
		f := New(mustParse(t, `rules: [{ask: true, within: 30s}]`), &Options{Next: p, OnDecision: log.add})
		start := time.Now()
		a, err := f.Ask(t.Context(), confirm("Sure?", ""))
		if a != (protocol.Cancelled{TimedOut: true}) || err != nil || time.Since(start) != 30*time.Second {
			t.Errorf("%#v, %v after %v", a, err, time.Since(start))
		}
		if d := log.last(t); d.Outcome != Declined || d.Who != ByRule || d.Why != "nobody answered within 30s" {
			t.Errorf("%+v", d)
		}
		p.answer <- protocol.Confirmed(true)
		if err := f.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(p.dropped) != 1 || p.dropped[0] != protocol.Confirmed(true) {
			t.Errorf("the front end was told of %v, want its late answer", p.dropped)
		}
		if want := start.Add(30 * time.Second); !p.limits[0].Equal(want) {
			t.Errorf("the front end saw the deadline %v, want %v", p.limits[0], want)
		}
	})
}

// The same question answered the same way more than N times in a row is not answered
// again, also if the agent goes in circles.
func TestLimits(t *testing.T) {
	const rules = `rules: [{when: {title: [a, b]}, confirmed: true}, {when: {title: c}, cancel: true}]`
	f := New(mustParse(t, "limits: {same: 3}\n"+rules), nil)
	for i := range 5 {
		for _, title := range []string{"a", "b"} {
			a, _ := f.Ask(t.Context(), confirm(title, ""))
			if want := protocol.Answer(protocol.Confirmed(true)); i < 3 && a != want || i >= 3 && a != (protocol.Cancelled{}) {
				t.Errorf("%s for the %dth time: %#v", title, i+1, a)
			}
		}
	}
	if s := f.Stats(); s != (Stats{Rule: 6, Limited: 4}) {
		t.Errorf("%+v", s)
	}
	// Another message is no other question to a rule that does not look at it.
	if a, _ := f.Ask(t.Context(), confirm("a", "other")); a != (protocol.Cancelled{}) {
		t.Errorf("another message: %#v", a)
	}

	// Another answer ends the row.
	f = New(mustParse(t, "limits: {same: 2}\nrules: [{when: {title: a, status: {mode: auto}}, confirmed: true}, {confirmed: false}]"), nil)
	for i := range 10 {
		mode := []string{"auto", "off"}[i/2%2]
		f.Show(&protocol.SetStatus{Key: "mode", Text: &mode})
		if a, _ := f.Ask(t.Context(), confirm("a", "")); a != protocol.Confirmed(mode == "auto") {
			t.Errorf("%s: %#v", mode, a)
		}
	}

	asked := 0
	next := nextFunc(func(context.Context, protocol.Dialog) (protocol.Answer, error) {
		asked++
		return protocol.Confirmed(false), nil
	})
	var log decisions
	f = New(mustParse(t, "limits: {same: 1, then: ask}\n"+rules), &Options{Next: next, OnDecision: log.add})
	for _, want := range []protocol.Answer{protocol.Confirmed(true), protocol.Confirmed(false), protocol.Confirmed(false)} {
		if a, _ := f.Ask(t.Context(), confirm("a", "")); a != want {
			t.Errorf("%#v, want %#v", a, want)
		}
	}
	if d := log.last(t); asked != 2 || d.Who != ByPerson || !strings.Contains(d.Why, "3 times") {
		t.Errorf("asked %d times, %+v", asked, d)
	}

	f = New(mustParse(t, "limits: {same: 0}\n"+rules), nil)
	for range 50 {
		if a, _ := f.Ask(t.Context(), confirm("a", "")); a != protocol.Confirmed(true) {
			t.Fatal("a limit, though there is none")
		}
	}
	f = New(mustParse(t, rules), nil)
	for i := range DefaultSame + 1 {
		if a, _ := f.Ask(t.Context(), confirm("a", "")); (a == protocol.Confirmed(true)) != (i < DefaultSame) {
			t.Errorf("%dth time without limits in the file: %#v", i+1, a)
		}
	}
}
