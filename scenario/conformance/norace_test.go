//go:build !race

package conformance_test

const slowEngine = false
