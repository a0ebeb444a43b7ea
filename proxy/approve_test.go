package proxy

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/client"
	"extui/policy"
	"extui/protocol"
)

const (
	approveSure = `rules: [{when: {title: "Sure?"}, confirmed: true}]`
	approveGlob = `rules: [{when: {title: {glob: "Deploy *"}}, confirmed: true}]`
	allowRun    = `rules: [{when: {title: Run it?}, answer: Allow}]`
)

// ruledBy are options whose rules are a policy.
func ruledBy(t *testing.T, text string, opts policy.Options) Options {
	t.Helper()
	rules, err := policy.Parse("policy.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Options{PassQuestionnaires: true, Rules: func(next client.Frontend, decided func(protocol.Dialog)) client.Frontend {
		opts.Next, opts.Decided = next, decided
		return policy.New(rules, &opts)
	}}
}

func dialogOf(members string) string {
	return `{"type":"extension_ui_request","id":"d1",` + members + `}`
}

// TestRulesApprove makes sure that the policies of the table below approve at all.
func TestRulesApprove(t *testing.T) {
	for _, test := range []struct{ policy, request, want string }{
		{approveSure, confirm, yes},
		{approveGlob, dialogOf(`"method":"confirm","title":"Deploy to staging?"`), yes},
		{allowRun, dialogOf(`"method":"select","title":"Run it?","options":["Allow","Block"]`), `{"type":"extension_ui_response","id":"d1","value":"Allow"}`},
	} {
		e := start(t, ruledBy(t, test.policy, policy.Options{}))
		e.agent(test.request)
		e.agentGets(test.want)
		e.ended()
	}
}

// TestNothingIsApprovedThatNoRuleGrants is a table of ways to get a yes from the
// proxy that no rule grants, seen from the agent.
func TestNothingIsApprovedThatNoRuleGrants(t *testing.T) {
	self := "[/bin/sh, -c, 'cat >/dev/null; echo ''{\"confirmed\":true}''; %s']"
	command := func(then string) string {
		return `rules: [{when: {title: "Sure?"}, run: ` + strings.Replace(self, "%s", then, 1) + `, within: 5s}]`
	}
	choose := func(options string) string {
		return dialogOf(`"method":"select","title":"Run it?","options":` + options)
	}
	audit := func(t *testing.T) *policy.Audit {
		// As with a full disk, nothing can be written to it.
		a, err := policy.OpenAudit(filepath.Join(t.TempDir(), "log"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		return a
	}
	for name, test := range map[string]struct {
		policy, request string
		client          string // what the client says, if anything
		full            bool   // the disk under the log
	}{
		"no rule":                         {policy: `rules: []`, request: confirm},
		"no rule, and the client says so": {policy: `rules: []`, request: confirm, client: yes},
		"broad pattern, hidden text":      {policy: approveGlob, request: dialogOf(`"method":"confirm","title":"Deploy \u202egnigats ot"`)},
		"broad pattern, invisible text":   {policy: approveGlob, request: dialogOf(`"method":"confirm","title":"Deploy to pro\u200bduction"`)},
		"title of 1 MB":                   {policy: approveGlob, request: dialogOf(`"method":"confirm","title":"Deploy ` + strings.Repeat("x", 1<<20) + `"`)},
		"title in another case":           {policy: approveSure, request: dialogOf(`"method":"confirm","title":"sure?"`)},
		"title with bidi override":        {policy: approveSure, request: dialogOf(`"method":"confirm","title":"\u202dSure?"`)},
		"message that is no text":         {policy: approveSure, request: dialogOf(`"method":"confirm","title":"Sure?","message":7`)},
		"option that is missing":          {policy: allowRun, request: choose(`["Yes","No"]`)},
		"option offered twice":            {policy: allowRun, request: choose(`["Allow","Block","Allow"]`)},
		"option in another case":          {policy: allowRun, request: choose(`["allow","ALLOW"]`)},
		"option with a lone surrogate":    {policy: allowRun, request: choose(`["Allow\ud800","\udc00Allow"]`)},
		"option with bidi override":       {policy: allowRun, request: choose(`["\u202eAllow","Block"]`)},
		"another's value":                 {policy: allowRun, request: choose(`[{"label":"Block","value":"Allow"},{"label":"Allow","value":"x"}]`)},
		"command that crashes":            {policy: command("kill -9 $$"), request: confirm},
		"command that fails":              {policy: command("exit 3"), request: confirm},
		"command that says more":          {policy: command("echo no"), request: confirm},
		"log that cannot be written":      {policy: approveSure, request: confirm, full: true},
		"the same, asked of the client":   {policy: `{otherwise: ask, rules: []}`, request: confirm, client: yes, full: true},
		"no answer of the client":         {policy: `{otherwise: ask, rules: []}`, request: confirm, client: `{"type":"extension_ui_response","id":"d1","value":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(test.policy, "/bin/sh") && runtime.GOOS == "windows" {
				t.Skip("there is no /bin/sh")
			}
			var opts policy.Options
			if test.full {
				opts.Audit = audit(t)
			}
			e := start(t, ruledBy(t, test.policy, opts))
			e.agent(test.request)
			if strings.Contains(test.policy, "ask") {
				e.clientGets(test.request)
			}
			if test.client != "" {
				e.client(test.client)
			}
			got := line(t, "the agent", e.agentReads)
			if got != cancelled && got != strings.Replace(cancelled, `"cancelled":true`, `"confirmed":false`, 1) && got != test.client {
				t.Errorf("the agent gets %s", got)
			}
			if r, err := protocol.DecodeResponse([]byte(got)); err != nil || !r.Cancelled && string(r.Confirmed) == "true" {
				t.Errorf("the agent gets %s, %v", got, err)
			}
			e.client(yes, `{"type":"abort"}`)
			e.agentGets(`{"type":"abort"}`)
			e.ended()
		})
	}
}

// A rule's answer that comes when the time is over goes nowhere.
func TestExpiredDialogIsNotApproved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := ruledBy(t, approveSure, policy.Options{OnDecision: func(policy.Decision) { time.Sleep(time.Minute) }})
		e := start(t, opts)
		e.agent(strings.TrimSuffix(confirm, "}") + `,"timeout":1000}`)
		go e.agent(`{"type":"after"}`)
		e.clientGets(`{"type":"after"}`)
		time.Sleep(2 * time.Minute)
		e.client(yes, `{"type":"abort"}`)
		e.agentGets(`{"type":"abort"}`)
		e.ended()
	})
}

// What rules decide is in the log as it came about, also where the answer was late.
func TestLogOfLateAnswer(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	audit, err := policy.OpenAudit(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer audit.Close()
	answered, late := make(chan struct{}), make(chan struct{})
	e := start(t, ruledBy(t, approveSure, policy.Options{Audit: audit, OnDecision: func(d policy.Decision) {
		if d.Outcome == policy.Answered {
			close(answered)
			<-late
		}
	}}))
	e.agent(confirm)
	<-answered
	e.agent(`{"type":"extension_ui_request","id":"c","method":"cancel","targetId":"d1"}`)
	go e.agent(`{"type":"after"}`)
	e.clientGets(`{"type":"after"}`)
	close(late)
	e.ended()
	log, err := os.ReadFile(file)
	if lines := strings.Split(string(log), "\n"); err != nil || len(lines) != 3 ||
		!strings.Contains(lines[0], `"outcome":"answered"`) || !strings.Contains(lines[1], `"outcome":"not-sent"`) {
		t.Errorf("the log has %s, %v", log, err)
	}
}
