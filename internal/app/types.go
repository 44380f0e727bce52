package app

import (
	"context"
	"io/fs"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

// Config says where decisions are kept and which policies decide.
type Config struct {
	// DB is ":memory:", the path of a SQLite file, or a postgres:// address.
	DB string
	// Policies are policy files, and folders of *.pawl.yaml and *.pawl.json.
	// They count as activated by the Deployer; see NeedActivation.
	Policies []string
	// PolicyText are further policies, by file name. They can't refer to files.
	PolicyText map[string]string
	// NeedActivation only adds the policies that are new: people activate them.
	// The first one of a gate begins supervised then.
	NeedActivation bool
	// Deployer is the person as whom policies are activated, a name that nobody
	// checked; empty is "deployer".
	Deployer string

	// Key is the file with the key that signs the ledger; empty is the DB's
	// path with ".key" behind it. It is made on first use, with mode 0600. For
	// ":memory:" the key lives as long as the process.
	Key string
	// Origin names the ledger; empty is "pawl.local/" and the DB's base name.
	Origin string
	// CheckpointTo are files and folders where checkpoints are kept, too. What
	// is kept out of reach of whoever runs this shows later what was changed.
	CheckpointTo []string
	// Restored says that the database was put back from a backup: every permit
	// that is open becomes void.
	Restored bool

	// ReadOnly refuses everything that would write; MustExist a database that
	// isn't there.
	ReadOnly, MustExist bool
	// Clock tells the time; nil is the clock of this machine. On Postgres the
	// database's clock counts.
	Clock func() time.Time
	// Executor is who redeems in Do and for callbacks; empty is "local".
	Executor string
	// On are the callbacks, by gate.
	On map[string]Callbacks
}

// Callbacks are the executor of a gate: each is run after the commit, through
// Do, with the item's permit redeemed. One that fails is recorded, and changes
// nothing else. Without one, the permit waits for whoever redeems it. What a
// process didn't get to before it ended, the next Open runs before it returns;
// so the callbacks of a gate belong into one process at a time.
type Callbacks struct {
	OnAutoApply  func(context.Context, Run) ([]byte, error)
	OnAutoReject func(context.Context, Run) ([]byte, error)
	OnApprove    func(context.Context, Run) ([]byte, error) // edited ones, too, with the edited action
	OnReject     func(context.Context, Run) ([]byte, error)
}

// Run is what an effect is told.
type Run struct {
	Item    string
	Gate    string
	Subject string
	Action  []byte // in its RFC 8785 form
	Effect  review.Effect
	Status  review.Status
	// IdempotencyKey is for the system outside that has the effect, which may
	// see it more than once: the item's id.
	IdempotencyKey string
	// Again says that a run of before didn't report how it ended. Its effect may
	// have happened or not.
	Again bool
}

// Submission is a question to a gate, with the action that depends on it.
type Submission struct {
	Gate    string
	Subject string // what it is about: a customer, an order
	// Input are the signals or the case as JSON, bare or in their envelope.
	Input []byte
	// Action is what the caller wants to do: any JSON; empty is null. For a
	// promotion empty is PromotionAction of the snapshot.
	Action []byte
	By     review.Actor
	// Key, if given, makes the submission the same one when it is repeated.
	Key string
	// Supersedes is the item whose place this one takes.
	Supersedes string
	// Snapshot and Evidence are the artefact and its envelope, of a promotion.
	Snapshot, Evidence []byte
	// Actual is what the caller decided themselves, of a gate in shadow mode.
	Actual string
	// DryRun decides without a record: nothing may be done on it.
	DryRun bool
}

// Submitted is the answer to a submission.
type Submitted struct {
	Item     string // empty for a dry run and in shadow mode
	Gate     string
	Verdict  verdict.Verdict
	Status   review.Status
	Queue    string
	Risk     string
	Reasons  []verdict.Reason
	Decision []byte // what the gate answered, in its own form
	Policy   review.PolicyRef
	Engine   string
	// Permit is there if the item ended at once.
	Permit *review.Permit

	Malformed bool // the input wasn't well-formed
	Replayed  bool // this is the first answer to the same submission
	Joined    bool // the submission joined this pending item
	DryRun    bool // nothing was recorded, and nothing may be done
	Shadow    bool // recorded beside the caller's own decision; it doesn't bind
}

// Record is an item with all that is kept of it.
type Record struct {
	review.Item
	Kind      string // threshold, case or promotion
	Permit    *review.Permit
	Events    []review.Event // of a single item only
	Labels    []Label        // of a single item only
	LegalHold bool
	Erased    bool
}

// Label is what turned out to be right about an item.
type Label struct {
	Value []byte // any JSON: "right", "wrong", an amount
	By    review.Person
	At    time.Time
}

// Query picks items. What is empty doesn't matter.
type Query struct {
	Gate    string
	Status  review.Status
	Queue   string
	Subject string
	Permit  review.PermitState
	Before  string // only items older than this id
	Limit   int    // 0 is 100
}

// Redemption asks for the permit of an item.
type Redemption struct {
	Item   string
	Action []byte // what is about to run
	// Key is the redemption key: at least 16 bytes from a good source of
	// randomness, kept by the caller before it redeems.
	Key      []byte
	Effect   review.Effect
	Executor string // empty: that of the Config
}

// PolicyText is a policy file that is to be added.
type PolicyText struct {
	Name   string // decides the language: .json is JSON, all else YAML
	Source []byte
	Files  fs.FS // where the files are that it refers to; nil: it refers to none
}

// PolicyVersion is one version of a gate's policy.
type PolicyVersion struct {
	Gate    string
	Version int64
	Kind    string
	Name    string
	Digest  string
	Engine  string
	Active  bool
	AddedBy review.Person
	AddedAt time.Time
	Source  []byte
}

// Shadowed is a decision that was recorded beside the caller's own.
type Shadowed struct {
	ID       string
	Gate     string
	Subject  string
	Verdict  verdict.Verdict
	Decision []byte
	Actual   string
	Policy   review.PolicyRef
	At       time.Time
}

// Counts are how many items of a gate there are by status, and how many permits
// are in doubt: redeemed, and not reported.
type Counts struct {
	ByStatus map[review.Status]int64
	InDoubt  int64
}

// Head is the end of the ledger, as the last checkpoint has it.
type Head struct {
	Size       int64
	Root       tlog.Hash
	Checkpoint []byte // signed
}
