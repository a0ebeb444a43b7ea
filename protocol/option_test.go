package protocol

import (
	"bytes"
	"reflect"
	"testing"
)

// Each row is one option as an agent wrote it, what to show of it, the text that
// an Answer carries, and the bytes that go back.
var wireOptions = []struct{ option, label, answer, echo string }{
	{`"Allow"`, "Allow", "Allow", `"Allow"`},
	{`""`, "", "", `""`},
	{`"\u00e9"`, "é", "é", `"\u00e9"`},
	{`"é"`, "é", "é", `"é"`},
	{`"a\/b"`, "a/b", "a/b", `"a\/b"`},
	{`"\u0041\n"`, "A\n", "A\n", `"\u0041\n"`},
	{`"\ud83d\ude00"`, "😀", "😀", `"\ud83d\ude00"`},
	{`"lone \ud83d half"`, "lone \xed\xa0\xbd half", "lone \xed\xa0\xbd half", `"lone \ud83d half"`},
	{`"lone \uD83D half"`, "lone \xed\xa0\xbd half", "lone \xed\xa0\xbd half", `"lone \uD83D half"`},
	{"\"lone \xed\xa0\xbd half\"", "lone \xed\xa0\xbd half", "lone \xed\xa0\xbd half", "\"lone \xed\xa0\xbd half\""},
	{"\"pair \xed\xa0\xbd\xed\xb8\x80\"", "pair 😀", "pair 😀", "\"pair \xed\xa0\xbd\xed\xb8\x80\""},
	{"\"latin \xe9\"", "latin \xe9", "latin \xe9", "\"latin \xe9\""},
	{"\"cut \xf0\x9f\x98\"", "cut \xf0\x9f\x98", "cut \xf0\x9f\x98", "\"cut \xf0\x9f\x98\""},
	{`{"label":"x"}`, "x", "x", `"x"`},
	{`{ "label" : "\u0078" , "more":[1]}`, "x", "x", `"\u0078"`},
	{`{"label":"x","value":"v"}`, "x", "v", `"v"`},
	{`{"value":"\u0076","label":"x","description":"d"}`, "x", "v", `"\u0076"`},
	{`{"label":"x","value":""}`, "x", "", `""`},
	{`{"label":"x","value":null}`, "x", "x", `"x"`},
	{`{"label":"x","value":7}`, "x", "7", `7`},
	{`{"label":"x","value":1.50}`, "x", "1.50", `1.50`},
	{`{"label":"x","value":true}`, "x", "true", `true`},
	{`{"label":"x","value":{"a": 1}}`, "x", `{"a": 1}`, `{"a": 1}`},
	{`{"text":"x"}`, "x", "x", `"x"`},
	{`{"text":"\u0078","value":"v"}`, "x", "v", `"v"`},
	{`{"label":"x","text":"y"}`, "x", "x", `"x"`},
	{`{"label":"","text":"y"}`, "", "", `""`},
}

func TestOptionsComeBackAsTheyWere(t *testing.T) {
	for _, c := range wireOptions {
		in := req("select", `,"title":"t","options":["first",`+c.option+`]`)
		record := []byte(in)
		r, err := DecodeRequest(record)
		if err != nil {
			t.Errorf("%s: %v", c.option, err)
			continue
		}
		clear(record)
		d := r.(*Select)
		if o := d.Options[1]; o.Label != c.label || o.Answer() != c.answer {
			t.Errorf("%s: label %q, answer %q", c.option, o.Label, o.Answer())
		}
		if b, err := AppendRequest(nil, d); string(b) != in || err != nil {
			t.Errorf("encode\n got %q, %v\nwant %q", b, err, in)
		}
		resp, err := Respond(d, Value(c.answer))
		if err != nil || string(resp.Value) != c.echo {
			t.Errorf("%s: answered %s, %v; want %s", c.option, resp.Value, err, c.echo)
			continue
		}
		back, err := DecodeResponse(AppendResponse(nil, resp))
		if err != nil {
			t.Fatal(err)
		}
		if a, err := back.Answer(d); a != Value(c.answer) || err != nil {
			t.Errorf("%s: the agent reads %v, %v", c.option, a, err)
		}
	}
}

func TestOptionDetails(t *testing.T) {
	for in, want := range map[string][]string{
		`,"options":["a","b"],"optionDetails":[{},{"description":"B"}]`:                {"", "B"},
		`,"options":["a","b"],"optionDetails":[{"description":"A","icon":"x"}]`:        {"A", ""},
		`,"options":["a","b"],"optionDetails":[null,{"description":null}]`:             {"", ""},
		`,"options":["a","b"],"optionDetails":[]`:                                      {"", ""},
		`,"options":["a","b"],"optionDetails":null`:                                    {"", ""},
		`,"options":[{"label":"a","description":"D"}],"optionDetails":[{}]`:            {"D"},
		`,"options":[{"label":"a","value":"v"}],"optionDetails":[{"description":"D"}]`: {"D"},
	} {
		r, err := DecodeRequest([]byte(req("select", `,"title":"t"`+in)))
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		for i, o := range r.(*Select).Options {
			if o.Description != want[i] {
				t.Errorf("%s: description %d is %q", in, i, o.Description)
			}
		}
		once, err := AppendRequest(nil, r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := DecodeRequest(once)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range again.(*Select).Options {
			if o.Description != want[i] {
				t.Errorf("%s: passed on as %s", in, once)
			}
		}
		if twice, _ := AppendRequest(nil, again); !bytes.Equal(once, twice) {
			t.Errorf("passed on as %s and then as %s", once, twice)
		}
	}
	const icon = `,"title":"t","options":["a"],"optionDetails":[{"description":"A","icon":"x"}]`
	if got := reencode(t, []byte(req("select", icon))); string(got) != req("select", icon) {
		t.Errorf("an unknown member of a detail is lost: %s", got)
	}
}

// Options made in Go: strings as long as that says it all.
func TestWriteOptions(t *testing.T) {
	for want, options := range map[string][]Option{
		`"options":[]`:        nil,
		`"options":["a","b"]`: Options("a", "b"),
		`"options":["a","b"],"optionDetails":[{},{"description":"B"}]`:                                         {{Label: "a"}, {Label: "b", Description: "B"}},
		`"options":[{"label":"a","value":"v"},"b"]`:                                                            {{Label: "a", Value: new("v")}, {Label: "b"}},
		`"options":[{"label":"a","description":"A","value":""}]`:                                               {{Label: "a", Description: "A", Value: new("")}},
		`"options":[{"label":"a","description":"A","value":"v"},"b"],"optionDetails":[{},{"description":"B"}]`: {{Label: "a", Description: "A", Value: new("v")}, {Label: "b", Description: "B"}},
	} {
		b, err := AppendRequest(nil, &Select{ID: StringID("1"), Title: "t", Options: options})
		if want = req("select", `,"title":"t",`+want); string(b) != want || err != nil {
			t.Errorf("\n got %s, %v\nwant %s", b, err, want)
		}
	}
}

// An option that was changed after it came is written and answered as it is now:
// what a person saw and what is answered never differ.
func TestChangedOptionIsWrittenAnew(t *testing.T) {
	for _, came := range []string{`"\u00e9"`, `{"label":"é","value":"v"}`, `{"label":"é","value":7}`, `{"text":"é"}`} {
		r, err := DecodeRequest([]byte(req("select", `,"title":"t","options":[`+came+`]`)))
		if err != nil {
			t.Fatal(err)
		}
		d := r.(*Select)
		d.Options[0].Label, d.Options[0].Value = "Block", nil
		if b, err := AppendRequest(nil, d); string(b) != req("select", `,"title":"t","options":["Block"]`) || err != nil {
			t.Errorf("%s: written %s, %v", came, b, err)
		}
		if resp, err := Respond(d, Value("Block")); err != nil || string(resp.Value) != `"Block"` {
			t.Errorf("%s: answered %s, %v", came, resp.Value, err)
		}
		if _, err := Respond(d, Value("é")); err == nil {
			t.Errorf("%s: the old text still answers", came)
		}
	}
}

func TestChangedPartOfAnOption(t *testing.T) {
	for name, change := range map[string]func(*Option){
		"label":        func(o *Option) { o.Label = "new" },
		"description":  func(o *Option) { o.Description = "new" },
		"value":        func(o *Option) { o.Value = new("new") },
		"value's text": func(o *Option) { *o.Value = "new" },
	} {
		d := must(DecodeRequest([]byte(req("select", `,"title":"t","options":[{"label":"l","description":"d","value":"v","icon":"i"}]`)))).(*Select)
		change(&d.Options[0])
		b := must(AppendRequest(nil, d))
		again := must(DecodeRequest(b)).(*Select).Options[0]
		if o := d.Options[0]; again.Label != o.Label || again.Description != o.Description || again.Answer() != o.Answer() {
			t.Errorf("%s: written %s", name, b)
		}
		if r, err := Respond(d, Value(again.Answer())); err != nil || string(r.Value) != string(AppendString(nil, again.Answer())) {
			t.Errorf("%s: answered %v, %v", name, r, err)
		}
	}
}

func TestOptionsHelper(t *testing.T) {
	if got := Options("a", ""); !reflect.DeepEqual(got, []Option{{Label: "a"}, {}}) {
		t.Errorf("got %+v", got)
	}
}
