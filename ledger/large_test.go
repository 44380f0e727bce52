package ledger_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pawlgate/pawl/ledger"
)

// The end of what can be read falls on every place of a large export.
func TestReadErrorAnywhereIsHandedOn(t *testing.T) {
	h := newHistory(t, 1000, "a")
	lines := h.lines(1000, 500)
	export := strings.Join(lines, "")
	lines[500] = strings.Repeat("x", 1<<20)
	long := strings.Join(lines, "")
	disk := errors.New("disk")
	for _, export := range []string{export, long} {
		for n := 0; n < len(export); n += 7919 {
			r, err := ledger.Verify(io.MultiReader(strings.NewReader(export[:n]), iotest.ErrReader(disk)), []ledger.Key{h.keys.key}, nil)
			if whole := strings.Count(export[:n], "\n"); !errors.Is(err, disk) || !strings.Contains(err.Error(), fmt.Sprintf("line %d of", whole+1)) || r.Verified > 500 {
				t.Fatalf("%d bytes, %d lines: %v, %v", n, whole, r, err)
			}
		}
	}
	if _, err := ledger.Verify(idle{}, []ledger.Key{h.keys.key}, nil); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a reader that never reads: %v", err)
	}
}

// idle has nothing to say and doesn't end.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// What is found doesn't depend on how lines fall into batches.
func TestTamperingOfALargeExportIsNamed(t *testing.T) {
	h := newHistory(t, 5000, "a")
	base := h.lines(5000, 1000, 4000)
	rapid.Check(t, func(rt *rapid.T) {
		i := rapid.IntRange(1001, 3998).Draw(rt, "entry")
		lines := slices.Clone(base)
		at := i + 1
		want := ""
		switch rapid.IntRange(0, 3).Draw(rt, "what") {
		case 0:
			lines[at] = strings.Replace(lines[at], "refunds", "refundz", 1)
			want = fmt.Sprintf("edit %d-%d line %d", i, i, at+1)
		case 1:
			lines = slices.Delete(lines, at, at+1)
			want = fmt.Sprintf("gap %d-%d line %d", i, i, at+1)
		case 2:
			lines[at] = rehash(h, i, strings.Replace(string(h.leaves[i]), "refunds", "refundz", 1))
			want = "edit 1000-3999 line 4002"
		case 3:
			lines[at] = strings.Repeat("x", 300_000) + "\n"
			want = fmt.Sprintf("malformed %d-%d line %d", i, i, at+1)
		}
		r, err := h.verify(strings.Join(lines, ""))
		if d := cmp.Diff([]string{want}, found(r)); d != "" || err == nil {
			rt.Fatalf("%v: %s", err, d)
		}
	})
}

// 16 signatures of 5 kB have to be taken (C2SP signed-note).
func TestCheckpointWithManyLargeCosignaturesIsRead(t *testing.T) {
	h := newHistory(t, 2, "a")
	lines := h.lines(2, 1)
	for i := range 16 {
		cosignature := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{byte(i)}, 5000))
		lines[1] = strings.Replace(lines[1], "\"}\n", fmt.Sprintf("— witness%d.example %s\\n\"}\n", i, cosignature), 1)
	}
	if r, err := h.verify(strings.Join(lines, "")); err != nil || r.Checkpoints != 2 || len(lines[1]) < 100_000 {
		t.Errorf("%d bytes: %v, %v", len(lines[1]), r, err)
	}
	// One byte of it that isn't ignored.
	lines[1] = strings.Replace(lines[1], "— witness9", "- witness9", 1)
	if r, err := h.verify(strings.Join(lines, "")); err == nil || r.Problems[0].Kind != ledger.Malformed || r.Verified != 2 {
		t.Errorf("%v, %v", r, err)
	}
}
