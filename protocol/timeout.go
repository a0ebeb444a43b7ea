package protocol

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Timeout is a dialog's time limit as the wire has it: milliseconds, possibly
// with a fraction. The zero Timeout is an absent field.
//
// Absent and 0 both mean that the dialog waits for ever. They are kept apart
// because a 0 is written, as pi does.
type Timeout struct {
	ms  float64
	set bool
}

// Milliseconds returns the Timeout of ms milliseconds. A negative, infinite or
// NaN ms is an error.
func Milliseconds(ms float64) (Timeout, error) {
	if !(ms >= 0) || math.IsInf(ms, 0) {
		return Timeout{}, fmt.Errorf("timeout %v: not a number of milliseconds, 0 or more", ms)
	}
	return Timeout{ms: ms, set: true}, nil
}

// After returns the Timeout of d. A negative d is an error.
func After(d time.Duration) (Timeout, error) {
	if d < 0 {
		return Timeout{}, fmt.Errorf("timeout %v: less than nothing", d)
	}
	return Timeout{ms: float64(d) / float64(time.Millisecond), set: true}, nil
}

// Set reports whether the field is on the wire.
func (t Timeout) Set() bool { return t.set }

// Milliseconds returns the number on the wire, 0 for an absent field.
func (t Timeout) Milliseconds() float64 { return t.ms }

// Duration returns how long the dialog may stay open. ok is false if there is
// no limit. What a Duration cannot hold becomes the longest one, 292 years.
func (t Timeout) Duration() (d time.Duration, ok bool) {
	if t.ms <= 0 {
		return 0, false
	}
	ns := t.ms * float64(time.Millisecond)
	if ns >= math.MaxInt64 {
		return math.MaxInt64, true
	}
	return max(time.Duration(ns), 1), true
}

func (t Timeout) appendJSON(dst []byte) []byte {
	if i := int64(t.ms); float64(i) == t.ms && i < 1<<53 {
		return strconv.AppendInt(dst, i, 10)
	}
	b, err := json.Marshal(t.ms)
	if err != nil { // a Timeout holds no NaN and no infinity
		panic("protocol: " + err.Error())
	}
	return append(dst, b...)
}

func parseTimeout(raw jsontext.Value) (Timeout, bool) {
	if raw.Kind() != '0' {
		return Timeout{}, false
	}
	ms, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return Timeout{}, false
	}
	t, err := Milliseconds(ms)
	return t, err == nil
}
