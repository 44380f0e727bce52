package policy_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/policy"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(policy.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("policy.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("policy.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate holds a policy file to the schema, as an editor would. Readable is
// false if it isn't even YAML or JSON as we read them.
func validate(t *testing.T, s *jsonschema.Schema, name string) (readable bool, err error) {
	t.Helper()
	parse := source.ParseYAML
	if filepath.Ext(name) == ".json" {
		parse = source.ParseJSON
	}
	n, _ := parse(readFile(t, name))
	if n == nil {
		return false, nil
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(n.AppendJSON(nil)))
	if err != nil {
		t.Fatal(err)
	}
	return true, s.Validate(doc)
}

func TestSchemaTakesEveryValidPolicy(t *testing.T) {
	s := compiledSchema(t)
	files := append(policyFiles(t, "testdata/valid/*"), policyFiles(t, "testdata/lint/*")...)
	files = append(files, policyFiles(t, "../examples/*/*.pawl.yaml")...)
	files = append(files, policyFiles(t, "testdata/cases/*.yaml")...)
	for _, name := range files {
		if _, err := parseFile(t, name); err != nil {
			t.Errorf("%v", err)
		}
		if ok, err := validate(t, s, name); !ok || err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a schema can't say: how values relate, what is declared, what is inside
// an expression, that a text is more than white space.
var beyondSchema = []string{
	"bounds-not-held.yaml", "bounds-unordered.yaml", "cel-syntax-block.yaml", "cel-syntax-plain.yaml", "cel-syntax-quoted.yaml", "cel-types.yaml",
	"combine-not-text.yaml", "combine-reads-meta.yaml", "combine-reads-undeclared-band.yaml", "combine-unknown.yaml", "declared-otherwise.yaml",
	"duplicate-ids.yaml", "folded-comment.yaml", "in-mixed.yaml", "invisible.yaml", "time-zones.yaml", "undeclared-in-bands.yaml", "undeclared-in-cel.yaml", "undeclared-in-fixtures.yaml", "undeclared-score.yaml",
	"case-expressions.yaml", "case-file-alone.yaml", "case-file-paths.yaml", "case-schema-dangling.yaml", "case-schema-draft4.yaml", "case-schema-duplicate.yaml",
	"case-schema-misfit.yaml", "case-schema-names.yaml", "case-schema-other.yaml", "case-schema-pattern.yaml", "case-schema-remote.yaml", "case-schema-syntax.yaml",
	"case-schema-unread.yaml", "case-schema-wrong.yaml", "case-tests-malformed.yaml",
	"case-queue-names.yaml", "promotion-queue-names.yaml", "review-order.yaml",
	"promotion-catalogue.yaml", "promotion-catalogue-missing.yaml", "promotion-tools-shipped.yaml",
}

func TestSchemaRefusesWhatItCan(t *testing.T) {
	s := compiledSchema(t)
	for _, name := range policyFiles(t, "testdata/check/*") {
		readable, err := validate(t, s, name)
		if beyond := slices.Contains(beyondSchema, filepath.Base(name)); readable && beyond != (err == nil) {
			t.Errorf("%s: the schema says %v", name, err)
		}
	}
}

// The schema must not promise more than Parse keeps: what it refuses in a file
// that Parse takes would be an editor crying wolf.
func TestSchemaKnowsTheKeysThatParseKnows(t *testing.T) {
	type object struct{ Properties map[string]any }
	var doc struct {
		Defs map[string]object `json:"$defs"`
	}
	if err := json.Unmarshal(policy.Schema(), &doc); err != nil {
		t.Fatal(err)
	}
	for kind, head := range map[string]string{"threshold": head, "case": caseHead, "promotion": promotionHead} {
		if len(doc.Defs[kind].Properties) < 10 {
			t.Errorf("no properties of kind %s", kind)
		}
		for key := range doc.Defs[kind].Properties {
			_, err := policy.Parse("a.yaml", []byte(head+"x_"+key+": 1\n"+key+": null\n"))
			for _, p := range problemsOf(t, err) {
				if p.Pos.Line == 5 && (p.Code == "unknown-key" || p.Code == "not-supported-yet") {
					t.Errorf("%s: Parse says %v", kind, p)
				}
			}
		}
	}
}

func TestSchemaIsACopy(t *testing.T) {
	policy.Schema()[0] = 'x'
	if !json.Valid(policy.Schema()) {
		t.Error("a caller changed the schema")
	}
	file, err := os.ReadFile("schema.json")
	if err != nil || !bytes.Equal(file, policy.Schema()) {
		t.Errorf("schema.json isn't the schema: %v", err)
	}
}
