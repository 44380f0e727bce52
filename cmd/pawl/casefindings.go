package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/casegate"
)

// caseFinding is something that speaks against a case, as the blocks have it.
type caseFinding struct {
	key      string // the rule's id, or what the gate calls it
	category casegate.Category
	why      string
	details  [][]string
}

// caseFindings collects the entries of all blocks: those of rules in the order
// of the rules, others behind them.
func caseFindings(o *casegate.Output) (all []caseFinding) {
	collect(&all, casegate.PolicyViolation, o.PolicyViolations, func(e casegate.Violation) (string, [][]string) {
		return e.Reason, details("policy", e.Policy, "regulation", e.Regulation, "restriction", e.Restriction,
			"consequence", e.Consequence, "severity", e.Severity, "owner", e.Owner)
	})
	collect(&all, casegate.MissingRequiredDocumentation, o.MissingPreconditions, func(e casegate.Missing) (string, [][]string) {
		return e.Reason, details("missing", strings.Join(e.Missing, ", "), "required by", e.RequiredBy,
			"regulation", e.Regulation, "severity", e.Severity, "owner", e.Owner)
	})
	for _, e := range o.ConflictingSignals {
		rows := details("field", e.Field)
		for _, v := range e.Values {
			rows = append(rows, []string{cell(v.Source) + " says", anyValue(v.Value)})
		}
		all = append(all, caseFinding{cmp.Or(e.Rule, "sources"), casegate.ConflictingSignals, e.Reason, append(rows, details("owner", e.Owner)...)})
	}
	collect(&all, casegate.ExternalDependency, o.ExternalDependency, func(e casegate.Dependency) (string, [][]string) {
		return "waits for " + e.Awaiting, details("status", e.Status, "owner", e.Owner)
	})
	collect(&all, casegate.BoundaryCondition, o.BoundaryAnalysis, func(e casegate.Boundary) (string, [][]string) {
		return e.Assessment, details("value", optional(e.Value), "limit", optional(e.PolicyThreshold),
			"distance", optional(e.Distance), "owner", e.Owner)
	})
	collect(&all, casegate.InsufficientConfidence, o.ConfidenceFactors, func(e casegate.Factors) (string, [][]string) {
		return e.WhyUncertain, details("signals", strings.Join(e.AmbiguousSignals, ", "), "owner", e.Owner)
	})
	place := map[string]int{}
	for i, rule := range o.Rules {
		place[rule.ID] = i - len(o.Rules)
		for j := range all { // a rule's own words say more than its block: which statuses would do, say
			if all[j].key == rule.ID && rule.Why != "" {
				all[j].why = rule.Why
			}
		}
	}
	slices.SortStableFunc(all, func(a, b caseFinding) int { return place[a.key] - place[b.key] })
	return all
}

func collect[E any](all *[]caseFinding, category casegate.Category, block map[string]E, read func(E) (string, [][]string)) {
	for _, key := range slices.Sorted(maps.Keys(block)) {
		why, rows := read(block[key])
		*all = append(*all, caseFinding{key, category, why, rows})
	}
}

// details makes rows of names and texts, and leaves out empty ones.
func details(pairs ...string) (rows [][]string) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			rows = append(rows, []string{pairs[i], cell(pairs[i+1])})
		}
	}
	return rows
}

func optional(v any) string {
	if v == nil {
		return ""
	}
	return anyValue(v)
}

// anyValue writes a value as JSON, so that the text "1" isn't the number 1.
func anyValue(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return cell(fmt.Sprint(v))
	}
	return cell(strings.TrimSpace(b.String()))
}
