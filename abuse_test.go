package pawl_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/review"
)

// nasty are texts that something might stumble over.
var nasty = map[string]string{
	"sql":            `'; DROP TABLE items; --`,
	"like":           `%_\`,
	"quotes":         "\"`'\\",
	"placeholder":    "$1 ?1 :id @x {{.}} ${HOME}",
	"log":            "ok\nlevel=ERROR msg=forged\r\n",
	"escape":         "\x1b[2J\x1b]0;title\a\b",
	"nul":            "a\x00b",
	"invalid utf-8":  "a\xff\xfe\xc3(",
	"surrogate":      "a\xed\xa0\x80b",
	"rtl":            "abc\u202eftp.exe\u202c \u200f\u2066x",
	"invisible":      "a\u200b\ufeff\u00ad\u2028b",
	"composed":       "e\u0301 Å \u212b ﬁ",
	"emoji":          "👩‍👩‍👧 \U0010ffff",
	"long":           strings.Repeat("long ", 20_000),
	"incompressible": noise(60_000),
	"space":          "  \t ",
	"json":           `{"a":1}`,
	"path":           "../../etc/passwd",
}

// noise is text that no database packs into an index.
func noise(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return base64.StdEncoding.EncodeToString(b)[:n]
}

// refusedClearly reports whether an error is one for the caller: of the rules, of
// what doesn't exist, or of the input. A failure of the database isn't.
func refusedClearly(err error) bool {
	for _, sign := range []string{"SQL", "sql", "pgx", "sqlite", "constraint", "invalid byte sequence", "panic"} {
		if strings.Contains(err.Error(), sign) && !strings.Contains(err.Error(), nasty["sql"]) {
			return false
		}
	}
	return true
}

func TestNastyTextsAreKeptOrRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, db string) {
		p := opened(t, config(t, db, shopGate{}))
		ctx := t.Context()
		kept, refused := 0, 0
		// tell counts, and reports whether the text was taken.
		tell := func(t *testing.T, err error) bool {
			t.Helper()
			if err == nil {
				kept++
				return true
			}
			refused++
			if !refusedClearly(err) {
				t.Errorf("not an error for the caller: %v", err)
			}
			return false
		}
		for name, text := range nasty {
			t.Run(name, func(t *testing.T) {
				s := submission(asked, text)
				if a, err := p.Submit(ctx, s); tell(t, err) {
					same(t, p, a.Item, "subject", text, func(r *pawl.Record) string { return r.Subject })
					if items := all(t, p, pawl.Query{Subject: text}); len(items) != 1 {
						t.Errorf("%d items of the subject", len(items))
					}
				}
				s = submission(asked, "key")
				s.Key = text
				if a, err := p.Submit(ctx, s); tell(t, err) {
					again, err := p.Submit(ctx, s)
					if err != nil || again.Item != a.Item || !again.Replayed {
						t.Errorf("the same key again: %+v, %v", again, err)
					}
				}
				s = submission(asked, "person")
				s.By = checked(text)
				if a, err := p.Submit(ctx, s); tell(t, err) {
					same(t, p, a.Item, "submitter", text, func(r *pawl.Record) string { return r.Submitters[0].Person.ID })
				}
				s = submission(asked, "action")
				s.Action = fmt.Appendf(nil, `{"amount":1,"to":%q}`, "x")
				s.Action = bytes.Replace(s.Action, []byte("x"), []byte(text), 1)
				_, err := p.Submit(ctx, s)
				tell(t, err)
				s = submission(`{"score":0.7,"`+text+`":1}`, "input")
				_, err = p.Submit(ctx, s)
				tell(t, err)
				s = submission(asked, "gate")
				s.Gate = text
				if _, err := p.Submit(ctx, s); tell(t, err) {
					t.Error("a gate of this name answered")
				}
				id := submitted(t, p, asked).Item
				if _, err := p.Comment(ctx, id, pawl.Act{Actor: checked("ada"), Note: text, Key: "n" + name}); tell(t, err) {
					same(t, p, id, "note", text, func(r *pawl.Record) string { return r.Events[len(r.Events)-1].Note })
				}
				if _, err := p.Comment(ctx, id, pawl.Act{Actor: checked(text), Note: "x"}); tell(t, err) {
					same(t, p, id, "actor", text, func(r *pawl.Record) string { return r.Events[len(r.Events)-1].Actor.ID })
				}
				_, err = p.Comment(ctx, id, pawl.Act{Actor: checked("ada"), Note: "x", Key: text})
				tell(t, err)
				boss := checked("boss")
				boss.Supervisor = true
				if _, err := p.Assign(ctx, id, pawl.Act{Actor: boss, Person: text}); tell(t, err) {
					same(t, p, id, "assignee", text, func(r *pawl.Record) string { return r.Assigned })
					if _, err := p.Assign(ctx, id, pawl.Act{Actor: boss}); err != nil {
						t.Error(err)
					}
				}
				o, err := p.Claim(ctx, id, pawl.Act{Actor: checked("ada")})
				if err != nil {
					t.Fatal(err)
				}
				_, err = p.Approve(ctx, id, pawl.Act{Actor: checked("ada"), Token: o.Event.Token, Reason: text})
				if err == nil {
					t.Error("an unlisted reason code was taken")
				}
				if _, err := p.Escalate(ctx, id, pawl.Act{Actor: checked("ada"), Token: o.Event.Token, Queue: text}); tell(t, err) {
					same(t, p, id, "queue", text, func(r *pawl.Record) string { return r.Queue })
				}
				if _, err := p.Item(ctx, text); err == nil {
					t.Error("an item of this name")
				} else {
					tell(t, err)
				}
				_, err = p.List(ctx, pawl.Query{Gate: text, Queue: text, Subject: text, Status: review.Status(text), Before: text})
				tell(t, err)
				_, _, err = p.Next(ctx, checked("nobody"), text)
				tell(t, err)
				tell(t, p.Label(ctx, id, []byte(`"`+text+`"`), checked("ada")))
				_, err = p.Trip(ctx, text, text)
				tell(t, err)
				auto := submitted(t, p, applied).Item
				q := redemption(auto, "0123456789abcdef")
				q.Executor = text
				if _, err := p.Redeem(ctx, q); tell(t, err) {
					t.Error("an executor of this name redeemed")
				}
			})
		}
		t.Logf("%d kept, %d refused", kept, refused)
		verified(t, p)
	})
}

// same checks that a text came back as it went in.
func same(t *testing.T, p *pawl.Pawl, id, what, want string, of func(*pawl.Record) string) {
	t.Helper()
	r, err := p.Item(context.Background(), id)
	if err != nil {
		t.Fatalf("with the %s: %v", what, err)
	}
	if got := of(r); got != want {
		t.Errorf("the %s %q came back as %q", what, want, got)
	}
	dense(t, r)
}

func TestALargeActionIsKeptWholeOrRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, db string) {
		p := opened(t, config(t, db, shopGate{}))
		s := submission(applied, "large")
		s.Action = []byte(`{"amount":1,"text":"` + strings.Repeat("x", 10<<20) + `"}`)
		a, err := p.Submit(t.Context(), s)
		if err != nil {
			if _, ok := errors.AsType[*review.InvalidError](err); !ok {
				t.Errorf("refused as %v", err)
			}
			if n := len(all(t, p, pawl.Query{})); n != 0 {
				t.Errorf("%d items of what was refused", n)
			}
			return
		}
		r, err := p.Item(t.Context(), a.Item)
		if err != nil || !bytes.Equal(r.Action, s.Action) {
			t.Fatalf("%d of %d bytes, %v", len(r.Action), len(s.Action), err)
		}
		q := redemption(a.Item, "0123456789abcdef")
		if q.Action = bytes.Clone(s.Action); true {
			q.Action[1<<20] = 'y'
		}
		if _, err := p.Redeem(t.Context(), q); refusal(err) != review.RefusedDigest {
			t.Errorf("another action by one byte: %v", err)
		}
		if q.Action = s.Action; true {
			_, err = p.Redeem(t.Context(), q)
		}
		if err != nil {
			t.Error(err)
		}
		verified(t, p)
	})
}

func TestForgedPermitsAndTokensAreRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, db string) {
		c := config(t, db, shopGate{})
		c.PolicyText["bank.pawl.yaml"] = strings.Replace(c.PolicyText["shop.pawl.yaml"], "gate: shop", "gate: bank", 1)
		p := opened(t, c)
		ctx := t.Context()
		const key = "0123456789abcdef"
		open, taken, pending := submitted(t, p, applied).Item, submitted(t, p, applied).Item, submitted(t, p, asked).Item
		refused, voided := submitted(t, p, rejected).Item, ""
		bank := submission(applied, "bank")
		bank.Gate = "bank"
		a, err := p.Submit(ctx, bank)
		if err != nil {
			t.Fatal(err)
		}
		voided = a.Item
		if _, err := p.Supervise(ctx, "bank", checked("ada"), "a look"); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Redeem(ctx, redemption(taken, key)); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name   string
			change func(*pawl.Redemption)
			want   review.Refusal
		}{
			{"redeemed with another key", func(r *pawl.Redemption) { r.Item, r.Key = taken, []byte("another-key-of-16") }, review.RefusedRedeemed},
			{"another action", func(r *pawl.Redemption) { r.Action = []byte(`{"amount":2,"to":"x"}`) }, review.RefusedDigest},
			{"another effect", func(r *pawl.Redemption) { r.Effect = review.EffectReject }, review.RefusedEffect},
			{"the other effect of a rejection", func(r *pawl.Redemption) { r.Item = refused }, review.RefusedEffect},
			{"no effect", func(r *pawl.Redemption) { r.Effect = "" }, review.RefusedEffect},
			{"another executor", func(r *pawl.Redemption) { r.Executor = "stranger" }, review.RefusedAudience},
			{"a gate that was supervised since", func(r *pawl.Redemption) { r.Item = voided }, review.RefusedVoided},
			{"a pending item", func(r *pawl.Redemption) { r.Item = pending }, ""},
			{"an item that doesn't exist", func(r *pawl.Redemption) { r.Item = strings.Repeat("0", 36) }, ""},
			{"a short key", func(r *pawl.Redemption) { r.Key = []byte("short") }, ""},
			{"no key", func(r *pawl.Redemption) { r.Key = nil }, ""},
			{"an action that isn't JSON", func(r *pawl.Redemption) { r.Action = []byte(`{`) }, ""},
		} {
			r := redemption(open, key)
			c.change(&r)
			if _, err := p.Redeem(ctx, r); err == nil || c.want != "" && refusal(err) != c.want {
				t.Errorf("%s: %v", c.name, err)
			} else if strings.Contains(err.Error(), key) {
				t.Errorf("%s: the error tells a key: %v", c.name, err)
			}
		}
		if _, err := p.Report(ctx, taken, []byte("another-key-of-16"), review.PermitDone, nil); err == nil {
			t.Error("reported with another key")
		}
		if _, err := p.Report(ctx, open, []byte(key), review.PermitDone, nil); err == nil {
			t.Error("reported what wasn't redeemed")
		}
		if _, err := p.Redeem(ctx, redemption(open, key)); err != nil {
			t.Errorf("after all that, the right one: %v", err)
		}
		tokens(t, p)
		verified(t, p)
	})
}

// tokens acts with tokens that aren't good.
func tokens(t *testing.T, p *pawl.Pawl) {
	t.Helper()
	ctx := t.Context()
	mine, other := submitted(t, p, asked).Item, submitted(t, p, asked).Item
	claim := func(id, who string) int64 {
		o, err := p.Claim(ctx, id, pawl.Act{Actor: checked(who)})
		if err != nil {
			t.Fatal(err)
		}
		return o.Event.Token
	}
	first := claim(mine, "ada")
	if _, err := p.Release(ctx, mine, pawl.Act{Actor: checked("ada"), Token: first}); err != nil {
		t.Fatal(err)
	}
	newest := claim(mine, "ada")
	for range 3 { // so that this item's tokens are higher
		claim(other, "bob")
	}
	for _, c := range []struct {
		name, item, who string
		token           int64
	}{
		{"a stale one", mine, "ada", first},
		{"one from the future", mine, "ada", newest + 1},
		{"a negative one", mine, "ada", -1},
		{"none", mine, "bob", 0},
		{"somebody else's", mine, "bob", newest},
		{"that of another item", other, "ada", newest},
		{"one of an item that nobody claimed", submitted(t, p, asked).Item, "ada", 1},
	} {
		for _, k := range []review.Kind{review.ActApprove, review.ActReject, review.ActRelease, review.ActRenew} {
			_, err := p.Act(ctx, c.item, pawl.Act{Kind: k, Actor: checked(c.who), Token: c.token, Key: c.name + string(k)})
			if err == nil {
				t.Errorf("%s with %s", k, c.name)
			}
		}
	}
	if _, err := p.Approve(ctx, mine, pawl.Act{Actor: checked("ada"), Token: newest}); err != nil {
		t.Errorf("with the right token: %v", err)
	}
}
