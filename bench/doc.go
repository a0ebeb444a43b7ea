// Bench measures how fast extui is, each figure beside what bounds it, in one
// run of one program:
//
//	go run ./bench                  # all figures, within a minute
//	go run ./bench --only round     # those whose name begins so
//	go run ./bench --quick --json   # smaller sizes, every sample
//
// docs/performance.md says how to read the table. Nothing has to be built or
// installed first: the program starts itself again as the processes that it
// needs. The real pi agent is measured too if interop/install has been run.
//
// # Figures and floors
//
// An absolute time says more about the machine than about the code, so most
// figures are ratios. The floor of a figure is a process that sends the same
// bytes at the same points of the conversation and does nothing else: it parses
// nothing, encodes nothing and keeps no state but a count of line feeds. The
// client at the other end is the same code in this same process, so whatever the
// client and the pipes cost is on both sides, and the ratio is the agent's doing.
// Where the client is measured, its floor is a loop that only finds line feeds.
//
// Rounds of the figure and of its floor alternate (ABABAB), so that a machine
// that gets slower meanwhile slows both down. The table shows medians, and the
// lowest and highest ratio of a round and the floor's round beside it: where these
// are far apart the machine was busy with something else.
//
// # Adding a figure
//
// One file with a value of type figure, entered in the list in figures.go. A
// process that it needs is a function in the list in child.go.
package main
