package bench

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"
)

// Durable is one way of keeping something so that it survives a crash. Do returns
// once it is on the disk; each client calls it again and again, alone.
type Durable struct {
	// Name is "who/how", as it stands in the benchmark's name.
	Name string
	// Do does it once, for that client, the n-th time of all.
	Do func(ctx context.Context, client, n int) error
	// Close ends it and waits for what it does behind the clients' backs, if
	// that belongs to the work.
	Close func() error
}

// What a submission brings, and what of it every row of the bare loops keeps:
// the same bytes that Pawl has to keep.
var (
	submitInput    = []byte(`{"scores":{"fraud_ok":0.995,"text_ok":0.93},"flags":[],"meta":{"amount":19.9,"country":"AT","linkedCount":3}}`)
	submitAction   = []byte(`{"amount":1990,"currency":"EUR","do":"refund","order":"A-100347"}`)
	submitDecision = []byte(`{"verdict":"auto_apply","risk":"LOW","reasons":[],"policy":{"gate":"refunds","digest":"sha256:8a3f60c4a8fd3ab5d0d52d4b0a2ad2a40b77b8b4e0a4a35d4a0b1f4f9ef6e1e0"},"engine":"threshold/1"}`)
)

// newID is as sortable as the ids of Pawl's items.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// share has so many clients do it n times in all.
func share(ctx context.Context, clients, n int, do func(ctx context.Context, client, n int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n || ctx.Err() != nil {
					return
				}
				if err := do(ctx, c, i); err != nil {
					cancel(fmt.Errorf("client %d, number %d: %w", c, i, err))
					return
				}
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}
