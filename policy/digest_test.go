package policy_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/policy"
)

const digested = `pawl: v1
gate: refunds
kind: threshold
description: x
signals:
  score: {type: score, range: [0, 1]}
  vip: {type: flag}
bands:
  score: {highMin: 0.9, reviewMin: 0.5}
combine: lowest
rules:
  - id: a
    when: score < 0.5
    force: route_to_human
    reason: because
  - id: b
    when: {flag: vip}
    force: auto_reject
    reason: because
enableAutoApply: true
enableAutoReject: false
risk:
  - {level: high, when: 'true'}
`

// The digest stands beside every decision that was ever made: it must not
// change with the program.
func TestDigestIsStable(t *testing.T) {
	const want = "sha256:4e9bfc9df7b7b93baab81645e45ad59b21f6a31d74d8db65ad1c90cbbe4a6e46"
	if got := mustParse(t, digested).Digest; got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

func TestDigestIgnoresWhatSaysNothing(t *testing.T) {
	want := mustParse(t, digested).Digest
	if !regexp.MustCompile(`^sha256:[0-9a-f]{64}$`).MatchString(want) {
		t.Fatalf("digest %q", want)
	}
	lines := strings.SplitAfter(digested, "\n")
	for name, src := range map[string]string{
		"comments":          "# c\n" + strings.ReplaceAll(digested, "combine: lowest", "combine: lowest # the default"),
		"blank lines":       strings.ReplaceAll(digested, "\n", "\n\n"),
		"CRLF":              strings.ReplaceAll(digested, "\n", "\r\n"),
		"a marker":          "---\n" + digested,
		"order":             strings.Join(append(lines[3:], lines[0], lines[1], lines[2]), ""),
		"order inside":      strings.ReplaceAll(digested, "{highMin: 0.9, reviewMin: 0.5}", "{reviewMin: 0.5, highMin: 0.9}"),
		"layout":            strings.ReplaceAll(digested, "{highMin: 0.9, reviewMin: 0.5}", "\n    highMin: 0.9\n    reviewMin: 0.5"),
		"quotes":            strings.ReplaceAll(digested, "reason: because", `"reason": 'because'`),
		"another number":    strings.ReplaceAll(digested, "0.9,", "9.0e-1,"),
		"tests":             digested + "tests:\n  - {name: x, signals: {score: 1}, expect: {verdict: auto_apply}}\n",
		"an escaped letter": strings.ReplaceAll(digested, "gate: refunds", `gate: "r\u0065funds"`),
	} {
		if got := mustParse(t, src).Digest; got != want {
			t.Errorf("%s: the digest changed", name)
		}
	}
}

func TestDigestIsTheSameForYAMLAndJSON(t *testing.T) {
	json := `{"risk": [{"when": "true", "level": "high"}], "pawl": "v1", "gate": "refunds", "kind": "threshold", "description": "x",
 "signals": {"score": {"type": "score", "range": [0, 1.0]}, "vip": {"type": "flag"}}, "bands": {"score": {"highMin": 0.90, "reviewMin": 5e-1}},
 "combine": "lowest", "enableAutoApply": true, "enableAutoReject": false, "tests": [],
 "rules": [{"id": "a", "when": "score < 0.5", "force": "route_to_human", "reason": "because"},
           {"id": "b", "when": {"flag": "vip"}, "force": "auto_reject", "reason": "because"}]}`
	f, err := policy.Parse("a.json", []byte(json))
	if err != nil {
		t.Fatal(err)
	}
	if want := mustParse(t, digested).Digest; f.Digest != want {
		t.Errorf("JSON %s, YAML %s", f.Digest, want)
	}
}

func TestDigestChangesWithWhateverIsSaid(t *testing.T) {
	seen := map[string]string{mustParse(t, digested).Digest: "nothing"}
	for _, c := range []struct{ old, new string }{
		{"gate: refunds", "gate: refund"},
		{"description: x", "description: z"},
		{"description: x\n", ""},
		{"range: [0, 1]", "range: [0, 2]"},
		{"  vip: {type: flag}", "  vip: {type: flag}\n  more: {type: flag}"},
		{"highMin: 0.9", "highMin: 0.8"},
		{"reviewMin: 0.5", "reviewMin: 0.4"},
		{"combine: lowest", "combine: unanimous"},
		{"combine: lowest\n", ""},
		{"id: a", "id: c"},
		{"score < 0.5", "score < 0.4"},
		{"score < 0.5", "score <  0.5"}, // the text, not its meaning
		{"force: auto_reject", "force: route_to_human"},
		{"reason: because", "reason: why not"},
		{"enableAutoApply: true", "enableAutoApply: false"},
		{"enableAutoReject: false", "enableAutoReject: true"},
		{"level: high", "level: low"},
		{"  - id: a\n    when: score < 0.5\n    force: route_to_human\n    reason: because\n", ""},
	} {
		if !strings.Contains(digested, c.old) {
			t.Fatalf("%q isn't there", c.old)
		}
		change := c.old + " → " + c.new
		d := mustParse(t, strings.Replace(digested, c.old, c.new, 1)).Digest
		if other, ok := seen[d]; ok {
			t.Errorf("%s has the digest of %s", change, other)
		}
		seen[d] = change
	}
	// Rules are a list: their order is part of what is said.
	swapped := strings.NewReplacer("id: a", "id: b", "score < 0.5", "{flag: vip}", "route_to_human", "auto_reject",
		"id: b", "id: a", "{flag: vip}", "score < 0.5", "auto_reject", "route_to_human").Replace(digested)
	if d := mustParse(t, swapped).Digest; seen[d] != "" {
		t.Errorf("swapped rules have the digest of %s", seen[d])
	}
}
