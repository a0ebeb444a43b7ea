package conformance

import (
	"encoding/xml"
	"fmt"
	"io"

	"extui/internal/safetext"
)

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name       string           `xml:"name,attr"`
	Class      string           `xml:"classname,attr"`
	Time       string           `xml:"time,attr"`
	Properties *junitProperties `xml:"properties"`
	Failure    *junitText       `xml:"failure"`
	Error      *junitText       `xml:"error"`
	Skipped    *junitText       `xml:"skipped"`
	Out        string           `xml:"system-out,omitempty"`
}

type junitProperties struct {
	Property []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes a report as one JUnit test suite, a case for each rule. Known
// deviations and rules that were not judged are skipped cases. A rule that should or may
// be kept and is not is a failure of that type if strict is true; else its case has
// passed, with the property "not kept" and the message in its output.
func WriteJUnit(w io.Writer, r *Report, strict bool) error {
	suite := junitSuite{Name: "extui check " + string(r.Role), Tests: len(r.Results), Time: fmt.Sprintf("%.3f", r.Elapsed.Seconds())}
	for i := range r.Results {
		one := &r.Results[i]
		c := junitCase{Name: one.Rule.ID + " " + one.Rule.Says, Class: "extui." + string(r.Role) + "." + one.Rule.Section, Time: fmt.Sprintf("%.3f", one.Elapsed.Seconds())}
		text := &junitText{one.Verdict.Words() + " (" + string(one.Rule.Severity) + ")", "", safetext.Block(one.Message)}
		switch {
		case one.Verdict == Pass:
		case one.Verdict == Error && one.Fails(strict):
			c.Error = text
			suite.Errors++
		case one.Fails(strict):
			text.Type = string(one.Rule.Severity)
			c.Failure = text
			suite.Failures++
		case one.Fails(true):
			c.Properties = &junitProperties{[]junitProperty{{"not kept", string(one.Rule.Severity)}}}
			c.Out = text.Message + "\n" + text.Text + "\n"
		default:
			c.Skipped = text
			suite.Skipped++
		}
		if one.Verdict != Pass {
			for _, l := range one.Wire {
				c.Out += safetext.Line(WireText(l)) + "\n"
			}
		}
		suite.Cases = append(suite.Cases, c)
	}
	text, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return fmt.Errorf("write JUnit report: %w", err)
	}
	return written(w, xml.Header+string(text)+"\n", "JUnit report")
}
