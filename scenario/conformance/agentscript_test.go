package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"extui/agent"
	"extui/extension"
	"extui/scenario"
	"extui/scenario/conformance"
	"extui/script"
)

// signalled is why an agent ends on a signal of that name.
type signalled string

func (s signalled) Error() string { return string(s) }

// scripted starts what extui agent -e probe.ts is, in this process.
func scripted(t *testing.T, dialect agent.Dialect) conformance.AgentStart {
	dir := t.TempDir()
	return func(ctx context.Context, env []string, stderr io.Writer) (*scenario.Peer, error) {
		file, err := probeWith(dir, env)
		if err != nil {
			return nil, err
		}
		loader := script.NewLoader(&script.Options{Stderr: stderr})
		extensions, err := loader.Load(file)
		if err != nil {
			return nil, err
		}
		host := extension.NewHost(append(extensions, extension.Questions(false))...)
		loader.Bind(host)
		ctx, stop := context.WithCancelCause(ctx)
		in, fromClient := io.Pipe()
		toClient, out := io.Pipe()
		ended := make(chan scenario.Exit, 1)
		go func() {
			err := agent.New(host, &agent.Options{Dialect: dialect}).Serve(ctx, in, out)
			out.Close()
			loader.Close()
			stop(nil)
			code := 0
			if err != nil {
				code = 1
			}
			if name, ok := errors.AsType[signalled](err); ok {
				code = map[signalled]int{"TERM": 143, "HUP": 129}[name]
			}
			ended <- scenario.Exit{Code: code, Reason: fmt.Sprint(err)}
		}()
		return &scenario.Peer{
			In: fromClient, Out: toClient,
			Signal: func(name string) error { stop(signalled(name)); return nil },
			Wait:   func() scenario.Exit { return <-ended },
			Stop:   func() { stop(nil); toClient.Close() },
		}, nil
	}
}

// probeWith writes the probe as it is, or with an environment of its own: that of this
// process is one for all rules.
func probeWith(dir string, env []string) (string, error) {
	source := conformance.Probe()
	if len(env) > 0 {
		values := map[string]string{}
		for _, line := range env {
			name, value, _ := strings.Cut(line, "=")
			values[name] = value
		}
		text, err := json.Marshal(values)
		if err != nil {
			return "", err
		}
		source = append([]byte("const process = { env: "+string(text)+" };\n"), source...)
	}
	file, err := os.CreateTemp(dir, "probe*.ts")
	if err != nil {
		return "", err
	}
	if _, err := file.Write(source); err != nil {
		return "", errors.Join(err, file.Close())
	}
	return file.Name(), file.Close()
}

// extui's agent with the probe as it is shipped keeps all rules, in both dialects.
func TestOurAgentKeepsAllRules(t *testing.T) {
	for _, dialect := range []agent.Dialect{agent.Atomic, agent.Pi} {
		t.Run(string(dialect), func(t *testing.T) {
			t.Parallel()
			rules := conformance.Rules(scenario.Agent)
			if dialect == agent.Pi {
				rules = only(rules, func(s *scenario.Scenario) bool { return s.Dialect == "pi" })
			} else if slowEngine {
				rules = aFew(rules)
			}
			r, err := conformance.CheckAgent(t.Context(), scripted(t, dialect), &conformance.Options{Rules: rules, Jobs: 2, Dialect: string(dialect)})
			if err != nil {
				t.Fatal(err)
			}
			for _, result := range r.Results {
				ofOther := result.Verdict == conformance.Skipped && strings.HasPrefix(result.Message, "a rule of the "+string(other(dialect))+" dialect")
				if result.Verdict != conformance.Pass && !ofOther {
					t.Errorf("%s: %s: %s\n%s", result.Rule.ID, result.Verdict, result.Message, result.Output)
				}
			}
			t.Logf("%d rules in %v", len(r.Results), r.Elapsed)
		})
	}
}

func other(d agent.Dialect) agent.Dialect {
	if d == agent.Pi {
		return agent.Atomic
	}
	return agent.Pi
}

func only(rules []*scenario.Scenario, is func(*scenario.Scenario) bool) []*scenario.Scenario {
	var out []*scenario.Scenario
	for _, s := range rules {
		if is(s) {
			out = append(out, s)
		}
	}
	return out
}

// aFew is a sample of them, for a test binary that runs scripts twenty times slower.
func aFew(rules []*scenario.Scenario) []*scenario.Scenario {
	n := 0
	return only(rules, func(*scenario.Scenario) bool { n++; return n%12 == 1 })
}
