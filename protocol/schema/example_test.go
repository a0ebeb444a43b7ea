package schema_test

import (
	"fmt"
	"strings"

	"extui/protocol/schema"
)

func Example() {
	doc, err := schema.Get("cancelled-response")
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(string(doc)) {
		if strings.Contains(line, `"title"`) {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output: "title": "Cancelled response",
}
