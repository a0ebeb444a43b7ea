// Package script runs the TypeScript and JavaScript extensions of pi and Atomic as
// they are, without Node.js: esbuild bundles the files, QuickJS executes them, and
// what they ask of the system is done by Go.
//
//	loader := script.NewLoader(nil)
//	defer loader.Close()
//	extensions, err := loader.Load("my-extension.ts")
//	…
//	host := extension.NewHost(extensions...)
//	loader.Bind(host)
//	err = agent.New(host, nil).Serve(ctx, os.Stdin, os.Stdout)
//
// # What an extension finds
//
// pi and ctx with every member; those that need a model or a terminal say so when they
// are used. The modules path, url, os, fs, fs/promises, child_process, crypto, util,
// events, buffer, timers, process, stream, readline, assert, string_decoder, querystring,
// perf_hooks, zlib and module of Node.js, and its globals. For the packages
// @earendil-works/pi-coding-agent, pi-tui, pi-ai and pi-agent-core (their older
// names in @mariozechner too) and typebox it gets small versions of our own, also
// where the real ones are installed beside it: pi gives its own as well, and the
// real ones would need a terminal, a model and many megabytes. All other imports are
// files and packages beside the extension, or an error that names them.
//
// # Rights
//
// An extension has all rights of the user who loads it, as in pi. The limits on memory
// and time are there for mistakes, not for malice.
//
// # Sessions
//
// An engine lasts as long as its [Loader], unless [Loader.Rebundle] makes it outdated:
// as in pi, modules are loaded once and their variables survive new_session, while
// the function that an extension exports runs anew for each session, with a new pi.
//
// # Concurrency
//
// Each extension has a virtual machine of its own, and one goroutine that owns it: its
// event loop. JavaScript of one extension never runs twice at once and never waits
// for that of another. What waits in Go for JavaScript, such as a command's handler,
// waits until the JavaScript has ended or its context has, plus half a second for it to
// tidy up.
//
// Who is at fault when something blocks: JavaScript that runs for longer than
// [Limits] allow is interrupted and reported with its file and line, and only the
// handlers of the same extension have waited. While a client does not read, an
// extension that sends it something stands still; that is not counted.
package script
