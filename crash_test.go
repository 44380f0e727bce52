package pawl_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/internal/testenv"
	"github.com/pawlgate/pawl/review"
)

// kills is how often the loaded process is killed, on each engine.
var kills = flag.Int("kills", 3, "how often the crash test kills the loaded process, on each engine")

// killsEach is how often that happens to one database.
const killsEach = 20

func TestAKilledProcessLosesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, db string) {
		var l load
		var w *witness
		submits, acts, redemptions := 0, 0, 0
		for l.Run = range *kills {
			if l.Run%killsEach == 0 { // a new database, so that looking at all of it stays quick
				dir := t.TempDir()
				if l.DB = filepath.Join(dir, "pawl.db"); onPostgres(db) {
					l.DB = testenv.Postgres(t)
				}
				l.Key, w = filepath.Join(dir, "ledger.key"), &witness{tried: map[string]review.Kind{}}
			}
			lines := killed(t, l)
			for _, s := range lines {
				switch {
				case s.Try:
				case s.What == "submit":
					submits++
				case s.What == "act":
					acts++
				case s.What == "redeem":
					redemptions++
				}
			}
			w.judge(t, l, lines)
			if t.Failed() {
				t.Fatalf("after kill %d", l.Run+1)
			}
		}
		t.Logf("%d kills, %d decisions, %d acts and %d redemptions acknowledged, and all of them there", *kills, submits, acts, redemptions)
		if submits == 0 || acts == 0 || redemptions == 0 {
			t.Error("too little happened for this to prove anything")
		}
	})
}

// killed runs the loaded process and kills it a while after its first answer. It
// returns what that process said.
func killed(t *testing.T, l load) []said {
	t.Helper()
	env, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), loadEnv+"="+string(env))
	cmd.ExtraFiles = []*os.File{to}
	var trouble bytes.Buffer
	cmd.Stderr = &trouble
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = to.Close()
	var lines []said
	armed := false
	in := bufio.NewReader(from)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			if len(line) > 0 {
				t.Errorf("half a line: %s", line)
			}
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var s said
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		lines = append(lines, s)
		if !s.Try && !armed {
			armed = true
			time.AfterFunc(time.Duration(20+rand.IntN(380))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		}
	}
	err = cmd.Wait()
	if trouble.Len() > 0 || cmd.ProcessState.ExitCode() >= 0 {
		t.Fatalf("the loaded process ended by itself: %v\n%s", err, trouble.String())
	}
	return lines
}

// witness knows what was tried in all runs so far.
type witness struct {
	tried map[string]review.Kind // the last vote on an item
}

// judge opens the database that the killed process left, and looks for all that the
// process was told.
func (w *witness) judge(t *testing.T, l load, lines []said) {
	t.Helper()
	p := opened(t, pawl.Config{DB: l.DB, Key: l.Key, Origin: "test.example/shop", PolicyText: shopGate{}.policy()})
	defer func() {
		if err := p.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	}()
	report := verified(t, p)
	keys := publicKeys(t, p)
	everything := all(t, p, pawl.Query{Gate: "shop"})
	bySubject := map[string]int{}
	for _, r := range everything {
		bySubject[r.Subject]++
	}
	open, told := map[string]said{}, map[string]*pawl.Record{}
	record := func(id string) *pawl.Record {
		if told[id] == nil {
			r, err := p.Item(t.Context(), id)
			if err != nil {
				t.Fatalf("item %s: %v", id, err)
			}
			dense(t, r)
			told[id] = r
		}
		return told[id]
	}
	for n, s := range lines {
		if s.Try && s.What == "act" {
			w.tried[s.Item] = s.Act
		}
		if s.Try {
			open[s.What+s.Key+s.Item] = s
			continue
		}
		delete(open, s.What+s.Key+s.Item)
		r := record(s.Item)
		switch s.What {
		case "submit":
			if r.Events[0].To != s.Status || r.Subject != s.Key {
				t.Errorf("item %s was answered as %s, and is %+v", s.Item, s.Status, r.Events[0])
			}
			if bySubject[s.Key] != 1 {
				t.Errorf("the submission %s made %d items", s.Key, bySubject[s.Key])
			}
			proven(t, p, keys, s.Item, 1)
		case "act":
			if int(s.Seq) > len(r.Events) {
				t.Errorf("%s of %s by %s is gone", s.Act, s.Item, s.Who)
				continue
			}
			if e := r.Events[s.Seq-1]; e.Act != s.Act || e.Actor.ID != s.Who || e.To != s.Status {
				t.Errorf("%s of %s by %s became %+v", s.Act, s.Item, s.Who, e)
			}
			if n%4 == 0 {
				proven(t, p, keys, s.Item, s.Seq)
			}
		default:
			redeemedOnce(t, p, r, s, s.What == "report")
		}
	}
	w.nothingApprovedItself(t, everything)
	for _, s := range open {
		w.continued(t, p, s)
	}
	if again := verified(t, p); again.Entries < report.Entries {
		t.Errorf("the ledger had %d entries and has %d", report.Entries, again.Entries)
	}
}

// once checks that a submission made one item.
func once(t *testing.T, p *pawl.Pawl, subject, item string) {
	t.Helper()
	items := all(t, p, pawl.Query{Gate: "shop", Subject: subject})
	if len(items) != 1 || items[0].ID != item {
		t.Errorf("the submission %s made %d items", subject, len(items))
	}
}

// redeemedOnce checks that the permit is that of the key, and of no other.
func redeemedOnce(t *testing.T, p *pawl.Pawl, r *pawl.Record, s said, reported bool) {
	t.Helper()
	hash, err := review.HashKey(s.Item, []byte(s.Key))
	if err != nil {
		t.Fatal(err)
	}
	if r.Permit == nil || r.Permit.KeyHash != hash || r.Permit.State != review.PermitDone && (reported || r.Permit.State != review.PermitGranted) {
		t.Errorf("the permit of %s was redeemed (reported: %t), and is %+v", s.Item, reported, r.Permit)
	}
	g, err := p.Redeem(t.Context(), redemption(s.Item, s.Key))
	if err != nil || !g.Again {
		t.Errorf("redeeming %s again with its key: again %t, %v", s.Item, g.Again, err)
	}
	if _, err = p.Redeem(t.Context(), redemption(s.Item, s.Key+"-another")); refusal(err) != review.RefusedRedeemed {
		t.Errorf("redeeming %s with another key: %v", s.Item, err)
	}
}

// continued does again what the killed process was in the midst of: it comes out
// once, whether it had been done or not.
func (w *witness) continued(t *testing.T, p *pawl.Pawl, s said) {
	t.Helper()
	ctx := t.Context()
	switch s.What {
	case "submit":
		again := submission(s.Input, s.Key)
		again.Key = s.Key
		a, err := p.Submit(ctx, again)
		if err != nil {
			t.Errorf("submitting %s again: %v", s.Key, err)
			return
		}
		once(t, p, s.Key, a.Item)
	case "act":
		r, err := p.Item(ctx, s.Item)
		if err != nil {
			t.Fatal(err)
		}
		before := len(r.Events)
		was := slices.ContainsFunc(r.Events, func(e review.Event) bool { return e.Act == s.Act })
		o, err := p.Act(ctx, s.Item, pawl.Act{Kind: s.Act, Actor: checked(s.Who), Token: s.Token})
		if err != nil || o.Replayed != was {
			t.Errorf("%s of %s again: replayed %t, was there %t, %v", s.Act, s.Item, o.Replayed, was, err)
		}
		if r, err = p.Item(ctx, s.Item); err != nil {
			t.Fatal(err)
		}
		if was != (len(r.Events) == before) {
			t.Errorf("%d events, then %d", before, len(r.Events))
		}
	case "redeem":
		if _, err := p.Redeem(ctx, redemption(s.Item, s.Key)); err != nil {
			t.Errorf("redeeming %s again: %v", s.Item, err)
		}
	}
}

// nothingApprovedItself looks at every item: who is approved was approved by the one
// who said so before.
func (w *witness) nothingApprovedItself(t *testing.T, items []*pawl.Record) {
	t.Helper()
	for _, r := range items {
		switch r.Status {
		case review.Approved:
			if w.tried[r.ID] != review.ActApprove {
				t.Errorf("%s is approved, and nobody tried to approve it", r.ID)
			}
		case review.Rejected:
			if w.tried[r.ID] != review.ActReject {
				t.Errorf("%s is rejected, and nobody tried to reject it", r.ID)
			}
		case review.PendingReview, review.AutoApplied, review.AutoRejected:
		default:
			t.Errorf("%s is %s", r.ID, r.Status)
		}
		if r.Permit != nil && r.Status == review.PendingReview {
			t.Errorf("%s is pending and has a permit", r.ID)
		}
	}
}
