package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"extui/client"
	"extui/protocol"
)

// blockSize is how much the events child prepares and writes at a time.
const blockSize = 1 << 20

// busyAgent is how fast a client reads an agent that streams a model's answer.
var busyAgent = figure{"busy-agent", "client reading events with UI records among them, beside a bare line splitter", measureBusy}

func measureBusy(ctx context.Context, b *bench) ([]Row, error) {
	size := b.size.eventBytes
	samples, err := turns(ctx, b.size.few(),
		contender{"client", func(ctx context.Context) (float64, error) { return readByClient(ctx, size) }},
		contender{"splitter", func(ctx context.Context) (float64, error) { return readBySplitter(ctx, size) }},
	)
	if err != nil {
		return nil, err
	}
	return []Row{{Unit: "MB/s", Measured: samples[0], Beside: []Beside{{"splitter", samples[1], atLeast(0.5)}}}}, nil
}

// rate is megabytes a second.
func rate(size int, d time.Duration) float64 { return float64(size) / 1e6 / d.Seconds() }

func readByClient(ctx context.Context, size int) (float64, error) {
	command, err := childCommand("events", size)
	if err != nil {
		return 0, err
	}
	var events atomic.Int64
	front := &counter{}
	var first time.Time
	c, err := client.Start(ctx, client.Command{Path: command[0], Args: command[1:], Stderr: os.Stderr}, &client.Options{
		Frontend: front, Dialect: client.Pi, Subscribe: func([]byte) {
			if events.Add(1) == 1 {
				first = time.Now()
			}
		}})
	if err != nil {
		return 0, err
	}
	<-c.Done()
	d := time.Since(first)
	if err := errors.Join(c.Err(), c.Close(ctx)); err != nil {
		return 0, fmt.Errorf("read events: %w", err)
	}
	wantEvents, wantUpdates := bytes.Count(eventBlock(), []byte(`{"type":"m`)), bytes.Count(eventBlock(), []byte(`{"type":"e`))
	if blocks := int64(size / blockSize); events.Load() != blocks*int64(wantEvents) || front.updates.Load() != blocks*int64(wantUpdates) {
		return 0, fmt.Errorf("read events: got %d events and %d updates of %d blocks", events.Load(), front.updates.Load(), blocks)
	}
	return rate(size, d), nil
}

// counter is a front end that counts updates.
type counter struct{ updates atomic.Int64 }

func (c *counter) Ask(context.Context, protocol.Dialog) (protocol.Answer, error) {
	return protocol.Cancelled{}, nil
}

func (c *counter) Show(protocol.Update) { c.updates.Add(1) }

// readBySplitter finds the line feeds and nothing else.
func readBySplitter(ctx context.Context, size int) (float64, error) {
	p, err := startLines(ctx, "events", size)
	if err != nil {
		return 0, err
	}
	defer p.close()
	var first time.Time
	for n := 0; ; n++ {
		_, err := p.out.ReadSlice('\n')
		if err == io.EOF {
			return rate(size, time.Since(first)), nil
		}
		if err != nil {
			return 0, fmt.Errorf("split events: %w", err)
		}
		if n == 0 {
			first = time.Now()
		}
	}
}

// eventBlock returns blockSize bytes of whole records: what an agent writes while
// a model answers, where each event repeats the message so far, and one update in
// about fifty records.
func eventBlock() []byte {
	block := make([]byte, 0, blockSize)
	for i := 0; ; i++ {
		var record []byte
		if i%50 == 7 {
			record = line(&protocol.SetStatus{ID: uuid(), Key: "build", Text: new(fmt.Sprintf("step %d", i))})
		} else {
			text := strings.Repeat("The build has finished without warnings. ", i*37%97)
			record = fmt.Appendf(nil, `{"type":"message_update","message":{"role":"assistant","content":[{"type":"text","text":"%s"}]},`+
				`"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":" word"}}`+"\n", text)
		}
		if len(block)+len(record) > blockSize-1024 {
			pad := blockSize - len(block) - len(`{"type":"message_end","pad":""}`+"\n")
			return fmt.Appendf(block, `{"type":"message_end","pad":"%s"}`+"\n", strings.Repeat("x", pad))
		}
		block = append(block, record...)
	}
}

// eventsChild writes as many bytes of events as its argument says, in whole blocks.
func eventsChild(args []string) error {
	n, err := oneNumber(args)
	if err != nil {
		return err
	}
	block := eventBlock()
	for range n / blockSize {
		if _, err := os.Stdout.Write(block); err != nil {
			return err
		}
	}
	return nil
}
