package pawl_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pawlgate/pawl"
)

const refunds = `
pawl: v1
gate: refunds
kind: threshold
signals:
  score:  {type: score, range: [0, 1]}
  amount: {type: number}
bands:
  score: {highMin: 0.9, reviewMin: 0.5}
rules:
  - {id: large, when: meta.amount > 500, force: route_to_human, reason: refunds above 500 need a person}
enableAutoApply: true
review:
  count_asserted: true
  editable: [/amount]
`

// A shop pays refunds back: small ones alone, large ones once a person has
// approved them, and each of them once.
func ExampleOpen() {
	ctx := context.Background()
	p, err := pawl.Open(ctx, pawl.Config{DB: ":memory:", PolicyText: map[string]string{"refunds.pawl.yaml": refunds}})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	pay := func(_ context.Context, r pawl.Run) ([]byte, error) {
		fmt.Printf("pay %s for %s\n", r.Action, r.Subject)
		return []byte(`"paid"`), nil
	}
	shop, anna := pawl.Asserted("shop"), pawl.Asserted("anna")

	// A small refund is decided at once.
	small, err := p.Submit(ctx, pawl.Submission{
		Gate: "refunds", Subject: "order 1", By: shop, Key: "refund-1",
		Input:  []byte(`{"score": 0.95, "meta": {"amount": 20}}`),
		Action: []byte(`{"amount": 20}`),
	})
	if err != nil {
		log.Fatal(err) // there is no verdict: do nothing
	}
	fmt.Println(small.Verdict, small.Status)
	if _, err := p.Do(ctx, small.Item, []byte(`{"amount": 20}`), pay); err != nil {
		log.Fatal(err)
	}
	// Once more, as after a crash: it has happened, so it doesn't again.
	result, err := p.Do(ctx, small.Item, []byte(`{"amount": 20}`), pay)
	fmt.Printf("%s %v\n", result, err)

	// A large one waits for a person.
	large, err := p.Submit(ctx, pawl.Submission{
		Gate: "refunds", Subject: "order 2", By: shop,
		Input:  []byte(`{"score": 0.95, "meta": {"amount": 900}}`),
		Action: []byte(`{"amount": 900}`),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(large.Verdict, large.Status)
	_, err = p.Do(ctx, large.Item, []byte(`{"amount": 900}`), pay)
	fmt.Println(err)

	claim, _, err := p.Next(ctx, anna, "")
	if err != nil {
		log.Fatal(err)
	}
	done, err := p.Edit(ctx, claim.Item.ID, pawl.Act{Actor: anna, Token: claim.Event.Token, Action: []byte(`{"amount": 850}`), Note: "without the postage"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(done.Item.Status)
	if _, err = p.Do(ctx, large.Item, []byte(`{"amount": 900}`), pay); err != nil {
		fmt.Println(err)
	}
	if _, err = p.Do(ctx, large.Item, done.Item.Action, pay); err != nil {
		log.Fatal(err)
	}
	// Output:
	// auto_apply auto_applied
	// pay {"amount":20} for order 1
	// "paid" <nil>
	// route_to_human pending_review
	// not granted: the item is pending_review and has no permit
	// edited
	// not granted: this isn't the action that was decided
	// pay {"amount":850} for order 2
}

func ExampleAsserted() {
	anna := pawl.Asserted("anna")
	fmt.Println(anna.ID, anna.Known)
	// Output: anna asserted
}
