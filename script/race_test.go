//go:build race

package script

// raceEnabled is true under the race detector, which makes QuickJS, a large program of
// small steps, some twenty times slower: tests then do less of the same.
const raceEnabled = true
