package yamlfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A byte order mark is no part of a file, wherever its lines end.
func TestByteOrderMark(t *testing.T) {
	var faults []string
	v, ok := Read([]byte("\uFEFFa: b\r\nc: d\r\n"), Options{Kind: "file", MaxValues: 9, Report: func(_ Pos, _, _, want string) {
		faults = append(faults, want)
	}})
	if !ok || len(v.Members) != 2 || v.Members[0].Name != "a" || v.Members[0].At != (Pos{1, 1}) {
		t.Errorf("%+v, %q", v, faults)
	}
	if _, fault := Parse([]byte("a: \uFEFF"), "file"); fault != nil {
		t.Errorf("in the midst of a file it is a character: %+v", fault)
	}
}

func TestFaultsHaveTheirPlace(t *testing.T) {
	for _, test := range []struct {
		source string
		at     Pos
		what   string
	}{
		{"a: b\nc: ä\xff", Pos{2, 5}, "not UTF-8: the byte 0xFF"},
		{"\uFEFFa: \xc3(", Pos{1, 4}, "not UTF-8: the byte 0xC3"},
		{"\xff\xfea\x00", Pos{1, 1}, "not UTF-8: the byte 0xFF"},
		{"a: \xed\xa0\xbd\n", Pos{1, 4}, "not UTF-8"},
		{"a: b\n---\nc: d\n", Pos{2, 1}, "one file a file, this one has 2 documents"},
		{"# x\na: b\n...\n# y\n---\n# z\n\nc: d\n---\ne: f\n", Pos{5, 1}, "this one has 3 documents"},
	} {
		_, fault := Parse([]byte(test.source), "file")
		if fault == nil || fault.Pos != test.at || !strings.Contains(fault.What, test.what) {
			t.Errorf("%q: %+v, want %q at %v", test.source, fault, test.what, test.at)
		}
	}
}

// No more of a file is read than it takes to say that it is too large.
func TestReadFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.yaml")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(file.Truncate(16*MaxSource), file.Close()); err != nil { // a hole, which takes no room
		t.Fatal(err)
	}
	source, err := ReadFile(name)
	if err != nil || len(source) != MaxSource+1 {
		t.Errorf("%d bytes, %v", len(source), err)
	}
	if _, err := ReadFile(name + "-"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
