package vectors_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"extui/internal/vectors"
)

const answered = "The person answers.\nTwo lines of prose.\n\n" +
	"> {\"type\":\"prompt\"}\n" +
	"< {\"text\":\"a\u2028b\"}\n" +
	"\n" +
	"> {\"crlf\":true}\r\n" +
	">\n" +
	"< > {not a mark}\n"

func TestParse(t *testing.T) {
	c, err := vectors.Parse("answered", []byte(answered))
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "answered" || c.About != "The person answers.\nTwo lines of prose." {
		t.Errorf("name %q, about %q", c.Name, c.About)
	}
	want := []struct {
		toAgent bool
		text    string
	}{
		{true, `{"type":"prompt"}`},
		{false, "{\"text\":\"a\u2028b\"}"},
		{true, "{\"crlf\":true}\r"},
		{true, ""},
		{false, "> {not a mark}"},
	}
	if len(c.Wire) != len(want) {
		t.Fatalf("%d lines, want %d", len(c.Wire), len(want))
	}
	for i, w := range want {
		if got := c.Wire[i]; got.ToAgent != w.toAgent || string(got.Text) != w.text {
			t.Errorf("line %d: to agent %v, text %q; want %v, %q", i, got.ToAgent, got.Text, w.toAgent, w.text)
		}
	}
}

func TestFormatIsReadBack(t *testing.T) {
	c, err := vectors.Parse("answered", []byte(answered))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(answered, "\n\n> {\"crlf", "\n> {\"crlf", 1)
	if got := string(vectors.Format(c)); got != want {
		t.Errorf("formatted:\n%q\nwant:\n%q", got, want)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no prose":               "> {}\n",
		"no wire":                "Only prose.\n",
		"prose between records":  "About.\n\n> {}\nand then\n< {}\n",
		"a mark without a space": "About.\n\n> {}\n<{}\n",
	} {
		if _, err := vectors.Parse("x", []byte(text)); !errors.Is(err, vectors.ErrSyntax) {
			t.Errorf("%s: error %v, want one that matches ErrSyntax", name, err)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a-b.txt":    "B.\n\n> {}\n",
		"a.txt":      "A.\n\n< {}\n",
		"README.txt": "How to record.\n",
		"other.json": "{}",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cases, err := vectors.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != 2 || cases[0].Name != "a" || cases[1].Name != "a-b" {
		t.Errorf("loaded %+v, want a and a-b", cases)
	}

	if err := os.WriteFile(filepath.Join(dir, "c.txt"), []byte("nothing"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := vectors.Load(dir); !errors.Is(err, vectors.ErrSyntax) || !strings.Contains(err.Error(), "c.txt") {
		t.Errorf("error %v, want ErrSyntax and the file's name", err)
	}
	if _, err := vectors.Load(t.TempDir()); err == nil {
		t.Error("an empty folder loaded without an error")
	}
}

func TestIDs(t *testing.T) {
	var ids vectors.IDs
	hide := func(line, want string) {
		t.Helper()
		if got := string(ids.Hide([]byte(line))); got != want {
			t.Errorf("hidden: %s\nwant:   %s", got, want)
		}
	}
	reveal := func(line, want string) {
		t.Helper()
		if got := string(ids.Reveal([]byte(line))); got != want {
			t.Errorf("revealed: %s\nwant:     %s", got, want)
		}
	}
	hide(`{"type":"extension_ui_request","id":"aa","method":"input"}`, `{"type":"extension_ui_request","id":"id-1","method":"input"}`)
	hide(`{"type":"extension_ui_request","id":"b\"b","method":"input"}`, `{"type":"extension_ui_request","id":"id-2","method":"input"}`)
	hide(`{"type":"extension_ui_request","id":"aa","method":"notify"}`, `{"type":"extension_ui_request","id":"id-1","method":"notify"}`)
	hide(`{"id":"aa","type":"response"}`, `{"id":"aa","type":"response"}`)
	reveal(`{"type": "extension_ui_response", "id": "id-2"}`, `{"type": "extension_ui_response", "id": "b\"b"}`)
	reveal(`{"id":"id-1","also":"id-3"}`, `{"id":"aa","also":"id-3"}`)
}
