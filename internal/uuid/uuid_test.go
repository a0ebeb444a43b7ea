package uuid

import (
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Whoever asks for them and however many ask at once, no two are the same, and every
// bit that is not fixed is sometimes 0 and sometimes 1.
func TestNew(t *testing.T) {
	const workers, each = 8, 3 * batch / 16
	ids := make(chan string, workers*each)
	var asking sync.WaitGroup
	for range workers {
		asking.Go(func() {
			for range each {
				ids <- New()
			}
		})
	}
	asking.Wait()
	close(ids)
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	var digits [36]string
	for id := range ids {
		if !form.MatchString(id) {
			t.Fatalf("%q is no UUID of version 4", id)
		}
		if seen[id] {
			t.Fatalf("%q was given twice", id)
		}
		seen[id] = true
		for i, c := range id {
			if !strings.ContainsRune(digits[i], c) {
				digits[i] += string(c)
			}
		}
	}
	for i, all := range digits {
		want := 16
		switch i {
		case 8, 13, 14, 18, 23:
			want = 1
		case 19:
			want = 4
		}
		if len(all) != want {
			t.Errorf("character %d is always one of %q", i, all)
		}
	}
}
