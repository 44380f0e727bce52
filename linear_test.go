package pawl_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/internal/testenv"
	"github.com/pawlgate/pawl/review"
)

// steppingClock moves a little with every look at it, and further when it is told to:
// so leases end in the midst of things.
type steppingClock struct{ now atomic.Int64 } // µs

var clockStart = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func (c *steppingClock) read() time.Time {
	return clockStart.Add(time.Duration(c.now.Add(50)) * time.Microsecond)
}

func (c *steppingClock) step(d time.Duration) { c.now.Add(d.Microseconds()) }

func TestConcurrentReviewIsLinearizable(t *testing.T) {
	const lease = "20ms"
	t.Run("sqlite", func(t *testing.T) {
		c := config(t, filepath.Join(t.TempDir(), "pawl.db"), shopGate{approvals: 2, rejections: 2, lease: lease, deadline: "400ms"})
		var clock steppingClock
		c.Clock = clock.read
		race(t, []*pawl.Pawl{opened(t, c)}, clock.read, func(r *rand.Rand) {
			if r.IntN(12) == 0 {
				clock.step(time.Duration(r.IntN(15)) * time.Millisecond)
			}
		})
	})
	// On Postgres the database's clock counts, which is that of this machine.
	now := func() time.Time { return time.Now().Truncate(time.Microsecond) }
	wait := func(r *rand.Rand) {
		if r.IntN(12) == 0 {
			time.Sleep(time.Duration(r.IntN(15)) * time.Millisecond)
		}
	}
	t.Run("postgres", func(t *testing.T) {
		c := config(t, testenv.Postgres(t), shopGate{approvals: 2, rejections: 2, lease: lease, deadline: "1500ms"})
		race(t, []*pawl.Pawl{opened(t, c)}, now, wait)
	})
	t.Run("two on one postgres", func(t *testing.T) {
		c := config(t, testenv.Postgres(t), shopGate{approvals: 2, rejections: 2, lease: lease, deadline: "1500ms"})
		race(t, []*pawl.Pawl{opened(t, c), opened(t, c)}, now, wait)
	})
}

// history is what all clients saw.
type history struct {
	mu  sync.Mutex
	ops []porcupine.Operation
}

func (h *history) add(client int, c call, r reply, from, to int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ops = append(h.ops, porcupine.Operation{ClientId: client, Input: c, Output: r, Call: from, Return: to})
}

// race lets 16 clients loose on a few items and judges what they saw.
func race(t *testing.T, services []*pawl.Pawl, now func() time.Time, pause func(*rand.Rand)) {
	const clients, rounds, items, perItem = 16, 20, 12, 2
	b := bounds{lease: 20 * time.Millisecond, deadline: map[string]time.Time{}, created: map[string]time.Time{}}
	var h history
	begun := time.Now()
	var ids []string
	for stage := 0; stage < items; stage += perItem {
		// New items for each stage: an item soon comes to its end.
		var live []string
		for range perItem {
			s := submitted(t, services[0], asked)
			r, err := services[0].Item(t.Context(), s.Item)
			if err != nil {
				t.Fatal(err)
			}
			b.created[s.Item], b.deadline[s.Item] = r.LastAt, r.Deadline
			live = append(live, s.Item)
		}
		ids = append(ids, live...)
		var wg sync.WaitGroup
		for n := range clients {
			wg.Go(func() {
				cl := client{
					t: t, n: n, who: fmt.Sprint("p", n%6), service: services[n%len(services)], now: now, begun: begun, h: &h,
					rand: rand.New(rand.NewPCG(uint64(stage), uint64(n))), tokens: map[string]int64{}, voted: map[string]call{},
				}
				for i := range rounds {
					pause(cl.rand)
					cl.once(live[cl.rand.IntN(len(live))], fmt.Sprintf("%d-%d-%d", stage, n, i))
				}
			})
		}
		wg.Wait()
	}
	if t.Failed() {
		return
	}
	judge(t, b, h.ops)
	reached := map[review.Status]int{}
	for _, id := range ids {
		r, err := services[0].Item(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		dense(t, r)
		reached[r.Status]++
	}
	granted, seen := 0, map[string]int{}
	for _, o := range h.ops {
		c, r := o.Input.(call), o.Output.(reply)
		seen[fmt.Sprint(c.kind, " ", or(r.code, "ok"))]++
		if c.kind == doRedeem && r.ok {
			granted++
		}
	}
	t.Logf("%d calls; items %v; %v", len(h.ops), reached, seen)
	if granted == 0 || reached[review.Approved] == 0 || seen["claim held"] == 0 {
		t.Errorf("too little happened for this to prove anything: %v %v", reached, seen)
	}
}

func judge(t *testing.T, b bounds, ops []porcupine.Operation) {
	t.Helper()
	m := b.model()
	result, info := porcupine.CheckOperationsVerbose(m, ops, time.Minute)
	if result == porcupine.Ok {
		return
	}
	path := filepath.Join(os.TempDir(), fmt.Sprintf("linear-%d.html", os.Getpid()))
	if err := porcupine.VisualizePath(m, info, path); err != nil {
		t.Error(err)
	}
	t.Fatalf("the history isn't linearizable: %s; see %s", result, path)
}

// client is one of those who race. Several clients are the same person.
type client struct {
	t       *testing.T
	n       int
	who     string
	service *pawl.Pawl
	now     func() time.Time
	begun   time.Time
	h       *history
	rand    *rand.Rand
	tokens  map[string]int64 // the last one of an item
	voted   map[string]call  // the last vote on an item
}

// once makes one call.
func (cl *client) once(item, key string) {
	c := call{item: item, who: cl.who, key: key, token: cl.tokens[item]}
	switch n := cl.rand.IntN(100); {
	case n < 36 || c.token == 0 && n < 70:
		c.kind, c.token = review.ActClaim, 0
	case n < 60:
		c.kind = review.ActApprove
	case n < 65:
		c.kind = review.ActReject
	case n < 74:
		c.kind = review.ActRenew
	case n < 80:
		// Somebody else's token, or one that nobody was given.
		c.kind, c.token = review.ActApprove, cl.rand.Int64N(6)
	case n < 84:
		again, ok := cl.voted[item]
		if !ok {
			return
		}
		c = again
	case n < 95:
		c.kind, c.key = doRedeem, fmt.Sprintf("redemption-key-%04d", cl.n/2)
	default:
		c.kind, c.key = doReport, fmt.Sprintf("redemption-key-%04d", cl.n/2)
	}
	c.before = cl.now()
	from := time.Since(cl.begun).Nanoseconds()
	r := cl.send(c)
	to := time.Since(cl.begun).Nanoseconds()
	r.after = cl.now()
	cl.h.add(cl.n, c, r, from, to)
	if r.ok && c.kind == review.ActClaim {
		cl.tokens[item] = r.token
	}
	if c.kind == review.ActApprove || c.kind == review.ActReject {
		cl.voted[item] = c
	}
}

func (cl *client) send(c call) reply {
	ctx := context.Background()
	switch c.kind {
	case doRedeem:
		g, err := cl.service.Redeem(ctx, redemption(c.item, c.key))
		return reply{ok: err == nil, code: cl.code(c, err), replayed: g.Again}
	case doReport:
		_, err := cl.service.Report(ctx, c.item, []byte(c.key), review.PermitDone, []byte(`"ok"`))
		return reply{ok: err == nil, code: cl.code(c, err)}
	}
	o, err := cl.service.Act(ctx, c.item, pawl.Act{Kind: c.kind, Actor: checked(c.who), Token: c.token, Key: c.key})
	r := reply{ok: err == nil, code: cl.code(c, err)}
	if err == nil {
		e := o.Event
		r.status, r.version, r.at, r.token, r.until, r.replayed = e.To, e.Seq, e.At, e.Token, e.Until, o.Replayed
	}
	if e, ok := errors.AsType[*review.ConflictError](err); ok {
		r.status, r.version, r.holder = e.Status, e.Version, e.Holder
	}
	return r
}

// code names an error; one that says nothing of the item is a failure.
func (cl *client) code(c call, err error) string {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*review.DeniedError](err); ok {
		return string(e.Code)
	}
	if code := string(conflict(err)) + string(refusal(err)); code != "" {
		return code
	}
	if c.kind != doRedeem && c.kind != doReport {
		cl.t.Errorf("%s: %v", c.kind, err)
	}
	return "none"
}
