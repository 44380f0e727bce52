package policy

import (
	"maps"
	"slices"
	"sync"

	"github.com/pawlgate/pawl/internal/expr"
	"github.com/pawlgate/pawl/threshold"
)

// signalValues gives expressions the values of signals.
type signalValues struct {
	activation expr.Activation // of these values

	signals threshold.Signals
	bands   threshold.Bands
	flags   expr.Strings       // those of the signals
	numbers []string           // declared numbers, read as doubles
	merged  map[string]float64 // room for scores joined with score
	joined  bool               // merged holds them
}

var valuesPool = sync.Pool{New: func() any {
	v := &signalValues{merged: map[string]float64{}}
	v.activation.Vars = v
	return v
}}

func (c *conditionReader) evalBool(prog *expr.Program, s threshold.Signals, b threshold.Bands) (bool, error) {
	v := valuesPool.Get().(*signalValues)
	v.signals, v.bands, v.numbers = s, b, c.numbers
	ok, err := prog.Bool(&v.activation)
	v.release()
	return ok, err
}

func (c *conditionReader) evalText(prog *expr.Program, b threshold.Bands) (string, error) {
	v := valuesPool.Get().(*signalValues)
	v.bands = b
	text, err := prog.Text(&v.activation)
	v.release()
	return text, err
}

func (v *signalValues) release() {
	v.signals, v.bands, v.numbers, v.flags.List = threshold.Signals{}, nil, nil, nil
	clear(v.merged)
	v.joined = false
	valuesPool.Put(v)
}

// Lookup implements expr.Vars.
func (v *signalValues) Lookup(name string) (any, bool) {
	switch name {
	case "score":
		score, ok := v.scores()["score"]
		return score, ok
	case "scores":
		return v.scores(), true
	case "flags":
		v.flags.List = v.signals.Flags
		return &v.flags, true
	case "meta":
		return v.meta(), true
	case "bands":
		bands := make(map[string]string, len(v.bands))
		for _, b := range v.bands {
			bands[b.Score] = string(b.Band)
		}
		return bands, true
	}
	return nil, false
}

// scores joins score into scores, and leaves out what a band would not rely on
// either: two values for one score that differ, and one that has a fault.
func (v *signalValues) scores() map[string]float64 {
	if v.signals.Score == nil && len(v.signals.Faults) == 0 {
		return v.signals.Scores
	}
	if v.joined { // an expression may be walking over it
		return v.merged
	}
	v.joined = true
	maps.Copy(v.merged, v.signals.Scores)
	if v.signals.Score != nil {
		named, ok := v.merged["score"]
		if v.merged["score"] = *v.signals.Score; ok && named != *v.signals.Score {
			delete(v.merged, "score")
		}
	}
	for _, f := range v.signals.Faults {
		if !f.Meta {
			delete(v.merged, f.Subject)
		}
	}
	return v.merged
}

// meta returns the signals' own map, unless a declared number stands in it as
// an integer, which only happens to signals made in Go.
func (v *signalValues) meta() map[string]any {
	m := v.signals.Meta
	var copied bool
	for _, name := range v.numbers {
		x, ok := m[name]
		if !ok {
			continue
		}
		if _, double := x.(float64); double {
			continue
		}
		f := threshold.FieldOf(x)
		if f.Kind != threshold.KindInt {
			continue
		}
		if !copied {
			m, copied = maps.Clone(m), true
		}
		if m[name] = float64(f.Int); !threshold.Exact(f.Int) {
			m[name] = threshold.Inexact{} // not to be read rounded
		}
	}
	if m == nil {
		return emptyMeta
	}
	return m
}

var emptyMeta = map[string]any{}

// sortedKeys returns the names of a declaration in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
