package policy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/client"
	"extui/protocol"
)

// The command gets the request on its standard input, and the session and the rule in its
// environment.
func TestCommandInput(t *testing.T) {
	a, d := ask(t, "rules: [{name: mine, when: {title: x}, run: "+self(t, "echo")+"}]", &protocol.Editor{ID: protocol.StringID("i"), Title: "x"})
	want := protocol.Value(`{"type":"extension_ui_request","id":"i","method":"editor","title":"x"}` + "\ns|mine")
	if a != want || d.Who != ByCommand || d.Outcome != Answered {
		t.Errorf("%#v, %+v", a, d)
	}
	for printed, want := range map[string]protocol.Answer{
		`{"confirmed":true}`: protocol.Confirmed(true), ` {"confirmed":false} `: protocol.Confirmed(false), `{"cancelled":true}`: protocol.Cancelled{},
	} {
		var log decisions
		f := New(mustParse(t, "rules: [{when: {title: x}, run: [decide]}]"), &Options{OnDecision: log.add})
		f.run = func(context.Context, []string, []string, []byte) ([]byte, error) { return []byte(printed), nil }
		if a, _ := f.Ask(t.Context(), confirm("x", "")); a != want || log.last(t).Who != ByCommand {
			t.Errorf("%s: %#v, %+v", printed, a, log.last(t))
		}
	}
}

// A shell runs only where the file says so.
func TestNoShell(t *testing.T) {
	var got [][]string
	for _, rule := range []string{`run: [decide, "$(id); a b", "*"]`, `shell: decide "$X" | head`} {
		f := New(mustParse(t, "rules: [{when: {title: x}, "+rule+"}]"), nil)
		f.run = func(_ context.Context, argv, _ []string, _ []byte) ([]byte, error) {
			got = append(got, argv)
			return nil, io.EOF
		}
		_, _ = f.Ask(t.Context(), confirm("x", ""))
	}
	if strings.Join(got[0], "|") != `decide|$(id); a b|*` {
		t.Errorf("run: %q", got[0])
	}
	if len(got[1]) != 3 || got[1][2] != `decide "$X" | head` {
		t.Errorf("shell: %q", got[1])
	}
}

// A command is found from the folder of its policy; one without a folder, in PATH.
func TestCommandPath(t *testing.T) {
	for file, want := range map[string]string{"p.yaml": "./decide.sh", "a/b/p.yaml": "a/b/decide.sh", "/a/p.yaml": "/a/decide.sh"} {
		r, err := Parse(file, []byte(`rules: [{when: {title: x}, run: [./decide.sh, ./x]}, {when: {title: y}, run: [decide.sh]}]`))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.rules[0].do.argv; got[0] != want || got[1] != "./x" {
			t.Errorf("%s: %q, want %s", file, got, want)
		}
		if got := r.rules[1].do.argv[0]; got != "decide.sh" {
			t.Errorf("%s: %q", file, got)
		}
	}
}

// A command may hand the dialog on.
func TestCommandAsks(t *testing.T) {
	yes := nextFunc(func(context.Context, protocol.Dialog) (protocol.Answer, error) { return protocol.Confirmed(true), nil })
	var log decisions
	f := New(mustParse(t, `rules: [{when: {title: x}, run: [decide]}]`), &Options{Next: yes, OnDecision: log.add})
	f.run = func(context.Context, []string, []string, []byte) ([]byte, error) { return []byte(`{"ask":true}`), nil }
	a, err := f.Ask(t.Context(), confirm("x", ""))
	if d := log.last(t); a != protocol.Confirmed(true) || err != nil || d.Who != ByPerson || d.Rule != "rule 1" {
		t.Errorf("%#v, %v, %+v", a, err, d)
	}
}

// As many dialogs as an agent likes start as many commands at once as we like.
func TestCommandsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(mustParse(t, "limits: {same: 0}\nrules: [{when: {title: x}, run: [decide], within: 3s}]"), nil)
		started := make(chan bool, 100)
		f.run = func(ctx context.Context, _, _ []string, _ []byte) ([]byte, error) {
			started <- true
			<-ctx.Done()
			return nil, ctx.Err()
		}
		for i := range 50 {
			d := confirm("x", "")
			d.ID = protocol.StringID(fmt.Sprint(i))
			go func() { _, _ = f.Ask(t.Context(), d) }()
		}
		synctest.Wait()
		if n := len(started); n != maxCommands {
			t.Errorf("%d commands run, want %d", n, maxCommands)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		// Those that waited have had their time.
		if s := f.Stats(); s.Failed != 50 {
			t.Errorf("%+v", s)
		}
	})
}

// The dialog's end reaches the next front end with its cause.
func TestNextSeesTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &person{answer: make(chan protocol.Answer)}
		var log decisions
		f := New(mustParse(t, `{otherwise: ask, rules: []}`), &Options{Next: p, OnDecision: log.add})
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(client.ErrTakenBack) })
		a, err := f.Ask(ctx, confirm("x", ""))
		if a != nil || !errors.Is(err, client.ErrTakenBack) || log.last(t).Outcome != Over {
			t.Errorf("%#v, %v, %+v", a, err, log.last(t))
		}
		if err := f.Close(t.Context()); err != nil || len(p.causes) != 1 || !errors.Is(p.causes[0], client.ErrTakenBack) {
			t.Errorf("%v: %v", err, p.causes)
		}
	})
}

// Close does not wait for ever.
func TestCloseGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &person{answer: make(chan protocol.Answer), deaf: true}
		f := New(mustParse(t, `rules: [{ask: true, within: 1s}]`), &Options{Next: p})
		_, _ = f.Ask(t.Context(), confirm("x", ""))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := f.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("close: %v", err)
		}
		p.answer <- protocol.Cancelled{}
		if err := f.Close(t.Context()); err != nil {
			t.Errorf("close again: %v", err)
		}
	})
}

// Questionnaires come if somebody can answer them.
func TestCapabilities(t *testing.T) {
	can, cannot := &person{caps: protocol.Capabilities{Questionnaire: true}}, &person{}
	const ruled, unruled = `rules: [{when: {question: a}, answers: [{question: a, option: A}]}]`, `{otherwise: ask, rules: []}`
	for _, test := range []struct {
		rules string
		next  client.Frontend
		want  bool
	}{
		{ruled, nil, true}, {ruled, cannot, true}, {unruled, nil, false}, {unruled, cannot, false}, {unruled, can, true},
	} {
		if got := New(mustParse(t, test.rules), &Options{Next: test.next}).Capabilities(); got.Questionnaire != test.want {
			t.Errorf("%s with %T: %+v", test.rules, test.next, got)
		}
	}
	var log decisions
	f := New(mustParse(t, unruled), &Options{Next: cannot, OnDecision: log.add})
	if a, _ := f.Ask(t.Context(), questions("b")); a != (protocol.Cancelled{}) || log.last(t).Outcome != NoRule || !strings.Contains(log.last(t).Why, "cannot show") {
		t.Errorf("%#v, %+v", a, log.last(t))
	}
}

// An answer that the client could not send is logged, and told to whoever gave it.
func TestDropped(t *testing.T) {
	for rules, told := range map[string]int{approveDeploy: 0, `{otherwise: ask, rules: []}`: 1} {
		p := &person{answer: make(chan protocol.Answer, 1)}
		p.answer <- protocol.Confirmed(true)
		var log decisions
		f := New(mustParse(t, rules), &Options{Next: p, OnDecision: log.add})
		d := confirm("Deploy to staging?", "")
		a, err := f.Ask(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		f.Dropped(d, a, client.ErrExpired)
		f.Dropped(d, a, client.ErrExpired) // nobody is told twice
		if got := log.last(t); got.Outcome != NotSent || got.Why != client.ErrExpired.Error() || f.Stats().NotSent != 1 {
			t.Errorf("%s: %+v, %+v", rules, got, f.Stats())
		}
		if len(p.dropped) != told {
			t.Errorf("%s: the front end was told of %v", rules, p.dropped)
		}
	}
}

// Through a client, an answer is on its way once, and a panic of who is told of it cancels.
func TestWithClient(t *testing.T) {
	outR, outW := io.Pipe()
	inR, inW := io.Pipe()
	f := New(mustParse(t, approveDeploy), &Options{OnDecision: func(d Decision) {
		if d.Outcome == NoRule {
			panic("boom")
		}
	}})
	c := client.Attach(outR, inW, &client.Options{Frontend: f, Dialect: client.Pi})
	go func() {
		_, _ = io.WriteString(outW, `{"type":"extension_ui_request","id":"1","method":"confirm","title":"Deploy to staging?"}`+"\n")
	}()
	buf := make([]byte, 4096)
	n, _ := inR.Read(buf)
	if got, want := string(buf[:n]), `{"type":"extension_ui_response","id":"1","confirmed":true}`+"\n"; got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
	go func() {
		_, _ = io.WriteString(outW, `{"type":"extension_ui_request","id":"2","method":"confirm","title":"Other"}`+"\n")
	}()
	n, _ = inR.Read(buf)
	if got, want := string(buf[:n]), `{"type":"extension_ui_response","id":"2","cancelled":true}`+"\n"; got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
	outW.Close()
	inR.Close()
	if err := c.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// Who holds up others for the next front end learns before a command runs, and before the
// log is written, that it is not asked.
func TestDecided(t *testing.T) {
	var order []string
	f := New(mustParse(t, `rules: [{when: {title: x}, run: [decide]}, {when: {title: y}, confirmed: false}, {when: {title: z}, ask: true}]`), &Options{
		Decided:    func(d protocol.Dialog) { order = append(order, "decided "+d.DialogTitle()) },
		OnDecision: func(Decision) { order = append(order, "logged") },
		Next: nextFunc(func(context.Context, protocol.Dialog) (protocol.Answer, error) {
			order = append(order, "asked")
			return protocol.Confirmed(true), nil
		}),
	})
	f.run = func(context.Context, []string, []string, []byte) ([]byte, error) {
		order = append(order, "run")
		return []byte(`{"confirmed":false}`), nil
	}
	for title, want := range map[string]string{
		"x": "decided x, run, decided x, logged", "y": "decided y, logged", "z": "asked, decided z, logged", "other": "decided other, logged",
	} {
		order = nil
		_, _ = f.Ask(t.Context(), confirm(title, ""))
		if got := strings.Join(order, ", "); got != want {
			t.Errorf("%s: %s, want %s", title, got, want)
		}
	}
}

// A front end whose person has left has decided nothing.
func TestNextHasNobody(t *testing.T) {
	for rules, want := range map[string]Outcome{
		`{otherwise: ask, rules: []}`: NoRule, `rules: [{ask: true}]`: NoRule,
		`{limits: {same: 1, then: ask}, rules: [{when: {title: x}, confirmed: true}]}`: Limited,
	} {
		var log decisions
		f := New(mustParse(t, rules), &Options{OnDecision: log.add, Next: nextFunc(func(context.Context, protocol.Dialog) (protocol.Answer, error) {
			return protocol.Confirmed(true), fmt.Errorf("%w: gone home", ErrNobody)
		})})
		for range 2 {
			_, _ = f.Ask(t.Context(), confirm("x", ""))
		}
		if d := log.last(t); d.Answer != (protocol.Cancelled{}) || d.Outcome != want || d.Who != ByNobody || !strings.Contains(d.Why, "nobody to ask: gone home") {
			t.Errorf("%s: %+v", rules, d)
		}
		if s := f.Stats(); s.Wanting() == 0 || s.Person != 0 {
			t.Errorf("%s: %+v", rules, s)
		}
	}
}
