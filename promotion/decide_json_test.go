package promotion_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pawlgate/pawl/promotion"
)

func TestDecisionAsJSON(t *testing.T) {
	down := passing()
	down.Tripwire = nil
	inProcess := passing()
	inProcess.Oracle = promotion.OracleInProcess
	two := passing()
	two.Tripwire, two.ConcurringSignals = &promotion.TripwireResult{Escalate: true}, []string{"Canary"}
	for _, test := range []struct {
		name string
		in   promotion.Inputs
		opt  promotion.Options
		want string
	}{
		{"promoted", passing(), promotion.Options{}, `{"terminal":"auto_promote","others":[],"stops":[],"kinds":["canary","replay"],"tripwire":"nothing_found"}`},
		{"without a tripwire", down, promotion.Options{Advisory: true}, `{"terminal":"auto_promote","others":[],"stops":[],"kinds":["canary","replay"],"tripwire":"did_not_run"}`},
		{
			"for want of a tripwire", down,
			promotion.Options{},
			`{"terminal":"needs_human","guard":"tripwire","others":[],"stops":[{"guard":"tripwire","message":"the tripwire didn't run"}],"kinds":["canary","replay"],"tripwire":"did_not_run"}`,
		},
		{
			"a candidate", inProcess,
			promotion.Options{},
			`{"terminal":"candidate_only","guard":"oracle","others":[],"stops":[{"guard":"oracle","message":"the oracle is in_process_probe_only, not out_of_process_isolated"}],"kinds":["canary","replay"],"tripwire":"nothing_found"}`,
		},
		{
			"two guards", two,
			promotion.Options{},
			`{"terminal":"needs_human","guard":"tripwire","others":["concurrence"],"stops":[{"guard":"tripwire","message":"the tripwire was raised"},` +
				`{"guard":"concurrence","message":"1 of at least 2 distinct kinds of signals concur"}],"kinds":["canary"],"tripwire":"raised"}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := promotion.Decide(test.in, test.opt)
			if diff := cmp.Diff(test.want, string(d.AppendJSON(nil))); diff != "" {
				t.Error(diff)
			}
			if b, err := json.Marshal(d); err != nil || !json.Valid(b) {
				t.Errorf("%s, %v", b, err)
			}
			if strings.Contains(string(d.AppendJSON(nil)), "pass") {
				t.Error("a decision says that something passed")
			}
		})
	}
}

func TestTripwireResultAsJSON(t *testing.T) {
	for want, result := range map[string]*promotion.TripwireResult{
		`null`:                            nil,
		`{"escalate":false,"reasons":[]}`: {},
		`{"escalate":true,"reasons":[]}`:  {Escalate: true},
		`{"escalate":true,"reasons":["it says <b>"],"omitted":2}`: {Reasons: []promotion.Finding{{Offset: -1, Detail: "it says <b>"}}, Omitted: 2},
		`{"escalate":true,"reasons":[{"kind":"egress","token":"curl","file":"SKILL.md","line":3,"col":1,"offset":0,"length":4,"via":"base64+hex","detail":"fetches"},{"kind":"limit","detail":""}]}`: {
			Escalate: true,
			Reasons: []promotion.Finding{
				{Kind: promotion.KindEgress, Token: "curl", File: "SKILL.md", Line: 3, Col: 1, Length: 4, Via: "base64+hex", Detail: "fetches"},
				{Kind: promotion.KindLimit, Offset: -1},
			},
		},
	} {
		if diff := cmp.Diff(want, string(result.AppendJSON(nil))); diff != "" {
			t.Error(diff)
		}
	}
}

// What is written is read back.
func TestFindingsGoThereAndBack(t *testing.T) {
	text := rapid.StringMatching(`[a-z<"\\ü]{0,4}`)
	finding := rapid.Custom(func(t *rapid.T) promotion.Finding {
		if rapid.Bool().Draw(t, "a text") {
			return promotion.Finding{Offset: -1, Detail: text.Draw(t, "detail")}
		}
		return promotion.Finding{
			Kind: rapid.SampledFrom(promotion.Kinds()).Draw(t, "kind"), Token: text.Draw(t, "token"), File: text.Draw(t, "file"),
			Line: rapid.IntRange(0, 9).Draw(t, "line"), Col: rapid.IntRange(0, 9).Draw(t, "col"), Offset: rapid.IntRange(-1, 9).Draw(t, "offset"),
			Length: rapid.IntRange(0, 9).Draw(t, "length"), Via: text.Draw(t, "via"), Detail: text.Draw(t, "detail"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		result := &promotion.TripwireResult{
			Escalate: rapid.Bool().Draw(t, "escalate"), Omitted: rapid.IntRange(0, 3).Draw(t, "omitted"),
			Reasons: rapid.SliceOfN(finding, 0, 4).Draw(t, "reasons"),
		}
		result.Escalate = result.Raised()
		if result.Reasons == nil {
			result.Reasons = []promotion.Finding{}
		}
		in, err := promotion.ParseInputs([]byte(`{"tripwire":` + string(result.AppendJSON(nil)) + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(result, in.Tripwire); diff != "" {
			t.Fatal(diff)
		}
	})
}
