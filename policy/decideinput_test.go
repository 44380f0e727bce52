package policy_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/verdict"
)

const paysSmall = "rules: [{id: r, limit: {value: facts.x, max: 10}, next_step: Look.}]\nconfidence: none\ndecision: '\"PAY\"'\napplies: [PAY]\nenableAutoApply: true\n"

// reasonsOf writes reasons as "code" or "code:subject".
func reasonsOf(r *policy.Result) string {
	texts := make([]string, len(r.Reasons))
	for i, reason := range r.Reasons {
		texts[i] = reason.String()
	}
	return strings.Join(texts, " ")
}

func TestDecideInputSaysTheSameForEveryKind(t *testing.T) {
	for _, c := range []struct {
		name, src, input string
		verdict          verdict.Verdict
		queue, risk      string
		malformed        bool
		reasons          string
	}{
		{"applied", head + onlyApply + bandA, `{"scores":{"a":0.9}}`, verdict.AutoApply, "", "", false, "band_high:a"},
		{"the gate's name is the queue", head + onlyApply + bandA + "risk: [{level: high, when: 'true'}]\n", `{"scores":{"a":0.7}}`, verdict.RouteToHuman, "test", "high", false, "band_review:a"},
		{"a queue that the policy names", head + onlyApply + bandA + "queue: desk\n", `{"scores":{"a":0.7}}`, verdict.RouteToHuman, "desk", "", false, "band_review:a"},
		{"malformed", head + onlyApply + bandA, `{"scores":`, verdict.RouteToHuman, "test", "", true, "band_review:a input_malformed score_missing:a"},
		{"an envelope", head + onlyApply + bandA, `{"id":"7","signals":{"scores":{"a":0.9}}}`, verdict.AutoApply, "", "", false, "band_high:a"},
		{"a case is applied", caseHead + paysSmall, `{"case_id":"1","facts":{"x":5}}`, verdict.AutoApply, "", "", false, ""},
		{"a case without a queue", caseHead + paysSmall, `{"case_id":"1","facts":{"x":50}}`, verdict.RouteToHuman, "test", "", false, "case_escalated:POLICY_VIOLATION"},
		{"a case with a queue", caseHead + paysSmall + "queues: {default: desk}\n", `{"case_id":"1","facts":{"x":50}}`, verdict.RouteToHuman, "desk", "", false, "case_escalated:POLICY_VIOLATION"},
		{"a malformed case", caseHead + paysSmall, `{"case_id":1}`, verdict.RouteToHuman, "test", "", true, "case_escalated:INSUFFICIENT_CONFIDENCE input_malformed"},
		{"a model that wasn't asked", caseHead + paysSmall + "model: second\n", `{"case_id":"1","facts":{"x":5}}`, verdict.RouteToHuman, "test", "", false, "case_escalated:INSUFFICIENT_CONFIDENCE"},
		{"no input for a promotion", promotionHead, `{}`, verdict.RouteToHuman, "test", "", true, "input_malformed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustParse(t, c.src).DecideInput([]byte(c.input))
			if r.Verdict != c.verdict || r.Queue != c.queue || r.Risk != c.risk || r.Malformed != c.malformed || reasonsOf(&r) != c.reasons {
				t.Errorf("got %s, queue %q, risk %q, malformed %t, reasons %s\n%s", r.Verdict, r.Queue, r.Risk, r.Malformed, reasonsOf(&r), r.Native)
			}
			var native struct{ Verdict verdict.Verdict }
			if err := json.Unmarshal(r.Native, &native); err != nil || native.Verdict != r.Verdict {
				t.Errorf("native says %s (%v)", r.Native, err)
			}
		})
	}
}

// Whatever happens to the bytes of an input, a result stays what it was.
func TestDecideInputKeepsNothingOfItsInput(t *testing.T) {
	for _, src := range []string{head + onlyApply + bandA + rules("human meta.m > 1"), caseHead + paysSmall} {
		raw := []byte(`{"scores":{"a":"text"},"meta":{"m":"xyz"},"facts":{"x":"abc"},"case_id":"q"}`)
		f := mustParse(t, src)
		r := f.DecideInput(raw)
		before := string(r.Native) + reasonsOf(&r)
		for i := range raw {
			raw[i] = 'X'
		}
		f.DecideInput([]byte(`{"scores":{"a":0.9},"meta":{"m":0}}`))
		if after := string(r.Native) + reasonsOf(&r); after != before {
			t.Errorf("%s\nbecame %s", before, after)
		}
	}
}

func TestJudgeArtefactLeavesWhatIsMissingToAPerson(t *testing.T) {
	f := mustParse(t, promotionHead+"queues: {needs_human: desk}\n")
	r := f.JudgeArtefact(nil, nil)
	if r.Verdict != verdict.RouteToHuman || r.Queue != "desk" || !strings.HasPrefix(reasonsOf(&r), "tripwire ") || r.Malformed {
		t.Errorf("%s, queue %q: %s", r.Verdict, r.Queue, reasonsOf(&r))
	}
	r = f.JudgeArtefact(&promotion.Artefact{}, &promotion.Evidence{Malformed: true})
	if r.Verdict != verdict.RouteToHuman || !r.Malformed || !json.Valid(r.Native) {
		t.Errorf("%+v", r)
	}
	r = mustParse(t, head+onlyApply+bandA).JudgeArtefact(&promotion.Artefact{}, nil)
	if r.Verdict != verdict.RouteToHuman || !r.Malformed || r.Queue != "test" {
		t.Errorf("a threshold judges an artefact: %+v", r)
	}
}
