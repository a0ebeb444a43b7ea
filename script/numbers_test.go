package script

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// The input that gates are asked about has the numbers that the tool gets, which are
// JavaScript's, whatever a gate is written in.
func TestNumbersOfAnInputAreJavaScripts(t *testing.T) {
	for input, want := range map[string]string{
		`{"n":9007199254740993}`:                       `{"n":9007199254740992}`,
		`{"n":-9007199254740993, "m":[1, 2.50]}`:       `{"n":-9007199254740992,"m":[1, 2.50]}`,
		`{"n":123456789012345678901234567890}`:         `{"n":1.2345678901234568e+29}`,
		`{"n":0.1000000000000000055511151231257827}`:   `{"n":0.1}`,
		`{"n":"9007199254740993","s\"1":"\\","m":1e3}`: `{"n":"9007199254740993","s\"1":"\\","m":1e3}`,
		`{"n":[[9007199254740993]]}`:                   `{"n":[[9007199254740992]]}`,
		`{"n":-0}`:                                     `{"n":-0}`,
		`{"n":1e400}`:                                  `the number 1e400 is too large`,
		`{"n":{"m":-1e400}}`:                           `the number -1e400 is too large`,
	} {
		got, err := checkInput("dep", jsontext.Value(`{"type":"object"}`), jsontext.Value(input), nil)
		if string(got) != want && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %s, %v", input, got, err)
		}
	}
	// A limit holds for what JavaScript would take for Infinity, and a text is the number it reads.
	for _, test := range [][2]string{
		{`{"properties":{"n":{"type":"number","maximum":5}}}`, `{"n":1e400}`},
		{`{"properties":{"n":{"type":"array","uniqueItems":true}}}`, `{"n":[9007199254740992,9007199254740993]}`},
	} {
		if got, err := checkInput("dep", jsontext.Value(test[0]), jsontext.Value(test[1]), nil); err == nil {
			t.Errorf("%s: %s", test[1], got)
		}
	}
	got, err := checkInput("dep", jsontext.Value(`{"properties":{"n":{"type":"string"}}}`), jsontext.Value(`{"n":9007199254740993}`), nil)
	if string(got) != `{"n":"9007199254740992"}` {
		t.Errorf("as a text: %s, %v", got, err)
	}
}
