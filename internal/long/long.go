// Package long keeps tests that take many seconds out of a plain go test, which has
// to stay something that people run often:
//
//	func TestEverything(t *testing.T) {
//		long.Test(t)
//
// scripts/test runs them all.
package long

import (
	"os"
	"testing"
)

// Variable names the environment variable that has the long tests run. Its one
// meaningful value is "1".
const Variable = "EXTUI_TEST_ALL"

// Wanted says whether the long tests are to run.
func Wanted() bool { return os.Getenv(Variable) == "1" }

// Test skips a test that takes many seconds, and says so, unless all are wanted.
func Test(t testing.TB) {
	t.Helper()
	if !Wanted() {
		t.Skipf("NOT TESTED, this takes long; set %s=1", Variable)
	}
}
