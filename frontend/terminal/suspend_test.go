package terminal

import (
	"context"
	"io"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// A stop or an editor that is over at once gives the renderer time to end before it
// is started again: a screen that is taken over too soon is never drawn again.
func TestTerminalIsGivenBackForAMoment(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	for name, run := range map[string]func(context.Context) error{
		"stop": func(context.Context) error {
			return (&aside{run: func() error { return errNoSuspend }, out: io.Discard}).Run()
		},
		"editor": func(ctx context.Context) error { return (&editorRun{ctx: ctx, command: []string{none}}).Run() },
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			if err := run(t.Context()); err == nil {
				t.Errorf("%s: no error", name)
			}
			if took := time.Since(began); took < settling {
				t.Errorf("%s: given back for %v, want %v", name, took, settling)
			}
		})
	}
}
