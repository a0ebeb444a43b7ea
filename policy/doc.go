// Package policy answers an agent's dialogs by rules from a file, and writes down what it
// answered.
//
//	rules, err := policy.Load("policy.yaml") // errors say file:line:column
//	if err != nil { ... }
//	audit, err := policy.OpenAudit("audit.jsonl", nil)
//	if err != nil { ... }
//	defer audit.Close()
//	front := policy.New(rules, &policy.Options{Next: person, Audit: audit})
//	c, err := client.Start(ctx, command, &client.Options{Frontend: front})
//
// It stands between an agent and another front end, or takes the place of one:
//
//	agent ─ dialog ─▶ rules ─ covered ─▶ answer ─▶ audit log ─▶ agent
//	                    └──── handed on ─▶ Next ─────┘
//
// docs/policy.md is the manual of the file. In short: the first rule whose "when" holds
// decides; it answers, cancels, runs a command that answers, or asks the next front end;
// where no rule matches, "otherwise" holds, which is cancel unless the file says ask.
//
// # Nothing is approved that no rule grants
//
// An option is chosen only if its very text is offered, and by one option alone. Patterns
// of a rule that may approve do not match a text which hides a part of itself, such as
// one with a direction override, nor one that is very long; patterns of the others do. A
// rule that would approve anything is a mistake in the file, and so is one that approves
// because time has passed. A condition that cannot be evaluated, a command that fails, an
// audit log that is full, a panic: each cancels. [Rules.Warnings] names the rules that
// approve by a broad pattern.
//
// # Concurrency
//
// All methods may be called at once. [Rules] never change, so that an edit of the file
// touches no session that runs. Each call of Next.Ask has a goroutine of its own, which
// [Frontend.Close] waits for. [Audit] writes one entry after the other.
//
// # When something blocks
//
//   - [Frontend.Ask] takes as long as the person whom a rule asks, or as the rule's command
//     within its time limit. The end of its context ends both.
//   - [Audit.Write] takes as long as the disk. A disk that hangs holds up answers, and the
//     agent's own time limits go on.
//   - OnDecision holds up the answer that it is told of.
//   - [Frontend.Close] takes as long as a next front end that ignores its context.
package policy
