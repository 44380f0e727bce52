// Command refunds uses Pawl as a shop would: it submits a day's refunds, pays
// those that the policy lets through, each exactly once, and leaves the others
// to people:
//
//	go run ./examples/refunds -db refunds.db -payments payments.jsonl
//
// Kill it at any time and start it again: it goes on, and pays nothing twice.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/review"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "refunds:", err)
		os.Exit(1)
	}
}

// refund is one line of the input.
type refund struct {
	ID      string          `json:"id"`
	Order   string          `json:"order"`
	Signals json.RawMessage `json:"signals"`
	Action  json.RawMessage `json:"action"`
}

func run() error {
	s := shop{}
	db := flag.String("db", "refunds.db", "the database `file` (or postgres://…)")
	policyFile := flag.String("policy", "examples/refunds/refunds.pawl.yaml", "the policy `file`")
	input := flag.String("refunds", "examples/refunds/refunds.jsonl", "the refunds that are asked for, a `file`")
	bank := flag.String("payments", "payments.jsonl", "the `file` that stands for the bank")
	clients := flag.Int("clients", 8, "how many refunds are worked on at a time")
	fresh := flag.Int("generate", 0, "write this `number` of refunds anew, and do nothing else")
	flag.Int64Var(&s.killAfter, "kill-after", 0, "kill this process (SIGKILL) after a `number` of payments, between paying and saying so")
	flag.Parse()
	if *fresh > 0 {
		return generate(*input, *fresh)
	}
	ctx := context.Background()
	var err error
	if s.bank, err = openPayments(*bank); err != nil {
		return err
	}
	s.gate, err = pawl.Open(ctx, pawl.Config{DB: *db, Policies: []string{*policyFile}})
	if err != nil {
		return err
	}
	err = s.day(ctx, *input, *clients)
	if err = errors.Join(err, s.gate.Close()); err != nil {
		return err
	}
	fmt.Printf("%d refunds: %d paid at once, %d wait for a person\n", s.paid.Load()+s.waiting.Load(), s.paid.Load(), s.waiting.Load())
	return nil
}

// shop is the program that acts on Pawl's decisions.
type shop struct {
	gate          *pawl.Pawl
	bank          *payments
	killAfter     int64
	paid, waiting atomic.Int64
	made          atomic.Int64 // payments of this run
}

// day works on all refunds, several at a time: concurrent submissions share a
// transaction.
func (s *shop) day(ctx context.Context, input string, clients int) error {
	f, err := os.Open(input)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	lines := make(chan []byte)
	errs := make([]error, clients)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			for line := range lines {
				if errs[i] == nil {
					errs[i] = s.one(ctx, line)
				}
				if errs[i] != nil {
					cancel()
				}
			}
		})
	}
	in := bufio.NewScanner(f)
	for in.Scan() && ctx.Err() == nil {
		lines <- append([]byte(nil), in.Bytes()...)
	}
	close(lines)
	wg.Wait()
	return errors.Join(errors.Join(errs...), in.Err())
}

// one submits a refund and, if no person is needed, pays it.
func (s *shop) one(ctx context.Context, line []byte) error {
	var r refund
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	// The key makes the submission the same one after a restart: it has the
	// answer that it had, and makes no second item.
	got, err := s.gate.Submit(ctx, pawl.Submission{
		Gate: "refunds", Subject: r.Order, Input: r.Signals, Action: r.Action, Key: r.ID,
		By: pawl.Asserted("shop"),
	})
	if err != nil {
		return fmt.Errorf("submit %s: %w", r.ID, err)
	}
	if got.Status != review.AutoApplied {
		s.waiting.Add(1)
		return nil
	}
	if _, err := s.gate.Do(ctx, got.Item, r.Action, s.pay); err != nil {
		return fmt.Errorf("pay %s: %w", r.ID, err)
	}
	s.paid.Add(1)
	return nil
}

// pay is what happens outside of Pawl. It may run again after a crash, so it
// hands the idempotency key on to the bank.
func (s *shop) pay(_ context.Context, run pawl.Run) ([]byte, error) {
	var action struct {
		Pay json.RawMessage `json:"pay"`
	}
	if err := json.Unmarshal(run.Action, &action); err != nil {
		return nil, err
	}
	if err := s.bank.pay(run.IdempotencyKey, action.Pay); err != nil {
		return nil, err
	}
	if s.made.Add(1) == s.killAfter {
		die()
	}
	return []byte(`{"paid":true}`), nil
}

// die ends this process as a power failure would.
func die() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill() // SIGKILL: there is nobody left to tell
	}
	select {}
}
