package script

import (
	"path/filepath"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"extui/extension"
)

// BenchmarkBundle is what esbuild takes of the start.
func BenchmarkBundle(b *testing.B) {
	path, err := filepath.Abs("../interop/testdata/probe.ts")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := makeBundle(path, api.FormatESModule); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEngine is what a virtual machine and the prelude take.
func BenchmarkEngine(b *testing.B) {
	for b.Loop() {
		e := newEngine(Limits{})
		if err := e.start(); err != nil {
			b.Fatal(err)
		}
		e.close()
	}
}

// BenchmarkLoad is an engine with an extension that is loaded.
func BenchmarkLoad(b *testing.B) {
	l := NewLoader(nil)
	list, err := l.Load("../interop/testdata/probe.ts")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		host := extension.NewHost(list...)
		if err := host.Load(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
		l.units[0].outdated = true
	}
	l.Close()
}
