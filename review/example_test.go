package review_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

// A refund that no gate wanted to pay alone: one person corrects the amount,
// which approves it, and one executor may pay it, once.
func Example() {
	now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	rules := review.Rules{
		Editable: []string{"/amount"},
		Deadline: 24 * time.Hour,
		Audience: []string{"shop"},
	}
	opening, err := review.New(review.Submission{
		ID: "item-1", Gate: "refunds", Verdict: verdict.RouteToHuman, Queue: "refunds",
		Action:    []byte(`{"pay": "order-7", "amount": 820000}`),
		Salt:      review.Salt{1}, // 32 random bytes
		Submitter: review.Person{ID: "shop-bot", Known: review.KnownKey},
	}, rules, now)
	if err != nil {
		fmt.Println(err)
		return
	}
	item := opening.Item
	fmt.Println(item.Status)

	ada := review.Actor{Person: review.Person{ID: "ada", Known: review.KnownOIDC}, Queues: []string{"refunds"}}
	claimed, _ := review.Apply(item, review.Act{Kind: review.ActClaim, Actor: ada}, rules, now)
	edited, _ := review.Apply(claimed.Item, review.Act{
		Kind: review.ActEdit, Actor: ada, Token: claimed.Event.Token,
		Action: []byte(`{"pay": "order-7", "amount": 82}`), Note: "a slip",
	}, rules, now)
	item, permit := edited.Item, *edited.Permit
	fmt.Println(item.Status, "by", item.Ending.By.ID, string(item.Action))

	// The executor says what it is about to run.
	gate := review.Gate{Name: "refunds", Setting: review.Setting{State: review.GateLive}}
	redeem := func(action string) {
		digest, _ := review.ActionDigest(item.Salt, []byte(action))
		key, _ := review.HashKey(item.ID, []byte("a secret of the executor"))
		granted, err := review.Grant(permit, item, review.Redemption{
			Item: item.ID, Digest: digest, Effect: review.EffectApply, Executor: "shop", KeyHash: key,
		}, gate, now)
		var no *review.RefusedError
		if errors.As(err, &no) {
			fmt.Println(no)
			return
		}
		permit = granted.Permit
		fmt.Println(permit.State, "again:", granted.Again)
	}
	redeem(`{"pay": "order-7", "amount": 820000}`)
	redeem(`{"amount": 82, "pay": "order-7"}`)
	redeem(`{"amount": 82, "pay": "order-7"}`) // after a crash
	// Output:
	// pending_review
	// edited by ada {"amount":82,"pay":"order-7"}
	// not granted: this isn't the action that was decided
	// granted again: false
	// granted again: true
}
