package casegate

// Category is why a case is escalated.
type Category string

// The categories, in the default order: the first one that fired is an
// output's escalation_category.
const (
	PolicyViolation              Category = "POLICY_VIOLATION"
	MissingRequiredDocumentation Category = "MISSING_REQUIRED_DOCUMENTATION"
	ConflictingSignals           Category = "CONFLICTING_SIGNALS"
	ExternalDependency           Category = "EXTERNAL_DEPENDENCY"
	BoundaryCondition            Category = "BOUNDARY_CONDITION"
	InsufficientConfidence       Category = "INSUFFICIENT_CONFIDENCE"
)

// DefaultOrder returns the categories, the gravest first.
func DefaultOrder() []Category {
	return []Category{
		PolicyViolation, MissingRequiredDocumentation, ConflictingSignals,
		ExternalDependency, BoundaryCondition, InsufficientConfidence,
	}
}

// Policy says what a case needs to be decided without a person.
type Policy struct {
	// Rules are all evaluated, in order. A policy without rules is invalid.
	Rules []Rule
	// Order lists all six categories, the primary one first; nil: DefaultOrder.
	Order []Category
	// Signals declares the direction of each number in Case.Signals that says
	// how sure a model is.
	Signals map[string]Direction
	// ConfidenceFloor escalates a DECIDE whose confidence is below it: 0 to 1.
	ConfidenceFloor float64
	// WithoutConfidence ("confidence: none" in a file) allows automatic verdicts
	// though no signal is declared.
	WithoutConfidence bool
	// Decision gives the outcome of a case that nothing speaks against. An
	// error or an empty text escalates. It is needed.
	Decision Text
	// Route gives the option that is selected; nil: none. An error or an empty
	// text escalates.
	Route Text
	// Applies and Rejects list the decisions that Gate.Verdict turns into
	// auto_apply and auto_reject; what is on neither list goes to a person.
	Applies, Rejects []string
	// EnableAutoApply and EnableAutoReject switch the automatic verdicts on.
	EnableAutoApply, EnableAutoReject bool
	// Queues maps categories to queues; DefaultQueue is for the others. Paths
	// are the further queues that an output from elsewhere may name in
	// escalation_path.
	Queues       map[Category]string
	DefaultQueue string
	Paths        []string
}

// Direction says what a high number of a signal means.
type Direction string

// The directions.
const (
	HigherIsSafer Direction = "higher_is_safer" // the number is a confidence
	LowerIsSafer  Direction = "lower_is_safer"  // 1 minus the number is one
)

// Condition is a condition over a case. An error means that it is unknown. It
// must be pure and may be called from several goroutines.
type Condition func(Case) (bool, error)

// Number is a number taken from a case: float64 or int64. An error, or anything
// else, means that it is unknown.
type Number func(Case) (any, error)

// Text is a text taken from a case.
type Text func(Case) (string, error)

// Rule is one thing that must be in order.
type Rule struct {
	ID       string // unique in the policy
	NextStep string // what the person who gets the case must do
	// What the blocks of an output say of the rule; each may be empty, and is
	// then left out.
	Policy, Regulation, Severity, Restriction, Consequence, RequiredBy, Owner string
	// Kind is what the rule looks at: one of the six kinds.
	Kind Kind
}

// Kind is one of Require, Forbid, Limit, Confidence, Agree and Await.
type Kind interface {
	// category is what the rule raises, also when it can't be evaluated.
	category() Category
}

// Require fires (MISSING_REQUIRED_DOCUMENTATION) if a document or fact is
// absent, or every document of a type is expired, or the condition is not true.
type Require struct {
	Documents []string // types
	Facts     []string // a null or blank fact is absent
	Condition Condition
	Text      string // the condition, for people
}

// Forbid fires (POLICY_VIOLATION) if the condition is true.
type Forbid struct {
	Condition Condition
	Text      string // the condition, for people
}

// Limit fires (POLICY_VIOLATION) if the value is beyond a bound, and
// (BOUNDARY_CONDITION) if it is within the margin of one, both ends included.
type Limit struct {
	Value    Number
	Text     string // the value, for people
	Max, Min *float64
	Margin   *float64 // nil: there is no margin, and a value at the bound is fine
}

// Confidence fires (INSUFFICIENT_CONFIDENCE) if the signal's confidence is
// below Min, or it is missing or not a number from 0 to 1.
type Confidence struct {
	Signal string // declared in Policy.Signals
	Min    float64
}

// Agree fires (CONFLICTING_SIGNALS) if sources differ about a field by more
// than the tolerance, or fewer than MinSources have it.
type Agree struct {
	Field      string
	Sources    []string // nil: all sources of the case
	Tolerance  float64  // of numbers: their largest distance
	Relative   bool     // the tolerance is a share of the smallest of them
	MinSources int      // 0: 2
}

// Await fires (EXTERNAL_DEPENDENCY) unless the check has one of the statuses.
type Await struct {
	Check    string
	Accepted []string
}

func (Require) category() Category    { return MissingRequiredDocumentation }
func (Forbid) category() Category     { return PolicyViolation }
func (Limit) category() Category      { return BoundaryCondition }
func (Confidence) category() Category { return InsufficientConfidence }
func (Agree) category() Category      { return ConflictingSignals }
func (Await) category() Category      { return ExternalDependency }
