package protocol

import "testing"

func TestFoldName(t *testing.T) {
	for _, same := range [][2]string{{"Message", "messagE"}, {"mes\u017fage", "MESSAGE"}, {"t\u0131tle", "TITLE"}, {"id", "id"}, {"\u00c4", "\u00e4"}} {
		if a, b := FoldName(same[0]), FoldName(same[1]); a != b {
			t.Errorf("%q and %q: %q and %q", same[0], same[1], a, b)
		}
	}
	if FoldName("title") == FoldName("titel") {
		t.Error("two names are taken for one")
	}
}
