package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"extui/internal/safetext"
	"extui/policy"
	"extui/protocol"
)

// policyTestFlags is the command line of policy test.
type policyTestFlags struct {
	session string
	open    time.Duration
	json    bool
}

func newPolicyTest(w *world) *cobra.Command {
	var f policyTestFlags
	cmd := &cobra.Command{
		Use:   "test FILE < REQUESTS",
		Short: "Show which rule of a policy answers what",
		Long: lines(
			"Reads an agent's records from standard input, one a line, and says for each dialog which",
			"rule of FILE answers it and how. A setStatus counts for the dialogs behind it; all other",
			"records are passed over, so that what an agent wrote can be given as it is.",
			"",
			"No command is run, nobody is asked, and the limit on equal questions does not count.",
			"",
			"Exit codes:",
			"  0    a rule answers each dialog",
			"  1    a line is no record, or standard input cannot be read",
			"  2    the command line, or the policy, makes no sense, or the policy cannot be read",
			"  5    no rule answers one of the dialogs, or its answer could not be given",
		),
		Example: lines(
			"extui policy test ci.policy.yaml < requests.jsonl",
			"extui policy test ci.policy.yaml --json < requests.jsonl",
		),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError("extui policy test FILE < REQUESTS", "one policy at a time, got %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			rules, err := loadPolicy(args[0])
			if err != nil {
				return err
			}
			return testPolicy(w, args[0], rules, f)
		},
	}
	cmd.Flags().StringVar(&f.session, "session", "", "the name of the session, for rules that look at it")
	cmd.Flags().DurationVar(&f.open, "open", 0, "how long the dialogs have been open, for rules that look at it")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object a dialog")
	return cmd
}

// policyTest reads records and prints verdicts.
type policyTest struct {
	w        io.Writer
	file     string
	rules    *policy.Rules
	flags    policyTestFlags
	statuses map[string]string

	line, bad, wanting int
}

func testPolicy(w *world, file string, rules *policy.Rules, f policyTestFlags) error {
	t := &policyTest{w: w.stdout, file: file, rules: rules, flags: f, statuses: map[string]string{}}
	in := bufio.NewReader(w.stdin)
	for {
		record, err := in.ReadBytes('\n')
		if t.line++; len(bytes.TrimSpace(record)) > 0 {
			if err := t.record(record); err != nil {
				return printed(0, err)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return &failure{codeFailed, fmt.Errorf("read standard input: %w", err), ""}
		}
	}
	switch {
	case t.bad > 0:
		return &failure{code: codeFailed}
	case t.wanting > 0:
		return &failure{code: codeNoRule}
	}
	return nil
}

// record takes one line. An error is one of writing.
func (t *policyTest) record(line []byte) error {
	typ, ok := protocol.RecordType(line)
	if ok && typ != protocol.TypeRequest {
		return nil
	}
	r, err := protocol.DecodeRequest(line)
	if err != nil {
		t.bad++
		return t.print(verdictLine{Line: t.line, Error: err.Error()})
	}
	switch r := r.(type) {
	case *protocol.SetStatus:
		if r.Text == nil {
			delete(t.statuses, r.Key)
		} else {
			t.statuses[r.Key] = *r.Text
		}
	case *protocol.Unknown:
		if !r.Passive {
			t.wanting++
			return t.print(verdictLine{Line: t.line, Method: string(r.Method()), Action: string(policy.ActionCancel), Why: "extui does not know this method"})
		}
	case protocol.Dialog:
		return t.dialog(r)
	}
	return nil
}

// verdictLine is what is said of one line of the input.
type verdictLine struct {
	Line     int            `json:"line"`
	Method   string         `json:"method,omitzero"`
	Title    string         `json:"title,omitzero"`
	Rule     string         `json:"rule,omitzero"`
	RuleLine int            `json:"ruleLine,omitzero"`
	Action   string         `json:"action,omitzero"`
	Answer   jsontext.Value `json:"answer,omitzero"` // the response, as it would be sent
	Command  []string       `json:"command,omitzero"`
	Within   string         `json:"within,omitzero"`
	Why      string         `json:"why,omitzero"`   // it is cancelled, if no rule says so
	Error    string         `json:"error,omitzero"` // the line is no record
}

// whyNoRule is all that is to be said of a dialog without a rule.
const whyNoRule = "no rule matches"

func (t *policyTest) dialog(d protocol.Dialog) error {
	v := t.rules.Judge(d, t.statuses, t.flags.session, t.flags.open)
	line := verdictLine{
		Line: t.line, Method: string(d.Method()), Title: d.DialogTitle(), Rule: v.Rule, RuleLine: v.Line,
		Action: string(v.Kind), Command: v.Command,
	}
	if v.Within > 0 {
		line.Within = v.Within.String()
	}
	switch {
	case v.Err != nil:
		line.Action, line.Why = string(policy.ActionCancel), v.Err.Error()
	case v.Rule == "" && v.Kind == policy.ActionCancel:
		line.Why = whyNoRule
	}
	if line.Why != "" {
		t.wanting++
	}
	if v.Answer != nil {
		response, err := protocol.Respond(d, v.Answer)
		if err != nil {
			return err
		}
		line.Answer = protocol.AppendResponse(nil, response)
	}
	return t.print(line)
}

func (t *policyTest) print(v verdictLine) error {
	if t.flags.json {
		b, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(t.w, "%s\n", b)
		return err
	}
	if v.Error != "" {
		_, err := fmt.Fprintf(t.w, "%d: %s\n", v.Line, safetext.Line(v.Error))
		return err
	}
	does := map[policy.ActionKind]string{
		policy.ActionCancel: "cancelled", policy.ActionAsk: "asks the next front end", policy.ActionRun: "runs " + strings.Join(v.Command, " "),
	}[policy.ActionKind(v.Action)]
	if does == "" {
		does = answerText(v.Answer)
	}
	if v.Within != "" {
		does += ", within " + v.Within
	}
	by := "no rule"
	if v.Rule != "" {
		by = fmt.Sprintf("%s (%s:%d)", v.Rule, t.file, v.RuleLine)
	}
	text := fmt.Sprintf("%d: %s %q: %s, by %s", v.Line, v.Method, v.Title, does, by)
	if v.Why != "" && v.Why != whyNoRule {
		text += ": " + v.Why
	}
	_, err := fmt.Fprintln(t.w, safetext.Line(text))
	return err
}

// answerText is the payload of a response.
func answerText(response jsontext.Value) string {
	r, err := protocol.DecodeResponse(response)
	switch {
	case err != nil:
		return string(response)
	case r.Cancelled:
		return "cancelled"
	case r.Confirmed != nil:
		return "confirmed: " + string(r.Confirmed)
	case r.Answers != nil:
		return "answers: " + string(r.Answers)
	}
	return "value: " + string(r.Value)
}
