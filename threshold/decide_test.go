package threshold_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/threshold"
)

// both switches both automatic verdicts on, over one band named "score".
func both(highMin, reviewMin float64) threshold.Policy {
	return threshold.Policy{
		Bands:           map[string]threshold.BandConfig{"score": {HighMin: highMin, ReviewMin: reviewMin}},
		EnableAutoApply: true, EnableAutoReject: true,
	}
}

func score(v float64) threshold.Signals { return threshold.Signals{Score: &v} }

func TestUpstreamReadmeExample(t *testing.T) {
	d := threshold.Decide(score(0.91), threshold.Policy{
		Bands:           map[string]threshold.BandConfig{"score": {HighMin: 0.82, ReviewMin: 0.32}},
		EnableAutoApply: true,
	})
	wantDecision(t, d, threshold.AutoApply, "band_high:score")
	if band, ok := d.Bands.Get("score"); band != threshold.High || !ok {
		t.Errorf("band = %s, %v", band, ok)
	}
	if band, ok := d.Bands.Get("other"); band != "" || ok {
		t.Errorf("band of a score that isn't configured = %q, %v", band, ok)
	}
}

func TestBoundsAreInclusive(t *testing.T) {
	up := func(f float64) float64 { return math.Nextafter(f, math.Inf(1)) }
	down := func(f float64) float64 { return math.Nextafter(f, math.Inf(-1)) }
	negZero := math.Copysign(0, -1)
	for _, c := range []struct {
		name              string
		highMin, rvMin, s float64
		want              threshold.Band
	}{
		{"at highMin", 0.82, 0.32, 0.82, threshold.High},
		{"one ulp above highMin", 0.82, 0.32, up(0.82), threshold.High},
		{"one ulp below highMin", 0.82, 0.32, down(0.82), threshold.Review},
		{"at reviewMin", 0.82, 0.32, 0.32, threshold.Review},
		{"one ulp above reviewMin", 0.82, 0.32, up(0.32), threshold.Review},
		{"one ulp below reviewMin", 0.82, 0.32, down(0.32), threshold.Low},
		{"equal bounds: at", 0.5, 0.5, 0.5, threshold.High},
		{"equal bounds: below", 0.5, 0.5, down(0.5), threshold.Low},
		{"-0 at 0", 0, -1, negZero, threshold.High},
		{"0 at -0", negZero, -1, 0, threshold.High},
		{"-0 at reviewMin 0", 1, 0, negZero, threshold.Review},
		{"denormal below 0", 0, 0, -math.SmallestNonzeroFloat64, threshold.Low},
		{"denormal above 0", 1, math.SmallestNonzeroFloat64, 0, threshold.Low},
		{"any finite number is legal", 1, 0, math.MaxFloat64, threshold.High},
		{"negative bounds", -1, -2, -1.5, threshold.Review},
	} {
		t.Run(c.name, func(t *testing.T) {
			verdicts := map[threshold.Band]threshold.Verdict{
				threshold.High: threshold.AutoApply, threshold.Review: threshold.RouteToHuman, threshold.Low: threshold.AutoReject,
			}
			p := both(c.highMin, c.rvMin)
			wantDecision(t, threshold.Decide(score(c.s), p), verdicts[c.want], "band_"+string(c.want)+":score")
			named := threshold.Signals{Scores: map[string]float64{"score": c.s}}
			wantDecision(t, threshold.Decide(named, p), verdicts[c.want], "band_"+string(c.want)+":score")
		})
	}
}

func TestLowestBandSpeaks(t *testing.T) {
	p := threshold.Policy{
		Bands:           map[string]threshold.BandConfig{"b": {0.9, 0.5}, "a": {0.9, 0.5}, "c": {0.9, 0.5}},
		EnableAutoApply: true, EnableAutoReject: true,
	}
	for _, c := range []struct {
		a, b, c float64
		want    threshold.Verdict
		codes   []string
	}{
		{1, 1, 1, threshold.AutoApply, []string{"band_high:a", "band_high:b", "band_high:c"}},
		{1, 0.5, 1, threshold.RouteToHuman, []string{"band_high:a", "band_review:b", "band_high:c"}},
		{0, 0.5, 1, threshold.AutoReject, []string{"band_low:a", "band_review:b", "band_high:c"}},
		{1, 0.5, 0, threshold.AutoReject, []string{"band_high:a", "band_review:b", "band_low:c"}},
	} {
		d := threshold.Decide(threshold.Signals{Scores: map[string]float64{"a": c.a, "b": c.b, "c": c.c}}, p)
		wantDecision(t, d, c.want, c.codes...)
	}
}

// Every tentative verdict, every set of rules that fire and every pair of
// switches, against a table written out by hand.
func TestResolutionOfEveryCombination(t *testing.T) {
	const (
		apply  = threshold.AutoApply
		reject = threshold.AutoReject
		human  = threshold.RouteToHuman
	)
	// off, only apply on, only reject on, both on
	type row [4]threshold.Verdict
	table := map[string]row{
		"high none":   {human, apply, human, apply},
		"high reject": {human, human, reject, reject},
		"high route":  {human, human, human, human},
		"high both":   {human, human, human, human},
		// The letter of step 4: a rejection also over a tentative route_to_human.
		"review none":   {human, human, human, human},
		"review reject": {human, human, reject, reject},
		"review route":  {human, human, human, human},
		"review both":   {human, human, human, human},
		"low none":      {human, human, reject, reject},
		"low reject":    {human, human, reject, reject},
		"low route":     {human, human, human, human},
		"low both":      {human, human, human, human},
		// Without bands the tentative verdict is route_to_human.
		"nothing none":   {human, human, human, human},
		"nothing reject": {human, human, reject, reject},
		"nothing route":  {human, human, human, human},
		"nothing both":   {human, human, human, human},
	}
	scores := map[string]float64{"high": 1, "review": 0.6, "low": 0}
	flags := map[string][]string{"none": {"other"}, "reject": {"x"}, "route": {"h"}, "both": {"x", "h"}}
	for name, row := range table {
		for i, want := range row {
			t.Run(fmt.Sprint(name, " ", i), func(t *testing.T) {
				tentative, fired, _ := strings.Cut(name, " ")
				p := both(0.9, 0.5)
				p.EnableAutoApply, p.EnableAutoReject = i&1 != 0, i&2 != 0
				p.Rules = []threshold.Rule{
					{ID: "rejects", When: threshold.Flag("x"), Force: reject, Reason: "x"},
					{ID: "routes", When: threshold.Flag("h"), Force: human, Reason: "h"},
				}
				s := score(scores[tentative])
				s.Flags = flags[fired]
				var codes []string
				if tentative == "nothing" {
					p.Bands = nil
				} else {
					codes = append(codes, "band_"+tentative+":score")
				}
				if fired == "reject" || fired == "both" {
					codes = append(codes, "rule_auto_reject:rejects")
				}
				if fired == "route" || fired == "both" {
					codes = append(codes, "rule_route_to_human:routes")
				}
				if tentative == "nothing" {
					codes = append(codes, "no_bands")
				}
				if tentative == "high" && fired == "none" && !p.EnableAutoApply {
					codes = append(codes, "auto_apply_disabled")
				}
				if (fired == "reject" || fired == "none" && tentative == "low") && !p.EnableAutoReject {
					codes = append(codes, "auto_reject_disabled")
				}
				wantDecision(t, threshold.Decide(s, p), want, codes...)
			})
		}
	}
}

func TestReasonsStandInOrderAndCarryTheirMessages(t *testing.T) {
	p := both(0.9, 0.5)
	p.Bands["a"] = threshold.BandConfig{HighMin: 0.9, ReviewMin: 0.5}
	p.EnableAutoReject = false
	p.Rules = []threshold.Rule{
		{ID: "z", When: threshold.Flag("f"), Force: threshold.AutoReject, Reason: "z fired"},
		{ID: "quiet", When: threshold.Flag("nobody"), Force: threshold.RouteToHuman, Reason: "never"},
		{ID: "y", When: threshold.Flag("f"), Force: threshold.AutoReject, Reason: "y fired"},
	}
	s := score(0.95)
	s.Flags = []string{"f", "f"}
	s.Faults = []threshold.Fault{
		{Code: "zz_unknown"},
		{Code: "gate_supervised", Detail: "by the watch"},
		{Code: "aa_unknown", Subject: "q"},
		{Code: "score_not_number", Subject: "z"},
		{Code: "score_not_number", Subject: "b", Detail: "first"},
		{Code: "score_not_number", Subject: "b", Detail: "second"},
	}
	d := threshold.Decide(s, p)
	wantDecision(t, d, threshold.RouteToHuman,
		"band_review:a", "band_high:score", "rule_auto_reject:z", "rule_auto_reject:y", "auto_reject_disabled",
		"score_missing:a", "score_not_number:b", "score_not_number:z", "gate_supervised", "aa_unknown:q", "zz_unknown")

	type sourced struct{ Code, Source string }
	var got []sourced
	for _, r := range d.Reasons {
		if r.Message == "" {
			t.Errorf("%s has no message", r)
		}
		got = append(got, sourced{string(r.Code), string(r.Source)})
	}
	want := []sourced{
		{"band_review", "band"},
		{"band_high", "band"},
		{"rule_auto_reject", "rule"},
		{"rule_auto_reject", "rule"},
		{"auto_reject_disabled", "safety"},
		{"score_missing", "safety"},
		{"score_not_number", "safety"},
		{"score_not_number", "safety"},
		{"gate_supervised", "safety"},
		{"aa_unknown", "safety"},
		{"zz_unknown", "safety"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	if d.Reasons[2].Message != "z fired" || d.Reasons[3].Message != "y fired" {
		t.Errorf("a rule's message is its reason, not %q, %q", d.Reasons[2].Message, d.Reasons[3].Message)
	}
	if d.Reasons[6].Message != "first" || d.Reasons[8].Message != "by the watch" {
		t.Errorf("a fault's message is its (first) detail, not %q, %q", d.Reasons[6].Message, d.Reasons[8].Message)
	}
}

func TestSafetyReasonsForWhatBlocksTheCandidate(t *testing.T) {
	p := both(0.9, 0.5)
	p.Combine = always(threshold.AutoApply)
	wantDecision(t, threshold.Decide(score(0.6), p), threshold.RouteToHuman, "band_review:score", "not_all_high")

	p.EnableAutoApply = false
	wantDecision(t, threshold.Decide(score(0.6), p), threshold.RouteToHuman,
		"band_review:score", "not_all_high", "auto_apply_disabled")

	// What was blocked never comes back as the other automatic verdict.
	p.EnableAutoReject = true
	wantDecision(t, threshold.Decide(score(0), p), threshold.RouteToHuman,
		"band_low:score", "not_all_high", "auto_apply_disabled")
	p = both(0.9, 0.5)
	p.EnableAutoReject = false
	p.Combine = always(threshold.AutoReject)
	wantDecision(t, threshold.Decide(score(1), p), threshold.RouteToHuman, "band_high:score", "auto_reject_disabled")

	// A rule takes the candidate's place, so nothing is said of the old one.
	p = threshold.Policy{Bands: p.Bands, Rules: []threshold.Rule{
		{ID: "r", When: threshold.Flag("f"), Force: threshold.RouteToHuman, Reason: "f"},
	}}
	s := score(1)
	s.Flags = []string{"f"}
	wantDecision(t, threshold.Decide(s, p), threshold.RouteToHuman, "band_high:score", "rule_route_to_human:r")
}

func TestEmptyPolicyRoutesToHuman(t *testing.T) {
	wantDecision(t, threshold.Decide(score(1), threshold.Policy{}), threshold.RouteToHuman, "no_bands")
	on := threshold.Policy{EnableAutoApply: true, EnableAutoReject: true}
	wantDecision(t, threshold.Decide(score(1), on), threshold.RouteToHuman, "no_bands")
	wantDecision(t, threshold.Decide(threshold.Signals{}, on), threshold.RouteToHuman, "no_bands")
}
