package policy_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pawlgate/pawl/policy"
)

const costly = "pawl: v1\ngate: g\nkind: case\ncase_schema: s.json\nrules: [{id: r, forbid: facts.v > 10, next_step: look}]\ndecision: '\"OK\"'\n"

// A schema with which a small case could stop the gate is refused; one that goes
// down a case once is fine, however deep it is.
func TestCostlySchemas(t *testing.T) {
	const around = `{"$defs":{%s},"properties":{"facts":{"properties":{"v":{},"t":{"$ref":"#/$defs/n"}}}}}`
	var doubled strings.Builder
	doubled.WriteString(`"n":{"$ref":"#/$defs/a0"},"a30":{}`)
	for i := range 30 {
		fmt.Fprintf(&doubled, `,"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]}`, i, i+1, i+1)
	}
	for _, tt := range []struct{ name, defs, want string }{
		{"once down", `"n":{"properties":{"c":{"$ref":"#/$defs/n"}}}`, ""},
		{"once down, over two", `"n":{"properties":{"c":{"$ref":"#/$defs/m"}}},"m":{"items":{"$ref":"#/$defs/n"}}`, ""},
		{"shared, not doubled", `"n":{"allOf":[{"$ref":"#/$defs/m"},{"$ref":"#/$defs/m"}]},"m":{"type":"object"}`, ""},
		{"twice down", `"n":{"properties":{"c":{"allOf":[{"$ref":"#/$defs/n"},{"$ref":"#/$defs/n"}]}}}`, "comes back to itself in more than one way"},
		{"twice down by two ways", `"n":{"allOf":[{"properties":{"c":{"$ref":"#/$defs/n"}}},{"patternProperties":{".":{"$ref":"#/$defs/n"}}}]}`, "comes back to itself in more than one way"},
		{"doubled thirty times", doubled.String(), "more than 20000 schemas"},
	} {
		files := fstest.MapFS{"s.json": {Data: fmt.Appendf(nil, around, tt.defs)}}
		f, err := policy.ParseFiles("p.pawl.yaml", []byte(costly), files)
		if tt.want != "" {
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		deep := `{"case_id":"c","facts":{"v":1,"t":` + strings.Repeat(`{"c":`, 50) + "{}" + strings.Repeat("}", 50) + "}}"
		if _, r := f.Case.DecideJSON([]byte(deep), 0, false); len(r.Output.AuditTrail) == 0 {
			t.Errorf("%s: no output", tt.name)
		}
	}
}
