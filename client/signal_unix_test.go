//go:build unix

package client

import "syscall"

const terminateSignal = syscall.SIGTERM
