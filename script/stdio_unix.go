//go:build !windows

package script

import (
	"fmt"
	"net"
	"os"
	"syscall"
)

// socketPair makes a stream that goes both ways: our end, and that of a child.
func socketPair() (ours *net.UnixConn, theirs *os.File, err error) {
	syscall.ForkLock.RLock()
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(ends[0])
		syscall.CloseOnExec(ends[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	theirs = os.NewFile(uintptr(ends[1]), "stream of a child")
	mine := os.NewFile(uintptr(ends[0]), "stream of a child")
	conn, err := net.FileConn(mine)
	_ = mine.Close() // conn has its own
	if err != nil {
		_ = theirs.Close()
		return nil, nil, err
	}
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		_, _ = theirs.Close(), conn.Close()
		return nil, nil, fmt.Errorf("open a stream to a child: it is a %T", conn)
	}
	return unix, theirs, nil
}
