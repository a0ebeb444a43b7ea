// Package questionnaire is the tool ask_user_question: a model asks a person one
// to four questions at once and gets the answers as a whole.
//
//	tool := questionnaire.Tool{UI: ui}
//	result := tool.Run(ctx, input)   // input: {"questions":[…]} as the model wrote it
//	fmt.Println(result.Text)         // what the model reads
//
// Run checks the questions ([Parse], [Validate]), sends one "questionnaire"
// request to a client that has turned the capability on, and says in the result
// what came of it. The outcomes are told apart, because a model acts differently
// on each: answered, partly answered, left unanswered, declined, wants to talk,
// or not asked at all and why.
//
// A client that has not opted in makes the call fail at once, as Atomic's
// document says. [Walk] is the way round it: the same questions as plain select,
// input and editor dialogs, one after the other. Anything that can ask a dialog
// is enough for it, the agent's UI as well as a client's front end.
//
// # Concurrency
//
// [Tool.Run] and [Walk] block until the person is done or their context ends.
// They keep no state, so any number may run at once; several questionnaires on one
// screen are the front end's to queue.
package questionnaire
