package policy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
	"pgregory.net/rapid"
)

// What Diff calls tighter makes no verdict looser, and what it calls the same
// changes none, whatever the policies, the edits and the inputs.
func TestWhatDiffCallsTighterIs(t *testing.T) {
	found := map[policy.Direction]int{}
	tightened, loosened := 0, 0 // pairs of policies in which a verdict changed so
	rapid.Check(t, func(t *rapid.T) {
		a := genDraft(t)
		old, err := policy.Parse("test.pawl.yaml", []byte(a.String()))
		if err != nil {
			t.Skip("not valid")
		}
		for range 12 {
			b, now := genEdited(t, a, old)
			diff, back := mustDiff(t, old, now), mustDiff(t, now, old)
			found[diff.Direction]++
			var tighter, looser bool
			for _, v := range verdicts(t, old, now) {
				if v.old == v.now {
					continue
				}
				if verdict.Looser(v.old, v.now) {
					looser = true
				} else {
					tighter = true
				}
				wrong := diff.Direction == policy.Same || back.Direction == policy.Same ||
					diff.Direction == policy.Tighter && verdict.Looser(v.old, v.now) ||
					back.Direction == policy.Tighter && verdict.Looser(v.now, v.old)
				if wrong {
					t.Fatalf("%s: %s to %s\nA to B %v\nB to A %v\nA\n%s\nB\n%s", v.input, v.old, v.now, diff, back, a, b)
				}
			}
			if tighter && diff.Direction == policy.Tighter {
				tightened++
			}
			if looser {
				loosened++
			}
		}
	})
	t.Logf("%v, %d tightened, %d loosened", found, tightened, loosened)
	if n := found[policy.Tighter]; n < 80 || tightened < n/10 || loosened == 0 || found[policy.Looser] == 0 || found[policy.NotComparable] == 0 {
		t.Errorf("the cases are too few: %v, %d tightened, %d loosened", found, tightened, loosened)
	}
}

// changed is what two policies say of one input.
type changed struct {
	input    string
	old, now threshold.Verdict
}

// verdicts decides many inputs, and as rows of a table what both can read so.
func verdicts(t *rapid.T, a, b *policy.File) (list []changed) {
	decide := func(f *policy.File) func(string) threshold.Verdict {
		decider := f.Threshold.NewDecider()
		return func(input string) threshold.Verdict {
			var d threshold.Decision
			decider.DecideJSON(&d, []byte(input))
			return d.Verdict
		}
	}
	inA, inB := decide(a), decide(b)
	for range 40 {
		input := genInputNear(t)
		list = append(list, changed{input, inA(input), inB(input)})
	}
	header := []string{"id", "score", "b", "c", "m", "k", "s", "l", "vip", "old"}
	columnsA, errA := a.Threshold.Columns(header)
	columnsB, errB := b.Threshold.Columns(header)
	if errA != nil || errB != nil {
		return list
	}
	for range 10 {
		row := []string{"1", genNear(t), genNear(t), genNear(t), genMeta(t), genMeta(t), oneOf(t, "s", "x", ""), oneOf(t, "l", "", "true", "y"), oneOf(t, "vip", "0", "1"), oneOf(t, "old", "0", "", "x")}
		cells := make([][]byte, len(row))
		for i, cell := range row {
			cells[i] = []byte(cell)
		}
		var old, now threshold.Decision
		a.Threshold.NewDecider().DecideRow(&old, columnsA, cells)
		b.Threshold.NewDecider().DecideRow(&now, columnsB, cells)
		list = append(list, changed{strings.Join(row, ","), old.Verdict, now.Verdict})
	}
	return list
}

// mustDiff compares, and checks what holds of every comparison.
func mustDiff(t reporter, a, b *policy.File) *policy.Comparison {
	t.Helper()
	c, err := policy.Diff(a, b)
	if err != nil {
		t.Fatalf("Diff: %v", err)
	}
	var directions []policy.Direction
	for i, change := range c.Changes {
		directions = append(directions, change.Direction)
		if change.Key == "" || change.Old == "" || change.New == "" || change.Why == "" || change.Old == change.New {
			t.Fatalf("a change that says nothing: %+v", change)
		}
		if slices.ContainsFunc(c.Changes[:i], func(o policy.Change) bool { return o.Key == change.Key }) {
			t.Fatalf("%s twice: %+v", change.Key, c.Changes)
		}
	}
	slices.Sort(directions)
	directions = slices.DeleteFunc(slices.Compact(directions), func(d policy.Direction) bool { return d == policy.Same })
	want := policy.NotComparable
	switch len(directions) {
	case 0:
		want = policy.Same
	case 1:
		want = directions[0]
	}
	if c.Direction != want {
		t.Fatalf("%s of %v", c.Direction, directions)
	}
	if len(c.Changes) == 0 && a.Digest != b.Digest && a.Description == b.Description {
		// Nothing that counts differs but how it is written.
		for _, way := range [][2]*policy.File{{a, b}, {b, a}} {
			if again, err := policy.Diff(way[0], way[1]); err != nil || len(again.Changes) != 0 {
				t.Fatalf("%v, %v", again, err)
			}
		}
	}
	if self, err := policy.Diff(a, a); err != nil || self.Direction != policy.Same || len(self.Changes) != 0 {
		t.Fatalf("compared with itself: %+v, %v", self, err)
	}
	return c
}
