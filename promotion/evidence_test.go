package promotion_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/promotion"
)

const sum = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// statement is a whole one; its parts are replaced in the tests.
const statement = `{"_type": "https://in-toto.io/Statement/v1",
 "subject": [{"name": "skills/tidy", "digest": {"sha256": "` + sum + `"}}],
 "predicateType": "https://pawl.dev/promotion-evidence/v1",
 "predicate": {"expires": "2026-12-31T00:00:00Z", "oracle": "out_of_process_isolated", "record": {"gate2Verdict": "present_positive"}, "gate4Armed": true,
  "touchesIrreversibleTool": false, "statisticsPresent": true, "concurringSignals": ["unit_tests", "canary"]}}`

func TestParseStatementReadsAWholeOne(t *testing.T) {
	got, err := promotion.ParseStatement([]byte(statement))
	if err != nil {
		t.Fatal(err)
	}
	want := &promotion.Statement{
		Subjects: []promotion.Subject{{Name: "skills/tidy", Digest: "sha256:" + sum}},
		Expires:  time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC),
		Inputs: promotion.Inputs{
			Oracle: promotion.OracleIsolated, Gate2: promotion.Gate2Positive, Gate4Armed: promotion.Yes, TouchesIrreversibleTool: promotion.No,
			StatisticsPresent: promotion.Yes, ConcurringSignals: []string{"unit_tests", "canary"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !got.About("sha256:"+sum) || got.About(sum) || got.About("") || got.About("sha256:"+strings.ToUpper(sum)) {
		t.Error("it covers another digest than its own")
	}
}

func TestTheStatementInTheDocumentationIsValid(t *testing.T) {
	page, err := os.ReadFile("../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "```json statement.json\n")
	block, _, _ = strings.Cut(block, "```")
	if _, err := promotion.ParseStatement([]byte(block)); err != nil {
		t.Errorf("%v:\n%s", err, block)
	}
}

// What isn't said counts as failing, whatever stays away.
func TestWhatAStatementDoesNotSayFails(t *testing.T) {
	const bare = `{"_type":"https://in-toto.io/Statement/v1","subject":[{"digest":{"sha256":"` + sum + `"}}],` +
		`"predicateType":"https://pawl.dev/promotion-evidence/v1","predicate":{"expires":"2026-12-31T01:00:00.5+01:00"}}`
	s, err := promotion.ParseStatement([]byte(bare))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(promotion.Inputs{}, s.Inputs); diff != "" {
		t.Errorf("inputs that nobody gave:\n%s", diff)
	}
	if !s.Expires.Equal(time.Date(2026, 12, 31, 0, 0, 0, 5e8, time.UTC)) {
		t.Errorf("expires %s", s.Expires)
	}
	for _, member := range []string{`"oracle": "out_of_process_isolated", `, `"record": {"gate2Verdict": "present_positive"}, `, `"gate4Armed": true,`, `"touchesIrreversibleTool": false, `, `"statisticsPresent": true, `} {
		if !strings.Contains(statement, member) {
			t.Fatalf("no %s", member)
		}
		s, err := promotion.ParseStatement([]byte(strings.Replace(statement, member, "", 1)))
		if err != nil {
			t.Errorf("without %s: %v", member, err)
			continue
		}
		s.Inputs.Tripwire = &promotion.TripwireResult{}
		if d := promotion.Decide(s.Inputs, promotion.Options{}); d.Terminal != promotion.NeedsHuman || len(d.Stops) != 1 {
			t.Errorf("without %s: %+v", member, d)
		}
	}
}

func TestParseStatementRefuses(t *testing.T) {
	const subject = `{"name": "skills/tidy", "digest": {"sha256": "` + sum + `"}}`
	for _, c := range []struct{ name, old, new, want string }{
		{"no JSON", statement, "", "the statement isn't valid JSON"},
		{"text after it", statement, statement + "x", "the statement isn't valid JSON"},
		{"two of them", statement, statement + statement, "the statement isn't valid JSON"},
		{"a list", statement, "[]", "the statement must be an object, not a list"},
		{"too long", statement, statement + strings.Repeat(" ", 1<<20), "more than 1048576 bytes"},
		{"an unknown member", `"_type"`, `"x": 1, "_type"`, `the statement has no member "x"`},
		{"a member twice", `"oracle": "out_of_process_isolated"`, `"oracle": "not_isolated", "oracle": "out_of_process_isolated"`, "oracle"},
		{"a member twice, escaped", `"oracle": "out_of_process_isolated"`, `"oracle": "not_isolated", "\u006fracle": "out_of_process_isolated"`, "oracle"},
		{"no type", `"_type": "https://in-toto.io/Statement/v1",`, "", "_type is missing"},
		{"another type", "Statement/v1", "Statement/v0.1", `_type is "https://in-toto.io/Statement/v0.1", not`},
		{"no predicate type", `"predicateType": "https://pawl.dev/promotion-evidence/v1",`, "", "predicateType is missing"},
		{"another predicate type", "promotion-evidence/v1", "promotion-evidence/v2", `predicateType is "https://pawl.dev/promotion-evidence/v2", not`},
		{"a predicate type that is no text", `"https://pawl.dev/promotion-evidence/v1"`, "1", "predicateType must be a string, not a number"},
		{"no subject", `"subject": [` + subject + `],`, "", "subject must be a list of at least one snapshot"},
		{"an empty subject", subject, "", "subject must be a list of at least one snapshot"},
		{"a subject that is no object", subject, "5", "a subject must be an object, not a number"},
		{"a subject that is no list", "[" + subject + "]", subject, "subject must be a list"},
		{"an unknown member of a subject", `"name": "skills/tidy"`, `"uri": "skills/tidy"`, `a subject has no member "uri"`},
		{"a name that is no text", `"skills/tidy"`, "5", "a subject's name must be a string"},
		{"no digest", `, "digest": {"sha256": "` + sum + `"}`, "", "a subject's digest must be an object"},
		{"a digest as text", `{"sha256": "` + sum + `"}`, `"` + sum + `"`, "a subject's digest must be an object"},
		{"another algorithm", "sha256", "sha512", `a subject's digest has no member "sha512"`},
		{"another algorithm beside it", `{"sha256"`, `{"md5": "x", "sha256"`, `a subject's digest has no member "md5"`},
		{"a digest that is too short", sum, sum[1:], "64 lower-case hexadecimal digits"},
		{"a digest that is too long", sum, sum + "0", "64 lower-case hexadecimal digits"},
		{"upper case", sum, strings.ToUpper(sum), "64 lower-case hexadecimal digits"},
		{"a prefix", sum, "sha256:" + sum, "64 lower-case hexadecimal digits"},
		{"a line break", sum, sum + `\n`, "64 lower-case hexadecimal digits"},
		{"a predicate that is no object", statement[strings.Index(statement, `{"expires"`):], "[]}", "predicate must be an object"},
		{"no expiry", `"expires": "2026-12-31T00:00:00Z", `, "", "predicate: expires is missing"},
		{"an expiry that is null", `"2026-12-31T00:00:00Z"`, "null", "predicate: expires must be a string, not null"},
		{"a number of seconds", `"2026-12-31T00:00:00Z"`, "1798675200", "predicate: expires must be a string"},
		{"a date alone", "2026-12-31T00:00:00Z", "2026-12-31", "RFC 3339"},
		{"no zone", "00:00:00Z", "00:00:00", "RFC 3339"},
		{"a zone's name", "00:00:00Z", "00:00:00 CET", "RFC 3339"},
		{"a small z", "00:00:00Z", "00:00:00z", "RFC 3339"},
		{"a comma", "00:00:00Z", "00:00:00,5Z", "RFC 3339"},
		{"an hour of one digit", "T00:00:00Z", "T0:00:00Z", "RFC 3339"},
		{"no such day", "2026-12-31", "2026-02-29", "RFC 3339"},
		{"no such hour", "T00:", "T24:", "RFC 3339"},
		{"no such zone", "00:00:00Z", "00:00:00+25:00", "RFC 3339"},
		{"a tripwire", `"gate4Armed"`, `"tripwire": {"escalate": false}, "gate4Armed"`, "predicate can't hold a tripwire"},
		{"a tripwire that is null", `"gate4Armed"`, `"tripwire": null, "gate4Armed"`, "predicate can't hold a tripwire"},
		{"an unknown member of the predicate", `"gate4Armed"`, `"gate5Armed": true, "gate4Armed"`, "gate5Armed"},
		{"an unknown member of the record", `"gate2Verdict"`, `"gate3": 1, "gate2Verdict"`, "gate3"},
		{"a gate as text", `"gate4Armed": true`, `"gate4Armed": "true"`, "boolean"},
		{"statistics as a number", `"statisticsPresent": true`, `"statisticsPresent": 1`, "boolean"},
		{"signals as text", `["unit_tests", "canary"]`, `"unit_tests canary"`, "concurringSignals"},
		{"an empty kind", `"canary"`, `" "`, "concurringSignals"},
		{"an oracle that is no text", `"out_of_process_isolated"`, "true", "oracle"},
	} {
		if !strings.Contains(statement, c.old) {
			t.Fatalf("%s: %q isn't there", c.name, c.old)
		}
		s, err := promotion.ParseStatement([]byte(strings.Replace(statement, c.old, c.new, 1)))
		if err == nil || s != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v (want %q)", c.name, err, c.want)
		}
		if foreign := strings.HasPrefix(c.name, "another") && strings.Contains(c.name, "type"); errors.Is(err, promotion.ErrForeignStatement) != foreign {
			t.Errorf("%s: %v is of another kind: %v", c.name, err, !foreign)
		}
	}
}

func FuzzParseStatement(f *testing.F) {
	f.Add([]byte(statement))
	f.Add([]byte(strings.ReplaceAll(statement, "\n", "")))
	f.Add([]byte(`{"_type":"https://in-toto.io/Statement/v1","subject":[],"predicateType":"https://pawl.dev/promotion-evidence/v1","predicate":{}}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		s, err := promotion.ParseStatement(payload)
		if err != nil {
			if s != nil {
				t.Error("a statement comes with the error")
			}
			return
		}
		if s.Inputs.Tripwire != nil || len(s.Subjects) == 0 || s.About("") || !s.About(s.Subjects[0].Digest) {
			t.Errorf("%+v", s)
		}
		for _, subject := range s.Subjects {
			if len(subject.Digest) != len("sha256:")+64 {
				t.Errorf("digest %q", subject.Digest)
			}
		}
		// Without a tripwire nothing is promoted, whatever it says.
		if d := promotion.Decide(s.Inputs, promotion.Options{}); d.Terminal != promotion.NeedsHuman {
			t.Errorf("%+v", d)
		}
	})
}
