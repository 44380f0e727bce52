package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/pawlgate/pawl/internal/source"
)

// The keys of every kind of policy that say how decisions become binding.
var bindingKeys = []string{"review", "mode", "ramp", "two_people"}

// binding reads what holds for all kinds: review, two_people, mode and ramp.
func (f *File) binding(r *reader) {
	f.TwoPeople = f.automates()
	if n := r.root.Get("two_people"); n != nil && r.is(n, source.Bool, "two_people") {
		f.TwoPeople = n.Bool
	}
	f.Shadow = r.either(r.root.Get("mode"), "mode", "live", "shadow")
	f.Ramp = r.ramp(r.root.Get("ramp"))
	if n := r.root.Get("queue"); n != nil && f.Kind == KindThreshold {
		f.Queue = r.name(n, "queue")
	} else if f.Kind == KindThreshold {
		f.Queue = f.Gate
	}
	f.Review = r.review(r.root.Get("review"))
}

// automates reports whether the file switches anything automatic on.
func (f *File) automates() bool {
	on := func(key string) bool {
		n := f.root.Get(key)
		return n != nil && n.Kind == source.Bool && n.Bool
	}
	return on("enableAutoApply") || on("enableAutoReject")
}

// either reads one of two words and reports whether it is the second. The first
// is what counts if there is none.
func (r *reader) either(n *source.Node, key, first, second string) bool {
	if n == nil || !r.is(n, source.String, key) {
		return false
	}
	if n.Text != first && n.Text != second {
		r.problem(n.Pos, "word", "%q isn't one of %s, %s", n.Text, first, second)
	}
	return n.Text == second
}

var rampPattern = regexp.MustCompile(`^(0|[1-9][0-9]?|100)(?:\.([0-9]{1,2}))?%$`)

// ramp reads a share in per cent as one of FullRamp.
func (r *reader) ramp(n *source.Node) int {
	switch {
	case n == nil:
		return FullRamp
	case n.Kind == source.Number:
		r.problem(n.Pos, "ramp", "%s says nothing about its unit: write a share in per cent as 5%% or 0.25%%", n.Text)
		return 0
	case !r.is(n, source.String, "ramp"):
		return 0
	}
	share := 0
	parts := rampPattern.FindStringSubmatch(n.Text)
	if parts != nil {
		share, _ = strconv.Atoi(parts[1] + (parts[2] + "00")[:2]) // digits, all of them
	}
	if parts == nil || share > FullRamp {
		r.problem(n.Pos, "ramp", "%q isn't a share from 0%% to 100%%, with two decimals at most: write 5%% or 0.25%%", n.Text)
		return 0
	}
	return share
}

func (r *reader) review(n *source.Node) Review {
	v := Review{Approvals: 1, Rejections: 1}
	if n == nil || !r.is(n, source.Object, "review") {
		return v
	}
	r.known(n, "review", "approvals", "rejections", "count_asserted", "lease", "permit_life", "deadline",
		"escalate", "editable", "action_schema", "reasons", "join", "executors")
	v.Approvals = r.people(n.Get("approvals"), "approvals")
	v.Rejections = r.people(n.Get("rejections"), "rejections")
	v.CountAsserted = r.bool(n.Get("count_asserted"), "count_asserted")
	v.Lease = r.duration(n.Get("lease"), "lease")
	v.PermitLife = r.duration(n.Get("permit_life"), "permit_life")
	v.Deadline = r.duration(n.Get("deadline"), "deadline")
	v.Escalate = r.steps(n.Get("escalate"), v.Deadline)
	v.Editable = r.pointers(n.Get("editable"))
	v.ActionSchema = readActionSchema(r, n.Get("action_schema"))
	v.Reasons = r.reasons(n.Get("reasons"))
	v.JoinSameAction = r.either(n.Get("join"), "join", "never", "same_action")
	v.Executors = r.names(n.Get("executors"), "executors", "an executor")
	return v
}

const maxPeople = 100

// people reads how many it takes; one if it isn't said.
func (r *reader) people(n *source.Node, key string) int {
	if n == nil || !r.is(n, source.Number, key) {
		return 1
	}
	num := source.ParseNumber([]byte(n.Text))
	if !num.IsInt || num.Inexact || num.Int < 1 || num.Int > maxPeople {
		r.problem(n.Pos, "people", "%s must be an integer from 1 to %d, not %s", key, maxPeople, n.Text)
		return maxPeople
	}
	return int(num.Int)
}

// The bounds of a duration: what is shorter than one tick of a store is none,
// and what is longer than ten years is a slip.
const (
	minDuration = time.Millisecond
	maxDuration = 87600 * time.Hour
)

func (r *reader) duration(n *source.Node, key string) time.Duration {
	if n == nil || !r.is(n, source.String, key+" (as 15m or 48h)") {
		return 0
	}
	d, err := time.ParseDuration(n.Text)
	switch {
	case err != nil:
		r.problem(n.Pos, "duration", "%s: %q isn't a duration: write 90s, 15m or 48h", key, n.Text)
	case d < minDuration || d > maxDuration:
		r.problem(n.Pos, "duration", "%s must be from %s to %s, not %s", key, span(minDuration), span(maxDuration), n.Text)
	default:
		return d
	}
	return 0
}

// span is a duration without the zeroes at its end.
func span(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func (r *reader) steps(n *source.Node, deadline time.Duration) []Step {
	if n == nil || !r.is(n, source.List, "escalate") {
		return nil
	}
	var steps []Step
	last := time.Duration(0)
	for _, item := range n.Items {
		if !r.is(item, source.Object, "a step of escalate") {
			continue
		}
		r.known(item, "a step of escalate", "after", "to")
		r.required(item, "after", "to")
		s := Step{After: r.duration(item.Get("after"), "after")}
		if to := item.Get("to"); to != nil {
			s.To = r.name(to, "to")
		}
		switch at := item.Get("after"); {
		case s.After == 0: // which is wrong itself
		case s.After <= last:
			r.problem(at.Pos, "escalate", "%s doesn't come after the step before it, %s", span(s.After), span(last))
		case deadline > 0 && s.After >= deadline:
			r.problem(at.Pos, "escalate", "after %s an item has expired already: its deadline is %s", span(s.After), span(deadline))
		}
		last = max(last, s.After)
		steps = append(steps, s)
	}
	return steps
}

var pointerPattern = regexp.MustCompile(`^(?:/(?:[^~/]|~[01])*)*$`)

func (r *reader) pointers(n *source.Node) []string {
	pointers, _ := r.texts(n, "editable", "a place of the action (a JSON pointer)")
	for i, p := range pointers {
		item := n.Items[i]
		switch {
		case item.Kind != source.String:
		case !pointerPattern.MatchString(p):
			r.problem(item.Pos, "pointer", "%q isn't a JSON pointer: write /amount or /lines/0/amount, and ~1 for a / in a name", p)
		case slices.Contains(pointers[:i], p):
			r.problem(item.Pos, "duplicate", "%q stands there already", p)
		}
	}
	return pointers
}

func (r *reader) reasons(n *source.Node) map[string][]string {
	if n == nil || !r.is(n, source.Object, "reasons") {
		return nil
	}
	reasons := make(map[string][]string, len(n.Members))
	for _, m := range n.Members {
		if !slices.Contains(reviewActs, m.Key) {
			hint := "use " + join(reviewActs)
			if k := nearest(m.Key, reviewActs); k != "" {
				hint = "did you mean " + k + "?"
			}
			r.problem(m.Pos, "act", "%q isn't an act that a reason is given for: %s", m.Key, hint)
		}
		reasons[m.Key] = r.names(m.Value, "the reasons of "+m.Key, "a reason's code")
	}
	return reasons
}

// names reads a list of at least one name, no two of which are the same.
func (r *reader) names(n *source.Node, what, one string) []string {
	if n == nil || !r.is(n, source.List, what) {
		return nil
	}
	if len(n.Items) == 0 {
		r.problem(n.Pos, "missing", "%s must name at least one; leave the key out for none", what)
	}
	var names []string
	for _, item := range n.Items {
		name := r.name(item, one)
		if name != "" && slices.Contains(names, name) {
			r.problem(item.Pos, "duplicate", "%q stands there already", name)
		}
		names = append(names, name)
	}
	return names
}

const maxName = 256 // bytes, as in package review

// name reads a name as items carry it: one that people can tell from others.
func (r *reader) name(n *source.Node, what string) string {
	if !r.is(n, source.String, what) || !r.nameable(n, what) {
		return ""
	}
	return n.Text
}

// nameable complains about a text that no item could carry as a name.
func (r *reader) nameable(n *source.Node, what string) bool {
	var why string
	switch s := n.Text; {
	case strings.TrimSpace(s) == "":
		why = "it is empty"
	case s == "*":
		why = "it stands for all of them"
	case strings.TrimSpace(s) != s:
		why = "there are blanks around it"
	case strings.ContainsFunc(s, unicode.IsControl):
		why = "it has control characters"
	case len(s) > maxName:
		why = fmt.Sprintf("it has more than %d bytes", maxName)
	default:
		return true
	}
	r.problem(n.Pos, "name", "%s can't be %.60q: %s", what, n.Text, why)
	return false
}
