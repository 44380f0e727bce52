package casegate

// Action is what the gate answers.
type Action string

// The actions.
const (
	Decide   Action = "DECIDE"   // safe to automate, as far as this gate sees
	Escalate Action = "ESCALATE" // a person must look
)

// NoAction is the human_action_required of a DECIDE.
const NoAction = "NONE"

// Output is the answer to one case: an object of schema_sentinel_v1, its
// members in the order of that schema.
type Output struct {
	Action              Action
	Category            Category // empty (null in JSON) for DECIDE
	Confidence          float64  // how sure the gate is that automating is right: 0 to 1
	ConfidenceReasoning string
	HumanAction         string
	AuditTrail          []string

	// The blocks of all categories that fired, keyed by rule id.
	PolicyViolations     map[string]Violation
	MissingPreconditions map[string]Missing
	BoundaryAnalysis     map[string]Boundary
	ConfidenceFactors    map[string]Factors
	ConflictingSignals   []Conflict
	ExternalDependency   map[string]Dependency

	EscalationPath string   // of ESCALATE: the queue
	GatesPassed    []string // ids of the rules that passed, in order
	Decision       string   // of DECIDE
	SelectedRoute  string   // of DECIDE
	Rationale      string   // of DECIDE

	// Rules is what became of each rule, in order. It isn't part of the JSON form,
	// where the audit trail says it in words.
	Rules []RuleOutcome

	// ModelOpinion is what a model said, if one was asked: the only place where
	// a model's words stand.
	ModelOpinion map[string]any
}

// RuleOutcome is what became of one rule.
type RuleOutcome struct {
	ID       string
	Category Category // empty if it passed
	Why      string   // it fired
}

// Violation is an entry of policy_violations.
type Violation struct {
	Policy      string `json:"policy,omitempty"`
	Regulation  string `json:"regulation,omitempty"`
	Restriction string `json:"restriction,omitempty"`
	Consequence string `json:"consequence,omitempty"`
	Severity    string `json:"severity,omitempty"`
	Owner       string `json:"owner,omitempty"`
	Reason      string `json:"reason"`
	// Of a limit that was passed.
	PolicyThreshold any `json:"policy_threshold,omitempty"`
	Value           any `json:"value,omitempty"`
	Distance        any `json:"distance_from_threshold,omitempty"`
}

// Missing is an entry of missing_preconditions.
type Missing struct {
	RequiredBy string   `json:"required_by,omitempty"`
	Regulation string   `json:"regulation,omitempty"`
	Severity   string   `json:"severity,omitempty"`
	Owner      string   `json:"owner,omitempty"`
	Reason     string   `json:"reason"`
	Missing    []string `json:"missing,omitempty"` // "document packing_list", "fact consignee"
}

// Boundary is an entry of boundary_analysis.
type Boundary struct {
	PolicyThreshold any    `json:"policy_threshold,omitempty"`
	Value           any    `json:"value,omitempty"`
	Distance        any    `json:"distance_from_threshold,omitempty"`
	Assessment      string `json:"assessment"`
	Owner           string `json:"owner,omitempty"`
}

// Factors is an entry of confidence_factors.
type Factors struct {
	AmbiguousSignals []string `json:"ambiguous_signals"`
	WhyUncertain     string   `json:"why_uncertain"`
	Owner            string   `json:"owner,omitempty"`
}

// Conflict is an entry of conflicting_signals.
type Conflict struct {
	Rule   string        `json:"rule"`
	Field  string        `json:"field"`
	Values []SourceValue `json:"values"`
	Reason string        `json:"reason"`
	Owner  string        `json:"owner,omitempty"`
}

// SourceValue is what one source says of a field.
type SourceValue struct {
	Source string `json:"source"`
	Value  any    `json:"value"`
}

// Dependency is an entry of external_dependency.
type Dependency struct {
	Awaiting     string `json:"awaiting"`
	BlockingGate string `json:"blocking_gate"`
	Status       string `json:"status,omitempty"`
	Owner        string `json:"owner,omitempty"`
}
