package review

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// What counts where [Rules] say nothing.
const (
	DefaultLease      = 15 * time.Minute
	DefaultPermitLife = 24 * time.Hour
)

// Rules are what a gate says about reviewing. The zero value is the strictest
// that is of use: one checked person approves, nothing can be edited, nobody
// may redeem.
type Rules struct {
	// Needed is how many distinct people must approve; less than 1 is 1.
	Needed int
	// Rejections is how many distinct people must reject to end an item; less
	// than 1 is 1.
	Rejections int
	// CountAsserted lets people approve of whom only a name is known.
	CountAsserted bool
	// Lease is how long a claim lasts; 0 is DefaultLease.
	Lease time.Duration
	// Deadline is how long an item may wait; 0 is for ever.
	Deadline time.Duration
	// Escalate moves items that wait too long, in this order.
	Escalate []Step
	// Queues are the queues that exist; nil: any.
	Queues []string
	// Editable are the places (JSON pointers) of an action that an edit may
	// change, with all that lies below them.
	Editable []string
	// Schema checks an edited action, in its canonical form; nil: no check.
	Schema func(action []byte) error
	// Reasons are the reason codes by act. An act that is listed needs one of
	// its codes; any other must not have one.
	Reasons map[Kind][]string
	// PermitLife is how long a permit can be redeemed; 0 is DefaultPermitLife.
	PermitLife time.Duration
	// Audience are the executors that may redeem. None: nobody.
	Audience []string
	// JoinSameAction lets a submission join a pending item of the same action.
	JoinSameAction bool
}

// Step says where an item goes that has been waiting for After.
type Step struct {
	After time.Duration
	To    string
}

// Check returns everything that is wrong with the rules. Rules that have
// problems still never let pass what they shouldn't.
func (r *Rules) Check() []error {
	var bad []error
	add := func(field, format string, args ...any) { bad = append(bad, invalid(field, format, args...)) }
	if r.Needed < 0 || r.Rejections < 0 {
		add("needed", "a number of people isn't negative")
	}
	for _, d := range []time.Duration{r.Lease, r.Deadline, r.PermitLife} {
		if d < 0 {
			add("duration", "%s is negative", d)
		}
	}
	last := time.Duration(0)
	for _, s := range r.Escalate {
		if s.After <= last {
			add("escalate", "%s doesn't come after the step before it", s.After)
		}
		last = max(last, s.After)
		if s.To == "" || !r.hasQueue(s.To) {
			bad = append(bad, &InvalidError{Field: "escalate", Message: fmt.Sprintf("there is no queue %q", s.To), Allowed: r.Queues})
		}
		if r.Deadline > 0 && s.After >= r.Deadline {
			add("escalate", "after %s the item has expired already", s.After)
		}
	}
	for _, p := range r.Editable {
		if !validPointer(p) {
			add("editable", "%q isn't a JSON pointer: write /name or /lines/0/amount", p)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(r.Reasons)) {
		if _, ok := acts[k]; !ok {
			add("reasons", "there is no act %q", string(k))
		}
		if len(r.Reasons[k]) == 0 || slices.ContainsFunc(r.Reasons[k], func(c string) bool { return c == "" || badName(c) }) {
			add("reasons", "%s needs at least one code, and no empty one", k)
		}
	}
	return bad
}

func (r *Rules) hasQueue(q string) bool { return r.Queues == nil || slices.Contains(r.Queues, q) }

func (r *Rules) lease() time.Duration {
	if r.Lease <= 0 {
		return DefaultLease
	}
	return r.Lease
}

func (r *Rules) permitLife() time.Duration {
	if r.PermitLife <= 0 {
		return DefaultPermitLife
	}
	return r.PermitLife
}

// reason checks an act's reason code.
func (r *Rules) reason(k Kind, code string) error {
	codes, listed := r.Reasons[k]
	switch {
	case listed && !slices.Contains(codes, code) || listed && code == "":
		msg := fmt.Sprintf("%s needs one of this gate's reason codes, not %.60q", k, code)
		return &InvalidError{Field: "reason", Message: msg, Allowed: slices.Clone(codes)}
	case !listed && code != "":
		return invalid("reason", "this gate has no reason codes for %s; say it in the note", k)
	}
	return nil
}
