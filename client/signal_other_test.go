//go:build !unix

package client

import "os"

var terminateSignal = os.Interrupt
