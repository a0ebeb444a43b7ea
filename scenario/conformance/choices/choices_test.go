package choices

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"extui/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func env(choices, commands, needs string) func(string) string {
	all := map[string]string{ChoicesVariable: choices, CommandsVariable: commands, NeedsVariable: needs}
	return func(name string) string { return all[name] }
}

func TestFromEnvSaysWhatIsWrong(t *testing.T) {
	for _, test := range []struct {
		choices, commands, needs, want string
		cannot                         bool
	}{
		{"", "", "commands, telepathy", `EXTUI_NEEDS: "telepathy"`, true},
		{`[{"sing":true}]`, "", "", "EXTUI_CHOICES: ", true},
		{`[{"value":1}]`, "", "", "EXTUI_CHOICES: ", false},
		{"", `["/a", 7]`, "", "EXTUI_COMMANDS: 7: neither a text nor an object", false},
		{"", `[{"message":"x"}]`, "", "it has no type", false},
		{"", `{`, "", "EXTUI_COMMANDS: ", false},
	} {
		_, err := FromEnv(env(test.choices, test.commands, test.needs))
		if err == nil || !strings.Contains(err.Error(), test.want) || errors.Is(err, ErrCannot) != test.cannot {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

func TestCommands(t *testing.T) {
	p, err := FromEnv(env("", `["/deploy", {"type":"bash","command":"ls"}]`, "commands,stop"))
	if err != nil || len(p.Commands) != 2 {
		t.Fatalf("%+v, %v", p, err)
	}
	if c := p.Commands[0]; c.Name != "prompt" || string(c.Members[0].Value) != `"/deploy"` {
		t.Errorf("%+v", c)
	}
	if c := p.Commands[1]; c.Name != "bash" || len(c.Members) != 1 || c.Members[0].Name != "command" {
		t.Errorf("%+v", c)
	}
}

// A choice for a title goes to that dialog, the others go in turn, and nothing that is
// not there approves anything.
func TestTake(t *testing.T) {
	p, err := FromEnv(env(`[{"value":"first"},{"for":"B","confirmed":true},{"value":"second"}]`, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Take("A"); *c.Value != "first" {
		t.Errorf("%+v", c)
	}
	if c := p.Take("B"); c.Confirmed == nil {
		t.Errorf("%+v", c)
	}
	if c := p.Take("B"); c.Value == nil || *c.Value != "second" {
		t.Errorf("%+v", c)
	}
	if c := p.Take("B"); !c.Cancelled {
		t.Errorf("%+v", c)
	}
}

// Answers go by the order in which the dialogs opened, whoever asks first, and a person
// who is too late chooses all the same.
func TestAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := FromEnv(env(`[{"option":1},{"confirmed":true,"after":500},{"fail":true},{"wait":true},{"option":9}]`, "", ""))
		if err != nil {
			t.Fatal(err)
		}
		choose := &protocol.Select{Title: "S", Options: protocol.Options("a", "b")}
		early := make(chan protocol.Answer)
		go func() {
			a, _ := p.Answer(t.Context(), 2, &protocol.Confirm{})
			early <- a
		}()
		synctest.Wait()
		p.Asked(1, choose)
		p.Asked(2, &protocol.Confirm{})
		if a, err := p.Answer(t.Context(), 1, choose); a != protocol.Answer(protocol.Value("b")) || err != nil {
			t.Errorf("%v, %v", a, err)
		}
		begun := time.Now()
		if a := <-early; a != protocol.Answer(protocol.Confirmed(true)) || time.Since(begun) != 500*time.Millisecond {
			t.Errorf("%v after %v", a, time.Since(begun))
		}
		p.Asked(3, choose)
		if _, err := p.Answer(t.Context(), 3, choose); !errors.Is(err, errFail) {
			t.Errorf("%v", err)
		}
		p.Asked(4, choose)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if a, err := p.Answer(ctx, 4, choose); a != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, %v", a, err)
		}
		p.Asked(5, choose)
		if a, err := p.Answer(t.Context(), 5, choose); a != nil || err == nil {
			t.Errorf("%v, %v", a, err)
		}
	})
}
