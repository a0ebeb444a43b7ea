package protocol

import (
	"math"
	"testing"
	"time"
)

func TestTimeoutsOnTheWire(t *testing.T) {
	for _, c := range []struct {
		in, out string
		d       time.Duration
		limited bool
	}{
		{"10000", "10000", 10 * time.Second, true},
		{"250.5", "250.5", 250500 * time.Microsecond, true},
		{"0", "0", 0, false},
		{"-0", "0", 0, false},
		{"0.0", "0", 0, false},
		{"1e3", "1000", time.Second, true},
		{"1E+3", "1000", time.Second, true},
		{"0.0000001", "1e-7", 1, true}, // less than a nanosecond is not for ever
		{"5e-324", "5e-324", 1, true},
		{"1e-400", "0", 0, false}, // JavaScript reads it so, too
		{"2147483648", "2147483648", 2147483648 * time.Millisecond, true},
		{"9007199254740991", "9007199254740991", math.MaxInt64, true},
		{"9007199254740993", "9007199254740992", math.MaxInt64, true},
		{"9223372036854775808", "9223372036854776000", math.MaxInt64, true},
		{"4611686018427387904", "4611686018427388000", math.MaxInt64, true},
		{"1e21", "1e+21", math.MaxInt64, true},
		{"1e300", "1e+300", math.MaxInt64, true},
	} {
		r, err := DecodeRequest([]byte(req("confirm", `,"title":"t","timeout":`+c.in)))
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		timeout := r.(Dialog).DialogTimeout()
		if d, ok := timeout.Duration(); d != c.d || ok != c.limited || !timeout.Set() {
			t.Errorf("%s: %v, %v", c.in, d, ok)
		}
		if got := string(reencode(t, []byte(req("confirm", `,"title":"t","timeout":`+c.in)))); got != req("confirm", `,"title":"t","timeout":`+c.out) {
			t.Errorf("%s: written %s, want %s", c.in, got, c.out)
		}
	}
	if d, ok := (Timeout{}).Duration(); d != 0 || ok || (Timeout{}).Set() {
		t.Errorf("absent: %v, %v", d, ok)
	}
}

func TestTimeoutsInGo(t *testing.T) {
	for _, bad := range []float64{-1, -math.SmallestNonzeroFloat64, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got, err := Milliseconds(bad); err == nil || got.Set() {
			t.Errorf("%v: got %v", bad, got)
		}
	}
	if got, err := After(-1); err == nil || got.Set() {
		t.Errorf("-1ns: got %v", got)
	}
	for _, d := range []time.Duration{0, 1, time.Millisecond, 250500 * time.Microsecond, time.Hour} {
		timeout, err := After(d)
		if err != nil || !timeout.Set() || timeout.Milliseconds() != float64(d)/1e6 {
			t.Errorf("%v: %v, %v", d, timeout, err)
		}
		if back, ok := timeout.Duration(); back != d || ok != (d > 0) {
			t.Errorf("%v: back as %v, %v", d, back, ok)
		}
	}
}

func TestIDs(t *testing.T) {
	for _, c := range []struct {
		in, text string
		isString bool
	}{
		{`"1"`, "1", true}, {`""`, "", true}, {`"\u00e9"`, "é", true}, {`"lone \ud83d"`, "lone \xed\xa0\xbd", true}, {"\"\xff\"", "\xff", true},
		{`1`, "1", false}, {`1.0`, "1.0", false}, {`-0`, "-0", false}, {`12345678901234567890`, "12345678901234567890", false}, {`1e400`, "1e400", false},
		{`null`, "null", false}, {`true`, "true", false}, {`[1, "a"]`, `[1, "a"]`, false}, {`{"a": {"b":1}}`, `{"a": {"b":1}}`, false},
	} {
		record := []byte(`{"type":"extension_ui_request","id":` + c.in + `,"method":"setTitle","title":"t"}`)
		r, err := DecodeRequest(record)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		clear(record)
		id := r.RequestID()
		if id.String() != c.text || id.IsString() != c.isString || id.IsZero() {
			t.Errorf("%s: read as %q, string %v, absent %v", c.in, id, id.IsString(), id.IsZero())
		}
	}
	keys := map[string]string{}
	if StringID("1") == parseID([]byte("1")) || StringID("") == (ID{}) || !(ID{}).IsZero() || (ID{}).String() != "" {
		t.Error("different ids are equal")
	}
	for _, same := range [][]string{
		{`1`, `1.0`, `10e-1`, `"1"`, `"\u0031"`, `1.00000000000000000001`},
		{`9007199254740992`, `9007199254740993`, `9007199254740992.0`, `"9007199254740992"`},
		{`0`, `-0`, `0e9`, `"0"`}, {`1e21`, `1000000000000000000000`, `"1e+21"`}, {`1e999`, `1e1000`},
		{`{}`, `{"a":1}`, `[1]`}, {`null`, `"null"`}, {`"\ud800"`, `"\udc00"`, `"\ufffd"`, "\"\xff\""}, {`""`},
		{`"a"`}, {`"A"`}, {`2`}, {`9007199254740994`}, {`true`}, {`false`},
	} {
		for _, raw := range same {
			key := parseID([]byte(raw)).Key()
			if first, seen := keys[key]; seen && first != same[0] {
				t.Errorf("%s and %s have the key %q", raw, first, key)
			}
			keys[key] = same[0]
			if want := parseID([]byte(same[0])).Key(); key != want {
				t.Errorf("%s has the key %q, want %q, that of %s", raw, key, want, same[0])
			}
		}
	}
	if StringID("1") != parseID([]byte(`"\u0031"`)) {
		t.Error("equal ids differ")
	}
}

func TestLevelsAndPlacements(t *testing.T) {
	for in, want := range map[NotifyType]NotifyType{"": NotifyInfo, "info": NotifyInfo, "warning": NotifyWarning, "error": NotifyError, "fatal": NotifyInfo, "Error": NotifyInfo} {
		if got := in.Level(); got != want {
			t.Errorf("%q: level %s", in, got)
		}
	}
	for in, want := range map[Placement]Placement{"": AboveEditor, "aboveEditor": AboveEditor, "belowEditor": BelowEditor, "left": AboveEditor,
		"borderTopLeft": BorderTopLeft, "borderTopRight": BorderTopRight, "borderBottomLeft": BorderBottomLeft, "borderBottomRight": BorderBottomRight} {
		if got := in.Normal(); got != want {
			t.Errorf("%q: placement %s", in, got)
		}
	}
}
