package pawl_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pawlgate/pawl"
)

func TestAFullDiskIsAnErrorAndNoVerdict(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to mount a small tmpfs")
	}
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("can't mount a tmpfs here: %v", err)
	}
	defer func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }()
	p := opened(t, config(t, filepath.Join(dir, "pawl.db"), shopGate{}))
	defer func() { _ = p.Close() }()
	ctx := t.Context()
	ballast := strings.Repeat("x", 20_000)
	full := func(n int) (pawl.Submitted, error) {
		s := submission(applied, fmt.Sprint("order-", n))
		s.Action = []byte(`{"amount":1,"text":"` + ballast + `"}`)
		return p.Submit(ctx, s)
	}
	acknowledged := map[string]bool{}
	var mu sync.Mutex
	var failure error
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for n := range 100 {
				s, err := full(w*1000 + n)
				mu.Lock()
				if err != nil {
					if s.Verdict != "" {
						t.Errorf("a verdict beside the error: %+v", s)
					}
					failure = err
				} else {
					acknowledged[s.Item] = true
				}
				stop := failure != nil
				mu.Unlock()
				if stop {
					return
				}
			}
		})
	}
	wg.Wait()
	if failure == nil || !strings.Contains(failure.Error(), "full") {
		t.Fatalf("on a full disk: %v", failure)
	}
	t.Logf("after %d items: %v", len(acknowledged), failure)
	// What was answered can still be read.
	for id := range acknowledged {
		if _, err := p.Item(ctx, id); err != nil {
			t.Fatalf("on the full disk: %v", err)
		}
		break
	}
	if err := syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT, "size=64m"); err != nil {
		t.Fatal(err)
	}
	s, err := full(100_000)
	if err != nil {
		t.Fatalf("with room again: %v", err)
	}
	acknowledged[s.Item] = true
	kept := all(t, p, pawl.Query{Gate: "shop"})
	for _, r := range kept {
		if !acknowledged[r.ID] {
			t.Errorf("item %s was never answered", r.ID)
		}
	}
	if len(kept) != len(acknowledged) {
		t.Errorf("%d items were acknowledged, and %d are there", len(acknowledged), len(kept))
	}
	verified(t, p)
}

func TestALockedDatabaseIsWaitedForOrAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pawl.db")
	p := opened(t, config(t, file, shopGate{}))
	other, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	lock := func() *sql.Conn {
		c, err := other.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for try := 0; ; try++ {
			if _, err = c.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err == nil {
				return c
			}
			if try > 200 {
				t.Fatal(err)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	unlock := func(c *sql.Conn) {
		if _, err := c.ExecContext(context.Background(), "ROLLBACK"); err != nil {
			t.Error(err)
		}
		_ = c.Close()
	}
	t.Run("for a moment", func(t *testing.T) {
		c := lock()
		time.AfterFunc(200*time.Millisecond, func() { unlock(c) })
		if _, err := p.Submit(t.Context(), submission(applied, "waited")); err != nil {
			t.Errorf("it doesn't wait: %v", err)
		}
	})
	t.Run("for too long", func(t *testing.T) {
		c := lock()
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		begun := time.Now()
		s, err := p.Submit(ctx, submission(applied, "too long"))
		if err == nil || s.Verdict != "" {
			t.Errorf("%+v, %v", s, err)
		}
		if d := time.Since(begun); d > 20*time.Second {
			t.Errorf("it took %s", d)
		}
		if _, err := p.List(t.Context(), pawl.Query{}); err != nil {
			t.Errorf("reading while another writes: %v", err)
		}
		unlock(c)
		t.Log(err)
	})
	if _, err := p.Submit(t.Context(), submission(applied, "after")); err != nil {
		t.Errorf("once it is free: %v", err)
	}
	if n := len(all(t, p, pawl.Query{Subject: "waited"})) + len(all(t, p, pawl.Query{Subject: "after"})); n != 2 {
		t.Errorf("%d items", n)
	}
	// The call that gave up may be done later, or not; but once.
	if n := len(all(t, p, pawl.Query{Subject: "too long"})); n > 1 {
		t.Errorf("%d items of a call that gave up", n)
	}
	verified(t, p)
}
