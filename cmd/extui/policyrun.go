package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"extui/client"
	"extui/policy"
	"extui/protocol"
)

// policyFlags are the flags of a session with rules.
type policyFlags struct{ file, audit, session string }

func (p *policyFlags) add(f *pflag.FlagSet) {
	f.StringVar(&p.file, "policy", "", "answer dialogs by the rules of this file")
	f.StringVar(&p.audit, "audit", "", "log every decision to this file, in place of the one that the policy names")
	f.StringVar(&p.session, "session", "", "the session's name for rules and the log; the working directory if it is missing")
}

// check refuses what means nothing without a policy. hint says how to give one, and ui
// is the value of --ui, "" where there is no such flag.
func (p *policyFlags) check(hint, ui string) error {
	if p.file != "" {
		return nil
	}
	flag := ""
	switch {
	case ui == "none":
		flag = "--ui none"
	case p.audit != "":
		flag = "--audit"
	case p.session != "":
		flag = "--session"
	default:
		return nil
	}
	return usageError(hint, "%s is for --policy", flag)
}

// ruled is the policy of a session, and its log. A nil one is no policy.
type ruled struct {
	rules   *policy.Rules
	audit   *policy.Audit // Nil: nothing is logged.
	used    []usedFile    // The policy's file and those of its log.
	session string
	env     []string
	front   *policy.Frontend // Set by frontend and proxied.
	marked  string           // How the reports of decisions are marked; set with front.
}

// openPolicy reads the policy of the command line and opens its log. It returns nil
// without a policy.
func openPolicy(w *world, flags policyFlags) (*ruled, error) {
	if flags.file == "" {
		return nil, nil
	}
	rules, err := loadPolicy(flags.file)
	if err != nil {
		return nil, err
	}
	r := &ruled{rules: rules, session: flags.session, env: w.env}
	if r.session == "" {
		if r.session, err = os.Getwd(); err != nil {
			return nil, &failure{codeUsage, fmt.Errorf("name the session by its working directory: %w", err), "--session gives it another name"}
		}
	}
	file, opts := rules.AuditLog()
	if flags.audit != "" {
		file = flags.audit
	}
	r.used = usedByPolicy(flags.file, file, opts)
	if file == "" {
		return r, nil
	}
	if r.audit, err = policy.OpenAudit(file, &opts); err != nil {
		return nil, &failure{codeUsage, err, "no dialog would be answered, for every answer is logged first"}
	}
	return r, nil
}

// frontend is what answers the dialogs of s: its rules in front of its user interface,
// which is of that kind.
func (r *ruled) frontend(s *session, kind string) client.Frontend {
	if r == nil {
		return s.ui
	}
	opts := &policy.Options{Audit: r.audit, Session: r.session, Env: r.env, OnDecision: s.decided}
	if kind != "none" {
		opts.Next = s.ui
	}
	r.front, r.marked = policy.New(r.rules, opts), "marked [policy]"
	if kind == "none" {
		return unasked{r.front, s.ui}
	}
	return r.front
}

// proxied is what answers dialogs before the client of a proxy is asked.
func (r *ruled) proxied(onDecision func(policy.Decision)) func(client.Frontend, func(protocol.Dialog)) client.Frontend {
	return func(next client.Frontend, decided func(protocol.Dialog)) client.Frontend {
		r.marked = `that begin with "extui:"`
		r.front = policy.New(r.rules, &policy.Options{Next: next, Audit: r.audit, Session: r.session, Env: r.env, Decided: decided, OnDecision: onDecision})
		return r.front
	}
}

// unasked is a policy beside a user interface that shows updates and is asked nothing.
type unasked struct {
	*policy.Frontend
	ui client.Frontend
}

// Show implements [client.Frontend].
func (u unasked) Show(update protocol.Update) {
	u.Frontend.Show(update)
	u.ui.Show(update)
}

// longestTitle is how many bytes of a title a report of a decision has.
const longestTitle = 200

// decided reports what was decided in the place of a person.
func (s *session) decided(d policy.Decision) {
	if d.Who == policy.ByPerson || d.Outcome == policy.Over && !s.flags.verbose {
		return // A person knows, and nothing was decided.
	}
	s.notes.print("policy", decisionText(d))
}

// decisionText is a decision in words, on one line.
func decisionText(d policy.Decision) string {
	title := ""
	if dialog, ok := d.Request.(protocol.Dialog); ok {
		title = dialog.DialogTitle()
	}
	if len(title) > longestTitle {
		title = strings.ToValidUTF8(title[:longestTitle], "") + "…"
	}
	outcome := d.Outcome
	if _, cancelled := d.Answer.(protocol.Cancelled); cancelled && outcome != policy.Over {
		outcome = policy.Declined // The reason follows.
	}
	text := fmt.Sprintf("%s %q: %s", d.Request.Method(), title, outcome)
	if d.Outcome == policy.Answered {
		dialog, _ := d.Request.(protocol.Dialog)
		if response, err := protocol.Respond(dialog, d.Answer); err == nil {
			text += ", " + answerText(protocol.AppendResponse(nil, response))
		}
	}
	if d.Rule != "" {
		text += fmt.Sprintf(", by %s (line %d)", d.Rule, d.Line)
	}
	if d.Why != "" {
		text += ": " + d.Why
	}
	return text
}

// unanswered makes an outcome without an error one that says that the rules left
// something open.
func (r *ruled) unanswered(err error) error {
	if r == nil || err != nil {
		return err
	}
	stats := r.front.Stats()
	if stats.Wanting() == 0 {
		return nil
	}
	return &failure{codeNoRule, fmt.Errorf("%s cancelled that no rule answered", counted(int(stats.Wanting()), "dialog")),
		"the lines " + r.marked + " say which; extui policy test shows what a rule would answer"}
}

// close lets go of the log once nobody writes to it any more.
func (r *ruled) close() {
	if r == nil {
		return
	}
	if r.front != nil {
		// The session has closed its user interface or is about to; a call that does not
		// return must not keep the program.
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = r.front.Close(ctx)
	}
	if r.audit != nil {
		_ = r.audit.Close() // Every entry has been synced.
	}
}
