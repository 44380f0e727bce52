package promotion_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/promotion"
)

// reading is what another JSON library makes of inputs. Pointers tell what is
// missing.
type reading struct {
	Oracle *string
	Record *struct {
		Gate2Verdict *string
	}
	Gate4Armed, TouchesIrreversibleTool, StatisticsPresent *bool
	ConcurringSignals                                      []string
	Tripwire                                               *struct {
		Escalate *bool
		Reasons  []any
		Omitted  *int
	}
}

// holds says whether each statement is there and holds.
func (r *reading) holds(advisory bool) bool {
	kinds := map[string]bool{}
	for _, s := range r.ConcurringSignals {
		kinds[strings.ToLower(strings.TrimSpace(s))] = true // folds less than the gate: a necessary condition
	}
	tripwire := r.Tripwire == nil && advisory ||
		r.Tripwire != nil && is(r.Tripwire.Escalate, false) && len(r.Tripwire.Reasons) == 0 && (r.Tripwire.Omitted == nil || *r.Tripwire.Omitted == 0)
	return tripwire && is(r.Oracle, "out_of_process_isolated") && r.Record != nil && is(r.Record.Gate2Verdict, "present_positive") &&
		is(r.Gate4Armed, true) && is(r.TouchesIrreversibleTool, false) && is(r.StatisticsPresent, true) && len(kinds) >= 2
}

func is[V comparable](got *V, want V) bool { return got != nil && *got == want }

// Whatever the text: no panic, an error comes with inputs that need a person,
// and nobody is skipped unless encoding/json, too, reads that all holds.
func FuzzParseInputs(f *testing.F) {
	f.Add([]byte(whole), false)
	f.Add([]byte(`{}`), true)
	f.Add([]byte(strings.Replace(whole, `,"tripwire":{"escalate":false,"reasons":[]}`, ``, 1)), true)
	f.Add([]byte(strings.Replace(whole, `[]}}`, `[{"kind":"egress","offset":3},"x"],"omitted":1}}`, 1)), false)
	f.Add([]byte(strings.Replace(whole, `"replay"`, `"CANARY"`, 1)), false)
	f.Add([]byte(strings.Replace(whole, `"escalate":false`, `"escalate":true,"escalate":false`, 1)), false)
	f.Fuzz(func(t *testing.T, raw []byte, advisory bool) {
		in, err := promotion.ParseInputs(raw)
		d := promotion.Decide(in, promotion.Options{Advisory: advisory})
		if b := d.AppendJSON(nil); !json.Valid(b) {
			t.Fatalf("not JSON: %s", b)
		}
		if err != nil {
			if d.Terminal != promotion.NeedsHuman {
				t.Fatalf("%v, and yet %s", err, d.Terminal)
			}
			return
		}
		var r reading
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatalf("encoding/json doesn't read it: %v", err)
		}
		if d.Terminal == promotion.AutoPromote && !r.holds(advisory) {
			t.Fatalf("promoted: %s", raw)
		}
		if b := in.Tripwire.AppendJSON([]byte(`{"tripwire":`)); in.Tripwire != nil {
			again, err := promotion.ParseInputs(append(b, '}'))
			if err != nil || again.Tripwire.Raised() != in.Tripwire.Raised() {
				t.Fatalf("%s isn't read back: %v", b, err)
			}
		}
	})
}
