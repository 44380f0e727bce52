package threshold_test

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// A chooser makes the choices of a generator. Fuzzing reads them from bytes,
// rapid draws them.
type chooser interface {
	pick(n int) int // 0 <= pick(n) < n <= 256
	bits() uint64
}

// bytesChooser takes its choices from bytes; when they run out, all are 0.
type bytesChooser struct{ data []byte }

func (c *bytesChooser) pick(n int) int {
	if len(c.data) == 0 {
		return 0
	}
	b := c.data[0]
	c.data = c.data[1:]
	return int(b) % n
}

func (c *bytesChooser) bits() (u uint64) {
	for range 8 {
		u = u<<8 | uint64(c.pick(256))
	}
	return u
}

func oneOf[T any](c chooser, values ...T) T { return values[c.pick(len(values))] }

// genNumber makes any float64, most often one near a bound.
func genNumber(c chooser) float64 {
	switch c.pick(8) {
	case 0:
		return math.Float64frombits(c.bits()) // NaN payloads, denormals, all
	case 1:
		return oneOf(c, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1),
			math.MaxFloat64, math.SmallestNonzeroFloat64, 1<<53, 1<<53+2, 1<<63, -1<<63)
	case 2:
		return math.Nextafter(genBound(c), math.Inf(oneOf(c, 1, -1)))
	default:
		return genBound(c)
	}
}

// genBound makes one of few numbers, so that scores meet bounds.
func genBound(c chooser) float64 { return oneOf(c, 0.9, 0.5, 1, 0, 0.1, -1) }

func genFinite(c chooser) float64 {
	if f := genNumber(c); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return f
	}
	return 0.25
}

var (
	scoreNames = []string{"a", "score", "b", "k"}
	metaKeys   = []string{"k", "n", "score", "no name"}
	flagNames  = []string{"f", "F", "score"}
)

// manyNames makes more names than the gate compares one by one.
func manyNames(c chooser, few []string) []string {
	names := slices.Clone(few)
	if c.pick(8) == 7 {
		for i := range 9 {
			names = append(names, fmt.Sprint("x", i))
		}
	}
	return names
}

// genPolicy makes a valid policy. Without closures every condition is one of
// the three declarative forms.
func genPolicy(c chooser, closures bool) threshold.Policy {
	p := threshold.Policy{
		EnableAutoApply:  c.pick(4) != 3,
		EnableAutoReject: c.pick(2) == 0,
	}
	for _, name := range manyNames(c, scoreNames) {
		if c.pick(3) == 0 {
			continue
		}
		if p.Bands == nil {
			p.Bands = map[string]threshold.BandConfig{}
		}
		hi, lo := genFinite(c), genFinite(c)
		p.Bands[name] = threshold.BandConfig{HighMin: max(hi, lo), ReviewMin: min(hi, lo)}
	}
	p.Combine = genCombine(c)
	for range c.pick(4) {
		p.Rules = append(p.Rules, genRule(c, fmt.Sprint("r", len(p.Rules)), closures))
	}
	for range c.pick(3) {
		p.Risk = append(p.Risk, threshold.Risk{
			Level: oneOf(c, threshold.RiskLow, threshold.RiskMedium, threshold.RiskHigh, threshold.RiskCritical),
			When:  genRiskCondition(c, closures),
		})
	}
	if c.pick(2) == 1 {
		declare(c, &p)
	}
	return p
}

func genRule(c chooser, id string, closures bool) threshold.Rule {
	return threshold.Rule{
		ID: id, When: genCondition(c, closures), Reason: "because of " + id,
		Force: oneOf(c, threshold.RouteToHuman, threshold.AutoReject),
	}
}

func genCombine(c chooser) threshold.Combine {
	switch c.pick(24) {
	case 0:
		return threshold.Lowest
	case 1:
		return threshold.Unanimous
	case 2:
		return always(threshold.AutoApply)
	case 3:
		return always(threshold.AutoReject)
	case 4:
		return always(threshold.RouteToHuman)
	case 5:
		return oneOf(c, always(""), always("approve"), always("AUTO_APPLY"))
	case 6:
		return func(threshold.Bands) (threshold.Verdict, error) { return threshold.AutoApply, errTest }
	case 7:
		return func(threshold.Bands) (threshold.Verdict, error) { panic("combine") }
	case 8:
		return func(b threshold.Bands) (threshold.Verdict, error) {
			for i := range b {
				b[i] = threshold.ScoreBand{Score: "changed", Band: threshold.High}
			}
			return threshold.AutoApply, nil
		}
	default:
		return nil
	}
}

func always(v threshold.Verdict) threshold.Combine {
	return func(threshold.Bands) (threshold.Verdict, error) { return v, nil }
}

var errTest = errors.New("can't tell")

func genCondition(c chooser, closures bool) threshold.Condition {
	kinds := 3
	if closures {
		kinds = 8
	}
	switch c.pick(kinds) {
	case 0:
		return threshold.Flag(oneOf(c, manyNames(c, flagNames)...))
	case 1:
		return threshold.MetaNumberLessThan{Key: oneOf(c, manyNames(c, metaKeys)...), Value: genFinite(c)}
	case 2:
		return threshold.ScoreBelow{Name: oneOf(c, manyNames(c, scoreNames)...), Value: genFinite(c)}
	case 3:
		return threshold.Func(func(threshold.Signals) (bool, error) { return true, errTest })
	case 4:
		return threshold.Func(func(threshold.Signals) (bool, error) { panic(errTest) })
	case 5:
		// The same forms, called as a closure calls them.
		return threshold.Func(genCondition(c, false).Holds)
	case 6:
		least := c.pick(3)
		return threshold.Plain(func(s threshold.Signals) bool { return len(s.Flags) >= least })
	default:
		return threshold.Func(func(s threshold.Signals) (bool, error) { return *s.Score < 0.5, nil })
	}
}

func genRiskCondition(c chooser, closures bool) threshold.Condition {
	if closures && c.pick(3) == 0 {
		want := oneOf(c, threshold.Low, threshold.Review, threshold.High)
		return threshold.RiskFunc(func(_ threshold.Signals, b threshold.Bands) (bool, error) {
			return b[0].Band == want, nil // panics without bands
		})
	}
	return genCondition(c, closures)
}

// declare declares everything that the policy reads, and more. A name has one
// declaration, so a reader that needs another is dropped.
func declare(c chooser, p *threshold.Policy) {
	p.Signals = map[string]threshold.Signal{}
	for name := range p.Bands {
		p.Signals[name] = threshold.Signal{Type: threshold.TypeScore}
	}
	fits := func(cond threshold.Condition) bool {
		var name string
		types := []threshold.SignalType{threshold.TypeScore}
		switch cond := cond.(type) {
		case threshold.Flag:
			name, types = string(cond), []threshold.SignalType{threshold.TypeFlag}
		case threshold.MetaNumberLessThan:
			name, types = cond.Key, []threshold.SignalType{threshold.TypeNumber, threshold.TypeInteger}
		case threshold.ScoreBelow:
			name = cond.Name
		default:
			return true
		}
		if name == "no name" {
			return false // it can't be declared
		}
		if s, ok := p.Signals[name]; ok {
			return slices.Contains(types, s.Type)
		}
		p.Signals[name] = threshold.Signal{Type: oneOf(c, types...)}
		return true
	}
	p.Rules = slices.DeleteFunc(p.Rules, func(r threshold.Rule) bool { return !fits(r.When) })
	p.Risk = slices.DeleteFunc(p.Risk, func(r threshold.Risk) bool { return !fits(r.When) })
	for _, name := range metaKeys {
		if _, ok := p.Signals[name]; !ok && name != "no name" && c.pick(2) == 1 {
			p.Signals[name] = threshold.Signal{Type: oneOf(c, threshold.TypeString, threshold.TypeBoolean,
				threshold.TypeNumber, threshold.TypeInteger, threshold.TypeFlag, threshold.TypeScore)}
		}
	}
	for _, name := range sortedKeys(p.Signals) {
		s := p.Signals[name]
		ranged := s.Type == threshold.TypeScore || s.Type == threshold.TypeNumber || s.Type == threshold.TypeInteger
		if ranged && c.pick(2) == 1 {
			x, y := oneOf(c, genFinite(c), -1), oneOf(c, genFinite(c), 1)
			s.Range = &threshold.Range{Min: min(x, y), Max: max(x, y)}
			p.Signals[name] = s
		}
	}
}

// genSignals makes signals; half of them are clean enough for an automatic
// verdict.
func genSignals(c chooser) threshold.Signals {
	if c.pick(2) == 0 {
		return genClean(c)
	}
	var s threshold.Signals
	if c.pick(3) != 0 {
		s.Score = new(genNumber(c))
	}
	for _, name := range manyNames(c, scoreNames) {
		if c.pick(4) == 0 || name == "score" && s.Score != nil && c.pick(2) == 0 {
			continue
		}
		if s.Scores == nil {
			s.Scores = map[string]float64{}
		}
		s.Scores[name] = genNumber(c)
		if name == "score" && s.Score != nil && c.pick(2) == 0 {
			s.Scores[name] = *s.Score
		}
	}
	for range c.pick(4) {
		s.Flags = append(s.Flags, oneOf(c, manyNames(c, flagNames)...))
	}
	for _, key := range manyNames(c, metaKeys) {
		if c.pick(3) != 0 {
			if s.Meta == nil {
				s.Meta = map[string]any{}
			}
			s.Meta[key] = genMeta(c)
		}
	}
	if c.pick(4) == 3 {
		for range 1 + c.pick(3) {
			s.Faults = append(s.Faults, genFault(c))
		}
	}
	return s
}

// genClean makes signals with every score and every number, all finite.
func genClean(c chooser) threshold.Signals {
	s := threshold.Signals{Scores: map[string]float64{}, Meta: map[string]any{}}
	usual := oneOf(c, 1, 0.95, 0.6, 0.2)
	for i := range 9 {
		s.Scores[fmt.Sprint("x", i)] = usual
	}
	for _, name := range scoreNames {
		s.Scores[name] = oneOf(c, usual, usual, usual, genBound(c))
	}
	if c.pick(2) == 1 {
		s.Score = new(s.Scores["score"])
		if c.pick(2) == 1 {
			delete(s.Scores, "score")
		}
	}
	for _, key := range manyNames(c, metaKeys) {
		s.Meta[key] = oneOf[any](c, 0.75, 1, int64(7), -0.5)
	}
	for range c.pick(3) {
		s.Flags = append(s.Flags, oneOf(c, flagNames...))
	}
	return s
}

func genMeta(c chooser) any {
	i := oneOf[int64](c, 0, 1, -1, 1<<53, 1<<53+1, -1<<53-1, math.MaxInt64, math.MinInt64)
	switch c.pick(20) {
	case 0:
		return nil
	case 1:
		return true
	case 2:
		return "0.5"
	case 3:
		return int(i)
	case 4:
		return int32(i)
	case 5:
		return int16(i)
	case 6:
		return int8(i)
	case 7:
		return uint(i)
	case 8:
		return uint64(i)
	case 9:
		return uint32(i)
	case 10:
		return uint16(i)
	case 11:
		return uint8(i)
	case 12:
		return float32(genNumber(c))
	case 13:
		return oneOf[any](c, []any{1.0}, map[string]any{"k": 1.0}, []string{"f"}, struct{}{}, &i, errTest)
	case 14, 15:
		return i
	case 16:
		return uint64(math.MaxInt64) + 1
	default:
		return genNumber(c)
	}
}

func genFault(c chooser) threshold.Fault {
	return threshold.Fault{
		Code: oneOf(c, verdict.InputMalformed, verdict.ScoreMissing, verdict.ScoreNotNumber, verdict.ScoreNotFinite,
			verdict.ScoreOutOfRange, verdict.ScoreConflict, verdict.NumberInexact, verdict.SignalType, verdict.RuleError,
			verdict.CombineInvalid, verdict.PolicyInvalid, verdict.GateSupervised, "zzz", "aaa", ""),
		Subject: oneOf(c, "", "a", "score", "k", "r0", "nobody"),
		Detail:  oneOf(c, "", "by the decoder"),
	}
}
