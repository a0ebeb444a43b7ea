package protocol

import (
	"strings"
	"testing"
)

var (
	benchSelect = []byte(`{"type":"extension_ui_request","id":"3f0c7f3e-6b0e-4f6c-9d2e-0a4f1c2b3d4e","method":"select","title":"Allow dangerous command?","options":["Allow","Block","Always allow"],"timeout":10000}`)
	benchValue  = []byte(`{"type":"extension_ui_response","id":"3f0c7f3e-6b0e-4f6c-9d2e-0a4f1c2b3d4e","value":"Allow"}`)
	benchUpdate = []byte(`{"type":"message_update","message":{"role":"assistant","content":[{"type":"text","text":"` + strings.Repeat(`some \"text\"\n`, 300) + `"}]},"delta":"x"}`)
	benchLate   = []byte(`{"message":{"role":"assistant","content":[{"type":"text","text":"` + strings.Repeat(`some \"text\"\n`, 300) + `"}]},"type":"message_update"}`)
)

func BenchmarkAppendRequest(b *testing.B) {
	r := must(DecodeRequest(benchSelect))
	dst := make([]byte, 0, 1024)
	b.ReportAllocs()
	b.SetBytes(int64(len(benchSelect)))
	for b.Loop() {
		if _, err := AppendRequest(dst, r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeRequest(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(benchSelect)))
	for b.Loop() {
		if _, err := DecodeRequest(benchSelect); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeResponse(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(benchValue)))
	for b.Loop() {
		if _, err := DecodeResponse(benchValue); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAnswer(b *testing.B) {
	d, r := must(DecodeRequest(benchSelect)).(*Select), must(DecodeResponse(benchValue))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Answer(d); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRecordType(b *testing.B) {
	for name, record := range map[string][]byte{"first": benchUpdate, "last": benchLate, "request": benchSelect} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(record)))
			for b.Loop() {
				if _, ok := RecordType(record); !ok {
					b.Fatal("no object")
				}
			}
		})
	}
}

// A text of a megabyte: plain, with an escape in every line, and all escapes.
func BenchmarkText(b *testing.B) {
	for name, s := range map[string]string{
		"plain":   strings.Repeat("a line of plain text without anything ", 27000),
		"lines":   strings.Repeat("some \"text\" of a file with é\n", 33000),
		"escapes": strings.Repeat("\n\t\"\x00", 250000),
		"korean":  strings.Repeat("한국어 ", 100000),
	} {
		quoted := AppendString(nil, s)
		b.Run("Unquote/"+name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(quoted)))
			for b.Loop() {
				_ = unquote(quoted)
			}
		})
		b.Run("AppendString/"+name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(quoted)))
			for b.Loop() {
				_ = AppendString(quoted[:0:len(quoted)], s)
			}
		})
	}
}
