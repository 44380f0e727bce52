package threshold

// Signals is what a caller knows about one decision. The zero value knows
// nothing and is never automated. Nil and empty mean the same.
//
// The gate never changes signals and keeps nothing of them.
type Signals struct {
	// Score is the score named "score". It and Scores["score"] may feed the
	// band of that name; if both do, they must agree.
	Score *float64 `json:"score,omitempty"`
	// Scores are named scores. NaN or an infinity in any of them is a fault.
	Scores map[string]float64 `json:"scores,omitempty"`
	// Flags are facts that hold, compared exactly.
	Flags []string `json:"flags,omitempty"`
	// Meta is everything else, as Go values of the kinds that JSON knows: nil,
	// bool, string, the integer and float types, []any, map[string]any. A
	// condition that reads any other kind is unknown.
	Meta map[string]any `json:"meta,omitempty"`
	// Faults are what a decoder, or the service around the gate, already found
	// wrong. Any fault, whatever its code, ends with a person.
	Faults []Fault `json:"-"`
}

// Band is where a score lies.
type Band string

// The bands. A score with a fault is always in the review band.
const (
	High   Band = "high"   // at or above highMin
	Review Band = "review" // at or above reviewMin, below highMin
	Low    Band = "low"    // below reviewMin
)

// ScoreBand is the band of one score.
type ScoreBand struct {
	Score string
	Band  Band
}

// Bands are the bands of all configured scores, sorted by name. As JSON they
// are one object.
type Bands []ScoreBand

// Get returns the band of the score of that name; false if no band is
// configured for it.
func (b Bands) Get(score string) (Band, bool) {
	for i := range b {
		if b[i].Score == score {
			return b[i].Band, true
		}
	}
	return "", false
}
