package casegate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/casegate"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func FuzzValidate(f *testing.F) {
	for _, tt := range outputCases {
		if len(tt.output) < 2000 {
			f.Add([]byte(tt.output))
		}
	}
	s := plainSchema(f)
	f.Fuzz(func(t *testing.T, output []byte) {
		before := bytes.Clone(output)
		p := reportPolicy()
		r, without := casegate.Validate(output, p), casegate.Validate(output, nil)
		if r.Consistent() {
			if err := naive(s, output, p); err != nil {
				t.Fatalf("consistent, but %v\n%s", err, output)
			}
			if !without.Consistent() {
				t.Fatalf("consistent only with a policy: %+v", without)
			}
		}
		if r.Malformed == "" {
			checkReport(t, r, output)
		}
		o, err := casegate.ParseOutput(output)
		if (err == nil) != (r.Malformed == "" && len(r.Schema) == 0) {
			t.Fatalf("read with %v, but the report is %+v", err, r)
		}
		if err == nil && (o.Action != r.Action || !(o.Confidence >= 0 && o.Confidence <= 1) || r.Consistent() && hasBlock(o)) {
			t.Fatalf("%+v and %+v", o, r)
		}
		if !bytes.Equal(before, output) {
			t.Fatal("the text was changed")
		}
	})
}

func hasBlock(o *casegate.Output) bool {
	return len(o.PolicyViolations)+len(o.MissingPreconditions)+len(o.BoundaryAnalysis)+len(o.ConfidenceFactors)+len(o.ConflictingSignals)+len(o.ExternalDependency) > 0
}

// checkReport wants findings that can be read, and the same without white space.
func checkReport(t *testing.T, r *casegate.Report, output []byte) {
	t.Helper()
	size := 0
	for _, f := range findings(r) {
		size += len(f.Pointer)
		if f.Message == "" || !utf8.ValidString(f.Pointer+f.Message) || f.Pointer != "" && f.Pointer[0] != '/' {
			t.Fatalf("an odd finding: %+q", f)
		}
	}
	if size > 20*len(output)+1000 {
		t.Fatalf("pointers of %d bytes for an output of %d", size, len(output))
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, output); err != nil {
		t.Fatalf("accepted, but %v", err)
	}
	if diff := cmp.Diff(r, casegate.Validate(compact.Bytes(), reportPolicy())); diff != "" {
		t.Fatalf("another report without white space: %s", diff)
	}
}

// naive looks at a DECIDE in the plainest way, by other means than Validate,
// and says what speaks against it.
func naive(s *jsonschema.Schema, output []byte, p *casegate.Policy) error {
	d := json.NewDecoder(bytes.NewReader(output))
	d.UseNumber()
	var o map[string]any
	if err := d.Decode(&o); err != nil {
		return err
	}
	if d.More() {
		return fmt.Errorf("there is more than one value")
	}
	lit, _ := o["confidence_score"].(json.Number)
	confidence, err := strconv.ParseFloat(string(lit), 64)
	if err != nil || !(confidence >= p.ConfidenceFloor && confidence <= 1) {
		return fmt.Errorf("the confidence is %s", lit)
	}
	decision, _ := o["decision"].(string)
	if slices.Contains(p.Applies, decision) == slices.Contains(p.Rejects, decision) || strings.TrimSpace(decision) == "" {
		return fmt.Errorf("the decision is %q", decision)
	}
	category, there := o["escalation_category"]
	if o["action"] != "DECIDE" || !there || category != nil || o["human_action_required"] != "NONE" {
		return fmt.Errorf("action %v, category %v, human action %v", o["action"], category, o["human_action_required"])
	}
	for _, name := range blockNames {
		switch b := o[name].(type) {
		case map[string]any:
			if len(b) > 0 {
				return fmt.Errorf("%s is not empty", name)
			}
		case []any:
			if len(b) > 0 {
				return fmt.Errorf("%s is not empty", name)
			}
		}
	}
	if path, there := o["escalation_path"]; there && path != "" {
		return fmt.Errorf("the path is %v", path)
	}
	if route, there := o["selected_route"].(string); there && strings.TrimSpace(route) == "" {
		return fmt.Errorf("the route is blank")
	}
	trail, _ := o["audit_trail"].([]any)
	for _, line := range trail {
		if text, _ := line.(string); strings.TrimSpace(text) == "" {
			return fmt.Errorf("an audit line is blank")
		}
	}
	known := append([]string{"action", "escalation_category", "confidence_score", "human_action_required", "audit_trail", "decision", "escalation_path"}, blockNames...)
	for name, v := range o {
		for _, k := range known {
			if name != k && strings.EqualFold(strings.Join(strings.Fields(name), ""), k) {
				return fmt.Errorf("%q reads like %s", name, k)
			}
		}
		if v == "ESCALATE" && !slices.Contains([]string{"rationale", "confidence_reasoning", "selected_route"}, name) {
			return fmt.Errorf("%q is ESCALATE", name)
		}
	}
	return s.Validate(harmless(o))
}

// harmless replaces numbers with which the schema's library can't compute.
func harmless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, e := range v {
			v[name] = harmless(e)
		}
	case []any:
		for i, e := range v {
			v[i] = harmless(e)
		}
	case json.Number:
		if strings.ContainsAny(string(v), "eE") {
			f, _ := strconv.ParseFloat(string(v), 64)
			return min(f, 2)
		}
	}
	return v
}
