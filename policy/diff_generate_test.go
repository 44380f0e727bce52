package policy_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/policy"
	"pgregory.net/rapid"
)

// A draft is a policy that can be edited key by key and written as YAML. What
// it says needn't be valid.
type draft struct {
	gate     string
	declares bool
	signals  map[string]draftSignal
	bands    map[string]draftBand
	combine  string // "" is left out
	rules    []draftRule
	apply    bool
	reject   bool
	risk     []draftRule // the id is the level
}

type draftSignal struct{ typ, low, high string } // no range if low is empty

type draftBand struct{ high, review int } // indexes of bounds

type draftRule struct {
	id, force, reason string
	form, name        string // flag, metaNumberLessThan, scoreBelow; cel: name is the text
	bound             int
}

// bounds of bands and conditions, rising; scores lie at and between them.
var bounds = []string{"0.1", "0.2", "0.4", "0.5", "0.7", "0.8", "0.9", "1"}

func (d draft) clone() draft {
	d.signals, d.bands = maps.Clone(d.signals), maps.Clone(d.bands)
	d.rules, d.risk = slices.Clone(d.rules), slices.Clone(d.risk)
	return d
}

func (d draft) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pawl: v1\ngate: %s\nkind: threshold\n", d.gate)
	if d.declares {
		b.WriteString("signals: {")
		for i, name := range slices.Sorted(maps.Keys(d.signals)) {
			s := d.signals[name]
			ranged := ""
			if s.low != "" {
				ranged = fmt.Sprintf(", range: [%s, %s]", s.low, s.high)
			}
			fmt.Fprintf(&b, "%s%s: {type: %s%s}", strings.Repeat(", ", min(i, 1)), name, s.typ, ranged)
		}
		b.WriteString("}\n")
	}
	if len(d.bands) > 0 {
		b.WriteString("bands:\n")
		for _, name := range slices.Sorted(maps.Keys(d.bands)) {
			fmt.Fprintf(&b, "  %s: {highMin: %s, reviewMin: %s}\n", name, bounds[d.bands[name].high], bounds[d.bands[name].review])
		}
	}
	if d.combine != "" {
		fmt.Fprintf(&b, "combine: '%s'\n", d.combine)
	}
	if len(d.rules) > 0 {
		b.WriteString("rules:\n")
		for _, r := range d.rules {
			fmt.Fprintf(&b, "  - {id: %s, when: %s, force: %s, reason: %s}\n", r.id, r.when(), r.force, r.reason)
		}
	}
	fmt.Fprintf(&b, "enableAutoApply: %v\nenableAutoReject: %v\n", d.apply, d.reject)
	if len(d.risk) > 0 {
		b.WriteString("risk:\n")
		for _, r := range d.risk {
			fmt.Fprintf(&b, "  - {level: %s, when: %s}\n", r.id, r.when())
		}
	}
	return b.String()
}

func (r draftRule) when() string {
	switch r.form {
	case "cel":
		return "'" + r.name + "'"
	case "flag":
		return "{flag: " + r.name + "}"
	case "scoreBelow":
		return fmt.Sprintf("{scoreBelow: {name: %s, value: %s}}", r.name, bounds[r.bound])
	default:
		return fmt.Sprintf("{metaNumberLessThan: {key: %s, value: %s}}", r.name, bounds[r.bound])
	}
}

var (
	drawnTypes = map[string][]string{
		"score": {"score"}, "b": {"score"}, "c": {"score"}, "vip": {"flag"}, "old": {"flag"}, "s": {"string"}, "l": {"boolean"},
		"m": {"number", "number", "integer"}, "k": {"number", "integer"},
	}
	combines = []string{
		"lowest", "unanimous",
		`bands.exists(n, bands[n] == "review") ? "auto_reject" : "auto_apply"`,
		`bands.size() > 1 ? "auto_reject" : "auto_apply"`,
		`bands.exists(n, bands[n] == "low") ? "route_to_human" : "auto_reject"`,
		`bands.exists(n, bands[n] == "low") ? "oops" : "auto_apply"`,
	}
	// Expressions, those that can't read declared signals last.
	expressions = []string{
		"meta.m < 0.5", "meta.m / 2 > 0.4", "has(meta.k) && meta.k > 0.7", "has(meta.m)", "score < 0.5", "scores.b >= 0.8",
		`"vip" in flags`, `has(meta.s) && meta.s == "x"`, "false", "meta.m + meta.k > 1",
		"meta.size() > 3", "scores.size() > 2", `has(meta.l) && meta.l == [1]`, `flags.exists(f, f == "old")`, `meta.exists(n, n == "x")`,
	}
)

func genDraft(t *rapid.T) draft {
	d := draft{gate: "test", signals: map[string]draftSignal{}, bands: map[string]draftBand{}, apply: often(t, "apply"), reject: rapid.IntRange(0, 2).Draw(t, "reject") > 0}
	d.declares = rapid.Bool().Draw(t, "declares")
	if d.declares {
		for _, name := range slices.Sorted(maps.Keys(drawnTypes)) {
			if often(t, "declared") {
				d.signals[name] = genSignal(t, name)
			}
		}
	}
	for _, name := range strings.Fields(oneOf(t, "bands", "", "score", "score", "b", "b", "score b", "b c", "score b c")) {
		d.bands[name] = genBand(t)
	}
	if rapid.Bool().Draw(t, "combines") {
		d.combine = oneOf(t, "combine", combines...)
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "rules") {
		d.rules = append(d.rules, d.genRule(t, fmt.Sprintf("r%d", i)))
	}
	for range rapid.IntRange(0, 2).Draw(t, "risk") {
		d.risk = append(d.risk, d.genRule(t, "high"))
	}
	return d
}

func genSignal(t *rapid.T, name string) draftSignal {
	s := draftSignal{typ: oneOf(t, "type", drawnTypes[name]...)}
	if slices.Contains([]string{"score", "number", "integer"}, s.typ) && rapid.Bool().Draw(t, "ranged") {
		s.low, s.high = oneOf(t, "low", "0", "0.2", "-1"), oneOf(t, "high", "1", "0.9", "3")
	}
	return s
}

func genBand(t *rapid.T) draftBand {
	review := rapid.IntRange(0, len(bounds)-2).Draw(t, "reviewMin")
	return draftBand{high: rapid.IntRange(review, len(bounds)-1).Draw(t, "highMin"), review: review}
}

func (d draft) genRule(t *rapid.T, id string) draftRule {
	r := draftRule{id: id, force: oneOf(t, "force", "route_to_human", "auto_reject"), reason: "x", bound: rapid.IntRange(0, len(bounds)-1).Draw(t, "bound")}
	switch r.form = oneOf(t, "form", "flag", "metaNumberLessThan", "scoreBelow", "cel"); r.form {
	case "flag":
		r.name = oneOf(t, "flag", "vip", "old")
	case "metaNumberLessThan":
		r.name = oneOf(t, "key", "m", "k")
	case "scoreBelow":
		r.name = oneOf(t, "name", "score", "b")
	case "cel":
		n := len(expressions)
		if d.declares {
			n -= 5
		}
		r.name = oneOf(t, "expression", expressions[:n]...)
	}
	return r
}

// edit makes one change; what comes out may be invalid, or the same.
func (d draft) edit(t *rapid.T) draft {
	d = d.clone()
	bandAt := func() (string, draftBand) {
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(d.bands))).Draw(t, "band")
		return name, d.bands[name]
	}
	ruleAt := func() *draftRule { return &d.rules[rapid.IntRange(0, len(d.rules)-1).Draw(t, "rule")] }
	bound := func() int { return rapid.IntRange(0, len(bounds)-1).Draw(t, "bound") }
	name := func() string {
		return rapid.SampledFrom(slices.Sorted(maps.Keys(drawnTypes))).Draw(t, "signal")
	}
	kinds := []string{"band", "rule+", "rule+", "apply", "reject", "combine", "combine", "signal", "risk", "risk-", "risk+", "declares", "score"}
	if len(d.bands) > 0 {
		kinds = append(kinds, "highMin", "highMin", "reviewMin", "reviewMin", "band-")
	}
	if len(d.rules) > 0 {
		kinds = append(kinds, "rule-", "rename", "when", "bound", "bound", "force", "force and when", "order", "retwin")
	}
	if len(d.signals) > 0 {
		kinds = append(kinds, "signal-", "type", "range", "range")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "edit") {
	case "highMin":
		n, b := bandAt()
		b.high = bound()
		d.bands[n] = b
	case "reviewMin":
		n, b := bandAt()
		b.review = bound()
		d.bands[n] = b
	case "band":
		d.bands[oneOf(t, "new band", "score", "b", "c")] = genBand(t)
	case "band-":
		n, _ := bandAt()
		delete(d.bands, n)
	case "combine":
		d.combine = oneOf(t, "combine", append(combines, "", "unanimous", "unanimous")...)
	case "rule+":
		d.rules = append(d.rules, d.genRule(t, oneOf(t, "id", "n1", "n2")))
	case "rule-":
		i := rapid.IntRange(0, len(d.rules)-1).Draw(t, "rule")
		d.rules = slices.Delete(d.rules, i, i+1)
	case "rename":
		ruleAt().id = oneOf(t, "id", "n1", "n2")
	case "retwin": // a second rule that says the same
		r := *ruleAt()
		r.id = oneOf(t, "id", "n1", "n2")
		d.rules = append(d.rules, r)
	case "when":
		r := ruleAt()
		now := d.genRule(t, r.id)
		r.form, r.name, r.bound = now.form, now.name, now.bound
	case "bound":
		ruleAt().bound = bound()
	case "force":
		ruleAt().force = oneOf(t, "force", "route_to_human", "auto_reject")
	case "force and when":
		r := ruleAt()
		r.force, r.bound = oneOf(t, "force", "route_to_human", "auto_reject"), bound()
	case "order":
		slices.Reverse(d.rules)
		d.gate = "other"
	case "apply":
		d.apply = rapid.Bool().Draw(t, "apply")
	case "reject":
		d.reject = rapid.Bool().Draw(t, "reject")
	case "declares":
		if d.declares = !d.declares; !d.declares {
			d.signals = map[string]draftSignal{}
			break
		}
		for n := range drawnTypes {
			d.signals[n] = draftSignal{typ: drawnTypes[n][0]}
		}
	case "signal":
		if d.declares {
			n := name()
			d.signals[n] = genSignal(t, n)
		}
	case "type":
		n := oneOf(t, "signal", "m", "k")
		if s, ok := d.signals[n]; ok {
			s.typ = oneOf(t, "type", "number", "integer")
			d.signals[n] = s
		}
	case "signal-":
		delete(d.signals, name())
	case "range":
		n := name()
		if s, ok := d.signals[n]; ok {
			r := genSignal(t, n)
			s.low, s.high = r.low, r.high
			d.signals[n] = s
		}
	case "risk":
		d.risk = nil
		for range rapid.IntRange(0, 2).Draw(t, "levels") {
			d.risk = append(d.risk, d.genRule(t, "low"))
		}
	case "risk-":
		d.risk = nil
	case "risk+":
		d.risk = append(slices.Clone(d.risk), d.genRule(t, "low"))
	case "score": // of all readers of score, risk is often the last
		d.risk = []draftRule{{id: "low", form: "scoreBelow", name: "score"}}
	}
	return d
}

// genEdited edits a policy one to three times. What makes it invalid, or changes
// nothing, is tried again.
func genEdited(t *rapid.T, a draft, file *policy.File) (draft, *policy.File) {
	for range rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(t, "edits") {
		for range 4 {
			b := a.edit(t)
			if b.String() == a.String() {
				continue
			}
			if f, err := policy.Parse("test.pawl.yaml", []byte(b.String())); err == nil {
				a, file = b, f
				break
			}
		}
	}
	return a, file
}

// genInputNear returns an input that mostly has all that a draft can read, of
// the right type, near the bounds; now and then something is odd.
func genInputNear(t *rapid.T) string {
	var members []string
	add := func(format string, args ...any) { members = append(members, fmt.Sprintf(format, args...)) }
	oddity := rapid.IntRange(0, 19).Draw(t, "oddity")
	score := genNear(t)
	switch oddity {
	case 0:
		add(`"score":%s,"scores":{"b":%s,"c":%s,"score":%s}`, score, genNear(t), genNear(t), genNear(t))
	case 1:
		add(`"scores":{"b":%s}`, genNear(t))
	case 2:
		add(`"score":%s,"scores":{"b":%s,"c":%s,"other":%s}`, score, genNear(t), genNear(t), genValue(t))
	case 3:
		add(`"score":%s,"scores":%s`, genValue(t), genObject(t, "b", "c", "score"))
	default:
		add(`"score":%s,"scores":{"b":%s,"c":%s}`, score, genNear(t), genNear(t))
	}
	meta := []string{fmt.Sprintf(`"m":%s,"k":%s`, genMeta(t), genMeta(t))}
	if rapid.Bool().Draw(t, "has s") {
		meta = append(meta, `"s":`+oneOf(t, "s", `"x"`, `"y"`))
	}
	switch oddity {
	case 4:
		meta = []string{fmt.Sprintf(`"m":%s`, genValue(t)), fmt.Sprintf(`"k":%s`, genValue(t))}
	case 5:
		meta = append(meta, `"x":1e400`)
	case 6:
		meta = append(meta, fmt.Sprintf(`"l":[%s]`, oneOf(t, "inexact", "1e400", "9223372036854775808")))
	case 7:
		meta = []string{`"k":[1e400],"m":1`}
	case 8:
		meta = []string{fmt.Sprintf(`"k":1,"m":%s`, oneOf(t, "inexact", "1e400", "9223372036854775808", "9007199254740993"))}
	case 9:
		meta = []string{oneOf(t, "left out", `"m":1`, `"k":1`, `"k":1,"m":null`, `"m":1,"k":"1"`, `"m":1,"k":true`)}
	case 10:
		meta = append(meta, oneOf(t, "l", `"l":true`, `"l":[1]`, `"l":null`))
	}
	add(`"meta":{%s}`, strings.Join(meta, ","))
	switch rapid.IntRange(0, 5).Draw(t, "flags") {
	case 0:
		add(`"flags":["vip"]`)
	case 1:
		add(`"flags":["old","x"]`)
	}
	text := "{" + strings.Join(members, ",") + "}"
	if oddity == 11 {
		text = text[:rapid.IntRange(0, len(text)).Draw(t, "cut")]
	}
	return text
}

// genNear returns a score at a bound or between two.
func genNear(t *rapid.T) string {
	if rapid.IntRange(0, 2).Draw(t, "sure") == 0 {
		return oneOf(t, "sure", "0.95", "1", "0.05", "0.99")
	}
	return oneOf(t, "near", "0.1", "0.15", "0.2", "0.3", "0.4", "0.45", "0.5", "0.6", "0.7", "0.75", "0.8", "0.85", "0.9", "0.95", "1")
}

func genMeta(t *rapid.T) string {
	return oneOf(t, "meta", "1", "1", "2", "3", "0", "0.45", "0.75", "0.95", "1.5", "0.1")
}
