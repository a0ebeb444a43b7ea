package proxy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/client"
	"extui/policy"
	"extui/protocol"
)

// audited are options with rules and a log, the lines of which logged returns.
func audited(t *testing.T, text string) (opts Options, front **policy.Frontend, logged func() []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	audit, err := policy.OpenAudit(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { audit.Close() })
	opts = ruledBy(t, text, policy.Options{Audit: audit})
	front = new(*policy.Frontend)
	made := opts.Rules
	opts.Rules = func(next client.Frontend, decided func(protocol.Dialog)) client.Frontend {
		f := made(next, decided)
		*front = f.(*policy.Frontend)
		return f
	}
	return opts, front, func() []string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
}

// A dialog that the proxy cancels without a rule is in the log before the agent gets the
// cancellation, and counts as one without a rule.
func TestUnasked(t *testing.T) {
	for name, test := range map[string]struct{ record, logged, why string }{
		"unknown method":  {dialogOf(`"method":"approve","title":"x"`), dialogOf(`"method":"approve","title":"x"`), "extui does not know this method"},
		"bad field":       {dialogOf(`"method":"confirm","title":"x","message":0`), dialogOf(`"method":"confirm","title":"x"`), `field \"message\" is 0`},
		"case":            {dialogOf(`"method":"confirm","title":"x","Title":"y"`), dialogOf(`"method":"confirm","title":"x","Title":"y"`), "differ in case alone"},
		"carriage return": {dialogOf(`"method":"confirm",` + "\r" + `"title":"x"`), dialogOf(`"method":"confirm","title":"x"`), "a line end within it"},
		"cut":             {dialogOf(`"method":"confirm","title":"x [elided for RPC frame]"`), dialogOf(`"method":"confirm","title":"x [elided for RPC frame]"`), "cut on the way"},
		"too long":        {dialogOf(`"method":"confirm","title":"x","message":"` + strings.Repeat("x", 500) + `"`), `{"type":"extension_ui_request","id":"d1","method":"confirm","title":"x"`, "longer than the limit"},
	} {
		t.Run(name, func(t *testing.T) {
			opts, front, logged := audited(t, `rules: [{when: {title: x}, confirmed: true}]`)
			opts.MaxRecord = 400
			e := start(t, opts)
			go e.agent(`{"type":"ready"}`, test.record)
			e.clientGets(`{"type":"ready"}`)
			e.agentGets(cancelled)
			lines := logged()
			if line := lines[0]; len(lines) != 1 || !strings.Contains(line, `"request":`+test.logged) || !strings.Contains(line, test.why) ||
				!strings.Contains(line, `"outcome":"no-rule","answer":`+cancelled+`,"who":"none"`) {
				t.Errorf("logged %s", lines)
			}
			if s := (*front).Stats(); s != (policy.Stats{NoRule: 1}) {
				t.Errorf("stats %+v", s)
			}
			e.ended()
		})
	}
}

// Of two dialogs with one id the rules are asked one, and the other is in the log too.
func TestUnaskedIDOfAnOpenDialog(t *testing.T) {
	opts, front, logged := audited(t, `{otherwise: ask, rules: []}`)
	e := start(t, opts)
	e.agent(confirm)
	e.clientGets(confirm)
	e.agent(other(`"d1"`))
	e.agentGets(cancelled)
	e.ended()
	log := strings.Join(logged(), "\n")
	if strings.Count(log, "\n") != 1 || !strings.Contains(log, `"title":"Delete?"},"outcome":"no-rule","answer":`+cancelled) || !strings.Contains(log, `"title":"Sure?","message":"m"},"outcome":"over"`) {
		t.Errorf("logged %s", log)
	}
	if s := (*front).Stats(); s != (policy.Stats{NoRule: 1, Over: 1}) {
		t.Errorf("stats %+v", s)
	}
}

// A dialog without an id cannot be answered. It is in the log all the same, and an update is
// not.
func TestUnaskedWithoutAnID(t *testing.T) {
	opts, front, logged := audited(t, `{otherwise: ask, rules: []}`)
	e := start(t, opts)
	e.agent(`{"type":"extension_ui_request","method":"confirm","title":"x"}`, dialogOf(`"method":"notify","message":"m","Message":"n"`))
	e.ended()
	if lines := logged(); len(lines) != 1 || !strings.Contains(lines[0], `"title":"x"},"outcome":"no-rule","who":"none"`) {
		t.Errorf("logged %s", lines)
	}
	if s := (*front).Stats(); s.Wanting() != 1 {
		t.Errorf("stats %+v", s)
	}
}

// What the agent gets when the time of --dialog-timeout is up is in the log.
func TestDialogTimeoutIsLogged(t *testing.T) {
	opts, _, logged := audited(t, `{otherwise: ask, rules: []}`)
	opts.DialogTimeout = time.Minute
	synctest.Test(t, func(t *testing.T) {
		e := start(t, opts)
		e.agent(confirm)
		line(t, "the client", e.clientReads)
		e.agentGets(timedOut)
		e.ended()
	})
	if lines := logged(); len(lines) != 1 || !strings.Contains(lines[0], `"outcome":"over","answer":`+timedOut+`,"who":"none"`) {
		t.Errorf("logged %s", lines)
	}
}
