package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The test's own program is the shop, so that it can be killed.
func TestMain(m *testing.M) {
	if os.Getenv("REFUNDS_SHOP") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func shopRun(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{
		"-policy", "refunds.pawl.yaml", "-refunds", "refunds.jsonl",
		"-db", filepath.Join(dir, "shop.db"), "-payments", filepath.Join(dir, "payments.jsonl"),
	}, args...)...)
	cmd.Env = append(os.Environ(), "REFUNDS_SHOP=1")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestKilledRunIsContinuedWithoutPayingTwice(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"1", "40", "300"} {
		if out, err := shopRun(t, dir, "-kill-after", n); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Fatalf("killed after %s: %v\n%s", n, err, out)
		}
	}
	const want = "1000 refunds: 630 paid at once, 370 wait for a person\n"
	for range 2 { // another run changes nothing
		out, err := shopRun(t, dir)
		if err != nil || out != want {
			t.Fatalf("%v: %q, want %q", err, out, want)
		}
	}
	all, err := os.ReadFile(filepath.Join(dir, "payments.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	// By what was paid for, and not by the key: the bank looks at that itself.
	paid := map[string]bool{}
	for line := range bytes.Lines(all) {
		var p struct {
			Pay struct{ Order string }
		}
		if err := json.Unmarshal(line, &p); err != nil || p.Pay.Order == "" {
			t.Fatalf("%s: %v", line, err)
		}
		if paid[p.Pay.Order] {
			t.Errorf("%s was paid twice", p.Pay.Order)
		}
		paid[p.Pay.Order] = true
	}
	if len(paid) != 630 {
		t.Errorf("%d were paid, want 630", len(paid))
	}
}

func TestRefundsAreThoseOfTheGenerator(t *testing.T) {
	name := filepath.Join(t.TempDir(), "fresh.jsonl")
	if err := generate(name, 1000); err != nil {
		t.Fatal(err)
	}
	fresh, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("refunds.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(fresh, kept) {
		t.Error("refunds.jsonl differs; go run ./examples/refunds -generate 1000 writes it anew")
	}
}
