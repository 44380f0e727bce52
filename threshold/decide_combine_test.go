package threshold_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/threshold"
)

func TestCombineByName(t *testing.T) {
	const high, review, low = threshold.High, threshold.Review, threshold.Low
	for _, c := range []struct {
		name  string
		bands []threshold.Band
		want  threshold.Verdict
	}{
		{"lowest", []threshold.Band{high, high}, threshold.AutoApply},
		{"lowest", []threshold.Band{high, review}, threshold.RouteToHuman},
		{"lowest", []threshold.Band{review, low, high}, threshold.AutoReject},
		{"lowest", []threshold.Band{low, review}, threshold.AutoReject},
		{"unanimous", []threshold.Band{high, high}, threshold.AutoApply},
		{"unanimous", []threshold.Band{high, low}, threshold.RouteToHuman},
		{"unanimous", []threshold.Band{low, high}, threshold.RouteToHuman},
		{"unanimous", []threshold.Band{review, review}, threshold.RouteToHuman},
		{"unanimous", []threshold.Band{low, low}, threshold.AutoReject},
		{"unanimous", []threshold.Band{low, review}, threshold.RouteToHuman},
		{"unanimous", nil, threshold.RouteToHuman},
	} {
		combine, ok := threshold.CombineByName(c.name)
		if !ok {
			t.Fatalf("no combine %s", c.name)
		}
		var b threshold.Bands
		for _, band := range c.bands {
			b = append(b, threshold.ScoreBand{Score: "s", Band: band})
		}
		if v, err := combine(b); v != c.want || err != nil {
			t.Errorf("%s of %v = %s, %v, want %s", c.name, c.bands, v, err, c.want)
		}
	}
	for _, name := range []string{"", "Lowest", "highest"} {
		if f, ok := threshold.CombineByName(name); ok || f != nil {
			t.Errorf("%q is a combine", name)
		}
	}
}

// The contract: else (at least one band, all high) auto_apply. A custom combine
// may hand on fewer bands than there are.
func TestLowestOfNoBandsIsAPerson(t *testing.T) {
	if v, _ := threshold.Lowest(nil); v != threshold.RouteToHuman {
		t.Errorf("Lowest of no bands = %s", v)
	}
	for _, odd := range []threshold.Band{"", "HIGH"} {
		if v, _ := threshold.Lowest(threshold.Bands{{Score: "a", Band: odd}}); v != threshold.RouteToHuman {
			t.Errorf("Lowest of the band %q = %s", odd, v)
		}
		if v, _ := threshold.Unanimous(threshold.Bands{{Score: "a", Band: odd}}); v != threshold.RouteToHuman {
			t.Errorf("Unanimous of the band %q = %s", odd, v)
		}
	}
}

func TestCustomCombineSeesTheBandsByName(t *testing.T) {
	p := both(0.9, 0.5)
	p.Bands["b"] = threshold.BandConfig{HighMin: 0.9, ReviewMin: 0.5}
	p.Bands["a"] = threshold.BandConfig{HighMin: 0.9, ReviewMin: 0.5}
	var seen threshold.Bands
	p.Combine = func(b threshold.Bands) (threshold.Verdict, error) {
		seen = slices.Clone(b)
		return threshold.AutoReject, nil
	}
	s := score(1)
	s.Scores = map[string]float64{"b": 0}
	d := threshold.Decide(s, p)
	want := threshold.Bands{{"a", threshold.Review}, {"b", threshold.Low}, {"score", threshold.High}}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("combine saw (-want +got):\n%s", diff)
	}
	wantDecision(t, d, threshold.RouteToHuman, "band_review:a", "band_low:b", "band_high:score", "score_missing:a")
}

func TestCustomCombineDecides(t *testing.T) {
	for _, v := range []threshold.Verdict{threshold.AutoReject, threshold.RouteToHuman} {
		p := both(0.9, 0.5)
		p.Combine = always(v)
		wantDecision(t, threshold.Decide(score(1), p), v, "band_high:score")
	}
	p := both(0.9, 0.5)
	p.Combine = always(threshold.AutoApply)
	wantDecision(t, threshold.Decide(score(1), p), threshold.AutoApply, "band_high:score")
}

func TestCombineThatAnswersNothingIsAFault(t *testing.T) {
	for name, combine := range map[string]threshold.Combine{
		"error":       func(threshold.Bands) (threshold.Verdict, error) { return threshold.AutoApply, errTest },
		"panic":       func(threshold.Bands) (threshold.Verdict, error) { panic("secret") },
		"nil panic":   func(threshold.Bands) (threshold.Verdict, error) { panic(nothing) },
		"index panic": func(b threshold.Bands) (threshold.Verdict, error) { _ = b[len(b)]; return "", nil },
		"empty":       always(""),
		"other word":  always("approve"),
		"upper case":  always("AUTO_APPLY"),
	} {
		t.Run(name, func(t *testing.T) {
			p := both(0.9, 0.5)
			p.Combine = combine
			d := threshold.Decide(score(1), p)
			wantDecision(t, d, threshold.RouteToHuman, "band_high:score", "combine_invalid")

			// A rule's rejection can't come through either.
			p.Rules = []threshold.Rule{{ID: "r", When: threshold.Flag("f"), Force: threshold.AutoReject, Reason: "f"}}
			s := score(1)
			s.Flags = []string{"f"}
			wantDecision(t, threshold.Decide(s, p), threshold.RouteToHuman,
				"band_high:score", "rule_auto_reject:r", "combine_invalid")
		})
	}
}

func TestCombineIsNotCalledWithoutBands(t *testing.T) {
	p := threshold.Policy{EnableAutoApply: true, Combine: func(threshold.Bands) (threshold.Verdict, error) {
		t.Error("combine was called")
		return threshold.AutoApply, nil
	}}
	wantDecision(t, threshold.Decide(score(1), p), threshold.RouteToHuman, "no_bands")
}

func TestCombineThatChangesItsArgumentChangesNothing(t *testing.T) {
	p := both(0.9, 0.5)
	p.Combine = func(b threshold.Bands) (threshold.Verdict, error) {
		b[0] = threshold.ScoreBand{Score: "forged", Band: threshold.High}
		return threshold.AutoApply, nil
	}
	d := threshold.Decide(score(0), p)
	wantDecision(t, d, threshold.RouteToHuman, "band_low:score", "not_all_high")
	if band, _ := d.Bands.Get("score"); band != threshold.Low || len(d.Bands) != 1 {
		t.Errorf("bands = %v", d.Bands)
	}
}
