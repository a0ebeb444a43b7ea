//go:build race

package conformance_test

import "extui/internal/long"

// slowEngine says that the race detector watches the engine of scripts too, which makes it a
// hundred times slower. scripts/test runs all tests and leaves the engine out of it.
var slowEngine = !long.Wanted()
