package protocol

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestLiteral(t *testing.T) {
	text := func(name, value string) Field { return Field{Name: name, Value: jsontext.Value(value)} }
	for _, c := range []struct {
		d       Dialog
		members []Field
		want    string
	}{
		{&Select{Title: "t", Options: Options("1")}, []Field{text("options", `[1, {"a":null}]`), text("title", "42")}, `"method":"select","title":42,"options":[1, {"a":null}]}`},
		{&Select{Title: "t", Options: Options("1")}, []Field{text("timeout", `"5"`), {Name: "options"}}, `"method":"select","title":"t","timeout":"5"}`},
		{&Confirm{Title: "t"}, []Field{{Name: "title"}, text("message", "null")}, `"method":"confirm","message":null}`},
		{&Input{Title: "t", Placeholder: new("p")}, []Field{text("placeholder", "[\n]")}, `"method":"input","title":"t","placeholder":[]}`},
		{&Editor{Title: "t", Prefill: new("p"), Extra: Extra{text("x", "1")}}, []Field{text("prefill", "1.50")}, `"method":"editor","title":"t","prefill":1.50,"x":1}`},
		{&Questionnaire{}, nil, `"method":"questionnaire","questions":[]}`},
	} {
		before, err := AppendRequest(nil, c.d)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Literal(c.d, c.members...)
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
			continue
		}
		got, err := AppendRequest(nil, d)
		if want := `{"type":"extension_ui_request",` + c.want; string(got) != want || err != nil {
			t.Errorf("got  %s, %v\nwant %s", got, err, want)
		}
		if after, _ := AppendRequest(nil, c.d); string(after) != string(before) {
			t.Errorf("the dialog was changed: %s", after)
		}
	}
	// What chooses an option is what the fields say.
	d, err := Literal(&Select{Options: Options("1", "x")}, text("options", `[1,{"label":"x"}]`))
	if err != nil {
		t.Fatal(err)
	}
	if a, err := (&Response{Value: []byte(`"1"`)}).Answer(d); a != Value("1") || err != nil {
		t.Errorf("answered %v, %v", a, err)
	}
	if a, err := (&Response{Value: []byte(`"2"`)}).Answer(d); err == nil {
		t.Errorf("answered %v", a)
	}
}

func TestLiteralRefuses(t *testing.T) {
	for _, c := range []struct {
		d      Dialog
		member Field
		want   string
	}{
		{&Select{}, Field{"message", []byte(`"m"`)}, `"message": it has no such member`},
		{&Confirm{}, Field{"id", []byte(`"m"`)}, `"id": it has no such member`},
		{&Questionnaire{}, Field{"questions", []byte(`[]`)}, `"questions": it has no such member`},
		{&Input{}, Field{"title", []byte(`{`)}, `for title`},
		{&Input{}, Field{"title", []byte(`1,"x":2`)}, `for title`},
		{&Input{}, Field{"title", []byte(`{"a":1,"a":2}`)}, `comes twice`},
	} {
		if d, err := Literal(c.d, c.member); err == nil || !strings.Contains(err.Error(), c.want) || d != nil {
			t.Errorf("%s: got %v, %v", c.member.Name, d, err)
		}
	}
}
