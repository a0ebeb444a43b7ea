package scenario

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// failureText is why a report is no pass, a few lines; "" if it is one.
func failureText(r *Report) string {
	if r.Err != nil {
		return r.Err.Error()
	}
	s := r.Failure()
	if s == nil {
		return ""
	}
	text := s.Text
	if s.Line > 0 {
		text = fmt.Sprintf("line %d: %s", s.Line, s.Text)
	}
	if s.Message != "" {
		text += "\n" + s.Message
	}
	for _, d := range s.Differ {
		text += "\n" + d.String()
	}
	return text
}

// visible is a text without what XML and YAML do not take.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == 0xFFFE || r == 0xFFFF {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name  string `xml:"name,attr"`
	Class string `xml:"classname,attr"`
	File  string `xml:"file,attr"`
	Line  int    `xml:"line,attr,omitempty"`
	Time  string `xml:"time,attr"`
	// Properties come first, as the schema of JUnit has them.
	Properties *junitProperties `xml:"properties"`
	Failure    *junitFailure    `xml:"failure"`
	Error      *junitFailure    `xml:"error"`
	Out        string           `xml:"system-out,omitempty"`
}

type junitProperties struct {
	All []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes reports as one JUnit test suite, a case a scenario: a failure
// if the other end was not as expected, an error if it could not be played. Times are
// real; a property has the virtual one.
func WriteJUnit(w io.Writer, reports []*Report) error {
	suite := junitSuite{Name: "extui", Tests: len(reports)}
	total := 0.0
	for _, r := range reports {
		seconds := r.took().Seconds()
		total += seconds
		c := junitCase{Name: r.Scenario.Name, Class: "extui." + r.Scenario.Name, File: r.Scenario.File, Time: fmt.Sprintf("%.3f", seconds)}
		if r.Virtual {
			c.Properties = &junitProperties{[]junitProperty{{"virtual-seconds", fmt.Sprintf("%.3f", r.Elapsed.Seconds())}}}
		}
		if why := visible(failureText(r)); why != "" {
			first, _, _ := strings.Cut(why, "\n")
			f := &junitFailure{first, why}
			if r.Err != nil {
				c.Error = f
				suite.Errors++
			} else {
				c.Failure = f
				c.Line = r.Failure().Line
				suite.Failures++
			}
			for _, l := range r.Wire {
				c.Out += string(l.From) + " " + visible(l.Text) + "\n"
			}
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Time = fmt.Sprintf("%.3f", total)
	text, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return fmt.Errorf("encode JUnit report: %w", err)
	}
	if _, err := fmt.Fprintf(w, "%s%s\n", xml.Header, text); err != nil {
		return fmt.Errorf("write JUnit report: %w", err)
	}
	return nil
}

// TAP is the lines of one report in the Test Anything Protocol 13; number counts
// from 1. The caller writes version and plan.
func TAP(number int, r *Report) string {
	// A # would begin a directive.
	name := strings.NewReplacer("#", "\\#", "\n", " ").Replace(visible(r.Scenario.File))
	if why := visible(failureText(r)); why != "" {
		return fmt.Sprintf("not ok %d - %s\n  ---\n  message: |\n    %s\n  ...\n", number, name, strings.ReplaceAll(why, "\n", "\n    "))
	}
	return fmt.Sprintf("ok %d - %s\n", number, name)
}
