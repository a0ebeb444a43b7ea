package policy

import (
	"slices"

	"extui/protocol"
)

// nonsense are texts that no rule was written for.
var nonsense = []string{"Zq xw", "0 \u2603 1", "-"}

// matchesAnything reports whether a condition holds for a dialog that nobody can have had
// in mind.
func (c *condition) matchesAnything() bool {
	probe := c.probe()
	return slices.ContainsFunc(probe.methods, func(m protocol.Method) bool {
		return !slices.ContainsFunc(nonsense, func(s string) bool {
			return !probe.holds(sample{title: s, message: s, options: []string{s, s + s}}.dialog(m))
		})
	})
}

// sample is what a dialog may ask.
type sample struct {
	title, message string
	options        []string
}

// unrelated are questions that have nothing to do with each other, neither in what they
// ask nor in how they are put. A rule that says yes to two of them was written for none.
var unrelated = []sample{
	{"Delete 14 files in /srv/data?", "They cannot be restored.", []string{"Delete", "Keep"}},
	{"Install left-pad@1.3.0", "from a mirror", []string{"Install once", "Always install", "Skip"}},
	{"May I run this command?\nsudo rm -rf --no-preserve-root /", "bash", []string{"Allow", "Deny"}},
	{"Send the report to all customers?", "412 recipients; it goes out at once", []string{"Yes", "No"}},
	{"push --force to main", "origin is 3 commits ahead", []string{"overwrite", "rebase", "abort"}},
	{"Pay 1,200.00 EUR to ACME?", "IBAN DE00 1234", []string{"Confirm payment", "Cancel"}},
	{"Which colour should the button have?", "Only a preview", []string{"red", "green", "blue"}},
	{"DROP TABLE users;", "", []string{"OK", "Back"}},
	{"Share screen", "with guest-7", []string{"Whole screen", "This window"}},
	{"Mot de passe oublié ?", "Un courriel sera envoyé.", []string{"Oui", "Non"}},
	{"本番環境に反映しますか", "取り消せません", []string{"はい", "いいえ"}},
	{"Overwrite config.yaml (y/n)", "size 2048, modified 09:15", []string{"y", "n"}},
	{"Trust the authors of this folder?", "Hooks run without asking.", []string{"Trust", "Open restricted"}},
	{"api.example.com wants your token", "scope: admin:org", []string{"Grant", "Refuse"}},
	{"x", "?", []string{"1", "2"}},
	{"Restart now, or in 10 minutes?", "Unsaved work is lost", []string{"now", "later"}},
	{"terraform apply", "Plan: 3 to add, 0 to change, 9 to destroy.", []string{"apply", "plan again"}},
	{"Your name", "shown to others", []string{"Ada", "Grace"}},
}

// approved returns the titles of the unrelated questions for which a condition holds.
func (c *condition) approved() []string {
	probe := c.probe()
	var titles []string
	for _, s := range unrelated {
		if slices.ContainsFunc(probe.methods, func(m protocol.Method) bool { return probe.holds(s.dialog(m)) }) {
			titles = append(titles, s.title)
		}
	}
	return titles
}

// probe is c without what is around a dialog: statuses, the session and the time. Its
// methods are all for which it may hold.
func (c *condition) probe() *condition {
	p := *c
	p.statuses, p.session, p.stage = nil, nil, 0
	if p.methods == nil {
		p.methods = dialogMethods
	}
	return &p
}

func (c *condition) holds(d protocol.Dialog) bool {
	_, ok, err := c.match(newSituation(d), true)
	return ok && err == nil
}

func (s sample) dialog(m protocol.Method) protocol.Dialog {
	var message *string
	if s.message != "" {
		message = &s.message
	}
	switch m {
	case protocol.MethodSelect:
		return &protocol.Select{Title: s.title, Options: protocol.Options(s.options...)}
	case protocol.MethodConfirm:
		return &protocol.Confirm{Title: s.title, Message: message}
	case protocol.MethodInput:
		return &protocol.Input{Title: s.title, Placeholder: message}
	case protocol.MethodEditor:
		return &protocol.Editor{Title: s.title, Prefill: message}
	}
	q := protocol.Question{Question: s.title, Header: s.title}
	for _, o := range s.options {
		q.Options = append(q.Options, protocol.QuestionOption{Label: o})
	}
	return &protocol.Questionnaire{Questions: []protocol.Question{q}}
}
