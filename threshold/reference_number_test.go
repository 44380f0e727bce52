package threshold_test

import (
	"math"
	"math/big"

	"github.com/pawlgate/pawl/threshold"
)

// metaFaults finds what is wrong with the meta keys that are read or declared.
func (r *reference) metaFaults() {
	looked := map[string]bool{}
	for _, c := range r.conditions() {
		if c, ok := c.(threshold.MetaNumberLessThan); ok {
			looked[c.Key] = true
		}
	}
	for name, d := range r.policy.Signals {
		if d.Type != "score" && d.Type != "flag" {
			looked[name] = true
		}
	}
	for key := range looked {
		v, present := r.signals.Meta[key]
		if !present {
			continue
		}
		if tooBig(v) {
			r.inexactMeta = append(r.inexactMeta, key)
			continue
		}
		switch d := r.policy.Signals[key]; d.Type {
		case "string":
			if _, ok := v.(string); !ok {
				r.fault("signal_type", key)
			}
		case "boolean":
			if _, ok := v.(bool); !ok {
				r.fault("signal_type", key)
			}
		case "number", "integer":
			n := numberOf(v)
			limit := big.NewFloat(1 << 53)
			switch {
			case n == nil, d.Type == "integer" && isFloat(v):
				r.fault("signal_type", key)
			case d.Type == "number" && !isFloat(v) && new(big.Float).Abs(n).Cmp(limit) > 0:
				r.inexactMeta = append(r.inexactMeta, key)
			case d.Range != nil && (n.Cmp(big.NewFloat(d.Range.Min)) < 0 || n.Cmp(big.NewFloat(d.Range.Max)) > 0):
				r.fault("signal_type", key)
			}
		}
	}
}

// numberOf returns a finite number of a Go value exactly, or nil.
func numberOf(v any) *big.Float {
	exact := func() *big.Float { return new(big.Float).SetPrec(200) }
	switch v := v.(type) {
	case int:
		return exact().SetInt64(int64(v))
	case int8:
		return exact().SetInt64(int64(v))
	case int16:
		return exact().SetInt64(int64(v))
	case int32:
		return exact().SetInt64(int64(v))
	case int64:
		return exact().SetInt64(v)
	case uint:
		return fits(uint64(v))
	case uint8:
		return exact().SetInt64(int64(v))
	case uint16:
		return exact().SetInt64(int64(v))
	case uint32:
		return exact().SetInt64(int64(v))
	case uint64:
		return fits(v)
	case float32:
		return finite(float64(v))
	case float64:
		return finite(v)
	}
	return nil
}

func fits(v uint64) *big.Float {
	if v > math.MaxInt64 {
		return nil
	}
	return new(big.Float).SetPrec(200).SetInt64(int64(v))
}

func finite(v float64) *big.Float {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return new(big.Float).SetPrec(200).SetFloat64(v)
}

func isFloat(v any) bool {
	switch v.(type) {
	case float32, float64:
		return true
	}
	return false
}

func tooBig(v any) bool {
	switch v := v.(type) {
	case uint:
		return uint64(v) > math.MaxInt64
	case uint64:
		return v > math.MaxInt64
	}
	return false
}
