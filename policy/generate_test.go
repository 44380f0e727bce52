package policy_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// Random policies of fixtures alone, and random inputs that mostly hit them.

var numbers = []string{"0", "-0", "-0.0", "0.25", "0.5", "0.75", "0.9", "0.95", "1", "1.0", "2", "-1", "7", "9007199254740992", "9007199254740993", "9223372036854775808", "1e400", "-1e400", "1e-400"}

var others = []string{"null", "true", "false", `"0.95"`, `""`, `"x"`, "[]", "{}", "[0.95]", `{"a":1}`, `[[1,{"a":null}]]`}

func oneOf(t *rapid.T, what string, from ...string) string {
	return rapid.SampledFrom(from).Draw(t, what)
}

// often is true in four cases of five.
func often(t *rapid.T, what string) bool { return rapid.IntRange(0, 4).Draw(t, what) > 0 }

func genNumber(t *rapid.T) string {
	if often(t, "plain") {
		return oneOf(t, "number", numbers[:13]...)
	}
	return oneOf(t, "any number", numbers...)
}

func genValue(t *rapid.T) string {
	if often(t, "is a number") {
		return genNumber(t)
	}
	return oneOf(t, "other", others...)
}

// genPolicy returns a policy's text up to its rules, the rules, and the rest.
func genPolicy(t *rapid.T) (start string, rules []string, rest string) {
	var b strings.Builder
	b.WriteString(head)
	declared := rapid.Bool().Draw(t, "declares")
	if declared {
		ranges := ""
		if rapid.Bool().Draw(t, "ranged") {
			ranges = ", range: [0, 1]"
		}
		fmt.Fprintf(&b, "signals:\n  score: {type: score%s}\n  b: {type: score}\n  m: {type: %s}\n  k: {type: %s}\n  vip: {type: flag}\n",
			ranges, oneOf(t, "type of m", "number", "integer"), oneOf(t, "type of k", "number", "integer"))
	}
	if often(t, "has bands") {
		b.WriteString("bands:\n  score: {highMin: 0.9, reviewMin: 0.5}\n")
		if rapid.Bool().Draw(t, "two bands") {
			b.WriteString("  b: {highMin: 0.75, reviewMin: 0.75}\n")
		}
	}
	if rapid.Bool().Draw(t, "combines") {
		b.WriteString("combine: " + oneOf(t, "combine", "lowest", "unanimous", `'bands.size() > 1 ? "auto_reject" : "auto_apply"'`) + "\n")
	}
	b.WriteString("rules:\n")
	for i := range rapid.IntRange(0, 4).Draw(t, "rules") {
		rules = append(rules, genRule(t, fmt.Sprintf("r%d", i)))
	}
	rest = fmt.Sprintf("enableAutoApply: %v\nenableAutoReject: %v\n", often(t, "apply"), often(t, "reject"))
	if rapid.Bool().Draw(t, "assesses") {
		rest += "risk:\n  - {level: high, when: {flag: vip}}\n  - {level: medium, when: {metaNumberLessThan: {key: m, value: 1}}}\n"
	}
	return b.String(), rules, rest
}

func genRule(t *rapid.T, id string) string {
	when := ""
	switch rapid.IntRange(0, 2).Draw(t, "form") {
	case 0:
		when = "{flag: vip}"
	case 1:
		when = fmt.Sprintf("{metaNumberLessThan: {key: %s, value: %s}}", oneOf(t, "key", "m", "k"), oneOf(t, "bound", numbers[:13]...))
	case 2:
		when = fmt.Sprintf("{scoreBelow: {name: %s, value: %s}}", oneOf(t, "name", "score", "b"), oneOf(t, "bound", numbers[:13]...))
	}
	return fmt.Sprintf("  - {id: %s, when: %s, force: %s, reason: x}\n", id, when, oneOf(t, "force", "route_to_human", "auto_reject"))
}

// withRules puts a policy together; closure adds a rule that never fires and
// that needs whole signals.
func withRules(start string, rules []string, rest string, closure bool) string {
	all := strings.Join(rules, "")
	if closure {
		all += closureRule
	}
	if all == "" {
		start = strings.TrimSuffix(start, "rules:\n")
	}
	return start + all + rest
}

// genInput returns a JSON input, now and then a malformed one.
func genInput(t *rapid.T) string {
	var members []string
	add := func(format string, args ...any) { members = append(members, fmt.Sprintf(format, args...)) }
	if often(t, "has a score") {
		add(`"score":%s`, genValue(t))
	}
	if rapid.Bool().Draw(t, "has scores") {
		add(`"scores":%s`, genObject(t, "score", "b", "b", "other"))
	}
	if often(t, "has meta") {
		add(`"meta":%s`, genObject(t, "m", "m", "k", "vip", "score", "other"))
	}
	if rapid.Bool().Draw(t, "has flags") {
		add(`"flags":%s`, oneOf(t, "flags", `["vip"]`, `[]`, `null`, `["x","vip","vip"]`, `["VIP","\u0076ip"]`, `["",""]`, `"vip"`, `[1]`))
	}
	text := "{" + strings.Join(rapid.Permutation(members).Draw(t, "order"), ",") + "}"
	switch rapid.IntRange(0, 19).Draw(t, "around") {
	case 0, 1, 2, 3:
		text = fmt.Sprintf(`{"id":%q,"signals":%s}`, oneOf(t, "id", "", "a", "é"), text)
	case 4:
		text = fmt.Sprintf(`{"id":5,"signals":%s}`, text)
	case 5:
		text = text[:rapid.IntRange(0, len(text)).Draw(t, "cut")]
	case 6:
		text += oneOf(t, "behind", " ", "\n", "x", "{}", ",", "\x00")
	case 7:
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		text = text[:at] + oneOf(t, "inserted", "\xff", `"`, ",", "NaN", `"score":1,`, "[", "\\ud800") + text[at:]
	}
	return text
}

func genObject(t *rapid.T, names ...string) string {
	if !often(t, "is an object") {
		return oneOf(t, "no object", "null", "{}", "[]", "0.95", `"x"`)
	}
	var members []string
	seen := map[string]bool{}
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		name := rapid.SampledFrom(names).Draw(t, "name")
		if seen[name] && often(t, "once") {
			continue
		}
		seen[name] = true
		members = append(members, fmt.Sprintf("%q:%s", name, genValue(t)))
	}
	return "{" + strings.Join(members, ",") + "}"
}
