package casegate

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

//go:embed schema.json
var schemaText []byte

// Schema returns the JSON Schema (draft-07) of outputs: schema_sentinel_v1.
func Schema() []byte { return append([]byte(nil), schemaText...) }

// schemaMembers are the members that the schema names, in its order.
var schemaMembers = []string{
	"action", "escalation_category", "confidence_score", "confidence_reasoning", "human_action_required", "audit_trail",
	"policy_violations", "missing_preconditions", "boundary_analysis", "confidence_factors", "conflicting_signals", "external_dependency",
	"escalation_path", "policy_gates_passed", "decision", "selected_route", "rationale",
}

// compiledSchema is the schema, ready to use. It refers to nothing outside
// itself, so nothing is loaded; that it compiles is tested.
var compiledSchema = sync.OnceValue(func() *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		panic(err)
	}
	const url = "https://pawl.dev/schema/schema_sentinel_v1.json"
	c := jsonschema.NewCompiler()
	if err := c.AddResource(url, doc); err != nil {
		panic(err)
	}
	return c.MustCompile(url)
})

// schemaErrors holds a value to the schema: one finding for each keyword that
// it breaks, in the order of the schema's members.
func schemaErrors(n *source.Node) []Finding {
	err := compiledSchema().Validate(n.Value(schemaNumber))
	if err == nil {
		return nil
	}
	var e *jsonschema.ValidationError
	if !errors.As(err, &e) {
		return []Finding{{Message: err.Error()}}
	}
	type leaf struct {
		at      []string
		message string
	}
	var leaves []leaf
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			leaves = append(leaves, leaf{e.InstanceLocation, keywordMessage(e)})
		}
		for _, cause := range e.Causes {
			walk(cause)
		}
	}
	walk(e)
	slices.SortFunc(leaves, func(a, b leaf) int {
		return cmp.Or(comparePlaces(a.at, b.at), cmp.Compare(a.message, b.message))
	})
	var fs []Finding
	for _, l := range leaves {
		fs = append(fs, Finding{pointerTo(l.at...), l.message})
	}
	return slices.Compact(fs) // the conditions repeat what the members say
}

// schemaNumber gives a number as the schema's library takes it. The schema asks
// only how it stands to 0 and 1, so a number of five stands for it: exactly,
// where a float64 would round, and for any exponent, where the library would
// compute for minutes or panic.
func schemaNumber(n *source.Node) any {
	d := parseJSONNumber(n.Text)
	below, above := d.compare(jsonNumber{}), d.compare(numberOne)
	switch {
	case below < 0:
		return -1.0
	case below == 0:
		return 0.0
	case above < 0:
		return 0.5
	case above == 0:
		return 1.0
	default:
		return 2.0
	}
}

// keywordMessage says what a value must be, by the keyword that it breaks. The
// messages are ours so that they don't change with the library.
func keywordMessage(e *jsonschema.ValidationError) string {
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		var want []string
		for _, w := range k.Want {
			want = append(want, kindWord(w))
		}
		return "must be " + strings.Join(want, " or ") + ", not " + kindWord(k.Got)
	case *kind.Enum:
		var want []string
		for _, w := range k.Want {
			if w == nil {
				w = "null"
			}
			want = append(want, fmt.Sprint(w))
		}
		return "must be one of " + strings.Join(want, ", ")
	case *kind.Required:
		return "lacks " + strings.Join(k.Missing, ", ")
	case *kind.Minimum:
		return "must be at least " + k.Want.RatString()
	case *kind.Maximum:
		return "must be at most " + k.Want.RatString()
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %d, has %d", k.Want, k.Got)
	default:
		return "breaks the schema's " + strings.Join(e.ErrorKind.KeywordPath(), "/")
	}
}

// kindWord names a JSON Schema type as source.Kind does.
func kindWord(t string) string {
	switch t {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "null":
		return t
	default:
		return "a " + t
	}
}

// comparePlaces orders places by the schema's members, and entries of lists by
// number. The schema finds fault with no other places.
func comparePlaces(a, b []string) int {
	for i := range min(len(a), len(b)) {
		order := cmp.Or(cmp.Compare(len(a[i]), len(b[i])), cmp.Compare(a[i], b[i]))
		if i == 0 {
			order = cmp.Compare(slices.Index(schemaMembers, a[0]), slices.Index(schemaMembers, b[0]))
		}
		if order != 0 {
			return order
		}
	}
	return cmp.Compare(len(a), len(b))
}

// pointerTo returns the JSON pointer (RFC 6901) of a place.
func pointerTo(tokens ...string) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteByte('/')
		b.WriteString(pointerEscapes.Replace(t))
	}
	return b.String()
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")
