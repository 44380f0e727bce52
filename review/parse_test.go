package review_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/review"
)

func TestParseActReadsEveryMember(t *testing.T) {
	d := review.BodyDigest(nil)
	got, err := review.ParseAct([]byte(`{"act":"edit","key":"k","token":7,"version":8,"digest":"` + d.String() + `","reason":"r","note":"n\u0000",
		"action":{"a":[1.50]},"queue":"q","person":"p","until":"2026-01-31T10:00:00+01:00","item":"i"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := review.Act{Kind: review.ActEdit, Key: "k", Token: 7, Version: 8, Digest: d, Reason: "r", Note: "n\x00", Action: []byte(`{"a":[1.50]}`), Queue: "q", Person: "p", Until: start, Item: "i"}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })); diff != "" {
		t.Error(diff)
	}
}

func TestParseActIsStrict(t *testing.T) {
	for _, s := range []string{
		``, `null`, `[]`, `{}`, `{"act":null}`, `{"act":"nod"}`, `{"act":"submit"}`, `{"act":"Approve"}`,
		`{"act":"approve","act":"reject"}`, `{"act":"approve"} x`, `{"act":"approve","actor":"ada"}`, `{"act":"approve","Token":1}`,
		`{"act":"approve","token":"1"}`, `{"act":"approve","token":1.0}`, `{"act":"approve","token":0}`, `{"act":"approve","token":-1}`, `{"act":"approve","token":9007199254740993}`,
		`{"act":"approve","digest":"sha256:00"}`, `{"act":"approve","digest":"sha256:` + strings.Repeat("0", 64) + `"}`, `{"act":"approve","note":1}`,
		`{"act":"hold","until":"tomorrow"}`, `{"act":"hold","until":"0001-01-01T00:00:00Z"}`, `{"act":"hold","until":1}`,
	} {
		if a, err := review.ParseAct([]byte(s)); !strings.HasPrefix(code(err), "invalid ") || a.Kind != "" {
			t.Errorf("%s: %+v, %v", s, a, err)
		}
	}
}

func FuzzParseAct(f *testing.F) {
	for _, s := range []string{`{"act":"approve","token":1}`, `{"act":"edit","token":1,"action":{"pay":{"amount":1e3}}}`, `{"act":"hold","until":"2026-01-31T10:00:00Z","note":"n"}`, `{"act":"assign","person":"ada"}`, `{"act":"overturn","item":"i2","note":"x"}`, `{"act":`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := review.ParseAct(raw)
		if err != nil {
			if !strings.HasPrefix(code(err), "invalid ") {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		// Whatever was read, doing it changes the item by one, or not at all.
		a.Actor, a.Salt = person("ada"), review.Salt{2}
		a.Actor.Supervisor = true
		l := begin(t, review.Rules{Needed: 1, Editable: []string{"/pay"}, Deadline: time.Hour}).do(act(review.ActClaim, "ada"))
		if err := l.try(a); err == nil && l.item.Version != 3 {
			t.Fatalf("version %d", l.item.Version)
		}
		if s := l.item.Status; (s == review.Approved) != (a.Kind == review.ActApprove && l.item.Version == 3) {
			t.Fatalf("%s made it %s", a.Kind, s)
		}
	})
}
