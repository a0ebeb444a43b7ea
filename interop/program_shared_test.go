package interop_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

// programFolder holds the program once a test has asked for it.
var programFolder string

// buildOnce builds extui for all tests that run it.
var buildOnce = sync.OnceValues(func() (string, error) {
	program := filepath.Join(programFolder, "extui")
	if out, err := exec.Command("go", "build", "-o", program, moduleRoot+"/cmd/extui").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return program, nil
})

// buildProgram returns the path of extui.
func buildProgram(t *testing.T) string {
	t.Helper()
	program, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func TestMain(m *testing.M) {
	var err error
	if programFolder, err = os.MkdirTemp("", "interop"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(programFolder) // what is left of a test is no reason to fail it
		os.Exit(code)
	}))
}
