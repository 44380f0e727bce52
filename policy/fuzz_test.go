package policy_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

func isJSON(text string) bool { return json.Valid([]byte(text)) && utf8.ValidString(text) }

// Two scores and every way to read: fixtures, and CEL over everything.
const fuzzedPolicy = head + `
bands:
  score: {highMin: 0.9, reviewMin: 0.5}
  b: {highMin: 0.8, reviewMin: 0.2}
rules:
  - {id: vip, when: {flag: vip}, force: route_to_human, reason: x}
  - {id: m, when: {metaNumberLessThan: {key: m, value: 1}}, force: auto_reject, reason: x}
`

const fuzzedCEL = `  - {id: cel, when: 'meta.m > 500 || meta.exists(k, k == "x") || flags.size() > 3 || score > scores.b * 2.0', force: route_to_human, reason: x}
`

func FuzzDecideJSON(f *testing.F) {
	for _, s := range []string{
		"", "{}", good, `{"score":0.95,"scores":{"b":0.95},"meta":{"m":20}}`, `{"id":"a","signals":{"score":0.95,"scores":{"b":1},"meta":{"m":2,"x":null},"flags":["vip"]}}`,
		`{"scores":{"score":0.95,"b":9e-1},"meta":{"m":1e0}}`, `{"score":1e400,"scores":{"b":9007199254740993},"meta":{"m":9223372036854775808}}`, `{"score":"0.95","scores":{"b":null}}`,
		`{"score":0.95,"score":0.1}`, `{"\u0073core":0.95,"scores":{"\u0062":1},"m\u0065ta":{"m":5}}`, `{"score":0.95,"flags":["\ud800"]}`, "{\"score\":0.95,\"flags\":[\"\xff\"]}", `{"id":"","subject":"s","action":[{}],"signals":{}}`,
		`{"score":0.95,"scores":{"score":0.95,"b":1},"meta":{"m":1}}`, `{"score":NaN}`, "[[[[", `{"meta":{"m":{"m":{"m":[1e400]}}}}`, good + good,
	} {
		f.Add([]byte(s))
	}
	rest := "enableAutoApply: true\nenableAutoReject: true\n"
	slots := mustParse(f, fuzzedPolicy+rest).Threshold
	cel := mustParse(f, fuzzedPolicy+fuzzedCEL+rest).Threshold
	used := []*policy.Decider{slots.NewDecider(), cel.NewDecider()}
	f.Fuzz(func(t *testing.T, input []byte) {
		before := string(input)
		for i, gate := range []*policy.Threshold{slots, cel} {
			var got, want threshold.Decision
			env := used[i].DecideJSON(&got, input)
			gate.NewDecider().DecideJSON(&want, input)
			if text(&got) != text(&want) {
				t.Fatalf("used  %s\nfresh %s", text(&got), text(&want))
			}
			if string(input) != before {
				t.Fatal("the input was changed")
			}
			if !isJSON(string(gate.AppendResult(nil, 1, env.ID, &got))) {
				t.Fatalf("not JSON: %s", text(&got))
			}
			if !got.Verdict.Valid() || got.Verdict == apply && !mayApply(input) {
				t.Fatalf("%s: %s", got.Verdict, text(&got))
			}
			if got.Verdict != human && slices.ContainsFunc(got.Reasons, func(r threshold.Reason) bool { return r.Code == "input_malformed" || r.Code == "rule_error" }) {
				t.Fatalf("a fault, and yet %s", text(&got))
			}
		}
	})
}

// mayApply says by encoding/json alone whether an input may be applied: one
// valid text without duplicates, in which both scores are high numbers.
func mayApply(input []byte) bool {
	if !isJSON(string(input)) || hasDuplicates(input) {
		return false
	}
	type signals struct {
		Score  any
		Scores map[string]any
	}
	var in struct {
		signals
		Signals *signals
	}
	if json.Unmarshal(input, &in) != nil {
		return false
	}
	s := in.signals
	if in.Signals != nil {
		s = *in.Signals
	}
	score := s.Score
	if score == nil {
		score = s.Scores["score"]
	}
	a, ok1 := score.(float64)
	b, ok2 := s.Scores["b"].(float64)
	return ok1 && ok2 && a >= 0.9 && b >= 0.8
}

func hasDuplicates(input []byte) bool {
	dec := json.NewDecoder(strings.NewReader(string(input)))
	dec.UseNumber()
	var names []map[string]bool // of the open objects, nil for a list
	name := false               // a name comes next
	for {
		tok, err := dec.Token()
		if err != nil {
			return false
		}
		top := len(names) - 1
		switch {
		case tok == json.Delim('{'):
			names, name = append(names, map[string]bool{}), true
			continue
		case tok == json.Delim('['):
			names, name = append(names, nil), false
			continue
		case tok == json.Delim('}'), tok == json.Delim(']'):
			names, top = names[:top], top-1
		case name:
			if names[top][tok.(string)] {
				return true
			}
			names[top][tok.(string)], name = true, false
			continue
		}
		name = top >= 0 && names[top] != nil
	}
}

func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/valid/*", "testdata/lint/*", "testdata/check/*"} {
		for _, name := range policyFiles(f, pattern) {
			f.Add(readFile(f, name), strings.HasSuffix(name, ".json"))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, isJSON bool) {
		name := "a.yaml"
		if isJSON {
			name = "a.json"
		}
		file, err := policy.Parse(name, src)
		if (file == nil) == (err == nil) {
			t.Fatalf("%v, %v", file, err)
		}
		if err != nil {
			problemsOf(t, err)
			return
		}
		file.Lint()
		file.RunTests()
		gate := file.Threshold
		if gate == nil { // FuzzParseCase has more of them
			return
		}
		// An input that says nothing is nobody's to apply. A rule may still reject
		// it, where no band misses its score and auto_reject is switched on.
		d := decide(gate, "{}")
		if d.Verdict == apply || d.Verdict == reject && (len(d.Bands) > 0 || !strings.Contains(text(d), "rule_auto_reject")) {
			t.Fatalf("{} is decided as %s", text(d))
		}
		if again := decide(gate, "{}"); text(d) != text(again) {
			t.Fatalf("%s\n%s", text(d), text(again))
		}
		if d, _ := gate.Explain(threshold.Signals{}); text(&d) != text(decide(gate, "{}")) {
			t.Fatalf("explained as %s", text(&d))
		}
		if d := decide(gate, "{}x"); d.Verdict != human {
			t.Fatalf("a malformed input is decided as %s", text(d))
		}
	})
}

// Whatever stands in a row, it is decided, the same by a decider that was used
// before, and applied only if both scores are there and high.
func FuzzDecideRow(f *testing.F) {
	for _, row := range []string{"0.95,0.97,20,1,DE", "0.95", ",,,,", "NaN,1e400,9007199254740993,yes,\xff", "0.95,\"0.97\",1,0,\"a,b\"", "1,1,1,true,x"} {
		f.Add(row)
	}
	gate := mustParse(f, head+`signals:
  a: {type: score, range: [0, 1]}
  b: {type: score}
  n: {type: integer}
  f: {type: flag}
  s: {type: string}
bands:
  a: {highMin: 0.9, reviewMin: 0.5}
  b: {highMin: 0.9, reviewMin: 0.5}
rules:
  - {id: flag, when: {flag: f}, force: route_to_human, reason: r}
  - {id: text, when: has(meta.s) && meta.s == "stop", force: auto_reject, reason: r}
enableAutoApply: true
enableAutoReject: true
`).Threshold
	columns, err := gate.Columns([]string{"a", "b", "n", "f", "s"})
	if err != nil {
		f.Fatal(err)
	}
	used := gate.NewDecider()
	f.Fuzz(func(t *testing.T, row string) {
		cells := bytes.Split([]byte(row), []byte{','})
		var d, again threshold.Decision
		used.DecideRow(&d, columns, cells)
		gate.NewDecider().DecideRow(&again, columns, cells)
		if text(&d) != text(&again) {
			t.Fatalf("a used decider says\n%s\na fresh one\n%s", text(&d), text(&again))
		}
		if d.Verdict != threshold.AutoApply {
			return
		}
		for _, cell := range cells[:2] {
			if v, err := strconv.ParseFloat(string(cell), 64); err != nil || !(v >= 0.9) {
				t.Fatalf("applied with a score of %q", cell)
			}
		}
	})
}
