package policy

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"extui/client"
	"extui/protocol"
)

const approveTests = `rules: [{when: {title: "Delete?"}, ask: true}, {when: {title: "Slow?"}, run: [decide]}, {when: {title: "Run tests?"}, confirmed: true}]`

// A dialog with the id of one that is open is approved by no rule: the agent could take
// the answer for that one's.
func TestSameIDIsNotApproved(t *testing.T) {
	for name, test := range map[string]struct {
		first string
		ends  error // of the first one, as the second comes; nil: it stays open
		want  protocol.Answer
	}{
		"before a person":            {"Delete?", nil, protocol.Cancelled{}},
		"with a command":             {"Slow?", nil, protocol.Cancelled{}},
		"replaced before a person":   {"Delete?", client.ErrReplaced, protocol.Cancelled{}},
		"replaced during a command":  {"Slow?", client.ErrReplaced, protocol.Cancelled{}},
		"its time is up":             {"Delete?", client.ErrExpired, protocol.Confirmed(true)},
		"time of a command is up":    {"Slow?", client.ErrExpired, protocol.Confirmed(true)},
		"taken back before a person": {"Delete?", client.ErrTakenBack, protocol.Confirmed(true)},
	} {
		for _, settled := range []bool{true, false} { // whether the first has returned
			if !settled && test.ends == nil {
				continue
			}
			synctest.Test(t, func(t *testing.T) {
				var log decisions
				f := New(mustParse(t, approveTests), &Options{Next: &person{}, OnDecision: log.add})
				gate := make(chan bool)
				f.run = func(ctx context.Context, _, _ []string, _ []byte) ([]byte, error) {
					<-ctx.Done()
					<-gate
					return nil, ctx.Err()
				}
				ctx, cancel := context.WithCancelCause(t.Context())
				go func() { _, _ = f.Ask(ctx, confirm(test.first, "")) }()
				synctest.Wait()
				if settled {
					close(gate)
				}
				if test.ends != nil {
					cancel(test.ends)
				}
				synctest.Wait()
				a, err := f.Ask(t.Context(), confirm("Run tests?", ""))
				d := log.last(t)
				if a != test.want || err != nil || a == (protocol.Cancelled{}) && (d.Outcome != Failed || !strings.Contains(d.Why, "another dialog with its id, c, was open")) {
					t.Errorf("%s, settled %v: %#v, %v; %s: %s", name, settled, a, err, d.Outcome, d.Why)
				}
				if !settled {
					close(gate)
				}
				cancel(context.Canceled)
				synctest.Wait()
				// It is over, and the id free again.
				if a, _ := f.Ask(t.Context(), confirm("Run tests?", "")); a != protocol.Confirmed(true) {
					t.Errorf("%s, settled %v: afterwards %#v", name, settled, a)
				}
				if len(f.asked) != 0 {
					t.Errorf("%s, settled %v: still %d asked", name, settled, len(f.asked))
				}
			})
		}
	}
}

// Through a client, whichever of the two calls of Ask begins first.
func TestSameIDThroughAClient(t *testing.T) {
	for _, test := range [][2]string{ // the title of the first dialog, and the id of the second
		{"Delete?", `"1"`}, {"Slow?", `"1"`}, {"Other?", `"1"`}, {"Run tests?", `"1"`}, {"Delete?", "1"}, {"Slow?", "1.0"},
	} {
		title, id := test[0], test[1]
		synctest.Test(t, func(t *testing.T) {
			var log decisions
			hold := make(chan bool)
			f := New(mustParse(t, approveTests), &Options{Next: &person{}, OnDecision: log.add})
			f.run = func(ctx context.Context, _, _ []string, _ []byte) ([]byte, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			outR, outW := io.Pipe()
			inR, inW := io.Pipe()
			sent := make(chan string, 1)
			go func() {
				all, _ := io.ReadAll(inR)
				sent <- string(all)
			}()
			c := client.Attach(outR, inW, &client.Options{Frontend: holding{f, hold}, Dialect: client.Pi})
			for _, d := range [][2]string{{`"1"`, title}, {id, "Run tests?"}} {
				_, _ = io.WriteString(outW, `{"type":"extension_ui_request","id":`+d[0]+`,"method":"confirm","title":"`+d[1]+`"}`+"\n")
			}
			synctest.Wait()
			close(hold)
			synctest.Wait()
			outW.Close()
			if err := c.Close(t.Context()); err != nil && !errors.Is(err, client.ErrAgentGone) {
				t.Fatal(err)
			}
			inW.Close()
			const cancelled = `{"type":"extension_ui_response","id":"1","cancelled":true}` + "\n"
			want := []string{cancelled}
			if id != `"1"` { // An agent that tells the two apart waits for both, in any order.
				want = []string{cancelled, strings.Replace(cancelled, `"1"`, id, 1)}
			}
			if got := strings.SplitAfter(strings.TrimSuffix(<-sent, "\n")+"\n", "\n"); !slices.Equal(slices.Sorted(slices.Values(got[:len(got)-1])), want) {
				t.Errorf("after %s, %s: sent %q, want %q", title, id, got, want)
			}
			if err := f.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// holding keeps the first dialog from its rules until another one has been asked.
type holding struct {
	*Frontend
	until chan bool
}

func (h holding) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	if !client.Replaces(ctx) {
		<-h.until
	}
	return h.Frontend.Ask(ctx, d)
}
