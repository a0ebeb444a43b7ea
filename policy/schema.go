package policy

import (
	_ "embed"
	"slices"
)

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema (2020-12) of a policy file, for editors that complete and
// check YAML. It says less than [Parse], which knows which rules approve too much.
func Schema() []byte { return slices.Clone(schema) }
