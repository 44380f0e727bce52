package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
	"pgregory.net/rapid"
)

// A gatePair is one policy twice: of fixtures alone, which reads its input
// straight into slots, and with a CEL rule that never fires, for which whole
// signals are built.
type gatePair struct{ slots, signals *policy.Threshold }

// gatePairs makes a few pairs once: compiling takes longer than deciding.
func gatePairs(t *testing.T) (pairs []gatePair) {
	type parts struct {
		start string
		rules []string
		rest  string
	}
	gen := rapid.Custom(func(t *rapid.T) parts {
		start, rules, rest := genPolicy(t)
		return parts{start, rules, rest}
	})
	for seed := range 40 {
		p := gen.Example(seed)
		pair := gatePair{
			mustParse(t, withRules(p.start, p.rules, p.rest, false)).Threshold,
			mustParse(t, withRules(p.start, p.rules, p.rest, true)).Threshold,
		}
		if pair.slots.Gate().NeedsSignals() || !pair.signals.Gate().NeedsSignals() {
			t.Fatal("the two gates go the same way")
		}
		pairs = append(pairs, pair)
	}
	return pairs
}

// Which way an input goes, nobody can tell from the decision.
func TestSlotsDecideWhatWholeSignalsDecide(t *testing.T) {
	pairs := gatePairs(t)
	seen := map[threshold.Verdict]int{}
	malformed := 0
	rapid.Check(t, func(t *rapid.T) {
		pair := rapid.SampledFrom(pairs).Draw(t, "policy")
		for range 30 {
			input := genInput(t)
			a, b := decide(pair.slots, input), decide(pair.signals, input)
			if !same(a, b) {
				t.Fatalf("%s\nslots   %s\nsignals %s", input, text(a), text(b))
			}
			s, _, err := pair.slots.Signals([]byte(input))
			if (err != nil) != a.Malformed() {
				t.Fatalf("%s: Signals says %v, the decision %s", input, err, text(a))
			}
			if whole := pair.slots.Gate().Decide(s); !same(a, &whole) {
				t.Fatalf("%s\nbytes      %s\nby Signals %s", input, text(a), text(&whole))
			}
			seen[a.Verdict]++
			if a.Malformed() {
				malformed++
			}
		}
	})
	if seen[apply] == 0 || seen[reject] == 0 || seen[human] == 0 || malformed == 0 {
		t.Errorf("the inputs reach %v, %d malformed", seen, malformed)
	}
}

// same compares all but the messages.
func same(a, b *threshold.Decision) bool {
	return a.Verdict == b.Verdict && a.Risk == b.Risk && slices.Equal(codes(a), codes(b)) && slices.Equal(a.Bands, b.Bands)
}

// One decider for many inputs says what a fresh one says of each.
func TestADeciderForgetsWhatCameBefore(t *testing.T) {
	pairs := gatePairs(t)
	rapid.Check(t, func(t *rapid.T) {
		pair := rapid.SampledFrom(pairs).Draw(t, "policy")
		for _, gate := range []*policy.Threshold{pair.slots, pair.signals} {
			d := gate.NewDecider()
			var got threshold.Decision
			for range 8 {
				input := genInput(t)
				env := d.DecideJSON(&got, []byte(input))
				var want threshold.Decision
				fresh := gate.NewDecider().DecideJSON(&want, []byte(input))
				if text(&got) != text(&want) || string(env.ID) != string(fresh.ID) || (env.ID == nil) != (fresh.ID == nil) {
					t.Fatalf("%s\nused  %q %s\nfresh %q %s", input, env.ID, text(&got), fresh.ID, text(&want))
				}
			}
		}
	})
}

// Adding a rule, adding a fault or dropping every source of a banded score
// never makes a verdict more automatic, but for letter 4 of the contract: a
// fired auto_reject rule goes before a tentative route_to_human.
func TestOneWayThroughJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start, rules, rest := genPolicy(t)
		closure := rapid.Bool().Draw(t, "closure")
		gate := mustParse(t, withRules(start, rules, rest, closure)).Threshold
		score, b, meta, flag := genNumber(t), genNumber(t), genNumber(t), oneOf(t, "flag", "vip", "x")
		input := func(score, b, more string) string {
			return fmt.Sprintf(`{"score":%s,"scores":{"b":%s%s},"meta":{"m":%s,"k":1},"flags":[%q]}`, score, b, more, meta, flag)
		}
		base := decide(gate, input(score, b, ""))

		// Dropping one that no band reads may drop a fault with it.
		dropped := func(name, value string) string {
			if _, banded := base.Bands.Get(name); banded {
				return "null"
			}
			return value
		}
		for what, changed := range map[string]string{
			"a score of another kind":     input(score, b, `,"other":"x"`),
			"a number that can't be held": input(score, b, `,"other":1e400`),
			"a conflict":                  input(score, b, `,"score":0.123`),
			"the score as a string":       input(`"`+score+`"`, b, ""),
			"a trailing brace":            input(score, b, "") + "}",
			"an unknown member":           strings.Replace(input(score, b, ""), `{`, `{"x":1,`, 1),
			"no banded score":             input(dropped("score", score), dropped("b", b), ""),
			"no banded b":                 input(score, dropped("b", b), ""),
		} {
			d := decide(gate, changed)
			if d.Verdict.Supervision() < base.Verdict.Supervision() {
				t.Fatalf("%s: %s became %s\n%s\n%s", what, base.Verdict, d.Verdict, text(base), text(d))
			}
		}

		at := rapid.IntRange(0, len(rules)).Draw(t, "at")
		extra := genRule(t, "extra")
		more := mustParse(t, withRules(start, slices.Insert(slices.Clone(rules), at, extra), rest, closure)).Threshold
		d := decide(more, input(score, b, ""))
		letter4 := base.Verdict == human && d.Verdict == reject && slices.Contains(codes(d), "rule_auto_reject:extra") && strings.Contains(rest, "enableAutoReject: true")
		if d.Verdict.Supervision() < base.Verdict.Supervision() && !letter4 {
			t.Fatalf("with the rule %s%s became %s\n%s\n%s", extra, base.Verdict, d.Verdict, text(base), text(d))
		}
	})
}

// What stands in an output line is what was decided, member by member in order.
func TestAppendResultIsWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start, rules, rest := genPolicy(t)
		f := mustParse(t, withRules(start, rules, rest, false))
		var d threshold.Decision
		env := f.Threshold.NewDecider().DecideJSON(&d, []byte(genInput(t)))
		line := rapid.IntRange(0, 3).Draw(t, "line")
		out := f.Threshold.AppendResult([]byte("before"), line, env.ID, &d)
		checkResult(t, f, string(out), line, env, &d)
	})
}

func checkResult(t reporter, f *policy.File, out string, line int, env policy.Envelope, d *threshold.Decision) {
	t.Helper()
	want := "before{"
	if line > 0 {
		want += fmt.Sprintf(`"line":%d,`, line)
	}
	if env.ID != nil {
		want += fmt.Sprintf(`"id":%q,`, env.ID)
	}
	want += fmt.Sprintf(`"gate":"test","policy":%q,"engine":%q,"result":`, f.Digest, policy.Engine) + text(d) + "}"
	if out != want {
		t.Fatalf("got  %s\nwant %s", out, want)
	}
	if !isJSON(strings.TrimPrefix(out, "before")) {
		t.Fatalf("not JSON: %s", out)
	}
}
