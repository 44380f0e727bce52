package bench

import (
	"encoding/json"
	"testing"

	"github.com/pawlgate/pawl/threshold"
)

// The stream is the same each time, its lines hold what Next says, and the
// gate agrees with the hand-written if on all of them.
func TestStream(t *testing.T) {
	gate, err := threshold.Compile(gatePolicy())
	if err != nil {
		t.Fatal(err)
	}
	lines, cases := NewStream(7), NewStream(7)
	automated, size := 0, 0
	const n = 5000
	for i := range n {
		line, c := lines.AppendLine(nil), cases.Next()
		size += len(line)
		var envelope struct {
			ID      string
			Signals threshold.Signals
		}
		if err := json.Unmarshal(line, &envelope); err != nil {
			t.Fatalf("line %d: %v", i, err)
		}
		if got := gate.Decide(envelope.Signals).Verdict; got != c.Want {
			t.Fatalf("line %d, %s: %s, want %s", i, line, got, c.Want)
		}
		if c.Want == threshold.AutoApply {
			automated++
		}
	}
	if automated < n/2 || automated > n*9/10 {
		t.Errorf("%d of %d automated: not the mixture that the README describes", automated, n)
	}
	if size/n < 140 || size/n > 170 {
		t.Errorf("%d bytes a line, not about 150", size/n)
	}
}
