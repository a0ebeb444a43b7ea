//go:build race

package script

import "extui/internal/long"

// slowEngine says that the race detector watches the engine too, which makes QuickJS, a
// large program of small steps, a hundred times slower: tests then do less of the same.
// scripts/test runs all tests and leaves the engine out of it.
var slowEngine = !long.Wanted()
