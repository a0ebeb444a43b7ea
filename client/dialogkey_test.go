package client_test

import (
	"context"
	"testing"

	"extui/client"
)

// A context that no dialog was asked with has no key.
func TestDialogKeyOfAnotherContext(t *testing.T) {
	if key := client.DialogKey(context.WithValue(t.Context(), t, 1)); key != 0 {
		t.Errorf("got %d", key)
	}
}
