//go:build race

package conformance_test

// raceEnabled is true under the race detector, which makes the engine of scripts some
// twenty times slower.
const raceEnabled = true
