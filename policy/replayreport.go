package policy

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/threshold"
)

// ReplayReport is what a replay counted.
type ReplayReport struct {
	Items     int `json:"items"`
	Malformed int `json:"malformed"`
	// Verdicts counts items by old verdict, then by new verdict.
	Verdicts map[threshold.Verdict]map[threshold.Verdict]int `json:"verdicts"`
	Same     int                                             `json:"same"`
	// MoreAutomatic counts the items whose change is looser; the other changes
	// are MoreSupervised.
	MoreAutomatic  int `json:"moreAutomatic"`
	MoreSupervised int `json:"moreSupervised"`
	// Gone and Came count the reasons of the items that become more automatic
	// which only the old, or only the new decision has.
	Gone   []ReasonCount `json:"gone"`
	Came   []ReasonCount `json:"came"`
	Rules  []ReplayRule  `json:"rules"`
	Scores []ReplayScore `json:"scores"`
}

// ReasonCount is how many items have a reason ("code" or "code:subject").
type ReasonCount struct {
	Reason string `json:"reason"`
	Items  int    `json:"items"`
}

// ReplayRule is how often a rule fired under each policy.
type ReplayRule struct {
	ID  string   `json:"id"`
	Old RuleUses `json:"old"`
	New RuleUses `json:"new"`
}

// RuleUses is how often a rule fired or was unknown.
type RuleUses struct {
	Force   threshold.Verdict `json:"force,omitempty"` // empty: the policy has no such rule
	Fired   int               `json:"fired"`
	Unknown int               `json:"unknown"`
}

func (r *ReplayRule) side(i int) *RuleUses {
	if i == 0 {
		return &r.Old
	}
	return &r.New
}

// Verdicts are the three verdicts in the order of supervision, in which reports
// show them.
var Verdicts = [...]threshold.Verdict{threshold.AutoApply, threshold.AutoReject, threshold.RouteToHuman}

// Report returns what was counted so far.
func (r *Replay) Report() *ReplayReport {
	out := &ReplayReport{
		Items: r.items, Malformed: r.malformed,
		Verdicts: map[threshold.Verdict]map[threshold.Verdict]int{},
		Gone:     sortedCounts(r.gone), Came: sortedCounts(r.came),
		Rules: slices.Clone(r.rules), Scores: []ReplayScore{},
	}
	if out.Rules == nil {
		out.Rules = []ReplayRule{}
	}
	for i, old := range Verdicts {
		out.Verdicts[old] = map[threshold.Verdict]int{}
		for j, new := range Verdicts {
			n := r.verdicts[i][j]
			out.Verdicts[old][new] = n
			switch {
			case i == j:
				out.Same += n
			case new == threshold.RouteToHuman:
				out.MoreSupervised += n
			default:
				out.MoreAutomatic += n
			}
		}
	}
	for i := range r.scores {
		out.Scores = append(out.Scores, r.scores[i].report())
	}
	return out
}

// sortedCounts lists counts, the largest first.
func sortedCounts(counts map[string]int) []ReasonCount {
	list := make([]ReasonCount, 0, len(counts))
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, ReasonCount{reason, counts[reason]})
	}
	slices.SortStableFunc(list, func(a, b ReasonCount) int { return cmp.Compare(b.Items, a.Items) })
	return list
}

func cutReason(reason string) (code, subject string) {
	code, subject, _ = strings.Cut(reason, ":")
	return code, subject
}
