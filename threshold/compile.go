package threshold

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pawlgate/pawl/verdict"
)

// Gate is a compiled policy. It is immutable and safe for concurrent use. A
// nil or zero Gate routes everything to a person (policy_invalid).
type Gate struct {
	valid   bool
	bands   []bandPlan // sorted by name
	combine Combine    // nil: Lowest, worked out while banding
	rules   []rulePlan
	risk    []riskPlan

	enableAutoApply  bool
	enableAutoReject bool

	scores, meta, flags index       // the names that the gate looks at
	scoreSlot           int         // where "score" is in scores, or -1
	scoreDecls          []fieldDecl // declared scores that have a range
	metaDecls           []fieldDecl // declared meta signals
	declares            bool        // there are any such
	closures            bool        // a condition needs the whole signals

	rendered map[string]rendered

	small bool      // the slots fit on the stack
	slots sync.Pool // for the others
}

// NeedsSignals reports whether a condition of the gate is a closure, which
// needs whole [Signals]; [Gate.DecideSlots] can't serve such a gate.
func (g *Gate) NeedsSignals() bool { return g != nil && g.closures }

const scoreName = "score"

type bandPlan struct {
	slot      int
	name      string
	high, low float64 // low: reviewMin
	// One reason for each level, and one for a faulty score, made once: Decide
	// only copies them.
	reasons [levels + 1]Reason
}

// level is a band as a number: lower is lower.
type level uint8

const (
	levelLow level = iota
	levelReview
	levelHigh
	levels
	faulty = levels // a review band without a value
)

var levelBands = [levels]Band{Low, Review, High}

type rulePlan struct {
	cond   condPlan
	id     string
	human  bool
	reason Reason
}

type riskPlan struct {
	cond  condPlan
	level RiskLevel
}

type condKind uint8

const (
	condFlag condKind = iota
	condMeta
	condScore
	condClosure
)

type condPlan struct {
	kind  condKind
	slot  int
	bound float64
	cond  Condition
}

type fieldDecl struct {
	slot int
	name string
	Signal
}

var namePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)

// Compile checks a policy and makes a gate of it. The gate keeps a copy: later
// changes of the policy change nothing. If anything is wrong, the error is a
// *[PolicyError] with every problem and its place, and the gate is nil.
func Compile(p Policy) (*Gate, error) {
	c := compiler{policy: p, gate: &Gate{
		valid:            true,
		combine:          p.Combine,
		enableAutoApply:  p.EnableAutoApply,
		enableAutoReject: p.EnableAutoReject,
	}}
	c.signals()
	c.bands()
	c.rules()
	c.risk()
	if err := c.problems.Err(); err != nil {
		return nil, err
	}
	c.finish()
	return c.gate, nil
}

// compiler collects the problems of one policy while it builds the gate.
type compiler struct {
	policy   Policy
	gate     *Gate
	problems PolicyError
}

func (c *compiler) problem(path, format string, args ...any) {
	c.problems.Add(path, format, args...)
}

func (c *compiler) signals() {
	for _, name := range slices.Sorted(maps.Keys(c.policy.Signals)) {
		s, path := c.policy.Signals[name], "/signals/"+verdict.PointerToken(name)
		if !namePattern.MatchString(name) {
			c.problem(path, "%q isn't a name (letters, digits and _, not starting with a digit, at most 128)", name)
		}
		switch s.Type {
		case TypeScore, TypeNumber, TypeInteger, TypeString, TypeBoolean, TypeFlag:
		case "":
			c.problem(path+"/type", "the type is missing")
			continue
		default:
			c.problem(path+"/type", "%q isn't a type: use score, number, integer, string, boolean or flag", s.Type)
			continue
		}
		if r := s.Range; r != nil {
			switch {
			case s.Type != TypeScore && s.Type != TypeNumber && s.Type != TypeInteger:
				c.problem(path+"/range", "a %s has no range", s.Type)
			case !finite(r.Min) || !finite(r.Max):
				c.problem(path+"/range", "both bounds must be finite")
			case r.Min > r.Max:
				c.problem(path+"/range", "the lower bound %s is above the upper bound %s", num(r.Min), num(r.Max))
			}
		}
		switch s.Type {
		case TypeScore:
			slot := c.gate.scores.add(name)
			if s.Range != nil {
				c.gate.scoreDecls = append(c.gate.scoreDecls, fieldDecl{slot, name, s.detached()})
			}
		case TypeFlag:
			c.gate.flags.add(name)
		default:
			c.gate.metaDecls = append(c.gate.metaDecls, fieldDecl{c.gate.meta.add(name), name, s.detached()})
		}
	}
}

// detached returns the declaration with a range of its own, so that a caller
// who changes the policy later doesn't change the gate.
func (s Signal) detached() Signal {
	if s.Range != nil {
		r := *s.Range
		s.Range = &r
	}
	return s
}

func (c *compiler) bands() {
	for _, name := range slices.Sorted(maps.Keys(c.policy.Bands)) {
		b, path := c.policy.Bands[name], "/bands/"+verdict.PointerToken(name)
		if !namePattern.MatchString(name) {
			c.problem(path, "%q isn't a name (letters, digits and _, not starting with a digit, at most 128)", name)
		}
		if !finite(b.HighMin) {
			c.problem(path+"/highMin", "must be a finite number")
		}
		if !finite(b.ReviewMin) {
			c.problem(path+"/reviewMin", "must be a finite number")
		}
		if b.HighMin < b.ReviewMin {
			c.problem(path, "highMin %s is below reviewMin %s", num(b.HighMin), num(b.ReviewMin))
		}
		c.declared(path, name, "score", TypeScore)
		c.gate.bands = append(c.gate.bands, newBandPlan(c.gate.scores.add(name), name, b))
	}
}

func newBandPlan(slot int, name string, b BandConfig) bandPlan {
	reason := func(code Code, format string, args ...any) Reason {
		return Reason{Code: code, Message: fmt.Sprintf(format, args...), Source: verdict.SourceBand, Subject: name}
	}
	high, low := num(b.HighMin), num(b.ReviewMin)
	p := bandPlan{slot: slot, name: name, high: b.HighMin, low: b.ReviewMin}
	p.reasons[levelHigh] = reason(CodeBandHigh, "%s >= %s (highMin)", name, high)
	p.reasons[levelReview] = reason(CodeBandReview, "%s >= %s (reviewMin) and < %s (highMin)", name, low, high)
	p.reasons[levelLow] = reason(CodeBandLow, "%s < %s (reviewMin)", name, low)
	p.reasons[faulty] = reason(CodeBandReview, "%s has no value to rely on, so it counts as review", name)
	return p
}

func (c *compiler) rules() {
	seen := map[string]bool{}
	for i, r := range c.policy.Rules {
		path := "/rules/" + strconv.Itoa(i)
		switch {
		case r.ID == "":
			c.problem(path+"/id", "the id is missing")
		case seen[r.ID]:
			c.problem(path+"/id", "another rule has the id %q already", r.ID)
		}
		seen[r.ID] = true
		plan := rulePlan{id: r.ID, human: r.Force == RouteToHuman}
		code := CodeRuleRouteToHuman
		switch r.Force {
		case RouteToHuman:
		case AutoReject:
			code = CodeRuleAutoReject
		case "":
			c.problem(path+"/force", "force is missing: use route_to_human or auto_reject")
		case AutoApply:
			c.problem(path+"/force", "a rule can't force auto_apply: use route_to_human or auto_reject")
		default:
			c.problem(path+"/force", "%q can't be forced: use route_to_human or auto_reject", r.Force)
		}
		if strings.TrimSpace(r.Reason) == "" {
			c.problem(path+"/reason", "the reason is missing: say for the person who sees it why the rule fires")
		}
		if _, ok := r.When.(bandCondition); ok {
			c.problem(path+"/when", "a rule can't read bands")
		}
		plan.cond = c.condition(path, r.When)
		plan.reason = Reason{Code: code, Message: r.Reason, Source: verdict.SourceRule, Subject: r.ID}
		c.gate.rules = append(c.gate.rules, plan)
	}
}

func (c *compiler) risk() {
	for i, r := range c.policy.Risk {
		path := "/risk/" + strconv.Itoa(i)
		switch r.Level {
		case RiskLow, RiskMedium, RiskHigh, RiskCritical:
		case "":
			c.problem(path+"/level", "the level is missing")
		default:
			c.problem(path+"/level", "%q isn't a level: use low, medium, high or critical", r.Level)
		}
		c.gate.risk = append(c.gate.risk, riskPlan{level: r.Level, cond: c.condition(path, r.When)})
	}
}

func (c *compiler) condition(path string, cond Condition) condPlan {
	plan := condPlan{kind: condClosure, cond: cond}
	switch w := cond.(type) {
	case nil:
		c.problem(path+"/when", "when is missing")
	case Func:
		if w == nil {
			c.problem(path+"/when", "when is missing")
		}
	case RiskFunc:
		if w == nil {
			c.problem(path+"/when", "when is missing")
		}
	case Flag:
		path += "/when/flag"
		if w == "" {
			c.problem(path, "the flag's name is empty")
		}
		c.declared(path, string(w), "flag", TypeFlag)
		return condPlan{kind: condFlag, slot: c.gate.flags.add(string(w)), cond: cond}
	case MetaNumberLessThan:
		path += "/when/metaNumberLessThan"
		if w.Key == "" {
			c.problem(path, "the key is empty")
		}
		if !finite(w.Value) {
			c.problem(path+"/value", "must be a finite number")
		}
		c.declared(path, w.Key, "number", TypeNumber, TypeInteger)
		return condPlan{kind: condMeta, slot: c.gate.meta.add(w.Key), bound: w.Value, cond: cond}
	case ScoreBelow:
		path += "/when/scoreBelow"
		if !namePattern.MatchString(w.Name) {
			c.problem(path, "%q isn't a name (letters, digits and _, not starting with a digit, at most 128)", w.Name)
		}
		if !finite(w.Value) {
			c.problem(path+"/value", "must be a finite number")
		}
		c.declared(path, w.Name, "score", TypeScore)
		return condPlan{kind: condScore, slot: c.gate.scores.add(w.Name), bound: w.Value, cond: cond}
	}
	if r, ok := cond.(scoreReader); ok && r.ReadsScore() {
		c.gate.scores.add(scoreName)
	}
	c.gate.closures = true
	return plan
}

// declared complains if signals are declared and this one isn't, or not as
// one of the types.
func (c *compiler) declared(path, name, what string, types ...SignalType) {
	if c.policy.Signals == nil {
		return
	}
	s, ok := c.policy.Signals[name]
	if !ok {
		c.problem(path, "%s %q isn't declared in signals", what, name)
	} else if s.Type != "" && !slices.Contains(types, s.Type) {
		c.problem(path, "%q is declared as a %s, but read as a %s", name, s.Type, what)
	}
}

func (c *compiler) finish() {
	g := c.gate
	g.scoreSlot = find(&g.scores, scoreName)
	g.small = max(len(g.scores.names), len(g.meta.names), len(g.flags.names)) <= few
	g.declares = len(g.scoreDecls)+len(g.metaDecls) > 0
	g.render()
	g.slots.New = func() any { return g.NewSlots() }
}

// index gives each name a number.
type index struct {
	names  []string
	byName map[string]int
}

// few is up to how many names comparing one by one beats hashing.
const few = 8

func (x *index) add(name string) int {
	if i, ok := x.byName[name]; ok {
		return i
	}
	if x.byName == nil {
		x.byName = map[string]int{}
	}
	x.byName[name] = len(x.names)
	x.names = append(x.names, name)
	return len(x.names) - 1
}

// find returns the number of a name, or -1. It copies no bytes.
func find[T string | []byte](x *index, name T) int {
	if len(x.names) > few {
		if i, ok := x.byName[string(name)]; ok {
			return i
		}
		return -1
	}
	for i := range x.names {
		if x.names[i] == string(name) {
			return i
		}
	}
	return -1
}

func num(f float64) string {
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
