package policy

import (
	_ "embed"
)

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema (2020-12) of policy files, for editors that
// complete and check while one types. Parse checks more than a schema can say.
func Schema() []byte { return append([]byte(nil), schema...) }
