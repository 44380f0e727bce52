package policy

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pawlgate/pawl/internal/source"
)

// What counts where a policy says nothing; package review has the first, and
// whoever keeps decisions the second.
const (
	defaultPermitLife = 24 * time.Hour
	defaultExecutor   = "local"
)

// binding compares how decisions become binding. None of it changes what a gate
// decides: here looser means that fewer people, or more of the automatic
// decisions, are enough to bring something about.
func (d *differ) binding(a, b *File) {
	if a.Queue != b.Queue && (a.root.Get("queue") != nil || b.root.Get("queue") != nil) {
		d.say("queue", a.Queue, b.Queue, Same, "where people look changes no verdict")
	}
	d.twoPeople(a, b)
	mode := map[bool]string{false: "live", true: "shadow"}
	switch {
	case a.Shadow && !b.Shadow:
		d.say("mode", mode[true], mode[false], Looser, "decisions begin to bind")
	case !a.Shadow && b.Shadow:
		d.say("mode", mode[false], mode[true], NotComparable, "nothing binds any more, but nobody is asked either")
	}
	d.order("ramp", percent(a.Ramp), percent(b.Ramp), a.Ramp-b.Ramp, "fewer automatic decisions stay automatic", "more automatic decisions stay automatic")
	d.review(a, b)
}

// say notes a change whose direction is known.
func (d *differ) say(key, old, now string, dir Direction, why string) {
	c := Change{Key: key, Direction: dir, Why: why}
	c.Old, c.New = short(old, now)
	d.changes = append(d.changes, c)
}

// order notes a change of something that has more and less: tighter if the sign
// is positive, looser if it is negative.
func (d *differ) order(key, old, now string, sign int, tighter, looser string) {
	switch {
	case sign > 0:
		d.say(key, old, now, Tighter, tighter)
	case sign < 0:
		d.say(key, old, now, Looser, looser)
	}
}

func (d *differ) toggled(key string, a, b bool, looser, tighter string) {
	sign := 0
	if a != b {
		sign = 1
		if b {
			sign = -1
		}
	}
	d.order(key, fmt.Sprint(a), fmt.Sprint(b), sign, tighter, looser)
}

// twoPeople: a policy that automates nothing needs no second person unless it
// says so. That alone loosens nothing, since a later policy that automates
// something is compared with it; saying that one is enough does.
func (d *differ) twoPeople(a, b *File) {
	explicit := b.root.Get("two_people") != nil
	old, now := fmt.Sprint(a.TwoPeople), fmt.Sprint(b.TwoPeople)
	switch {
	case !a.TwoPeople && b.TwoPeople && explicit:
		d.say("two_people", old, now, Tighter, "loosening takes a second person")
	case a.TwoPeople && !b.TwoPeople && explicit:
		d.say("two_people", old, now, Looser, "one person is enough to loosen the gate")
	case !b.TwoPeople && explicit && a.root.Get("two_people") == nil:
		d.say("two_people", absent, now, Looser, "one person is enough, whatever B automates")
	}
}

func percent(ramp int) string {
	s := fmt.Sprintf("%d.%02d", ramp/100, ramp%100)
	return strings.TrimSuffix(strings.TrimSuffix(s, "0"), ".0") + "%"
}

func (d *differ) review(a, b *File) {
	v, w := &a.Review, &b.Review
	number := func(key string, x, y, sign int, tighter, looser string) {
		d.order("review."+key, fmt.Sprint(x), fmt.Sprint(y), sign*(y-x), tighter, looser)
	}
	number("approvals", v.Approvals, w.Approvals, 1, "more people must approve", "fewer people must approve")
	number("rejections", v.Rejections, w.Rejections, -1, "fewer people are enough to reject", "more people must reject")
	d.toggled("review.count_asserted", v.CountAsserted, w.CountAsserted, "people count of whom only a name is known", "only people who are known count")
	when := "how long people take changes no verdict"
	d.duration("review.lease", v.Lease, w.Lease, when)
	life := func(t time.Duration) time.Duration {
		if t == 0 {
			return defaultPermitLife
		}
		return t
	}
	d.order("review.permit_life", orAbsent(v.PermitLife), orAbsent(w.PermitLife), int(min(max(life(v.PermitLife)-life(w.PermitLife), -1), 1)),
		"permits end earlier", "permits can be redeemed for longer")
	d.duration("review.deadline", v.Deadline, w.Deadline, when)
	if !slices.Equal(v.Escalate, w.Escalate) {
		d.say("review.escalate", stepsText(v.Escalate), stepsText(w.Escalate), Same, "where people look changes no verdict")
	}
	d.sets("review.editable", v.Editable, w.Editable, below, "an edit can change less", "an edit can change more")
	d.actionSchema(a, b)
	d.reasons(v.Reasons, w.Reasons)
	d.toggled("review.join", v.JoinSameAction, w.JoinSameAction, "a submission can join another one, and share its approval", "each submission is decided alone")
	executors := func(names []string) []string {
		if len(names) == 0 {
			return []string{defaultExecutor}
		}
		return names
	}
	d.sets("review.executors", executors(v.Executors), executors(w.Executors), func(x, y string) bool { return x == y },
		"fewer executors can redeem", "more executors can redeem")
}

func orAbsent(t time.Duration) string {
	if t == 0 {
		return absent
	}
	return span(t)
}

func (d *differ) duration(key string, a, b time.Duration, why string) {
	if a != b {
		d.say(key, orAbsent(a), orAbsent(b), Same, why)
	}
}

func stepsText(steps []Step) string {
	texts := make([]string, len(steps))
	for i, s := range steps {
		texts[i] = "after " + span(s.After) + " to " + s.To
	}
	return listText(texts)
}

func listText(texts []string) string {
	if len(texts) == 0 {
		return absent
	}
	return strings.Join(texts, ", ")
}

// whole writes the place that is the whole action as people can see it.
func whole(places []string) []string {
	seen := slices.Clone(places)
	if i := slices.Index(seen, ""); i >= 0 {
		seen[i] = `""`
	}
	return seen
}

// below reports whether the place x is y or lies below it.
func below(x, y string) bool { return x == y || strings.HasPrefix(x, y+"/") }

// sets compares two sets of which the larger one is looser; in says whether an
// entry is held by one of the other.
func (d *differ) sets(key string, a, b []string, in func(x, y string) bool, fewer, more string) {
	held := func(all, by []string) bool {
		return !slices.ContainsFunc(all, func(x string) bool {
			return !slices.ContainsFunc(by, func(y string) bool { return in(x, y) })
		})
	}
	dir, why := NotComparable, "some are new, and some are gone"
	switch less, grown := held(b, a), held(a, b); {
	case less && grown:
		return
	case less:
		dir, why = Tighter, fewer
	case grown:
		dir, why = Looser, more
	}
	d.say(key, listText(whole(a)), listText(whole(b)), dir, why)
}

func (d *differ) actionSchema(a, b *File) {
	const key = "review.action_schema"
	name := func(f *File) (string, []byte) {
		n := f.root.Get("review").Get("action_schema")
		if n == nil {
			return absent, nil
		}
		return n.Text, f.files[n.Text]
	}
	old, x := name(a)
	now, y := name(b)
	switch {
	case x == nil && y != nil:
		d.say(key, old, now, Tighter, "an edited action must be what the schema says")
	case x != nil && y == nil:
		d.say(key, old, now, Looser, "an edited action can be anything")
	case !bytes.Equal(x, y):
		d.say(key, sha256Of(x), sha256Of(y), NotComparable, "the schema says something else")
	}
}

func (d *differ) reasons(a, b map[string][]string) {
	for _, act := range union(a, b) {
		key := "review.reasons." + act
		old, inA := a[act]
		now, inB := b[act]
		switch {
		case !inA:
			d.say(key, absent, listText(now), Tighter, "it needs a reason")
		case !inB:
			d.say(key, listText(old), absent, Looser, "it needs no reason any more")
		default:
			d.sets(key, old, now, func(x, y string) bool { return x == y }, "fewer reasons will do", "more reasons will do")
		}
	}
}

// others compares policies of a kind into which Diff doesn't look: two switches
// aside, whatever differs may be looser.
func (d *differ) others(a, b *File) {
	passed := append([]string{"pawl", "gate", "kind", "description", "tests"}, bindingKeys...)
	members := func(f *File) map[string]string {
		texts := map[string]string{}
		for _, m := range f.root.Members {
			if !slices.Contains(passed, m.Key) {
				texts[m.Key] = string(m.Value.AppendJSON(nil))
			}
		}
		return texts
	}
	switches := map[string]bool{"enableAutoApply": true, "enableAutoReject": true}
	old, now := members(a), members(b)
	for _, key := range union(old, now) {
		switch {
		case switches[key] && a.Kind == b.Kind:
			d.toggled(key, old[key] == "true", now[key] == "true", "it is switched on", "it is switched off")
		case old[key] != now[key]:
			d.say(key, orAbsentText(old[key]), orAbsentText(now[key]), NotComparable, "nobody looks into a change of it")
		}
	}
	unlike := func(f *File) map[string][]byte { // all but the schema of actions, which is compared
		files := maps.Clone(f.counted)
		if n := f.root.Get("review").Get("action_schema"); n != nil && n.Kind == source.String && !f.refersTwice(n.Text) {
			delete(files, n.Text)
		}
		return files
	}
	x, y := unlike(a), unlike(b)
	for _, name := range union(x, y) {
		if p, q := x[name], y[name]; !bytes.Equal(p, q) {
			d.say("files."+name, digestOf(p), digestOf(q), NotComparable, "the file says something else")
		}
	}
}

// refersTwice reports whether another key names the same file.
func (f *File) refersTwice(name string) bool {
	for _, key := range []string{"case_schema", "catalogue", "evidence_keys"} {
		n := f.root.Get(key)
		if n != nil && (n.Text == name || slices.ContainsFunc(n.Items, func(i *source.Node) bool { return i.Text == name })) {
			return true
		}
	}
	return false
}

func orAbsentText(s string) string {
	if s == "" {
		return absent
	}
	return s
}

func digestOf(text []byte) string {
	if text == nil {
		return absent
	}
	return sha256Of(text)
}
