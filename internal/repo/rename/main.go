// Command rename gives the module another path; scripts/rename runs it. It takes the new path
// as its only argument and works on the module that the current directory belongs to. The
// rewriting itself, and what it leaves alone, is repo.Rename.
package main

import (
	"fmt"
	"io"
	"os"

	"extui/internal/repo"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run returns the exit code: 0 done, 1 failed, 2 called wrongly.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) != 1 {
		fmt.Fprintln(stderr, "usage: scripts/rename NEWPATH, for instance scripts/rename example.org/some/thing")
		return 2
	}
	root, err := repo.Root(".")
	if err == nil {
		var changed []string
		changed, err = repo.Rename(root, args[0])
		for _, name := range changed {
			fmt.Fprintln(stdout, name)
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, "rename:", err)
		return 1
	}
	return 0
}
