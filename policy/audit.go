package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"extui/protocol"
)

// AuditOptions are the choices of [OpenAudit]. The zero value is ready to use.
type AuditOptions struct {
	// MaxBytes is how large the file may become before it is put aside. 0: 16 MiB. An
	// entry that is larger has a file of its own.
	MaxBytes int64
	// Keep is how many files that were put aside are kept: NAME.1 is the newest. 0: 9.
	Keep int
	// Policy is the path of the policy file, which is refused as the log. "": none is.
	Policy string
}

const (
	defaultAuditBytes = 16 << 20
	defaultAuditKeep  = 9
)

// ErrAudit is matched by the errors of an audit log that could not be written.
var ErrAudit = errors.New("audit log")

// Audit is a log of decisions: one JSON object a line, in a file that only its owner may
// read. Several goroutines may use it at once, and several processes may write to the
// same file as long as one of them at most puts files aside.
type Audit struct {
	path string
	opts AuditOptions

	mu     sync.Mutex
	closed bool     // Close was called
	file   *os.File // nil if it is closed, or could not be opened after it was put aside
	size   int64    // of file, as far as this process knows
	torn   bool     // the last line may lack its end
}

// OpenAudit opens the log at path, and creates it if it is not there. opts may be nil.
// A log that others may read becomes its owner's alone (mode 0600). What is no regular
// file is refused: a pipe, a device, a symbolic link; and so is the policy file.
// Errors match [ErrAudit].
func OpenAudit(path string, opts *AuditOptions) (*Audit, error) {
	a := &Audit{path: path}
	if opts != nil {
		a.opts = *opts
	}
	if a.opts.MaxBytes == 0 {
		a.opts.MaxBytes = defaultAuditBytes
	}
	if a.opts.Keep == 0 {
		a.opts.Keep = defaultAuditKeep
	}
	if a.opts.MaxBytes < 0 || a.opts.Keep < 0 {
		return nil, fmt.Errorf("%w %s: MaxBytes %d, Keep %d: they cannot be negative", ErrAudit, path, a.opts.MaxBytes, a.opts.Keep)
	}
	if err := a.open(); err != nil {
		return nil, err
	}
	return a, nil
}

// open opens the file. a.mu is held, or nobody else has a yet.
func (a *Audit) open() error {
	// Before it is opened: to open a pipe may block, and to open a device may do anything.
	if info, err := os.Lstat(a.path); err == nil {
		if err := a.suits(info); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrAudit, err)
	}
	file, err := os.OpenFile(a.path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAudit, err)
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(fmt.Errorf("%w: %w", ErrAudit, err), file.Close())
	}
	// Somebody may have put another one there meanwhile, or a link to one.
	if err := a.suits(info); err != nil {
		return errors.Join(err, file.Close())
	}
	if named, err := os.Lstat(a.path); err != nil {
		return errors.Join(fmt.Errorf("%w: %w", ErrAudit, err), file.Close())
	} else if !os.SameFile(info, named) {
		return errors.Join(fmt.Errorf("%w %s: another file was put there as it was opened", ErrAudit, a.path), file.Close())
	}
	// Windows has no such bits.
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		if err := file.Chmod(0o600); err != nil {
			return errors.Join(fmt.Errorf("%w: keep others from reading it: %w", ErrAudit, err), file.Close())
		}
	}
	a.file, a.size, a.torn = file, info.Size(), false
	if a.size > 0 {
		last := []byte{'\n'}
		if _, err := file.ReadAt(last, a.size-1); err == nil {
			a.torn = last[0] != '\n' // a crash, or a full disk
		}
		return nil
	}
	return a.syncFolder()
}

// suits refuses what keeps no entries, or would be spoilt by them.
func (a *Audit) suits(info fs.FileInfo) error {
	kind := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
	case mode.IsDir():
		kind = "a folder"
	case mode&fs.ModeSymlink != 0:
		kind = "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	default:
		kind = "something else"
	}
	if kind != "" {
		return fmt.Errorf("%w %s: it is %s, and entries are kept in a regular file only", ErrAudit, a.path, kind)
	}
	if a.opts.Policy == "" {
		return nil
	}
	if policy, err := os.Stat(a.opts.Policy); err == nil && os.SameFile(policy, info) {
		return fmt.Errorf("%w %s: it is the policy file itself", ErrAudit, a.path)
	}
	return nil
}

// syncFolder makes the names of new files last.
func (a *Audit) syncFolder() error {
	if err := syncDir(filepath.Dir(a.path)); err != nil {
		return fmt.Errorf("%w: folder of %s: %w", ErrAudit, a.path, err)
	}
	return nil
}

// Write appends one decision and returns once it is on the disk. It blocks as long as that
// takes. After an error, which matches [ErrAudit], the decision counts as not logged; a
// later call may succeed.
func (a *Audit) Write(d Decision) error {
	line, err := appendDecision(nil, d)
	if err != nil {
		return fmt.Errorf("%w %s: %w", ErrAudit, a.path, err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return fmt.Errorf("%w %s: %w", ErrAudit, a.path, os.ErrClosed)
	}
	if a.file == nil {
		if err := a.open(); err != nil {
			return err
		}
	}
	if err := a.prepare(int64(len(line))); err != nil {
		return err
	}
	if a.torn {
		line = append([]byte{'\n'}, line...)
	}
	n, err := a.file.Write(line)
	a.size += int64(n)
	if err != nil {
		a.torn = a.torn && n == 0 || n > 0
		return fmt.Errorf("%w: %w", ErrAudit, err)
	}
	a.torn = false
	if err := a.file.Sync(); err != nil {
		return fmt.Errorf("%w: %w", ErrAudit, err)
	}
	return nil
}

// prepare makes sure that the file is still the one of that name, and puts it aside if n
// bytes more would make it too large.
func (a *Audit) prepare(n int64) error {
	ours, err := a.file.Stat()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAudit, err)
	}
	named, err := os.Lstat(a.path) // a link to ours is not ours
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrAudit, err)
	}
	aside := err != nil || !os.SameFile(ours, named) // by somebody else
	a.size = ours.Size()                             // other processes write, too
	if !aside && (a.size == 0 || a.size+n <= a.opts.MaxBytes) {
		return nil
	}
	// Before it is renamed, for Windows. All that was written to it has been synced.
	_ = a.file.Close()
	a.file = nil
	if !aside {
		if err := a.rotate(); err != nil {
			return err
		}
	}
	return a.open()
}

// rotate renames NAME to NAME.1, NAME.1 to NAME.2 and so on; the last one is lost.
func (a *Audit) rotate() error {
	for i := a.opts.Keep; i > 0; i-- {
		from := a.path
		if i > 1 {
			from += "." + strconv.Itoa(i-1)
		}
		err := os.Rename(from, a.path+"."+strconv.Itoa(i))
		if err != nil && !(errors.Is(err, fs.ErrNotExist) && i > 1) {
			return fmt.Errorf("%w: put aside: %w", ErrAudit, err)
		}
	}
	return nil
}

// Close closes the log. Writing to it fails from then on. It may be called again.
func (a *Audit) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	if a.file == nil {
		return nil
	}
	err := a.file.Close()
	a.file = nil
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAudit, err)
	}
	return nil
}

// appendAsked appends the request of a decision. One that nobody is asked may be one that
// cannot be written again: then it is what says which one it was.
func appendAsked(dst []byte, d *Decision) ([]byte, error) {
	start := len(dst)
	dst, err := protocol.AppendRequest(dst, d.Request)
	if err == nil || !d.Unasked {
		return dst, err
	}
	dst = append(dst[:start], `{"type":"extension_ui_request"`...)
	if id := d.Request.RequestID(); !id.IsZero() {
		dst = id.AppendJSON(append(dst, `,"id":`...))
	}
	dst = append(dst, `,"method":`...)
	dst = protocol.AppendString(dst, string(d.Request.Method()))
	if dialog, ok := d.Request.(protocol.Dialog); ok {
		dst = append(dst, `,"title":`...)
		dst = protocol.AppendString(dst, dialog.DialogTitle())
	}
	return append(dst, '}'), nil
}

// appendDecision appends a decision as one line of JSON.
func appendDecision(dst []byte, d Decision) ([]byte, error) {
	start := len(dst)
	dst = append(dst, `{"time":`...)
	dst = protocol.AppendString(dst, d.Time.UTC().Format(time.RFC3339Nano))
	dst = append(dst, `,"session":`...)
	dst = protocol.AppendString(dst, d.Session)
	dst = append(dst, `,"request":`...)
	dst, err := appendAsked(dst, &d)
	if err != nil {
		return nil, err
	}
	if d.Rule != "" {
		dst = append(dst, `,"rule":`...)
		dst = protocol.AppendString(dst, d.Rule)
		dst = append(dst, `,"line":`...)
		dst = strconv.AppendInt(dst, int64(d.Line), 10)
	}
	dst = append(dst, `,"outcome":`...)
	dst = protocol.AppendString(dst, string(d.Outcome))
	if d.Answer != nil {
		response, err := d.response()
		if err != nil {
			return nil, err
		}
		dst = append(dst, `,"answer":`...)
		dst = protocol.AppendResponse(dst, response)
	}
	dst = append(dst, `,"who":`...)
	dst = protocol.AppendString(dst, string(d.Who))
	if d.Why != "" {
		dst = append(dst, `,"why":`...)
		dst = protocol.AppendString(dst, d.Why)
	}
	dst = append(dst, '}', '\n')
	// An agent's broken bytes would keep readers from all that is in the line.
	return append(dst[:start], bytes.ToValidUTF8(dst[start:], []byte("\ufffd"))...), nil
}
