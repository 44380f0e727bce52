package casegate

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/pawlgate/pawl/verdict"
)

// AppendJSON appends the output as a JSON object of schema_sentinel_v1, its
// members in the order of that schema. What is empty is left out.
func (o *Output) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"action":`...)
	dst = verdict.AppendString(dst, string(o.Action))
	dst = append(dst, `,"escalation_category":`...)
	if o.Category == "" {
		dst = append(dst, "null"...)
	} else {
		dst = verdict.AppendString(dst, string(o.Category))
	}
	dst = append(dst, `,"confidence_score":`...)
	dst = appendValue(dst, o.Confidence)
	dst = appendText(dst, "confidence_reasoning", o.ConfidenceReasoning)
	dst = appendText(dst, "human_action_required", o.HumanAction)
	dst = append(dst, `,"audit_trail":`...)
	dst = verdict.AppendStrings(dst, o.AuditTrail)
	dst = appendBlock(dst, "policy_violations", o.PolicyViolations)
	dst = appendBlock(dst, "missing_preconditions", o.MissingPreconditions)
	dst = appendBlock(dst, "boundary_analysis", o.BoundaryAnalysis)
	dst = appendBlock(dst, "confidence_factors", o.ConfidenceFactors)
	if len(o.ConflictingSignals) > 0 {
		dst = append(dst, `,"conflicting_signals":`...)
		dst = appendValue(dst, o.ConflictingSignals)
	}
	dst = appendBlock(dst, "external_dependency", o.ExternalDependency)
	dst = appendText(dst, "escalation_path", o.EscalationPath)
	if len(o.GatesPassed) > 0 {
		dst = append(dst, `,"policy_gates_passed":`...)
		dst = verdict.AppendStrings(dst, o.GatesPassed)
	}
	dst = appendText(dst, "decision", o.Decision)
	dst = appendText(dst, "selected_route", o.SelectedRoute)
	dst = appendText(dst, "rationale", o.Rationale)
	dst = appendBlock(dst, "model_opinion", o.ModelOpinion)
	return append(dst, '}')
}

// MarshalJSON returns what AppendJSON appends.
func (o Output) MarshalJSON() ([]byte, error) { return o.AppendJSON(nil), nil }

func appendText(dst []byte, name, text string) []byte {
	if text == "" {
		return dst
	}
	dst = append(dst, `,"`...)
	dst = append(dst, name...)
	dst = append(dst, `":`...)
	return verdict.AppendString(dst, text)
}

func appendBlock[E any](dst []byte, name string, block map[string]E) []byte {
	if len(block) == 0 {
		return dst
	}
	dst = append(dst, `,"`...)
	dst = append(dst, name...)
	dst = append(dst, `":{`...)
	for i, key := range slices.Sorted(maps.Keys(block)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(verdict.AppendString(dst, key), ':')
		dst = appendValue(dst, block[key])
	}
	return append(dst, '}')
}

// appendValue appends a value of a kind that JSON knows. What it doesn't know
// becomes null: an output is always valid JSON.
func appendValue(dst []byte, v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return append(dst, "null"...)
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte{'\n'})...)
}
