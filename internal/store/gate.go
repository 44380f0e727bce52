package store

import (
	"errors"
	"time"

	"github.com/pawlgate/pawl/review"
)

// Gate is a gate with what only the store knows of it.
type Gate struct {
	review.Gate
	RampKey   []byte // the secret that the ramp is drawn with
	LegalHold bool   // nothing of it may be erased
}

// Policy is one version of a gate's policy, with every file that it refers to.
type Policy struct {
	Gate    string
	Version int64
	Kind    string // threshold, case, promotion
	Name    string // of the file
	Digest  string // over the manifest
	Engine  string // that compiled it first
	Source  []byte
	Files   map[string][]byte
	AddedBy review.Person
	AddedAt time.Time
}

// Gate returns a gate, or ErrNotFound. In a transaction that writes it can't
// change until that has ended; others may read it all the same.
func (tx *Tx) Gate(name string) (*Gate, error) { return nil, errors.ErrUnsupported }

// LockGate is Gate for a transaction that will change it: others wait.
func (tx *Tx) LockGate(name string) (*Gate, error) { return nil, errors.ErrUnsupported }

// Gates returns all gates by name.
func (tx *Tx) Gates() ([]*Gate, error) { return nil, errors.ErrUnsupported }

// PutGate writes a gate: a new one if its Version is 1, or else one that had
// the version before. Otherwise it is ErrExists or ErrConflict. What isn't part
// of review.Gate may change within a version: see [Tx.SetGateHold].
func (tx *Tx) PutGate(g *Gate) error { return errors.ErrUnsupported }

// SetGateHold puts a gate under a legal hold, or takes it off.
func (tx *Tx) SetGateHold(gate string, hold bool) error { return errors.ErrUnsupported }

// AppendGateEvent writes an event of a gate. There is one for each Seq.
func (tx *Tx) AppendGateEvent(e review.GateEvent) error { return errors.ErrUnsupported }

// GateEvents returns a gate's events, the first one first.
func (tx *Tx) GateEvents(gate string) ([]review.GateEvent, error) {
	return nil, errors.ErrUnsupported
}

// InsertPolicy adds a version of a policy; one that is there is ErrExists.
func (tx *Tx) InsertPolicy(p *Policy) error { return errors.ErrUnsupported }

// Policy returns a version of a gate's policy, or ErrNotFound.
func (tx *Tx) Policy(gate string, version int64) (*Policy, error) { return nil, errors.ErrUnsupported }

// Policies returns all versions of a gate's policy, the first one first.
func (tx *Tx) Policies(gate string) ([]*Policy, error) { return nil, errors.ErrUnsupported }
