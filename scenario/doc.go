// Package scenario plays one end of a conversation between a coding agent and its
// client from a file, and judges the other end.
//
//	s, err := scenario.Load("gate.yaml")
//	report := s.TestAgent(ctx, peer, nil) // we are the client
//	report := s.PlayAgent(ctx, peer, nil) // we are the agent
//	if !report.Passed() { … }
//
// A scenario reads like the conversation:
//
//	steps:
//	  - client: {prompt: /deploy}
//	  - agent: {select: Where to?, options: [staging, production]}
//	  - client: {answer: staging}
//	  - agent: {notify: /^Deployed to staging/}
//
// # Concepts
//
// A step says who speaks and what. The end that we play sends its steps; those of
// the other end are expected, in that order, and the first that does not come as
// written ends the scenario. So one file serves both ends. docs/scenarios.md is
// the manual of the format, [Schema] its JSON Schema.
//
// What is expected is a pattern: of an object only the members that it names are
// compared. What is sent must be plain, see [Scenario.CheckRole].
//
// A [Peer] is the other end as two streams. [StartProcess] makes one of a command
// line. A [Recorder] makes a scenario of a conversation that passes by.
//
// Nothing is approved by a scenario that does not say so: a dialog that neither a
// step nor a rule of the file answers fails the scenario and is cancelled.
//
// # Time
//
// Time passes as in the process. [InVirtualTime] runs a function in which it jumps
// to the next timer whenever all its goroutines wait, so that a dialog's timeout of
// thirty seconds is over at once.
//
// # Concurrency
//
// A Scenario does not change once it is parsed and may be played several times at
// once. Each play has one goroutine that reads, which ends when the peer's output
// does, and one that writes. A Recorder is used by any number of goroutines.
//
// # When something blocks
//
// A play waits for the peer, each time no longer than the step allows, and at the
// end for the end of the peer's output; [Peer].Stop is called where that does not
// come. A Stop that does not end that output is at fault.
package scenario
