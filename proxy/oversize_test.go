package proxy

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/client"
	"extui/protocol"
)

// A record that is longer than may be is dropped and reported, and nothing else is: not a
// line before or behind it, nor the dialog that waits for it, which is cancelled.
func TestMaxRecord(t *testing.T) {
	for _, limit := range []int{1000, readSize, 3 * readSize} {
		for name, rules := range map[string]func(client.Frontend, func(protocol.Dialog)) client.Frontend{"no rules": nil, "rules": asking().Rules} {
			t.Run(fmt.Sprint(limit, name), func(t *testing.T) {
				opts := asIs
				opts.MaxRecord, opts.Rules = limit, rules
				e := start(t, opts)
				// pad makes a record one of n bytes.
				pad := func(record string, n int) string {
					record = strings.TrimSuffix(record, "}") + `,"pad":"`
					return record + strings.Repeat("x", n-len(record)-2) + `"}`
				}
				event := `{"type":"event"}`
				lines := []string{event, pad(event, limit), pad(event, limit) + "\r", pad(event, limit+1), pad(event, 7*limit),
					pad(confirm, limit+1), pad(strings.Replace(confirm, "d1", "d2", 1), 5*limit), event, strings.Replace(confirm, "d1", "d3", 1)}
				go e.agent(lines...)
				for _, want := range slices.Concat(lines[:3], lines[7:]) {
					if got := line(t, "the client", e.clientReads); got != want {
						t.Errorf("the client gets %d bytes %.60s, want %d bytes %.60s", len(got), got, len(want), want)
					}
				}
				cancels := []string{line(t, "the agent", e.agentReads), line(t, "the agent", e.agentReads)}
				if slices.Sort(cancels); cancels[0] != cancelled || cancels[1] != strings.Replace(cancelled, "d1", "d2", 1) {
					t.Errorf("the agent gets %q", cancels)
				}
				abort := `{"type":"abort"}`
				go e.client(abort, pad(abort, 3*limit), pad(strings.Replace(yes, "d1", "d3", 1), 3*limit), abort)
				e.agentGets(abort)
				e.agentGets(strings.Replace(cancelled, "d1", "d3", 1))
				e.agentGets(abort)
				if !e.reported(fmt.Sprintf("dropped a record of the agent of %d bytes", 7*limit)) || !e.reported("dropped a record of the client") {
					t.Errorf("it is reported: %.500q", e.reports)
				}
				e.ended()
			})
		}
	}
}

// A record in parts has the same limit.
func TestMaxRecordInParts(t *testing.T) {
	opts := asIs
	opts.Client, opts.MaxRecord = KnowsOhMyPi, 1000
	e := start(t, opts)
	e.agent(chunked("a", strings.TrimSuffix(confirm, "}")+`,"pad":"`+strings.Repeat("x", 1000)+`"}`, 4)...)
	e.agentGets(cancelled)
	go e.agent(chunked("b", confirm, 2)...)
	for _, want := range chunked("b", confirm, 2) {
		e.clientGets(want)
	}
	e.client(yes)
	e.agentGets(yes)
	e.ended()
}

// What is dropped is not kept, however long it is, and a stream may end within it.
func TestMaxRecordIsNotKept(t *testing.T) {
	const limit, size = 1 << 20, 64 << 20
	source := &sizes{Reader: io.MultiReader(io.LimitReader(endless{}, size), strings.NewReader("\nshort\n"), io.LimitReader(endless{}, size))}
	var got []string
	var long []int
	in := batches{r: source, limit: limit, long: func(_ []byte, size int) { long = append(long, size) }}
	if err := in.each(func(lines []byte) { got = append(got, string(lines)) }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []string{"short\n"}) || !slices.Equal(long, []int{size, size}) {
		t.Errorf("got %d batches, and dropped %v", len(got), long)
	}
	if most := slices.Max(source.asked); most > 2*limit {
		t.Errorf("%d bytes for a limit of %d", most, limit)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

// A timeout that no agent's timer can have does not switch --dialog-timeout off.
func TestAbsurdTimeout(t *testing.T) {
	for own, want := range map[string]string{"1e15": `"timeout":60000`, "1e99": `"timeout":60000`, "2147483648": `"timeout":60000`, "2147483647": `"timeout":2147483647`} {
		t.Run(own, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opts := asIs
				opts.DialogTimeout = time.Minute
				e := start(t, opts)
				e.agent(strings.TrimSuffix(confirm, "}") + `,"timeout":` + own + `}`)
				if got := line(t, "the client", e.clientReads); !strings.Contains(got, want) {
					t.Errorf("the client gets %s, want %s", got, want)
				}
				if own != "2147483647" {
					e.agentGets(timedOut)
				}
				e.ended()
			})
		})
	}
}
