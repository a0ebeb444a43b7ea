// Package conformance holds agents and clients of the RPC extension UI protocol to
// written rules.
//
//	report, err := conformance.CheckAgent(ctx, conformance.AgentCommand(argv, env, probe), nil)
//	report.WriteTable(os.Stdout, nil)
//	if !report.Conforms(false) { … }
//
// # Concepts
//
// A rule is one scenario file of the folder agent or client, whose head says what it
// judges, how much it binds and where it comes from; see [scenario.Rule]. Its id is
// the file's name and never changes its meaning. Each rule is played with a process of
// its own, several at once.
//
// An agent under test loads the probe, an extension that makes any call on ctx.ui that
// a rule asks for and tells what came of it: [Probe]. Before the rules it is started
// once to find out what it can do, see [Features]; a rule that needs more is not judged.
//
// A client under test starts an agent from its PATH, under any of the names of
// [AgentNames], and gets this program, which plays the agent of the rule. What a person
// would choose stands in the variable EXTUI_CHOICES; docs/scenarios.md lists the kinds.
// What the rule needs stands in EXTUI_NEEDS, names with commas between; a client that
// cannot do it exits with [NotJudged]. When its agent has ended, the client is to leave.
//
// A [Known] list says how an implementation deviates, and why that is so. What it lists
// does not count as a failure; what it lists and is no longer so does.
//
// # Concurrency
//
// Everything may be used from several goroutines, but for a [Report], which is the
// caller's own once it is returned.
//
// # When something blocks
//
// A check waits for the processes under test, for each step no longer than the rule
// allows and for a rule no longer than [Options].Limit; then they are killed with all
// that they have started in their process group. An end that still goes on after its
// process was killed is at fault.
package conformance
