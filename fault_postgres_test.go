package pawl_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/internal/testenv"
	"github.com/pawlgate/pawl/review"
)

func TestPostgresMayStopAndStart(t *testing.T) {
	server, db := testenv.OwnPostgres(t)
	p := opened(t, config(t, db, shopGate{}))
	type answer struct {
		item string
		err  error
	}
	answers := map[string]answer{}
	approved := map[string]bool{}
	var mu sync.Mutex
	var stop atomic.Bool
	var failed atomic.Int64
	var wg sync.WaitGroup
	for w := range 6 {
		wg.Go(func() {
			for n := 0; !stop.Load(); n++ {
				key := fmt.Sprintf("%d-%d", w, n)
				input := []string{applied, asked}[n%2]
				s := submission(input, key)
				s.Key = key
				ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
				a, err := p.Submit(ctx, s)
				mu.Lock()
				answers[key] = answer{a.Item, err}
				mu.Unlock()
				if err == nil && input == asked {
					o, err := p.Claim(ctx, a.Item, pawl.Act{Actor: checked("ada")})
					if err == nil {
						_, err = p.Approve(ctx, a.Item, pawl.Act{Actor: checked("ada"), Token: o.Event.Token})
					}
					mu.Lock()
					approved[a.Item] = err == nil
					mu.Unlock()
				}
				cancel()
				if err != nil {
					if a.Verdict != "" {
						t.Errorf("a verdict beside the error: %+v", a)
					}
					failed.Add(1)
					time.Sleep(20 * time.Millisecond)
				}
			}
		})
	}
	for range 3 {
		time.Sleep(200 * time.Millisecond)
		server.Stop(t)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		begun := time.Now()
		if a, err := p.Submit(ctx, submission(applied, "stopped")); err == nil || a.Verdict != "" {
			t.Errorf("without its database it answered %+v, %v", a, err)
		} else if time.Since(begun) > 8*time.Second {
			t.Errorf("it took %s to say %v", time.Since(begun), err)
		}
		cancel()
		server.Start(t)
	}
	time.Sleep(200 * time.Millisecond)
	stop.Store(true)
	wg.Wait()
	if len(answers) == 0 || failed.Load() == 0 {
		t.Fatalf("%d answers, %d failures: this proves nothing", len(answers), failed.Load())
	}
	for key, a := range answers {
		s := submission([]string{applied, asked}[key[len(key)-1]%2], key)
		s.Key = key
		again, err := p.Submit(t.Context(), s)
		if err != nil {
			t.Fatalf("once it runs again: %v", err)
		}
		if a.err == nil && (again.Item != a.item || !again.Replayed) {
			t.Errorf("%s was answered with %s, and now with %+v", key, a.item, again)
		}
		once(t, p, key, again.Item)
	}
	for id, ok := range approved {
		r, err := p.Item(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if dense(t, r); ok && r.Status != review.Approved {
			t.Errorf("%s was approved, and is %s", id, r.Status)
		}
	}
	t.Logf("%d submissions, %d of them failed", len(answers), failed.Load())
	verified(t, p)
}
