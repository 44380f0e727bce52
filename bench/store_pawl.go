package bench

import (
	"context"
	"errors"
	"fmt"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/review"
)

// routedInput is submitInput of an important customer: a person decides.
var routedInput = []byte(`{"scores":{"fraud_ok":0.995,"text_ok":0.93},"flags":["vip"],"meta":{"amount":19.9,"country":"AT","linkedCount":3}}`)

// shop submits, and reviewer is one of many who review.
var shop = pawl.Asserted("shop")

func reviewer(client int) pawl.Actor {
	return pawl.Actor{Person: pawl.Person{ID: fmt.Sprintf("reviewer-%d", client), Known: review.KnownPassword}, Queues: []string{"*"}}
}

// OpenPawl opens the service with the fixture policy. An empty key is the file
// beside the database's.
func OpenPawl(ctx context.Context, db, key string) (*pawl.Pawl, error) {
	return pawl.Open(ctx, pawl.Config{
		DB: db, Key: key, Origin: "pawl.local/bench",
		PolicyText: map[string]string{"fixture.pawl.yaml": string(fixturePolicy)},
	})
}

// PawlSubmit decides and keeps the decision, the item, its permit and the ledger's
// entry.
func PawlSubmit(ctx context.Context, db, key string) (Durable, error) {
	p, err := OpenPawl(ctx, db, key)
	if err != nil {
		return Durable{}, err
	}
	return Durable{"pawl/submit", func(ctx context.Context, _, _ int) error {
		_, err := submit(ctx, p, submitInput, pawl.AutoApply)
		return err
	}, p.Close}, nil
}

func submit(ctx context.Context, p *pawl.Pawl, input []byte, want pawl.Verdict) (string, error) {
	s, err := p.Submit(ctx, pawl.Submission{Gate: "refunds", Input: input, Action: submitAction, By: shop})
	if err == nil && s.Verdict != want {
		err = fmt.Errorf("decided %s, not %s", s.Verdict, want)
	}
	return s.Item, err
}

// PawlReview claims the most urgent item and approves it, n times. It submits the
// items before, and some more: who comes last finds none that is free while
// others look at it.
func PawlReview(ctx context.Context, db, key string, n int) (Durable, error) {
	p, err := OpenPawl(ctx, db, key)
	if err != nil {
		return Durable{}, err
	}
	err = share(ctx, 64, n+100, func(ctx context.Context, _, _ int) error {
		_, err := submit(ctx, p, routedInput, pawl.RouteToHuman)
		return err
	})
	if err != nil {
		return Durable{}, errors.Join(err, p.Close())
	}
	return Durable{"pawl/next+approve", func(ctx context.Context, client, _ int) error {
		return reviewNext(ctx, p, client)
	}, p.Close}, nil
}

// reviewNext claims the most urgent item and approves it.
func reviewNext(ctx context.Context, p *pawl.Pawl, client int) error {
	by := reviewer(client)
	claimed, ok, err := p.Next(ctx, by, "*")
	if err != nil {
		return fmt.Errorf("next: %w", err)
	}
	if !ok {
		return errors.New("nothing is left to review")
	}
	return approve(ctx, p, by, &claimed.Item)
}

func approve(ctx context.Context, p *pawl.Pawl, by pawl.Actor, i *review.Item) error {
	done, err := p.Approve(ctx, i.ID, pawl.Act{Actor: by, Token: i.LastToken, Version: i.Version, Digest: i.Digest})
	if err == nil && done.Item.Status != review.Approved {
		err = fmt.Errorf("the item is %s", done.Item.Status)
	}
	return err
}
