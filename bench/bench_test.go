package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"extui/client"
	"extui/internal/long"

	"go.uber.org/goleak"
)

// tiny is enough to see that a figure works.
var tiny = sizes{rounds: 1, trips: 5, open: 20, crowd: 20, notes: 50, eventBytes: 1 << 20, starts: 1}

func TestMain(m *testing.M) {
	if name, args, ok := childArgs(os.Args); ok {
		os.Exit(runChild(name, args))
	}
	// A process built with the race detector sleeps for a second before it exits.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	goleak.VerifyTestMain(m)
}

// Every figure yields positive numbers, as many as there are rounds, and nothing
// is judged by the time that it took.
func TestFigures(t *testing.T) {
	command, err := childCommand("agent")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range figures() {
		t.Run(f.name, func(t *testing.T) {
			if strings.HasPrefix(f.name, "proxy") {
				long.Test(t) // it builds the program
			}
			b := &bench{size: tiny, dir: t.TempDir(), progress: io.Discard}
			measure := f.measure
			if f.name == startDemo.name || f.name == startScript.name {
				// Building the program takes longer than all else.
				measure = func(ctx context.Context, b *bench) ([]Row, error) {
					return b.measureStartOf(ctx, client.Command{Path: command[0], Args: command[1:]})
				}
			}
			rows, err := measure(t.Context(), b)
			if err != nil || len(rows) == 0 {
				t.Fatalf("%d rows, %v", len(rows), err)
			}
			for _, row := range rows {
				all := []Beside{{Name: "measured", Samples: row.Measured}}
				for _, s := range append(all, row.Beside...) {
					if len(s.Samples) != tiny.rounds {
						t.Errorf("%s: %d samples of %d rounds", s.Name, len(s.Samples), tiny.rounds)
					}
					for _, v := range s.Samples {
						if v <= 0 {
							t.Errorf("%s: %v %s", s.Name, v, row.Unit)
						}
					}
				}
			}
		})
	}
}

// A floor must send what the agent sends: as many records, of the same lengths.
func TestFloorsSendTheSameBytes(t *testing.T) {
	conversation := func(name string, args ...any) (lengths []int) {
		p, err := startLines(t.Context(), name, args...)
		if err != nil {
			t.Fatal(err)
		}
		defer p.close()
		if _, err := io.WriteString(p.in, `{"type":"prompt","message":"/notify 3"}`+"\n"); err != nil {
			t.Fatal(err)
		}
		for {
			line, err := p.out.ReadSlice('\n')
			if err != nil {
				t.Fatal(err)
			}
			lengths = append(lengths, len(line))
			if bytes.Contains(line, []byte(doneTitle)) {
				return lengths
			}
		}
	}
	floor := conversation("flood", 3)
	for _, name := range []string{goAgent, tsAgent} {
		if agent := conversation(name); len(agent) != 4 || !equal(agent, floor) {
			t.Errorf("%s sends records of %v bytes, the floor of %v", name, agent, floor)
		}
	}
}

func equal(a, b []int) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

func TestReplay(t *testing.T) {
	steps := []step{{1, []byte("a")}, {2, []byte("b")}}
	for in, want := range map[string]string{
		"":                 "",
		"1":                "",
		"1\n":              "a",
		"1\n2\n":           "a",
		"1\n2\n3\n4\n":     "aba",
		"1\n2\n3\n4\n5\n6": "aba",
	} {
		var out bytes.Buffer
		if err := replay(steps, strings.NewReader(in), &out); err != nil || out.String() != want {
			t.Errorf("after %q: %q, %v; want %q", in, out.String(), err, want)
		}
	}
}

func TestSamples(t *testing.T) {
	s := Samples{5, 1, 4, 2, 3}
	if s.Median() != 3 || s.Spread() != 1.0/3 {
		t.Errorf("median %v, spread %v", s.Median(), s.Spread())
	}
	if m := (Samples{1, 2, 3, 10}).Median(); m != 2.5 {
		t.Errorf("median of four: %v", m)
	}
	if low, high := s.ratios(Samples{5, 2, 2, 2, 1}); low != 0.5 || high != 3 {
		t.Errorf("ratios from %v to %v", low, high)
	}
}

func TestGoals(t *testing.T) {
	for _, test := range []struct {
		goal *Goal
		v    float64
		want string
	}{
		{atMost(1.3), 1.2, "met"}, {atMost(1.3), 1.3, "met"}, {atMost(1.3), 1.31, "missed"},
		{atLeast(0.5), 0.6, "met"}, {atLeast(0.5), 0.5, "met"}, {atLeast(0.5), 0.4, "missed"},
	} {
		if got := test.goal.met(test.v); got != test.want {
			t.Errorf("%s %v, goal %v: %s", test.goal.sign(), test.v, test.goal.Value, got)
		}
	}
}

func TestTable(t *testing.T) {
	rep := &Report{OS: "linux", Arch: "amd64", CPUs: 2, Go: "go1", Rows: []Row{
		{Figure: "a", What: "first", Unit: "µs", Measured: Samples{3, 3}, Beside: []Beside{{"floor", Samples{2, 2}, atMost(1.3)}}},
		{Figure: "b", What: "second", Unit: "ms", Measured: Samples{20}, Limit: atMost(50)},
		{Figure: "c", What: "third", Skipped: true, Err: "not measured: no go"},
	}}
	var out strings.Builder
	if err := rep.print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"3.00 µs ±0 %", "floor 2.00 µs", "1.50", "≤ 1.3: missed", "≤ 50.0 ms: met", "not measured: no go", "second"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if err := rep.failure(); err != nil {
		t.Errorf("a figure that was skipped fails the run: %v", err)
	}
}

func TestChoose(t *testing.T) {
	got, err := choose(figures(), "notify,round")
	if err != nil || len(got) != 5 || got[0].name != "notify" || got[1].name != "notify-ts" || got[4].name != "round-trip-ts" {
		t.Errorf("%d figures, %v", len(got), err)
	}
	if _, err := choose(figures(), "nothing"); err == nil || !strings.Contains(err.Error(), "busy-agent") {
		t.Errorf("an unknown name: %v", err)
	}
}

func TestUnknownChild(t *testing.T) {
	if code := runChild("nobody", nil); code != 2 {
		t.Errorf("exit code %d", code)
	}
}
