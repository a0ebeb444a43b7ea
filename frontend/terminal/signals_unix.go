//go:build unix

package terminal

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// isTerminal reports whether v is one. It does not use Fd, which would make later
// reads impossible to interrupt.
func isTerminal(v any) bool {
	file, ok := v.(*os.File)
	if !ok {
		return false
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return false
	}
	is := false
	err = conn.Control(func(fd uintptr) {
		_, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
		is = err == nil
	})
	return err == nil && is
}

// notifySignals makes those signals arrive in f.signals that must not find the
// terminal as it is.
func (f *Frontend) notifySignals() {
	signal.Notify(f.signals, syscall.SIGTSTP, syscall.SIGCONT, syscall.SIGQUIT, syscall.SIGABRT)
}

// watch obeys them until the terminal has been given back.
func (f *Frontend) watch() {
	defer signal.Stop(f.signals)
	for {
		select {
		case <-f.done:
			return
		case got := <-f.signals:
			switch {
			case got == syscall.SIGTSTP && f.lent.now(): // the editor stops, too
				_ = f.stop(false) // if not, it goes on
			case got == syscall.SIGTSTP:
				f.push(stopMsg{})
			case f.lent.lately():
				// The end of our own stop, or a key that was meant for the editor.
			case got == syscall.SIGCONT:
				f.push(continuedMsg{})
			default:
				f.die(got.(syscall.Signal))
			}
		}
	}
}

// stop stops the process, or its whole group, until it is continued.
func (f *Frontend) stop(group bool) error {
	defer f.notifySignals() // stopProcess has undone that for SIGTSTP
	return stopProcess(f.ctx, group)
}

// stopTimeout is how soon a stop must have happened: the system does not tell that
// it has dropped the signal.
const stopTimeout = 500 * time.Millisecond

// stopProcess returns once the process has been stopped and continued, or
// errNoSuspend if nobody would continue it.
func stopProcess(ctx context.Context, group bool) error {
	// The system drops the signal if no member of the process group has its parent
	// in another group of the same session. Most often that is to be seen at once.
	parent := os.Getppid()
	if parent == 0 {
		return errNoSuspend
	}
	own, err := unix.Getsid(0)
	if theirs, parentErr := unix.Getsid(parent); err != nil || parentErr != nil || own != theirs {
		return errNoSuspend
	}
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	signal.Reset(syscall.SIGTSTP)
	if group {
		// This process gets it, too. It must be through the runtime before the stop: as
		// what is left over when the program goes on, it would be taken for a new one.
		own := make(chan os.Signal, 1)
		signal.Notify(own, syscall.SIGTSTP)
		_ = syscall.Kill(0, syscall.SIGTSTP) // one's own group can be signalled
		select {
		case <-own:
		case <-time.After(stopTimeout):
		}
		signal.Stop(own)
	}
	// The Go runtime never gives up a signal that it has once handled, so that
	// SIGTSTP would no longer stop this process. SIGTTOU does, by the same rules.
	if err := syscall.Kill(os.Getpid(), syscall.SIGTTOU); err != nil {
		return errNoSuspend
	}
	select {
	case <-continued:
		return nil
	case <-ctx.Done():
		return nil
	case <-time.After(stopTimeout):
	}
	// That time has also passed after a long stop. Its end is about to arrive.
	select {
	case <-continued:
		return nil
	case <-time.After(stopTimeout / 5):
		return errNoSuspend
	}
}

// die gives the terminal back and lets a signal do what it does by default. It does
// not wait long: such signals are for programs that hang.
func (f *Frontend) die(got syscall.Signal) {
	killed := make(chan struct{})
	go func() {
		defer close(killed)
		f.program.Kill()
		<-f.done // the title, too
	}()
	select {
	case <-killed:
	case <-time.After(time.Second):
	}
	signal.Reset(got)
	_ = syscall.Kill(os.Getpid(), got)
	time.Sleep(time.Second) // by then it has arrived
	os.Exit(128 + int(got))
}
