package policy

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"extui/client"
	"extui/protocol"
)

// A dialog that no rule is asked about is counted as one without a rule, and logged.
func TestUnasked(t *testing.T) {
	why := errors.New("for a reason")
	const no = `"answer":{"type":"extension_ui_response","id":"1","cancelled":true},"who":"none","why":"for a reason"}`
	for name, test := range map[string]struct {
		record string
		why    error
		want   string // from the request on
		stats  Stats
	}{
		"unknown method": {`{"type":"extension_ui_request","id":"1","method":"approve","title":"x"}`, why,
			`"request":{"type":"extension_ui_request","id":"1","method":"approve","title":"x"},"outcome":"no-rule",` + no, Stats{NoRule: 1}},
		"bad fields": {`{"type":"extension_ui_request","id":"1","method":"confirm","title":"x","message":0,"timeout":-1}`, why,
			`"request":{"type":"extension_ui_request","id":"1","method":"confirm","title":"x"},"outcome":"no-rule",` + no, Stats{NoRule: 1}},
		"no id": {`{"type":"extension_ui_request","method":"confirm","title":"x"}`, why,
			`"request":{"type":"extension_ui_request","method":"confirm","title":"x"},"outcome":"no-rule","who":"none","why":"for a reason"}`, Stats{NoRule: 1}},
		"at the end": {`{"type":"extension_ui_request","id":"1","method":"confirm","title":"x"}`, fmt.Errorf("%w, now", client.ErrStopped),
			`"outcome":"over","answer":{"type":"extension_ui_response","id":"1","cancelled":true},"who":"none","why":"` + client.ErrStopped.Error() + `, now"}`, Stats{Over: 1}},
		"agent gone": {`{"type":"extension_ui_request","id":"1","method":"confirm","title":"x"}`, client.ErrAgentGone,
			`"outcome":"over","who":"none","why":"` + client.ErrAgentGone.Error() + `"}`, Stats{Over: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "audit.jsonl")
			var log decisions
			f := New(mustParse(t, `rules: [{when: {title: x}, confirmed: true}]`), &Options{Audit: openAudit(t, path, nil), OnDecision: log.add})
			r, _ := protocol.DecodeRequest([]byte(test.record))
			f.Unasked(r, test.why)
			if lines := readLines(t, path); len(lines) != 1 || !strings.HasSuffix(lines[0], test.want) {
				t.Errorf("logged %s\nwant %s", lines, test.want)
			}
			if s := f.Stats(); s != test.stats {
				t.Errorf("stats %+v, want %+v", s, test.stats)
			}
			if d := log.last(t); !d.Unasked || d.Request != r {
				t.Errorf("reported %+v", d)
			}
		})
	}
}

// What cannot be written again is logged by its id, its method and its title.
func TestUnaskedThatCannotBeWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	f := New(mustParse(t, `rules: []`), &Options{Audit: openAudit(t, path, nil)})
	twice := input("x")
	twice.Extra = protocol.Extra{{Name: "title", Value: []byte(`"y"`)}}
	f.Unasked(twice, errors.New("a"))
	f.Unasked(&protocol.Unknown{}, errors.New("b"))
	lines := readLines(t, path)
	for i, want := range []string{`"request":{"type":"extension_ui_request","id":"i","method":"input","title":"x"},`, `"request":{"type":"extension_ui_request","method":""},`} {
		if i >= len(lines) || !strings.Contains(lines[i], want) {
			t.Errorf("logged %s, want %s", lines, want)
		}
	}
	if s := f.Stats(); s.Wanting() != 2 || s.AuditLost != 0 {
		t.Errorf("stats %+v", s)
	}
}

// One that cannot be logged counts as every other.
func TestUnaskedWithoutALog(t *testing.T) {
	a := openAudit(t, filepath.Join(t.TempDir(), "audit.jsonl"), nil)
	a.Close()
	var log decisions
	f := New(mustParse(t, `rules: []`), &Options{Audit: a, OnDecision: log.add})
	f.Unasked(input("x"), errors.New("a"))
	if s := f.Stats(); s != (Stats{Failed: 1, AuditLost: 1}) {
		t.Errorf("stats %+v", s)
	}
	if d := log.last(t); d.Outcome != Failed || d.Answer != (protocol.Cancelled{}) || !strings.Contains(d.Why, "audit log") {
		t.Errorf("reported %+v", d)
	}
}

// expired is a cause with which the agent gets an answer.
type expired struct{ error }

func (expired) Answer() protocol.Answer { return protocol.Cancelled{TimedOut: true} }

// What the agent gets for a dialog that others end is in the log.
func TestAnswerOfADialogThatIsOver(t *testing.T) {
	for want, cause := range map[string]error{
		`"outcome":"over","answer":{"type":"extension_ui_response","id":"c","cancelled":true,"timedOut":true},"who":"none","why":"late"}`:       expired{errors.New("late")},
		`"outcome":"over","answer":{"type":"extension_ui_response","id":"c","cancelled":true},"who":"none","why":"` + client.ErrStopped.Error(): client.ErrStopped,
		`"outcome":"over","who":"none","why":"` + client.ErrExpired.Error():                                                                     client.ErrExpired,
	} {
		path := filepath.Join(t.TempDir(), "audit.jsonl")
		ctx, cancel := context.WithCancelCause(t.Context())
		f := New(mustParse(t, `otherwise: ask`+"\nrules: []"), &Options{Audit: openAudit(t, path, nil), Next: &person{}})
		time.AfterFunc(0, func() { cancel(cause) })
		if a, err := f.Ask(ctx, confirm("x", "")); a != nil || !errors.Is(err, cause) {
			t.Errorf("answer %v, %v", a, err)
		}
		if lines := readLines(t, path); len(lines) != 1 || !strings.Contains(lines[0], want) {
			t.Errorf("logged %s\nwant %s", lines, want)
		}
		if s := f.Stats(); s != (Stats{Over: 1}) {
			t.Errorf("stats %+v", s)
		}
		if err := f.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
