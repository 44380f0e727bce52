package casegate

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// finding is what became of one rule.
type finding struct {
	fired    bool
	category Category
	why      string // for the audit trail; values stand in the blocks alone
	detail   any    // what the block needs besides: []string, Boundary, []SourceValue or a status
}

var passed = finding{}

func fires(category Category, detail any, format string, args ...any) finding {
	return finding{fired: true, category: category, detail: detail, why: fmt.Sprintf(format, args...)}
}

func (k Require) eval(c *Case) finding {
	var missing, why []string
	for _, typ := range k.Documents {
		if reason := lacks(c, typ); reason != "" {
			missing = append(missing, "document "+typ)
			why = append(why, "document "+typ+" "+reason)
		}
	}
	for _, name := range k.Facts {
		if v, ok := c.Facts[name]; !ok || isBlank(v) {
			missing = append(missing, "fact "+name)
			why = append(why, "fact "+name+" is absent")
		}
	}
	if k.Condition != nil {
		holds, err := k.Condition.eval(c)
		switch {
		case err != nil:
			why = append(why, "the condition can't be decided: "+err.Error())
		case !holds:
			why = append(why, "the condition isn't true: "+k.Text)
		}
		if err != nil || !holds {
			missing = append(missing, "condition "+k.Text)
		}
	}
	if len(why) == 0 {
		return passed
	}
	return fires(k.category(), missing, "%s", strings.Join(why, "; "))
}

// lacks says why a case has no valid document of a type, nothing if it has one.
func lacks(c *Case, typ string) string {
	reason := "is absent"
	for i := range c.Documents {
		d := &c.Documents[i]
		switch {
		case d.Type != typ:
		case d.Expires == "":
			return ""
		case c.AsOf == "":
			reason = "may be expired: the case has no as_of"
		case c.AsOf < d.Expires:
			return ""
		case reason == "is absent":
			reason = "is expired"
		}
	}
	return reason
}

// isBlank reports values that say nothing: null, a text in which nobody sees
// anything, an empty list or object.
func isBlank(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return blank(v)
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !isBlank(item) })
	case map[string]any:
		return len(v) == 0
	default:
		return false
	}
}

func (k Forbid) eval(c *Case) finding {
	holds, err := k.Condition.eval(c)
	switch {
	case err != nil:
		return fires(k.category(), nil, "it can't be decided: %v", err)
	case holds:
		return fires(k.category(), nil, "it is forbidden: %s", k.Text)
	default:
		return passed
	}
}

// limitPlan is a limit and where its margins begin.
type limitPlan struct {
	Limit
	nearMax, nearMin *marginStart
}

func (k limitPlan) eval(c *Case) finding {
	raw, err := k.Value.eval(c)
	v, ok := asNumber(raw)
	if err == nil && !ok {
		err = fmt.Errorf("%s is no number", k.Text)
	}
	if err != nil {
		why := "it can't be decided: " + err.Error()
		return fires(k.category(), Boundary{Assessment: why}, "%s", why)
	}
	at := func(bound float64, category Category, format string, args ...any) finding {
		why := fmt.Sprintf(format, args...)
		return fires(category, Boundary{PolicyThreshold: bound, Value: v, Distance: distance(v, bound), Assessment: why}, "%s", why)
	}
	switch {
	case k.Max != nil && compareNumber(v, *k.Max) > 0:
		return at(*k.Max, PolicyViolation, "%s is above the limit %s", k.Text, decimalText(*k.Max))
	case k.Min != nil && compareNumber(v, *k.Min) < 0:
		return at(*k.Min, PolicyViolation, "%s is below the limit %s", k.Text, decimalText(*k.Min))
	case k.nearMax != nil && k.nearMax.compare(v) >= 0:
		return at(*k.Max, BoundaryCondition, "%s is within the margin %s of the limit %s", k.Text, decimalText(*k.Margin), decimalText(*k.Max))
	case k.nearMin != nil && k.nearMin.compare(v) <= 0:
		return at(*k.Min, BoundaryCondition, "%s is within the margin %s of the limit %s", k.Text, decimalText(*k.Margin), decimalText(*k.Min))
	default:
		return passed
	}
}

// decimalText writes a number as people do.
func decimalText(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// confidencePlan is a confidence rule and the direction of its signal.
type confidencePlan struct {
	Confidence
	direction Direction
}

func (k confidencePlan) eval(c *Case) finding {
	conf, why := confidence(c, k.Signal, k.direction)
	if why == "" && conf < k.Min {
		why = fmt.Sprintf("the confidence of signal %s is below %s", k.Signal, decimalText(k.Min))
	}
	if why == "" {
		return passed
	}
	return fires(k.category(), []string{k.Signal}, "%s", why)
}

// confidence returns how sure a signal is, from 0 to 1, or why nobody knows.
func confidence(c *Case, name string, d Direction) (conf float64, why string) {
	raw, ok := c.Signals[name]
	if !ok || raw == nil {
		return 0, "signal " + name + " is absent"
	}
	v, ok := asNumber(raw)
	if !ok {
		return 0, "signal " + name + " is no number"
	}
	if compareNumber(v, 0) < 0 || compareNumber(v, 1) > 0 {
		return 0, "signal " + name + " isn't from 0 to 1"
	}
	switch v := v.(type) {
	case float64:
		conf = v
	case int64: // 0 or 1
		conf = float64(v)
	}
	if d == LowerIsSafer {
		conf = addDecimal(1, -conf)
	}
	return conf, ""
}

func (k Agree) eval(c *Case) finding {
	var values []SourceValue
	for i := range c.Sources {
		s := &c.Sources[i]
		if k.Sources != nil && !slices.Contains(k.Sources, s.Name) {
			continue
		}
		if v, ok := s.Values[k.Field]; ok && !isBlank(v) {
			values = append(values, SourceValue{s.Name, shown(v)})
		}
	}
	slices.SortFunc(values, func(a, b SourceValue) int { return strings.Compare(a.Source, b.Source) })
	if len(values) < k.MinSources {
		return fires(k.category(), values, "%d of the sources have %s, and at least %d must", len(values), k.Field, k.MinSources)
	}
	if why := k.differ(values); why != "" {
		return fires(k.category(), values, "%s", why)
	}
	return passed
}

// notShown stands for a value that has no short form.
type notShown string

// shown is a value as a block shows it: what isn't a text, a boolean or a
// number can't be compared either.
func shown(v any) any {
	if n, ok := asNumber(v); ok {
		return n
	}
	switch v.(type) {
	case string, bool:
		return v
	case []any:
		return notShown("a list")
	case map[string]any:
		return notShown("an object")
	default:
		return notShown("a value of no kind that can be compared")
	}
}

// differ says how values differ, nothing if they agree.
func (k Agree) differ(values []SourceValue) string {
	if _, ok := asNumber(values[0].Value); ok {
		return k.apart(values)
	}
	for _, v := range values {
		switch v.Value.(type) {
		case string, bool:
		default:
			return fmt.Sprintf("what the sources say of %s can't be compared", k.Field)
		}
		if v.Value != values[0].Value {
			return fmt.Sprintf("the sources differ about %s", k.Field)
		}
	}
	return ""
}

// apart says whether numbers are further apart than is tolerated.
func (k Agree) apart(values []SourceValue) string {
	var lowest, highest, smallest *big.Rat
	for _, v := range values {
		n, ok := asNumber(v.Value)
		if !ok {
			return fmt.Sprintf("what the sources say of %s can't be compared", k.Field)
		}
		r := exact(n)
		if lowest == nil || r.Cmp(lowest) < 0 {
			lowest = r
		}
		if highest == nil || r.Cmp(highest) > 0 {
			highest = r
		}
		if abs := new(big.Rat).Abs(r); smallest == nil || abs.Cmp(smallest) < 0 {
			smallest = abs
		}
	}
	tolerance := decimal(k.Tolerance)
	if k.Relative {
		tolerance = new(big.Rat).Mul(tolerance, smallest)
	}
	if new(big.Rat).Sub(highest, lowest).Cmp(tolerance) > 0 {
		return fmt.Sprintf("the sources differ about %s by more than is tolerated", k.Field)
	}
	return ""
}

func (k Await) eval(c *Case) finding {
	status := "absent"
	for i := range c.Checks {
		if c.Checks[i].Name == k.Check {
			status = c.Checks[i].Status
			if slices.Contains(k.Accepted, status) {
				return passed
			}
		}
	}
	return fires(k.category(), status, "check %s has none of the statuses %s", k.Check, strings.Join(k.Accepted, ", "))
}
