package policy_test

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

func TestSignals(t *testing.T) {
	gate := mustParse(t, slotPolicy).Threshold
	s, env, err := gate.Signals([]byte(`{"id":"a","signals":{"score":1,"scores":{"b":0.5,"c":null},"flags":["x","x"],"meta":{"amount":20,"f":2.0,"deep":[{"n":null}],"big":1e400}}}`))
	if err != nil || string(env.ID) != "a" {
		t.Fatalf("%q, %v", env.ID, err)
	}
	score := 1.0
	want := threshold.Signals{
		Score: &score, Scores: map[string]float64{"b": 0.5}, Flags: []string{"x", "x"},
		// Whole, whether the gate reads it or not; big can't be held, and is read by nobody.
		Meta: map[string]any{"amount": int64(20), "f": 2.0, "deep": []any{map[string]any{"n": nil}}},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSignalsOfAMalformedInput(t *testing.T) {
	gate := mustParse(t, slotPolicy).Threshold
	s, env, err := gate.Signals([]byte(`{"id":"a","signals":{"score":0.95,"flags":["vip"],"meta":{"amount":20}},"x":1}`))
	if err == nil || s.Score != nil || len(s.Scores)+len(s.Flags)+len(s.Meta) > 0 || len(s.Faults) != 1 || s.Faults[0].Code != "input_malformed" || s.Faults[0].Detail != err.Error() {
		t.Errorf("%+v, %v", s, err)
	}
	if string(env.ID) != "a" { // so that the answer finds its question
		t.Errorf("id %q", env.ID)
	}
	if d := gate.Gate().Decide(s); d.Verdict != human || !d.Malformed() {
		t.Errorf("%s", text(&d))
	}
}

func TestEnvelope(t *testing.T) {
	bothWays(t, func(t *testing.T, gate *policy.Threshold) {
		d := gate.NewDecider()
		var got threshold.Decision
		for _, c := range []struct {
			input, id string
			has       bool
		}{
			{`{"id":"first","signals":` + good + `}`, "first", true},
			{good, "", false},
			{`{"id":"","signals":` + good + `}`, "", true},
			{`{"id":"\u00e9\n","signals":` + good + `}`, "é\n", true},
			{`{"signals":` + good + `,"id":"last"}`, "last", true},
			{`{"signals":` + good + `}`, "", false},
			{`{"id":"of a malformed one","signals":`, "of a malformed one", true},
			{`x`, "", false},
		} {
			env := d.DecideJSON(&got, []byte(c.input))
			if string(env.ID) != c.id || (env.ID != nil) != c.has {
				t.Errorf("%s: id %q, %v", c.input, env.ID, env.ID != nil)
			}
		}
	})
}

// One gate serves many deciders at once; each of them is for one goroutine.
func TestAGateIsSafeForConcurrentUse(t *testing.T) {
	bothWays(t, func(t *testing.T, gate *policy.Threshold) {
		inputs := []string{good, `{"score":0.4,"meta":{"amount":20}}`, `{"score":0.95,"flags":["vip"],"meta":{"amount":20}}`, `{"score":"x"`, `{"score":0.95,"meta":{"amount":"20"}}`}
		var want []string
		for _, input := range inputs {
			want = append(want, text(decide(gate, input)))
		}
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				d := gate.NewDecider()
				var got threshold.Decision
				for i := range 300 {
					n := (i + g) % len(inputs)
					d.DecideJSON(&got, []byte(inputs[n]))
					if text(&got) != want[n] {
						t.Errorf("%s: %s", inputs[n], text(&got))
						return
					}
					if s, _, err := gate.Signals([]byte(inputs[n])); err == nil && i%50 == 0 {
						gate.Explain(s)
						gate.RunTests()
					}
				}
			})
		}
		wg.Wait()
	})
}

// A decision from slots costs no memory once the buffers are there.
func TestDecidingFromSlotsAllocatesNothing(t *testing.T) {
	d := mustParse(t, slotPolicy).Threshold.NewDecider()
	var got threshold.Decision
	input := []byte(`{"id":"a","signals":{"score":0.95,"flags":["x"],"meta":{"amount":20,"deep":{"a":[1,2]}}}}`)
	d.DecideJSON(&got, input)
	if n := testing.AllocsPerRun(100, func() { d.DecideJSON(&got, input) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
