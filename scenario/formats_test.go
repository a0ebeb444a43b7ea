package scenario

import (
	"encoding/xml"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

// threeReports are a pass, a failure and one that could not be played.
func threeReports() []*Report {
	s := &Scenario{File: "a/b #1.yaml", Name: "b #1"}
	return []*Report{
		{Scenario: s, Elapsed: 1500 * time.Millisecond, Steps: []StepResult{{Line: 3, Text: "client prompt", Status: OK, At: time.Second}}},
		{Scenario: s, Wire: []WireLine{{From: Agent, Text: "\x1b[2J]]>\xff"}}, Steps: []StepResult{{
			Line: 4, Text: `agent notify "x"`, Status: Failed, Message: "it came otherwise", Differ: []Difference{{"message", `"x"`, "\"\x07\xff\""}},
		}}},
		{Scenario: s, Err: errors.New("no such agent")},
	}
}

func TestJUnit(t *testing.T) {
	var out strings.Builder
	if err := WriteJUnit(&out, threeReports()); err != nil {
		t.Fatal(err)
	}
	var suite junitSuite
	if err := xml.Unmarshal([]byte(out.String()), &suite); err != nil {
		t.Fatalf("%v in\n%s", err, out.String())
	}
	c := suite.Cases
	if suite.Tests != 3 || suite.Failures != 1 || suite.Errors != 1 || suite.Time != "1.500" || len(c) != 3 {
		t.Errorf("got %+v", suite)
	}
	if c[0].Failure != nil || c[0].Error != nil || c[1].Error != nil || c[2].Failure != nil {
		t.Errorf("got %+v", c)
	}
	if c[1].Line != 4 || !strings.Contains(c[1].Failure.Text, "message: expected \"x\", got \"\uFFFD\uFFFD\"") {
		t.Errorf("the failure is %+v", c[1].Failure)
	}
	if c[2].Error.Message != "no such agent" {
		t.Errorf("the error is %+v", c[2].Error)
	}
}

// JUnit's times are real, whatever clock the scenario had.
func TestVirtualTimeIsNoneOfJUnit(t *testing.T) {
	r := &Report{Scenario: &Scenario{File: "a.yaml", Name: "a"}, Elapsed: 90 * time.Second, Virtual: true, Real: 20 * time.Millisecond}
	var out strings.Builder
	if err := WriteJUnit(&out, []*Report{r}); err != nil {
		t.Fatal(err)
	}
	var suite junitSuite
	if err := xml.Unmarshal([]byte(out.String()), &suite); err != nil {
		t.Fatal(err)
	}
	c := suite.Cases[0]
	if suite.Time != "0.020" || c.Time != "0.020" || c.Properties == nil || c.Properties.All[0] != (junitProperty{"virtual-seconds", "90.000"}) {
		t.Errorf("got\n%s", out.String())
	}
	text := AppendJSON(nil, r, false)
	if !strings.Contains(string(text), `"elapsedNanoseconds":90000000000,"virtual":true,"realNanoseconds":20000000`) {
		t.Errorf("got %s", text)
	}
	if back, err := r.Scenario.ReadReport(text); err != nil || !back.Virtual || back.Real != r.Real {
		t.Errorf("%+v, %v", back, err)
	}
}

func TestTAP(t *testing.T) {
	all := threeReports()
	if got := TAP(1, all[0]); got != "ok 1 - a/b \\#1.yaml\n" {
		t.Errorf("got %q", got)
	}
	want := "not ok 2 - a/b \\#1.yaml\n  ---\n  message: |\n    line 4: agent notify \"x\"\n    it came otherwise\n    message: expected \"x\", got \"\uFFFD\uFFFD\"\n  ...\n"
	if got := TAP(2, all[1]); got != want {
		t.Errorf("got %q", got)
	}
}

func TestReportAsJSON(t *testing.T) {
	for i, r := range threeReports() {
		var got struct {
			Passed bool
			Error  string
			Steps  []struct {
				Line          int
				Status        string
				AtNanoseconds int64
				Differences   []Difference
			}
			Wire []struct{ From, Text string }
		}
		text := AppendJSON(nil, r, true)
		if err := json.Unmarshal(text, &got, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if got.Passed != (i == 0) || (got.Error != "") != (i == 2) || len(got.Steps) != len(r.Steps) || len(got.Wire) != len(r.Wire) {
			t.Errorf("got %+v of %s", got, text)
		}
		if i == 0 && got.Steps[0].AtNanoseconds != 1e9 || i == 1 && got.Steps[0].Differences[0].Path != "message" {
			t.Errorf("got %+v of %s", got, text)
		}
	}
}

// A report of another process is what it was there, but for what no text can hold.
func TestReportReadAgain(t *testing.T) {
	for _, r := range threeReports() {
		text := AppendJSON(nil, r, true)
		again, err := r.Scenario.ReadReport(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := AppendJSON(nil, again, true); string(got) != string(text) || again.Passed() != r.Passed() {
			t.Errorf("got %s, want %s", got, text)
		}
	}
	if _, err := new(Scenario).ReadReport([]byte("{")); err == nil {
		t.Error("half a report is read")
	}
}

// What is written in YAML reads as what it was.
func TestYAMLRoundTrip(t *testing.T) {
	for _, s := range []string{
		"", "a", "yes", "No", "~", "1", "-", "a: b", "a #b", "#a", "a ", " a", "it's", `"q"`, "a\nb", "\t", "\u2028", "\ufeff", "😀", "\x00\x1b\x7f", "{a}", "[", "*a", "&a", "!a", "|", ">", "%", "@", "`", "a,b", "a]", "$any", "/a/", "C:\\x", "\u0085", "1e3", "0x1", ".5", "2026-01-01",
	} {
		v := value{kind: object, members: []member{field("k"+s, textValue(s)), field("list", value{kind: array, items: []value{textValue(s), boolValue(true), {kind: null}}})}}
		f := &faults{}
		got, ok := readYAML([]byte("- "+v.yaml()+"\n"), f)
		if !ok || !equal(got.items[0], v) {
			t.Errorf("%q is written as %s, which reads as %s (%v)", s, v.yaml(), got, f.err())
		}
	}
}
