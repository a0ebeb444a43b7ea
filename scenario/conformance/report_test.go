package conformance

import (
	"bytes"
	"encoding/xml"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"extui/scenario"
)

// sample is a report with each verdict. Its texts are what an agent under test may say.
func sample() *Report {
	one := func(id string, severity scenario.Severity, v Verdict, message string) Result {
		r := Result{
			Rule:    scenario.Rule{ID: id, Says: "Says <b>" + id + "</b> | all.", Severity: severity, Section: "Framing", Source: []string{"pi", "contract"}},
			Verdict: v, Message: message,
		}
		if v == Expected || v == Gone {
			r.Deviation = &Deviation{ID: id, Says: "It <i>ends</i>.", Reason: "No look | at it."}
		}
		if v != Pass {
			r.Wire = []scenario.WireLine{{From: scenario.Client, Text: "null"}, {From: scenario.Agent, Text: "\x1b[2J<script>\xff", Bytes: true}}
		}
		return r
	}
	return &Report{Role: scenario.Agent, Implementation: "pi <1>", Command: []string{"pi", "a b"}, Dialect: "pi", Features: []string{"call_tool"}, Results: []Result{
		one("X-1", scenario.Must, Pass, ""), one("X-2", scenario.Must, Fail, "line 3: <script>alert(1)</script>\x1b[31m"),
		one("X-3", scenario.Should, Fail, "no"), one("X-4", scenario.Must, Expected, "null"), one("X-5", scenario.May, Skipped, "needs x # 1"),
		one("X-6", scenario.Should, Gone, "it keeps the rule now"), one("X-10", scenario.Must, Error, "cannot"),
	}}
}

func TestConforms(t *testing.T) {
	only := func(v Verdict, s scenario.Severity) *Report {
		return &Report{Results: []Result{{Rule: scenario.Rule{Severity: s}, Verdict: v}}}
	}
	for _, test := range []struct {
		report      *Report
		lax, strict bool
	}{
		{only(Pass, scenario.Must), true, true}, {only(Fail, scenario.Must), false, false}, {only(Error, scenario.Must), false, false},
		{only(Fail, scenario.Should), true, false}, {only(Fail, scenario.May), true, false}, {only(Expected, scenario.Must), true, true},
		{only(Skipped, scenario.Must), true, true}, {only(Gone, scenario.May), false, false},
	} {
		if lax, strict := test.report.Conforms(false), test.report.Conforms(true); lax != test.lax || strict != test.strict {
			t.Errorf("%+v: %v, strictly %v", test.report.Results, lax, strict)
		}
	}
}

func TestTable(t *testing.T) {
	var out strings.Builder
	if err := WriteTable(&out, sample(), true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\nFraming\n", "  FAIL            X-2         must   Says", "known deviation X-4", "It <i>ends</i>.; No look | at it.",
		"          pass  FAIL  ERROR  deviation gone  known deviation  not judged\n", "  must       1     1      1               0                1           0\n",
		"1 of 6 rules kept, 1 known deviations, 1 known deviations gone, 1 not judged\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	out.Reset()
	if err := WriteTable(&out, sample(), false); err != nil || strings.Contains(out.String(), "X-1 ") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestResultsAsJSON(t *testing.T) {
	r := sample()
	var out bytes.Buffer
	if err := WriteJSON(&out, r, nil); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Contains(text, "elapsed") || strings.Contains(text, `"wire"`) || !strings.Contains(text, `"conforms": false`) {
		t.Errorf("got %s", text)
	}
	again, err := ReadJSON(&out)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Results {
		r.Results[i].Wire = nil
		if d := r.Results[i].Deviation; d != nil {
			d.ID = "" // It is that of the rule.
		}
	}
	if !reflect.DeepEqual(again, r) {
		t.Errorf("it reads as %+v, want %+v", again, r)
	}
	if err := WriteJSON(&out, sample(), &JSONOptions{Wire: true, Times: true}); err != nil || !strings.Contains(out.String(), `"text": "null"`) {
		t.Errorf("%v: %s", err, out.String())
	}
	for want, text := range map[string]string{
		"read results: ":    `{`,
		`got "x"`:           `{"suite":"x"}`,
		`verdict "perhaps"`: `{"suite":"agent","results":[{"id":"A-1","verdict":"perhaps"}]}`,
		"without what":      `{"suite":"agent","results":[{"id":"A-1","verdict":"known"}]}`,
	} {
		if _, err := ReadJSON(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

func TestTAPAndJUnit(t *testing.T) {
	r := sample()
	var lines []string
	for i := range r.Results {
		lines = append(lines, TAP(i+1, &r.Results[i]))
	}
	for i, want := range []string{"ok 1 - X-1 Says", "not ok 2 - X-2", "not ok 3 - X-3", "not ok 4 - X-4", "ok 5 - X-5"} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("got %q", lines[i])
		}
	}
	if !strings.HasSuffix(lines[3], " # TODO No look | at it.\n") || !strings.HasSuffix(lines[4], " # SKIP needs x \\# 1\n") {
		t.Errorf("got %q", lines[3:5])
	}
	var out bytes.Buffer
	for strict, want := range map[bool]junitSuite{
		false: {Tests: 7, Failures: 2, Errors: 1, Skipped: 2},
		true:  {Tests: 7, Failures: 3, Errors: 1, Skipped: 2},
	} {
		out.Reset()
		if err := WriteJUnit(&out, r, strict); err != nil {
			t.Fatal(err)
		}
		var suite junitSuite
		if err := xml.Unmarshal(out.Bytes(), &suite); err != nil {
			t.Fatal(err)
		}
		if suite.Tests != want.Tests || suite.Failures != want.Failures || suite.Errors != want.Errors || suite.Skipped != want.Skipped {
			t.Errorf("strict %t: got %s", strict, out.String())
		}
		for i, c := range suite.Cases {
			one := r.Results[i]
			if one.Verdict != Fail || one.Rule.Severity == scenario.Must {
				continue
			}
			failed := c.Failure != nil && c.Failure.Type == string(one.Rule.Severity)
			told := c.Properties != nil && c.Properties.Property[0].Value == string(one.Rule.Severity) && strings.Contains(c.Out, one.Message)
			if failed != strict || told == strict || c.Skipped != nil {
				t.Errorf("strict %t: %s is not told apart from what was not judged: %s", strict, one.Rule.ID, out.String())
			}
		}
	}
}

// The page needs nothing from elsewhere, can be read aloud, and shows what an agent
// says as text.
func TestPage(t *testing.T) {
	other := sample()
	other.Implementation, other.Results = "other", other.Results[:1]
	client := sample()
	client.Role = scenario.Client
	var out strings.Builder
	if err := WriteHTML(&out, []*Report{sample(), other, client}); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if found := regexp.MustCompile(`(?i)<script|<link|src=|url\(|@import|https?:|\x1b`).FindAllString(text, -1); found != nil {
		t.Errorf("the page has %q", found)
	}
	for _, want := range []string{
		`<html lang="en">`, "prefers-color-scheme: dark", "<caption>Rules</caption>", `<th scope="col">pi &lt;1&gt;</th><th scope="col">other</th>`,
		`<th scope="row">X-1</th>`, `<th scope="rowgroup" colspan="5">Framing</th>`, `<td class="pass">pass</td>`, `<td class="fail">FAIL`, "not checked",
		"&lt;script&gt;alert(1)", `<h2 id="client">`, "<code>pi &#39;a b&#39;</code>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	if strings.Index(text, ">X-6<") > strings.Index(text, ">X-10<") {
		t.Error("ids are not ordered by their numbers")
	}
}

func TestMarkdown(t *testing.T) {
	var first, again strings.Builder
	if err := WriteMarkdown(&first, []*Report{sample()}); err != nil {
		t.Fatal(err)
	}
	r := sample()
	r.Elapsed, r.Results[1].Message = 5, "another message"
	if err := WriteMarkdown(&again, []*Report{r}); err != nil || again.String() != first.String() {
		t.Errorf("it depends on more than verdicts: %v", err)
	}
	text := first.String()
	for _, s := range slices.Concat(Rules(scenario.Agent), Rules(scenario.Client)) {
		if !strings.Contains(text, "| ["+s.Rule.ID+"](../scenario/conformance/"+s.File+") |") {
			t.Errorf("%s is not listed", s.Rule.ID)
		}
	}
	for _, want := range []string{
		`Says &lt;b>X-2&lt;/b> \| all. | pi, contract | **FAIL** |`, "| X-4 | must | It &lt;i>ends&lt;/i>. | No look \\| at it. |", "### pi &lt;1>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the text", want)
		}
	}
}

func TestKnownListsAreGood(t *testing.T) {
	for _, name := range KnownNames() {
		if k, err := KnownList(name); err != nil || k.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := KnownList("nobody"); err == nil {
		t.Error("there is a list of nobody")
	}
	id := Rules(scenario.Agent)[0].Rule.ID
	for want, text := range map[string]string{
		`no rule "NOPE-1"`:     "[{id: NOPE-1, reason: r, says: s}]",
		"must be there":        "[{id: " + id + ", says: s}]",
		"is listed twice":      "[{id: " + id + ", reason: r, says: s}, {id: " + id + ", reason: r, says: s}]",
		"read deviations x.ya": "[{id: " + id + ", reson: r}]",
	} {
		if _, err := ParseKnown("x.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

func TestListOfRules(t *testing.T) {
	var out strings.Builder
	if err := WriteList(&out, Rules(scenario.Client)); err != nil || !strings.Contains(out.String(), "[needs questionnaire, commands]") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if err := WriteList(failing{}, Rules(scenario.Client)); err == nil {
		t.Error("a list that cannot be written is no error")
	}
}

type failing struct{ io.Writer }

func (failing) Write([]byte) (int, error) { return 0, errTest }
