package policy

import (
	"bytes"
	"fmt"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// readActionSchema compiles the file that review.action_schema names to a check
// of actions.
func readActionSchema(r *reader, n *source.Node) func(action []byte) error {
	if n == nil || !r.is(n, source.String, "action_schema") {
		return nil
	}
	text, schema := r.jsonSchema(n, "action_schema", "action-schema")
	if schema == nil {
		return nil
	}
	r.digested(n.Text, text)
	name := n.Text
	return func(action []byte) error {
		if _, err := source.ReadJSON(action); err != nil {
			return fmt.Errorf("read the action: %w", err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(action))
		if err != nil {
			return fmt.Errorf("read the action: %w", err)
		}
		if why := misfit(schema, doc); why != "" {
			return fmt.Errorf("the action isn't what %s says: %s", name, why)
		}
		return nil
	}
}
