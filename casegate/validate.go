package casegate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pawlgate/pawl/internal/source"
)

// Finding is one thing that Validate found.
type Finding struct {
	Pointer string `json:"pointer"` // JSON pointer (RFC 6901); "" is the whole output
	Message string `json:"message"`
}

// String returns "pointer: message".
func (f Finding) String() string {
	if f.Pointer == "" {
		return "the output: " + f.Message
	}
	return f.Pointer + ": " + f.Message
}

// Report is what Validate found in an output.
type Report struct {
	// Malformed says why the text can't be read as exactly one JSON value; then
	// nothing else is set. It is empty if it can.
	Malformed string `json:"malformed,omitempty"`
	// Action is the output's action, if that is exactly one of the two; "" if not.
	Action Action `json:"action,omitempty"`
	// Schema is what breaks the schema.
	Schema []Finding `json:"schema,omitempty"`
	// Contradictions is what speaks against a DECIDE though the schema lets it
	// through. Only a DECIDE has any.
	Contradictions []Finding `json:"contradictions,omitempty"`
	// Warnings is what looks wrong in an output that isn't a DECIDE.
	Warnings []Finding `json:"warnings,omitempty"`
	// Skipped says what wasn't looked at, because there was no policy.
	Skipped []string `json:"skipped,omitempty"`
}

// Consistent reports whether the output is a DECIDE that nothing in it speaks
// against: exactly one JSON object, valid by the schema, its action exactly
// DECIDE, without contradictions. Whatever isn't is to be read as ESCALATE. It
// doesn't answer for what was Skipped, and it is no permission.
func (r *Report) Consistent() bool {
	return r != nil && r.Malformed == "" && r.Action == Decide && len(r.Schema) == 0 && len(r.Contradictions) == 0
}

// Validate holds an output, of whatever gate or model, to the schema and to
// itself, and to the policy's confidence floor and lists of decisions. Without
// a policy (nil) it skips what needs one, and says so. It repairs nothing. The
// report doesn't depend on white space or the order of members.
func Validate(output []byte, p *Policy) *Report {
	n, err := source.ReadJSON(output)
	if err != nil {
		return &Report{Malformed: err.Error()}
	}
	c := &checker{Report: &Report{Schema: schemaErrors(n)}, output: n, policy: p}
	if a, ok := c.text("action"); ok && (a == string(Decide) || a == string(Escalate)) {
		c.Action = Action(a)
	}
	c.check()
	return c.Report
}

// checker looks for what contradicts. Members of the wrong kind are the
// schema's business; it reads them as absent.
type checker struct {
	*Report
	output *source.Node
	policy *Policy
}

// check adds findings in the order of the schema's members.
func (c *checker) check() {
	switch c.Action {
	case Decide:
		c.checkFloor()
		c.checkNoAction()
		c.checkAudit()
		for _, b := range blockMembers {
			if c.entries(b.member) > 0 {
				c.found(b.member, "is not empty: the block of %s stands beside DECIDE", b.category)
			}
		}
		if t, _ := c.text("escalation_path"); t != "" {
			c.found("escalation_path", "is not empty: DECIDE goes to no queue")
		}
		c.checkDecision()
		if t, ok := c.text("selected_route"); ok && invisible(t) {
			c.found("selected_route", "is blank")
		} else if ok && namesEscalation(c.output.Get("selected_route")) {
			c.found("selected_route", "is ESCALATE or a category beside DECIDE")
		}
	case Escalate:
		if l, ok := c.number("confidence_score"); ok && l.compare(numberHalf) >= 0 {
			c.found("confidence_score", "is one half or more: it says how sure the gate is that automating is right")
		}
		if t, ok := c.text("human_action_required"); ok && skeleton(t) == skeleton(NoAction) {
			c.found("human_action_required", "is %s: ESCALATE says what a person must do", NoAction)
		}
		c.checkAudit()
		c.checkBlocks()
		for _, member := range []string{"decision", "selected_route"} {
			if _, ok := c.text(member); ok {
				c.found(member, "stands beside ESCALATE, which decides nothing")
			}
		}
	}
	c.checkAdditional()
}

// blockMembers are the members that explain an escalation, by category.
var blockMembers = []struct {
	member   string
	category Category
}{
	{"policy_violations", PolicyViolation},
	{"missing_preconditions", MissingRequiredDocumentation},
	{"boundary_analysis", BoundaryCondition},
	{"confidence_factors", InsufficientConfidence},
	{"conflicting_signals", ConflictingSignals},
	{"external_dependency", ExternalDependency},
}

// checkFloor compares with the floor exactly as both were written: a number
// that only rounding lifts to the floor is below it.
func (c *checker) checkFloor() {
	if c.policy == nil {
		c.Skipped = append(c.Skipped, "confidence_score: no policy, so no confidence floor to compare it with")
		return
	}
	floor := c.policy.ConfidenceFloor
	if !(floor >= 0 && floor <= 1) {
		c.found("confidence_score", "can't be compared: the policy's confidence floor is %v, not a number from 0 to 1", floor)
		return
	}
	if d, ok := c.number("confidence_score"); ok && d.compare(floatNumber(floor)) < 0 {
		c.found("confidence_score", "is below the policy's confidence floor, %v", floor)
	}
}

// checkNoAction wants a DECIDE to say that nobody has to act. To say nothing
// of it isn't enough.
func (c *checker) checkNoAction() {
	const member = "human_action_required"
	switch t, ok := c.text(member); {
	case c.output.Get(member) == nil:
		c.found(member, "is missing: DECIDE says %s there", NoAction)
	case ok && t != NoAction:
		c.found(member, "is not exactly %s: a person has to act", NoAction)
	}
}

func (c *checker) checkAudit() {
	trail := c.output.Get("audit_trail")
	if trail == nil {
		return
	}
	for i, line := range trail.Items {
		if line.Kind == source.String && invisible(line.Text) {
			c.foundAt(pointerTo("audit_trail", strconv.Itoa(i)), "is blank")
		}
	}
}

func (c *checker) checkDecision() {
	t, ok := c.text("decision")
	switch {
	case c.output.Get("decision") == nil:
		c.found("decision", "is missing: DECIDE has an outcome")
	case ok && invisible(t):
		c.found("decision", "is blank")
	case ok && namesEscalation(c.output.Get("decision")):
		c.found("decision", "is ESCALATE or a category beside DECIDE")
	case c.policy == nil:
		c.Skipped = append(c.Skipped, "decision: no policy, so no lists to look for it on")
	case !ok:
	case slices.Contains(c.policy.Applies, t) == slices.Contains(c.policy.Rejects, t):
		if slices.Contains(c.policy.Applies, t) {
			c.found("decision", "is on both of the policy's lists, applies and rejects")
		} else {
			c.found("decision", "is on neither of the policy's lists, applies and rejects")
		}
	}
}

// checkBlocks warns of an ESCALATE that doesn't say why. The blocks of further
// categories may stand beside its own.
func (c *checker) checkBlocks() {
	category, _ := c.text("escalation_category")
	own, others := "", []string(nil)
	for _, b := range blockMembers {
		if string(b.category) == category {
			own = b.member
		} else if c.entries(b.member) > 0 {
			others = append(others, b.member)
		}
	}
	switch {
	case own == "" || c.entries(own) > 0:
	case len(others) == 0:
		c.found(own, "is missing or empty: no block explains the escalation")
	default:
		c.found(own, "is missing or empty: %s is explained only by blocks of other categories (%s)", category, strings.Join(others, ", "))
	}
}

// checkAdditional looks through the members that the schema doesn't name. Each
// is found at most once, so that a report can't outgrow its output.
func (c *checker) checkAdditional() {
	if c.output.Kind != source.Object {
		return
	}
	var fs []Finding
	for _, m := range c.output.Members {
		if slices.Contains(schemaMembers, m.Key) {
			continue
		}
		message := ""
		if known := likeMember(m.Key); known != "" {
			message = fmt.Sprintf("reads like %s: two readers could see different outputs", known)
		} else if hidden(m.Key) {
			message = "has an invisible character in its name: two readers could see different outputs"
		} else if c.Action == Decide && speaksOfEscalation(m.Key) && says(m.Value) {
			message = "speaks of escalation beside DECIDE"
		} else if c.Action == Decide && namesEscalation(m.Value) {
			message = "holds ESCALATE or a category beside DECIDE"
		}
		if message != "" {
			fs = append(fs, Finding{pointerTo(m.Key), message})
		}
	}
	slices.SortFunc(fs, func(a, b Finding) int { return strings.Compare(a.Pointer, b.Pointer) })
	for _, f := range fs {
		c.foundAt(f.Pointer, "%s", f.Message)
	}
}

// found adds a finding about a member.
func (c *checker) found(member, format string, args ...any) {
	c.foundAt(pointerTo(member), format, args...)
}

func (c *checker) foundAt(pointer, format string, args ...any) {
	f := Finding{pointer, fmt.Sprintf(format, args...)}
	if c.Action == Decide {
		c.Contradictions = append(c.Contradictions, f)
	} else {
		c.Warnings = append(c.Warnings, f)
	}
}

// text returns a member that is a string.
func (c *checker) text(member string) (string, bool) {
	if n := c.output.Get(member); n != nil && n.Kind == source.String {
		return n.Text, true
	}
	return "", false
}

// number returns a member that is a number.
func (c *checker) number(member string) (jsonNumber, bool) {
	if n := c.output.Get(member); n != nil && n.Kind == source.Number {
		return parseJSONNumber(n.Text), true
	}
	return jsonNumber{}, false
}

// entries returns how many entries a member has, of a list or object.
func (c *checker) entries(member string) int {
	n := c.output.Get(member)
	if n == nil {
		return 0
	}
	return len(n.Items) + len(n.Members)
}
