package policy

import (
	"maps"
	"math"
	"slices"

	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// ReplayScore is how the values of one banded score are spread, and the bands
// that each policy gives them.
type ReplayScore struct {
	Score string `json:"score"`
	// Old and New are the bounds; nil where the policy has no band for the score.
	Old *BandBounds `json:"old,omitempty"`
	New *BandBounds `json:"new,omitempty"`
	// NoValue counts the items in which the score is absent or has a fault.
	NoValue int `json:"noValue"`
	// Bins are those that have values, in order. All have the same width, a
	// power of two, unless that is less than one step of a float64.
	Bins []Bin `json:"bins"`
}

// BandBounds are the bounds of a score's bands.
type BandBounds struct {
	HighMin   float64 `json:"highMin"`
	ReviewMin float64 `json:"reviewMin"`
}

// Bin counts the values v with From <= v < To.
type Bin struct {
	From  float64    `json:"from"`
	To    float64    `json:"to"`
	Items int        `json:"items"`
	Old   BandCounts `json:"old"`
	New   BandCounts `json:"new"`
}

// BandCounts counts values by their band.
type BandCounts struct {
	Low    int `json:"low"`
	Review int `json:"review"`
	High   int `json:"high"`
}

func (c *BandCounts) count(b threshold.Band) {
	switch b {
	case threshold.Low:
		c.Low++
	case threshold.Review:
		c.Review++
	case threshold.High:
		c.High++
	}
}

func (c *BandCounts) add(o BandCounts) {
	c.Low += o.Low
	c.Review += o.Review
	c.High += o.High
}

// replayScore collects the values of one score. It keeps at most maxBins bins
// by doubling their width whenever there are more. The bins stand on a grid of
// powers of two, so that the result doesn't depend on the order of the values
// or on who counted which.
type replayScore struct {
	name    string
	bounds  [2]*BandBounds
	noValue int
	exp     int // the bins are 2^exp wide
	bins    map[float64]*Bin
}

const (
	maxBins = 128
	minExp  = -60
)

// maxBinned bounds what is put into bins, so that dividing it by the width of
// the narrowest bin gives no infinity.
var maxBinned = math.Ldexp(1, 900)

func replayScores(old, new *Threshold) []replayScore {
	names := maps.Clone(old.policy.Bands)
	if names == nil {
		names = map[string]threshold.BandConfig{}
	}
	maps.Copy(names, new.policy.Bands)
	scores := make([]replayScore, 0, len(names))
	for _, name := range sortedKeys(names) {
		s := replayScore{name: name, exp: minExp, bins: map[float64]*Bin{}}
		for i, t := range []*Threshold{old, new} {
			if b, ok := t.policy.Bands[name]; ok {
				s.bounds[i] = &BandBounds{b.HighMin, b.ReviewMin}
			}
		}
		scores = append(scores, s)
	}
	return scores
}

// count takes the value that the sides relied on. The new policy's word counts
// where the two differ: they may declare the score differently.
func (s *replayScore) count(sides *[2]replaySide) {
	var value float64
	var known bool
	for i := range sides {
		if s.bounds[i] == nil {
			continue
		}
		if v, ok := sides[i].decider.reliedOn(s.name, &sides[i].decision); ok {
			value, known = v, true
		}
	}
	if !known {
		s.noValue++
		return
	}
	bin := s.bin(value)
	bin.Items++
	for i := range sides {
		if s.bounds[i] != nil {
			band, _ := sides[i].decision.Bands.Get(s.name)
			bin.side(i).count(band)
		}
	}
}

func (b *Bin) side(i int) *BandCounts {
	if i == 0 {
		return &b.Old
	}
	return &b.New
}

// bin returns the bin of a value, and makes room for it.
func (s *replayScore) bin(v float64) *Bin {
	v = max(-maxBinned, min(v, maxBinned))
	bin, ok := s.bins[s.key(v)]
	if !ok {
		bin = &Bin{}
		s.bins[s.key(v)] = bin
		for len(s.bins) > maxBins {
			s.coarsen()
		}
		bin = s.bins[s.key(v)] // which another bin may have been joined with
	}
	return bin
}

// key returns the number of a value's bin.
func (s *replayScore) key(v float64) float64 {
	return math.Floor(math.Ldexp(v, -s.exp)) + 0 // -0 is 0
}

// coarsen doubles the width of the bins.
func (s *replayScore) coarsen() {
	s.exp++
	old := s.bins
	s.bins = make(map[float64]*Bin, len(old))
	for key, bin := range old {
		s.put(math.Floor(key/2)+0, bin)
	}
}

func (s *replayScore) put(key float64, bin *Bin) {
	into, ok := s.bins[key]
	if !ok {
		s.bins[key] = bin
		return
	}
	into.Items += bin.Items
	into.Old.add(bin.Old)
	into.New.add(bin.New)
}

func (s *replayScore) add(o *replayScore) {
	s.noValue += o.noValue
	for s.exp < o.exp {
		s.coarsen()
	}
	for key, bin := range o.bins {
		for range s.exp - o.exp {
			key = math.Floor(key / 2)
		}
		copied := *bin
		s.put(key+0, &copied)
	}
	for len(s.bins) > maxBins {
		s.coarsen()
	}
}

func (s *replayScore) report() ReplayScore {
	out := ReplayScore{Score: s.name, Old: s.bounds[0], New: s.bounds[1], NoValue: s.noValue, Bins: []Bin{}}
	for _, key := range slices.Sorted(maps.Keys(s.bins)) {
		bin := *s.bins[key]
		bin.From, bin.To = math.Ldexp(key, s.exp), math.Ldexp(key+1, s.exp)
		if bin.To <= bin.From { // narrower than the steps of a float64 there
			bin.To = math.Nextafter(bin.From, math.Inf(1))
		}
		out.Bins = append(out.Bins, bin)
	}
	return out
}

// reliedOn returns the value of a score that the decision just made relied on.
func (d *Decider) reliedOn(name string, made *threshold.Decision) (float64, bool) {
	if d.slots != nil {
		return d.slots.Score(name)
	}
	for i := range made.Reasons {
		switch r := &made.Reasons[i]; r.Code {
		case verdict.ScoreMissing, verdict.ScoreNotNumber, verdict.ScoreNotFinite, verdict.ScoreOutOfRange, verdict.ScoreConflict:
			if r.Subject == name {
				return 0, false
			}
		}
	}
	for _, f := range d.signals.Faults { // a key of meta may have the score's name
		if f.Code == verdict.NumberInexact && f.Subject == name && !f.Meta {
			return 0, false
		}
	}
	if name == "score" && d.signals.Score != nil {
		return *d.signals.Score, true
	}
	v, ok := d.signals.Scores[name]
	return v, ok
}
