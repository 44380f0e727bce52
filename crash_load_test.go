package pawl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/review"
)

// loadEnv makes this test binary the process that is killed: its value is a line of
// JSON with what to open.
const loadEnv = "PAWL_TEST_LOAD"

type load struct {
	DB, Key string
	Run     int // which of the runs on this database
}

// said is a line that the loaded process writes: what it is about to do (Try), and
// what it was answered. It is written after the answer and before anything else, so
// that the one who reads never knows less than the process that was killed.
type said struct {
	Try    bool          `json:",omitempty"`
	What   string        // submit, act, redeem, report
	Key    string        `json:",omitempty"` // idempotency key and subject, or redemption key
	Input  string        `json:",omitempty"`
	Item   string        `json:",omitempty"`
	Act    review.Kind   `json:",omitempty"`
	Who    string        `json:",omitempty"`
	Token  int64         `json:",omitempty"`
	Seq    int64         `json:",omitempty"`
	Status review.Status `json:",omitempty"`
}

// underLoad works until it is killed: four clients submit, four review, and all of
// them redeem and report.
func underLoad(env string) error {
	var l load
	if err := json.Unmarshal([]byte(env), &l); err != nil {
		return err
	}
	p, err := pawl.Open(context.Background(), pawl.Config{
		DB: l.DB, Key: l.Key, Origin: "test.example/shop", PolicyText: shopGate{}.policy(),
	})
	if err != nil {
		return fmt.Errorf("opening after a kill: %w", err)
	}
	out := os.NewFile(3, "pipe")
	var stop atomic.Bool
	failed := make(chan error, 8)
	for n := range 8 {
		w := &worker{p: p, out: out, name: fmt.Sprintf("%d-%d", l.Run, n), rand: rand.New(rand.NewPCG(uint64(l.Run), uint64(n)))}
		go func() {
			for i := 0; !stop.Load(); i++ {
				once := w.submit
				if n%2 == 1 {
					once = w.review
				}
				if err := once(i); err != nil {
					failed <- err
					return
				}
			}
		}()
	}
	select {
	case err = <-failed:
	case <-time.After(30 * time.Second):
		err = fmt.Errorf("nobody killed it")
	}
	stop.Store(true)
	return err
}

type worker struct {
	p    *pawl.Pawl
	out  *os.File
	name string
	rand *rand.Rand
}

// say writes a line at once: a write to a pipe of so few bytes is whole or isn't.
func (w *worker) say(s said) error {
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = w.out.Write(append(line, '\n'))
	return err
}

func (w *worker) submit(i int) error {
	key := w.name + "-" + strconv.Itoa(i)
	input := []string{applied, rejected, asked, asked}[w.rand.IntN(4)]
	if err := w.say(said{Try: true, What: "submit", Key: key, Input: input}); err != nil {
		return err
	}
	s := submission(input, key)
	s.Key = key
	a, err := w.p.Submit(context.Background(), s)
	if err != nil {
		return fmt.Errorf("submitting: %w", err)
	}
	if err := w.say(said{What: "submit", Key: key, Input: input, Item: a.Item, Status: a.Status}); err != nil {
		return err
	}
	if a.Status == review.AutoApplied {
		return w.redeem(a.Item)
	}
	return nil
}

func (w *worker) review(int) error {
	ctx, who := context.Background(), "p"+w.name
	o, ok, err := w.p.Next(ctx, checked(who), "")
	switch {
	case err != nil:
		return fmt.Errorf("next: %w", err)
	case !ok:
		time.Sleep(time.Millisecond)
		return nil
	}
	id, token := o.Item.ID, o.Event.Token
	if err := w.say(said{What: "act", Item: id, Act: review.ActClaim, Who: who, Token: token, Seq: o.Event.Seq, Status: o.Event.To}); err != nil {
		return err
	}
	k := []review.Kind{review.ActApprove, review.ActApprove, review.ActReject}[w.rand.IntN(3)]
	if err := w.say(said{Try: true, What: "act", Item: id, Act: k, Who: who, Token: token}); err != nil {
		return err
	}
	o, err = w.p.Act(ctx, id, pawl.Act{Kind: k, Actor: checked(who), Token: token})
	if err != nil {
		return fmt.Errorf("%s: %w", k, err)
	}
	if err := w.say(said{What: "act", Item: id, Act: k, Who: who, Token: token, Seq: o.Event.Seq, Status: o.Event.To}); err != nil {
		return err
	}
	if k == review.ActApprove {
		return w.redeem(id)
	}
	return nil
}

func (w *worker) redeem(item string) error {
	if w.rand.IntN(3) == 0 {
		return nil
	}
	key := fmt.Sprintf("redemption-%s-%08x", w.name, w.rand.Uint32())
	if err := w.say(said{Try: true, What: "redeem", Item: item, Key: key}); err != nil {
		return err
	}
	if _, err := w.p.Redeem(context.Background(), redemption(item, key)); err != nil {
		return fmt.Errorf("redeeming: %w", err)
	}
	if err := w.say(said{What: "redeem", Item: item, Key: key}); err != nil {
		return err
	}
	if w.rand.IntN(3) == 0 {
		return nil // stays in doubt
	}
	if _, err := w.p.Report(context.Background(), item, []byte(key), review.PermitDone, []byte(`"sent"`)); err != nil {
		return fmt.Errorf("reporting: %w", err)
	}
	return w.say(said{What: "report", Item: item, Key: key})
}
