package protocol

import "testing"

func TestBeginning(t *testing.T) {
	const whole = `{"type":"extension_ui_request", "id":"1","method":"confirm","n":[1,{"a":2}]}`
	for cut, want := range map[string]string{
		whole:             `{"type":"extension_ui_request","id":"1","method":"confirm","n":[1,{"a":2}]}`,
		whole[:74]:        `{"type":"extension_ui_request","id":"1","method":"confirm"}`,
		whole[:60]:        `{"type":"extension_ui_request","id":"1","method":"confirm"}`,
		whole[:44]:        `{"type":"extension_ui_request","id":"1"}`,
		whole[:36]:        `{"type":"extension_ui_request"}`,
		whole[:12]:        `{}`,
		`{`:               `{}`,
		`{} `:             `{}`,
		"{\"a\":\"\xff\"": "{\"a\":\"\xff\"}",
		`["a"`:            "",
		``:                "",
		`x`:               "",
	} {
		if got := string(Beginning([]byte(cut))); got != want {
			t.Errorf("%s: got %s, want %s", cut, got, want)
		}
	}
}
