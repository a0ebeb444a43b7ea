package main

import (
	"os/exec"
	"slices"
	"testing"
)

func TestEditorOfTheEnvironment(t *testing.T) {
	for _, test := range []struct {
		env  []string
		want []string
	}{
		{[]string{"EDITOR=vi"}, []string{"vi"}},
		{[]string{"EDITOR=vi", "VISUAL=code --wait"}, []string{"code", "--wait"}},
		{[]string{"EDITOR=vi", "VISUAL= "}, []string{"vi"}},
		{nil, nil},
	} {
		if got := editor(&world{env: test.env}); !slices.Equal(got, test.want) {
			t.Errorf("%q gives %q, want %q", test.env, got, test.want)
		}
	}
}

// What needs a shell means the same as to git: the file's name is one argument
// behind it, whatever is in the name.
func TestEditorCommandNeedsShell(t *testing.T) {
	if got := editorCommand(`C:\edit.exe -x`, false); !slices.Equal(got, []string{`C:\edit.exe`, "-x"}) {
		t.Errorf("without a shell: %q", got)
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	for command, want := range map[string]string{
		`sh -c "printf '<%s>' \"\$@\"" x`:  "<a b'c>",
		`printf '%s|%s' "one two"`:         "one two|a b'c",
		`X=1 printf "%s"`:                  "a b'c",
		"printf '<%s>' $(echo 1 2)":        "<1><2><a b'c>",
		`f() { printf "%s" "f $1"; } && f`: "f a b'c",
		`printf %s\ %s\ x`:                 "a b'c  x",
	} {
		all := append(editorCommand(command, true), "a b'c")
		got, err := exec.Command(all[0], all[1:]...).Output()
		if err != nil || string(got) != want {
			t.Errorf("%s printed %q, %v; want %q", command, got, err, want)
		}
	}
}
