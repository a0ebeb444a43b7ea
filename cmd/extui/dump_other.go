//go:build !unix

package main

import (
	"os"
	"syscall"
)

// raise ends the process as a signal does.
func raise(s syscall.Signal) { os.Exit(128 + int(s)) }
