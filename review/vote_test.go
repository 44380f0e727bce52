package review_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/pawlgate/pawl/review"
)

func TestEndsByPeople(t *testing.T) {
	edit := act(review.ActEdit, "ada")
	edit.Action = []byte(`{"pay":{"amount":4,"to":"x"},"lines":[1,2]}`)
	for _, tt := range []struct {
		act    review.Act
		status review.Status
		effect review.Effect
	}{
		{act(review.ActApprove, "ada"), review.Approved, review.EffectApply},
		{edit, review.Edited, review.EffectApply},
		{act(review.ActReject, "ada"), review.Rejected, review.EffectReject},
	} {
		l := begin(t, review.Rules{Editable: []string{"/pay/amount"}, Audience: []string{"x"}}).claimed(tt.act).is(tt.status)
		p := l.last.Permit
		if p == nil || p.Effect != tt.effect || p.Automatic || p.Digest != l.item.Digest || p.State != review.PermitOpen || !slices.Equal(p.Audience, []string{"x"}) || !p.Expires.Equal(start.Add(review.DefaultPermitLife)) {
			t.Errorf("%s: permit %+v", tt.act.Kind, p)
		}
		if e := l.item.Ending; e.By.ID != "ada" || e.By.Known != review.KnownOIDC || e.Act != tt.act.Kind || !e.At.Equal(start) || l.item.Lease != nil {
			t.Errorf("%s: ending %+v", tt.act.Kind, e)
		}
		if e := l.last.Event; e.From != review.PendingReview || e.To != tt.status || e.Seq != l.item.Version || e.Digest != l.item.Digest || e.Actor.ID != "ada" {
			t.Errorf("%s: event %+v", tt.act.Kind, e)
		}
	}
}

func TestTheLoserLearnsWhoWon(t *testing.T) {
	l := begin(t, review.Rules{}).claimed(act(review.ActReject, "ada"))
	for _, k := range []review.Kind{review.ActClaim, review.ActApprove, review.ActReject, review.ActRelease, review.ActSkip} {
		a := act(k, "bob")
		a.Token = 1
		c := conflict(t, l.try(a))
		if c.Code != review.ConflictEnded || c.By.ID != "ada" || c.Winner != review.ActReject || c.Status != review.Rejected || !c.At.Equal(start) || c.Version != l.item.Version {
			t.Errorf("%s: %+v", k, c)
		}
	}
}

func TestNDistinctPeopleApproveOneAction(t *testing.T) {
	l := begin(t, review.Rules{Needed: 3})
	l.claimed(act(review.ActApprove, "ada")).is(review.PendingReview)
	if l.item.Lease != nil || l.last.Permit != nil {
		t.Error("who voted keeps the item, or a permit came of one vote in three")
	}
	expect(t, l.tryClaimed(act(review.ActApprove, "ada")), "denied voted")
	other := act(review.ActApprove, "ADA") // perhaps the same person
	other.Token = l.item.LastToken
	expect(t, l.try(other), "conflict stale_token")
	rel := act(review.ActRelease, "ada")
	rel.Token = l.item.LastToken
	l.do(rel)
	expect(t, l.tryClaimed(act(review.ActApprove, "ADA")), "denied voted")
	rel = act(review.ActRelease, "ADA")
	rel.Token = l.item.LastToken
	l.do(rel)
	l.claimed(act(review.ActApprove, "bob")).is(review.PendingReview)
	l.claimed(act(review.ActApprove, "cem")).is(review.Approved)
	if len(l.item.Approvals) != 3 || l.last.Permit == nil {
		t.Errorf("%d approvals", len(l.item.Approvals))
	}
}

func TestAnEditVoidsApprovalsAndCountsAsItsEditors(t *testing.T) {
	rules := review.Rules{Needed: 2, Editable: []string{"/pay/amount"}}
	edit := act(review.ActEdit, "bob")
	edit.Action = []byte(`{"pay":{"amount":4,"to":"x"},"lines":[1,2]}`)
	l := begin(t, rules).claimed(act(review.ActApprove, "ada"))
	original := l.item
	l.claimed(edit).is(review.PendingReview)
	if len(l.item.Approvals) != 1 || l.item.Approvals[0].Person.ID != "bob" || l.last.Event.Voided != 1 || l.item.Digest == original.Digest {
		t.Errorf("after the edit: %+v", l.item.Approvals)
	}
	if o := l.item.Original; o == nil || string(o.Action) != string(original.Action) || o.Digest != original.Digest {
		t.Errorf("original: %+v", o)
	}
	expect(t, l.tryClaimed(act(review.ActApprove, "bob")), "denied voted")
	rel := act(review.ActRelease, "bob")
	rel.Token = l.item.LastToken
	l.do(rel)
	// Ada approves the new action, which she hadn't.
	l.claimed(act(review.ActApprove, "ada")).is(review.Edited)
	if l.last.Permit.Digest != l.item.Digest {
		t.Error("the permit isn't for the edited action")
	}

	// Back to what was submitted: that is approved, not edited.
	back := act(review.ActEdit, "cem")
	back.Action = original.Action
	begin(t, rules).claimed(edit).claimed(back).is(review.PendingReview).claimed(act(review.ActApprove, "bob")).is(review.Approved)
}

func TestWhoMayNotApprove(t *testing.T) {
	edited := []byte(`{"pay":{"amount":4,"to":"x"},"lines":[1,2]}`)
	made := func(id string, by ...string) review.Actor {
		a := person(id)
		a.MadeBy = by
		return a
	}
	asserted := person("eve")
	asserted.Known = review.KnownAsserted
	for _, tt := range []struct {
		name  string
		rules review.Rules
		first *review.Actor // who has approved
		actor review.Actor
		want  string // for approve
		edit  string // for edit
	}{
		{"the submitter", review.Rules{}, nil, person("sub"), "denied submitter", "denied submitter"},
		{"the submitter in other letters", review.Rules{}, nil, person("SUB"), "denied submitter", "denied submitter"},
		{"an asserted name", review.Rules{}, nil, asserted, "denied asserted", "denied asserted"},
		{"an asserted name where it counts", review.Rules{CountAsserted: true}, nil, asserted, "", ""},
		{"an account that an approver made", review.Rules{Needed: 2}, ptr(person("ada")), made("bob", "ada"), "denied made_by_approver", ""},
		{"who made an approver's account", review.Rules{Needed: 2}, ptr(made("bob", "ada")), person("ada"), "denied made_by_approver", ""},
		{"not even as the second of three", review.Rules{Needed: 3}, ptr(person("ada")), made("bob", "zoe", "ada"), "denied made_by_approver", ""},
		{"accounts made by a third person", review.Rules{Needed: 2}, ptr(made("ada", "zoe")), made("bob", "zoe"), "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, k := range []review.Kind{review.ActApprove, review.ActEdit} {
				tt.rules.Editable = []string{"/pay/amount"}
				l := begin(t, tt.rules)
				if tt.first != nil {
					l.claimed(review.Act{Kind: review.ActApprove, Actor: *tt.first})
				}
				a, want := review.Act{Kind: k, Actor: tt.actor}, tt.want
				if k == review.ActEdit {
					a.Action, want = edited, tt.edit // an edit voids what the other approved
				}
				expect(t, l.tryClaimed(a), want)
			}
			// Anybody may reject: nothing is applied by it.
			begin(t, review.Rules{}).claimed(review.Act{Kind: review.ActReject, Actor: tt.actor}).is(review.Rejected)
		})
	}
}

func ptr[T any](v T) *T { return &v }

func TestJoinersAreSubmitters(t *testing.T) {
	l := begin(t, review.Rules{Needed: 2}).claimed(act(review.ActApprove, "ada")).do(act(review.ActJoin, "ada"))
	if len(l.item.Approvals) != 0 || l.last.Event.Voided != 1 {
		t.Error("who joined has still approved")
	}
	expect(t, l.tryClaimed(act(review.ActApprove, "ada")), "denied submitter")
	rel := act(review.ActRelease, "ada")
	rel.Token = l.item.LastToken
	l.do(rel)
	// Withdrawing doesn't make an approver of a submitter.
	l.do(act(review.ActWithdraw, "ada")).is(review.PendingReview)
	expect(t, l.tryClaimed(act(review.ActApprove, "ada")), "denied submitter")
}

func TestRejections(t *testing.T) {
	begin(t, review.Rules{Needed: 2}).claimed(act(review.ActApprove, "ada")).claimed(act(review.ActReject, "bob")).is(review.Rejected)

	l := begin(t, review.Rules{Needed: 2, Rejections: 2})
	l.claimed(act(review.ActApprove, "ada")).claimed(act(review.ActReject, "ada")).is(review.PendingReview)
	if len(l.item.Approvals) != 0 || l.last.Event.Voided != 1 {
		t.Error("who rejects still approves")
	}
	expect(t, l.tryClaimed(act(review.ActReject, "ada")), "denied voted")
	a := act(review.ActApprove, "ada")
	a.Token = l.item.LastToken
	expect(t, l.try(a), "denied voted")
	a.Kind = review.ActRelease
	l.do(a).claimed(act(review.ActReject, "bob")).is(review.Rejected)
}

func TestAnEditChangesOnlyWhatItMay(t *testing.T) {
	noFive := func(a []byte) error {
		if slices.Contains(a, '9') {
			return errors.New("no nines")
		}
		return nil
	}
	for _, tt := range []struct {
		name, action string
		editable     []string
		want         string
	}{
		{"a member", `{"pay":{"amount":4,"to":"x"},"lines":[1,2]}`, []string{"/pay/amount"}, ""},
		{"below one", `{"pay":{"amount":4,"to":"x"},"lines":[1,2]}`, []string{"/lines", "/pay"}, ""},
		{"all", `[]`, []string{""}, ""},
		{"an entry", `{"pay":{"amount":5,"to":"x"},"lines":[1,3]}`, []string{"/lines/1"}, ""},
		{"gone", `{"pay":{"to":"x"},"lines":[1,2]}`, []string{"/pay/amount"}, ""},
		{"added", `{"pay":{"amount":5,"to":"x","é/~":1},"lines":[1,2]}`, []string{"/pay/é~1~0"}, ""},
		{"nothing is editable", `{"pay":{"amount":4,"to":"x"},"lines":[1,2]}`, nil, "invalid action"},
		{"a name that begins alike", `{"pay":{"amount":4,"to":"x"},"lines":[1,2]}`, []string{"/pay/am", "/pa", "/pay/amounts"}, "invalid action"},
		{"something else", `{"pay":{"amount":4,"to":"y"},"lines":[1,2]}`, []string{"/pay/amount"}, "invalid action"},
		{"the object around it", `{"pay":4,"lines":[1,2]}`, []string{"/pay/amount"}, "invalid action"},
		{"another kind", `{"pay":null,"lines":[1,2]}`, []string{"/pay/amount"}, "invalid action"},
		{"a longer list", `{"pay":{"amount":5,"to":"x"},"lines":[1,2,3]}`, []string{"/lines/2"}, "invalid action"},
		{"the same", `{"lines":[1,2], "pay":{"to":"x","amount":5.0}}`, []string{""}, "invalid action"},
		{"no action", ``, []string{""}, "invalid action"},
		{"no JSON", `{`, []string{""}, "invalid action"},
		{"a big integer", `9007199254740993`, []string{""}, "invalid action"},
		{"against the schema", `9`, []string{""}, "invalid action"},
		{"no pointer", `{"pay":{"amount":4,"to":"x"},"lines":[1,2]}`, []string{"pay", "/pay/~2"}, "invalid action"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := begin(t, review.Rules{Editable: tt.editable, Schema: noFive})
			e := act(review.ActEdit, "ada")
			e.Action = []byte(tt.action)
			expect(t, l.tryClaimed(e), tt.want)
			if tt.want != "" && l.item.Original != nil {
				t.Error("it was edited all the same")
			}
		})
	}
}

func TestReasonCodes(t *testing.T) {
	rules := review.Rules{Reasons: map[review.Kind][]string{review.ActReject: {"fraud", "other"}, review.ActHold: {"waiting"}}}
	for _, tt := range []struct {
		kind         review.Kind
		reason, want string
	}{
		{review.ActReject, "fraud", ""},
		{review.ActReject, "", "invalid reason"},
		{review.ActReject, "Fraud", "invalid reason"},
		{review.ActApprove, "", ""},
		{review.ActApprove, "fraud", "invalid reason"},
		{review.ActHold, "fraud", "invalid reason"},
	} {
		a := act(tt.kind, "ada")
		a.Reason = tt.reason
		err := begin(t, rules).tryClaimed(a)
		expect(t, err, tt.want)
		var e *review.InvalidError
		if errors.As(err, &e) && tt.kind == review.ActReject && !slices.Equal(e.Allowed, []string{"fraud", "other"}) {
			t.Errorf("allowed: %v", e.Allowed)
		}
	}
}

func TestAnApprovalIsOfWhatWasSeen(t *testing.T) {
	l := begin(t, review.Rules{})
	a := act(review.ActApprove, "ada")
	a.Digest = review.Digest{1}
	expect(t, l.tryClaimed(a), "conflict changed")
	a.Digest, a.Version, a.Token = review.Digest{}, 1, 1
	expect(t, l.try(a), "conflict changed")
	a.Digest, a.Version = l.item.Digest, l.item.Version
	l.do(a).is(review.Approved)
}

func TestRulesAreChecked(t *testing.T) {
	bad := review.Rules{
		Needed: -1, Lease: -1, Deadline: 1, Editable: []string{"a", "/~"}, Queues: []string{"q"},
		Escalate: []review.Step{{After: 2, To: "q"}, {After: 2, To: "x"}},
		Reasons:  map[review.Kind][]string{"nod": {"a"}, review.ActHold: {}},
	}
	if got := bad.Check(); len(got) != 10 {
		t.Errorf("%d problems: %v", len(got), got)
	}
	good := review.Rules{
		Needed: 2, Lease: 1, Deadline: 9, Editable: []string{"", "/a~1"}, Queues: []string{"q"},
		Escalate: []review.Step{{After: 2, To: "q"}}, Reasons: map[review.Kind][]string{review.ActHold: {"a"}},
	}
	if got := good.Check(); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
