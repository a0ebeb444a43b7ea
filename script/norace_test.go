//go:build !race

package script

const slowEngine = false
