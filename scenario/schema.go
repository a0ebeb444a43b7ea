package scenario

import (
	_ "embed"
	"slices"
)

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema (2020-12) of a scenario file, for editors that
// complete and check YAML. It says less than [Parse], which knows what came before.
func Schema() []byte { return slices.Clone(schema) }
