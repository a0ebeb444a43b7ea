package policy

import (
	"context"
	"math"
	"path/filepath"
	"testing"
)

// BenchmarkAsk is what rules add to a dialog: the file of examples/policy for CI, the same
// with a limit, and with an audit log, which waits for the disk.
func BenchmarkAsk(b *testing.B) {
	rules, err := Load("../examples/policy/ci.policy.yaml")
	if err != nil {
		b.Fatal(err)
	}
	rules.same = 0
	d := choose("Which registry?", "staging", "production")
	run := func(b *testing.B, audit *Audit) {
		f := New(rules, &Options{Audit: audit})
		for b.Loop() {
			if _, err := f.Ask(context.Background(), d); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("rules", func(b *testing.B) { run(b, nil) })
	b.Run("limit", func(b *testing.B) {
		rules.same = math.MaxInt
		defer func() { rules.same = 0 }()
		run(b, nil)
	})
	b.Run("audit", func(b *testing.B) {
		audit, err := OpenAudit(filepath.Join(b.TempDir(), "audit.jsonl"), nil)
		if err != nil {
			b.Fatal(err)
		}
		defer audit.Close()
		run(b, audit)
	})
}

// BenchmarkParse is what a policy adds to the start, its expression above all.
func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := Load("../examples/policy/ci.policy.yaml"); err != nil {
			b.Fatal(err)
		}
	}
}
