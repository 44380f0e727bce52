package pawl_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/review"
)

// twoOf opens a database twice: SQLite and Postgres take several processes.
func twoOf(t *testing.T, db string, g shopGate) [2]*pawl.Pawl {
	c := config(t, db, g)
	return [2]*pawl.Pawl{opened(t, c), opened(t, c)}
}

func TestOneKeyMakesOneItemEverywhere(t *testing.T) {
	onBoth(t, func(t *testing.T, db string) {
		both := twoOf(t, db, shopGate{})
		for round := range 10 {
			key := fmt.Sprint("key-", round)
			items := make([]string, 16)
			var wg sync.WaitGroup
			for n := range items {
				wg.Go(func() {
					s := submission(applied, key)
					s.Key = key
					for {
						a, err := both[n%2].Submit(context.Background(), s)
						if errors.Is(err, review.ErrKeyRunning) {
							time.Sleep(time.Millisecond)
							continue
						}
						if err != nil {
							t.Errorf("client %d: %v", n, err)
						}
						items[n] = a.Item
						return
					}
				})
			}
			wg.Wait()
			for _, id := range items {
				if id != items[0] {
					t.Errorf("round %d: %s and %s", round, items[0], id)
				}
			}
			once(t, both[0], key, items[0])
		}
		s := submission(rejected, "key-0")
		s.Key = "key-0"
		if _, err := both[1].Submit(t.Context(), s); !errors.Is(err, review.ErrKeyReused) {
			t.Errorf("the key with another body: %v", err)
		}
		verified(t, both[0])
	})
}

func TestASupervisedGateAutomatesNothingAnywhere(t *testing.T) {
	onBoth(t, func(t *testing.T, db string) {
		both := twoOf(t, db, shopGate{})
		var open []string
		for range 32 {
			open = append(open, submitted(t, both[0], applied).Item)
		}
		var supervised, stop atomic.Bool
		var before, after, granted, refused atomic.Int64
		var wg sync.WaitGroup
		for n := range 8 {
			wg.Go(func() {
				for i := 0; !stop.Load(); i++ {
					// Whether it was supervised is read before the call.
					late := supervised.Load()
					a, err := both[n%2].Submit(context.Background(), submission(applied, "late"))
					switch {
					case err != nil:
						t.Errorf("submitting: %v", err)
						return
					case late && (a.Verdict != pawl.RouteToHuman || a.Permit != nil):
						t.Errorf("after the gate was supervised: %s", a.Verdict)
					case late:
						after.Add(1)
					default:
						before.Add(1)
					}
					if i%2 == 1 || len(open) <= n+8*(i/2) {
						continue
					}
					late = supervised.Load()
					_, err = both[n%2].Redeem(context.Background(), redemption(open[n+8*(i/2)], "0123456789abcdef"))
					switch {
					case err == nil && late:
						t.Error("redeemed after the gate was supervised")
					case err == nil:
						granted.Add(1)
					case refusal(err) != review.RefusedVoided:
						t.Errorf("redeeming: %v", err)
					default:
						refused.Add(1)
					}
				}
			})
		}
		time.Sleep(15 * time.Millisecond)
		if _, err := both[1].Supervise(t.Context(), "shop", checked("ada"), "a look"); err != nil {
			t.Error(err)
		}
		supervised.Store(true)
		time.Sleep(100 * time.Millisecond)
		stop.Store(true)
		wg.Wait()
		t.Logf("%d decisions before, %d after; %d redeemed, %d refused", before.Load(), after.Load(), granted.Load(), refused.Load())
		if after.Load() == 0 {
			t.Error("nothing came after it")
		}
		for _, id := range open {
			if _, err := both[0].Redeem(t.Context(), redemption(id, "another-key-of-16")); refusal(err) != review.RefusedVoided && refusal(err) != review.RefusedRedeemed {
				t.Errorf("a permit of before: %v", err)
			}
		}
		verified(t, both[0])
	})
}
