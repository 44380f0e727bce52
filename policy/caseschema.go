package policy

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/verdict"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// caseSchema is the JSON Schema of the cases of a policy. A nil one knows
// nothing and takes every case.
type caseSchema struct {
	file   string
	schema *jsonschema.Schema
	shape  *shape // what it says of a case
}

// The drafts that a case schema may be written in, as its $schema names them.
var drafts = []string{"https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema"}

// schemaBase is where a case schema stands for the library: nowhere.
const schemaBase = "pawl:///"

// noLoader refuses to fetch what a schema refers to: a policy does no I/O.
type noLoader struct{}

// Load implements jsonschema.URLLoader.
func (noLoader) Load(string) (any, error) { return nil, errors.New("not followed") }

// readCaseSchema reads the file that case_schema names.
func readCaseSchema(r *reader, n *source.Node) *caseSchema {
	if n == nil || !r.is(n, source.String, "case_schema") {
		return nil
	}
	text, schema := r.jsonSchema(n, "case_schema", "case-schema")
	if schema == nil {
		return nil
	}
	s := &caseSchema{file: n.Text, schema: schema, shape: shapeOf(schema)}
	for _, why := range s.misfits() {
		r.problem(n.Pos, "case-schema", "%s: %s", n.Text, why)
	}
	r.digested(n.Text, text)
	return s
}

// jsonSchema reads and compiles the JSON Schema that the policy names. It
// complains with the code and returns nil if that can't be done.
func (r *reader) jsonSchema(n *source.Node, key, code string) (text []byte, schema *jsonschema.Schema) {
	text, ok := r.refer(n, key)
	if !ok {
		return nil, nil
	}
	wrong := func(format string, args ...any) {
		r.problem(n.Pos, code, "%s: %s", n.Text, fmt.Sprintf(format, args...))
	}
	root, problems := source.ParseJSON(text)
	for _, p := range problems {
		wrong("%s", p.Error())
	}
	if root == nil {
		return nil, nil
	}
	if draft := root.Get("$schema"); draft != nil && !slices.Contains(drafts, strings.TrimSuffix(draft.Text, "#")) {
		wrong("$schema must be %s or %s#", drafts[0], drafts[1])
		return nil, nil
	}
	schema, err := compileSchema(text)
	if err != nil {
		wrong("%s", schemaFault(err))
		return nil, nil
	}
	if why := tooMuch(schema); why != "" {
		wrong("%s", why)
		return nil, nil
	}
	return text, schema
}

func compileSchema(text []byte) (s *jsonschema.Schema, err error) {
	defer verdict.Recovered(&err) // the library is somebody else's
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.AssertFormat()
	if err := c.AddResource(schemaBase, doc); err != nil {
		return nil, err
	}
	return c.Compile(schemaBase)
}

// schemaFault says what is wrong with a schema.
func schemaFault(err error) string {
	var ve *jsonschema.SchemaValidationError
	var invalid *jsonschema.ValidationError
	var remote *jsonschema.LoadURLError
	switch {
	case errors.As(err, &remote):
		return fmt.Sprintf("$ref %s: only references within the file are followed", strings.TrimPrefix(remote.URL, schemaBase))
	case errors.As(err, &ve) && errors.As(ve.Err, &invalid):
		return "it isn't a JSON Schema: " + schemaReasons(invalid)
	default:
		return strings.ReplaceAll(err.Error(), schemaBase, "")
	}
}

// validate returns why a case isn't what the schema says, empty if it is. It
// names places and keywords, never values.
func (s *caseSchema) validate(doc any) string {
	if s == nil {
		return ""
	}
	return misfit(s.schema, doc)
}

// misfit returns why a value isn't what a schema says, empty if it is.
func misfit(schema *jsonschema.Schema, doc any) string {
	err := holds(schema, doc)
	if err == nil {
		return ""
	}
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return "it can't be held to the schema"
	}
	return schemaReasons(ve)
}

func holds(schema *jsonschema.Schema, doc any) (err error) {
	defer verdict.Recovered(&err)
	return schema.Validate(doc)
}

// maxReasons is how many reasons of one validation are told, and maxReason how
// long each may be.
const (
	maxReasons = 5
	maxReason  = 300
)

func schemaReasons(e *jsonschema.ValidationError) string {
	var reasons []string
	told := map[string]bool{}
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		for _, cause := range e.Causes {
			walk(cause)
		}
		if len(e.Causes) > 0 {
			return
		}
		reason := "/" + strings.Join(e.InstanceLocation, "/") + " " + schemaReason(e.ErrorKind)
		if len(reason) > maxReason {
			reason = strings.ToValidUTF8(reason[:maxReason], "") + "…"
		}
		if !told[reason] {
			told[reason] = true
			reasons = append(reasons, reason)
		}
	}
	walk(e)
	slices.Sort(reasons) // the library goes by the random order of maps
	if more := len(reasons) - maxReasons; more > 0 {
		reasons = append(reasons[:maxReasons], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(reasons, "; ")
}

func schemaReason(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("is %s, not %s", k.Got, strings.Join(k.Want, " or "))
	case *kind.Required:
		return "lacks " + strings.Join(k.Missing, ", ")
	case *kind.AdditionalProperties:
		names := slices.Clone(k.Properties)
		slices.Sort(names)
		return "has members that it doesn't know: " + strings.Join(names, ", ")
	case *kind.FalseSchema:
		return "must not be there"
	}
	if path := k.KeywordPath(); len(path) > 0 {
		return "breaks " + path[0]
	}
	return "doesn't fit"
}
