package proxy

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A client that reads nothing holds up the agent's output and nothing else: its
// answers pass, and dialogs end in time.
func TestClientThatDoesNotRead(t *testing.T) {
	for name, opts := range map[string]Options{"no rules": asIs, "rules": asking()} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opts.DialogTimeout = time.Minute
				e := start(t, opts)
				e.agent(confirm)
				go e.agent(`{"type":"flood"}`)
				e.client(`{"type":"abort"}`)
				e.agentGets(`{"type":"abort"}`)
				began := time.Now()
				e.agentGets(timedOut)
				if after := time.Since(began); after != time.Minute {
					t.Errorf("cancelled after %v, want 1m", after)
				}
				e.clientGets(strings.TrimSuffix(confirm, "}") + `,"timeout":60000}`)
				e.clientGets(`{"type":"flood"}`)
				e.client(yes, `{"type":"last"}`)
				e.agentGets(`{"type":"last"}`)
				e.ended()
			})
		})
	}
}

// An agent that reads nothing while it has something to say is listened to.
func TestAgentThatDoesNotRead(t *testing.T) {
	const n = 20_000 // more cancellations than wait anywhere
	e := start(t, asIs)
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, `{"type":"extension_ui_request","id":"d%d","method":"pick_color"}`+"\n", i)
	}
	io.WriteString(e.agentSays, all.String())
	go e.agent(`{"type":"after"}`)
	e.clientGets(`{"type":"after"}`)
	seen := map[string]bool{}
	for range n {
		seen[id(t, line(t, "the agent", e.agentReads))] = true
	}
	if len(seen) != n {
		t.Errorf("%d dialogs are cancelled, want %d", len(seen), n)
	}
	e.ended()
}

// What a client has said before it closes its side reaches an agent that takes its
// time to read it.
func TestSlowAgentReadsAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := start(t, asIs)
		long := `{"type":"prompt","message":"` + strings.Repeat("x", 1<<20) + `"}`
		e.client(long)
		e.clientSays.Close()
		time.Sleep(time.Hour)
		if got := line(t, "the agent", e.agentReads); got != long {
			t.Errorf("the agent gets %d bytes, want %d", len(got), len(long))
		}
		e.ended()
	})
}

// The context of Run gives an agent that does not read two seconds.
func TestStopWithDeafAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := start(t, asIs)
		go e.client(`{"type":"prompt","message":"`+strings.Repeat("x", 3<<20)+`"}`, `{"type":"abort"}`)
		e.agent(confirm)
		e.clientGets(confirm)
		synctest.Wait()
		began := time.Now()
		e.stop()
		e.agentSays.Close()
		<-e.result
		if after := time.Since(began); after > 2*time.Second {
			t.Errorf("Run has ended after %v", after)
		}
	})
}

// 10,000 dialogs may be open, and be answered in any order.
func TestManyDialogs(t *testing.T) {
	n := 10_000
	if raceEnabled {
		n = 2000
	}
	for name, opts := range map[string]Options{"no rules": asIs, "rules": asking()} {
		t.Run(name, func(t *testing.T) {
			e := start(t, opts)
			numbered := func(s string, i int) string { return strings.Replace(s, "d1", fmt.Sprint("d", i), 1) }
			go func() {
				for i := range n {
					e.agent(numbered(confirm, i))
				}
			}()
			for i := range n {
				e.clientGets(numbered(confirm, i))
			}
			go func() {
				for i := range n {
					e.client(numbered(yes, n-1-i))
				}
			}()
			for i := range n {
				e.agentGets(numbered(yes, n-1-i))
			}
			e.ended()
		})
	}
}

// The agent may go while dialogs are open, and the client while it answers one.
func TestAgentEndsWithOpenDialogs(t *testing.T) {
	for name, opts := range map[string]Options{"no rules": asIs, "rules": asking()} {
		t.Run(name, func(t *testing.T) {
			e := start(t, opts)
			e.agent(confirm)
			e.clientGets(confirm)
			if err := e.ended(); err != nil {
				t.Error(err)
			}
			if rest, _ := io.ReadAll(e.agentReads); len(rest) > 0 {
				t.Errorf("the agent gets %q after its end", rest)
			}
			if rest, _ := io.ReadAll(e.clientReads); len(rest) > 0 {
				t.Errorf("the client gets %q after the agent's end", rest)
			}
		})
	}
}

// A long line is one line, and its memory is given back.
func TestLongLine(t *testing.T) {
	size := 20 << 20
	if raceEnabled {
		size = 4 << 20 // the race detector shadows every byte several times
	}
	long := append(bytes.Repeat([]byte("x"), size), '\n')
	source := &sizes{Reader: io.MultiReader(bytes.NewReader(long), strings.NewReader("short\n"), strings.NewReader("and\nmore\n"))}
	var got []int
	in := batches{r: source}
	if err := in.each(func(lines []byte) { got = append(got, len(lines)) }); err != nil {
		t.Fatal(err)
	}
	if sum := size + 1 + 15; got[0] != size+1 || got[0]+got[1]+got[2] != sum {
		t.Errorf("got batches of %v bytes", got)
	}
	if last := source.asked[len(source.asked)-1]; last > readSize {
		t.Errorf("a short line is read into %d bytes, want %d", last, readSize)
	}
	if most := slices.Max(source.asked); most > 2*size {
		t.Errorf("%d bytes for a line of %d", most, size)
	}
}

// sizes notes how much is asked for.
type sizes struct {
	io.Reader
	asked []int
}

func (s *sizes) Read(b []byte) (int, error) {
	s.asked = append(s.asked, len(b))
	return s.Reader.Read(b)
}
