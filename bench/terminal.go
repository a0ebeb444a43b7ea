package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"extui/frontend/terminal"
)

// deltasPerSecond is how fast the text streams while keys are pressed.
const deltasPerSecond = 5000

// keyToFrame is how long the terminal UI takes from a key to the frame that shows
// it, while an agent streams text, beside the same without the stream.
var keyToFrame = figure{"key-to-frame", "terminal UI: from a key to its frame while 5,000 pieces of text a second stream, 99th percentile; beside it without the stream", measureKeys}

func measureKeys(ctx context.Context, b *bench) ([]Row, error) {
	n := max(5, b.size.trips/20)
	samples, err := turns(ctx, b.size.few(),
		contender{"streaming", func(ctx context.Context) (float64, error) { return pressKeys(ctx, n, deltasPerSecond) }},
		contender{"quiet", func(ctx context.Context) (float64, error) { return pressKeys(ctx, n, 0) }},
	)
	if err != nil {
		return nil, err
	}
	return []Row{{Unit: "ms", Measured: samples[0], Limit: atMost(50), Beside: []Beside{{Name: "quiet", Samples: samples[1]}}}}, nil
}

// pressKeys presses n keys one after the other and returns the 99th percentile of
// the milliseconds until each was drawn.
func pressKeys(ctx context.Context, n, deltas int) (float64, error) {
	in, keys := io.Pipe()
	defer keys.Close()
	frames := &frameWatcher{}
	ui := terminal.New(in, frames, &terminal.Options{Env: []string{"TERM=xterm-256color", "COLORTERM=truecolor"}})
	defer ui.Close()
	ctx, cancel := context.WithCancel(ctx)
	var stream sync.WaitGroup
	defer stream.Wait()
	defer cancel()
	if deltas > 0 {
		stream.Go(func() { streamText(ctx, ui, deltas) })
	}
	// Letters that the stream has not, each once until the line is cleared and then
	// in another column, so that one in a frame is the key just pressed.
	letters := []rune("БГДЖЗИЙЛПУФЦЧШЩЪЫЬЭЮЯ")
	var took []float64
	for i := range n {
		if i%len(letters) == 0 {
			if _, err := io.WriteString(keys, "\x15"); err != nil {
				return 0, fmt.Errorf("press a key: %w", err)
			}
		}
		letter := string(letters[(i+i/len(letters))%len(letters)])
		seen := frames.watch(letter)
		begin := time.Now()
		if _, err := io.WriteString(keys, letter); err != nil {
			return 0, fmt.Errorf("press a key: %w", err)
		}
		select {
		case at := <-seen:
			took = append(took, float64(at.Sub(begin))/float64(time.Millisecond))
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		if err := pause(ctx, time.Duration(5+i%13)*time.Millisecond); err != nil {
			return 0, err
		}
	}
	slices.Sort(took)
	return took[(len(took)-1)*99/100], nil
}

// pause waits, so that keys come at every moment of a frame.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// streamText shows Markdown in pieces until ctx ends.
func streamText(ctx context.Context, ui *terminal.Frontend, perSecond int) {
	text := "Some **bold** words and `code` of an answer, as a model writes it.\n\n- an item\n- another one\n\n```go\nfunc main() { println(1) }\n```\n\n## Heading\n\n"
	pieces := strings.SplitAfter(text, " ")
	const step = 2 * time.Millisecond
	ticker := time.NewTicker(step)
	defer ticker.Stop()
	sent, begin := 0, time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for due := int(time.Since(begin).Seconds() * float64(perSecond)); sent < due; sent++ {
			ui.Text(pieces[sent%len(pieces)])
		}
	}
}

// frameWatcher is a screen that tells when a text is written to it.
type frameWatcher struct {
	mu   sync.Mutex
	want []byte // nil: nothing
	seen chan time.Time
}

// watch returns a channel that gets the time at which text is written next.
func (f *frameWatcher) watch(text string) <-chan time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.want, f.seen = []byte(text), make(chan time.Time, 1)
	return f.seen
}

func (f *frameWatcher) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.want != nil && bytes.Contains(p, f.want) {
		f.seen <- time.Now()
		f.want = nil
	}
	return len(p), nil
}
