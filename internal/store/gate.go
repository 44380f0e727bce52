package store

import (
	"encoding/json"
	"fmt"
	"slices"
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

type settingForm struct {
	State         review.GateState `json:"state"`
	Shadow        bool             `json:"shadow,omitzero"`
	Ramp          int              `json:"ramp"`
	PolicyVersion int64            `json:"policyVersion,omitzero"`
	PolicyDigest  string           `json:"policyDigest,omitzero"`
}

func settingOf(s review.Setting) settingForm {
	return settingForm{s.State, s.Shadow, s.Ramp, s.Policy.Version, s.Policy.Digest}
}

func (f *settingForm) setting() review.Setting {
	return review.Setting{State: f.State, Shadow: f.Shadow, Ramp: f.Ramp, Policy: review.PolicyRef{Version: f.PolicyVersion, Digest: f.PolicyDigest}}
}

type proposalForm struct {
	To     settingForm `json:"to"`
	By     personForm  `json:"by"`
	MadeBy []string    `json:"madeBy,omitzero"`
	Until  stamp       `json:"until"`
}

type gateForm struct {
	Setting       settingForm   `json:"setting"`
	Epoch         int64         `json:"epoch,omitzero"`
	OnePerson     bool          `json:"onePerson,omitzero"`
	CountAsserted bool          `json:"countAsserted,omitzero"`
	Proposal      *proposalForm `json:"proposal,omitzero"`
	LastAt        stamp         `json:"lastAt,omitzero"`
}

type gateEventForm struct {
	Gate     string      `json:"gate"`
	Seq      int64       `json:"seq"`
	Actor    personForm  `json:"actor"`
	Seconded personForm  `json:"seconded,omitzero"`
	From     settingForm `json:"from"`
	To       settingForm `json:"to"`
	Proposed bool        `json:"proposed,omitzero"`
	Cause    string      `json:"cause,omitzero"`
	At       stamp       `json:"at,omitzero"`
}

func encodeGate(g *review.Gate) ([]byte, error) {
	f := gateForm{Setting: settingOf(g.Setting), Epoch: g.Epoch, OnePerson: g.OnePerson, CountAsserted: g.CountAsserted, LastAt: at(g.LastAt)}
	if p := g.Proposal; p != nil {
		f.Proposal = &proposalForm{settingOf(p.To), personForm(p.By), p.MadeBy, at(p.Until)}
	}
	return json.Marshal(&f)
}

func scanGate(scan func(...any) error) (*Gate, error) {
	var g Gate
	var body []byte
	var hold int64
	if err := scan(&g.Name, &g.Version, &body, &g.RampKey, &hold); err != nil {
		return nil, err
	}
	var f gateForm
	if err := json.Unmarshal(body, &f); err != nil {
		return nil, fmt.Errorf("gate %s: %w", g.Name, err)
	}
	g.LegalHold = hold != 0
	g.Setting, g.Epoch, g.OnePerson, g.CountAsserted, g.LastAt = f.Setting.setting(), f.Epoch, f.OnePerson, f.CountAsserted, f.LastAt.time()
	if p := f.Proposal; p != nil {
		g.Proposal = &review.Proposal{To: p.To.setting(), By: review.Person(p.By), MadeBy: p.MadeBy, Until: p.Until.time()}
	}
	return &g, nil
}

const gateColumns = "name, version, body, ramp_key, legal_hold"

// Gate returns a gate, or ErrNotFound. In a transaction that writes it can't
// change until that has ended; others may read it all the same.
func (tx *Tx) Gate(name string) (*Gate, error) { return tx.gate(name, false) }

// LockGate is Gate for a transaction that will change it: others wait.
func (tx *Tx) LockGate(name string) (*Gate, error) {
	delete(tx.gates, name)
	return tx.gate(name, true)
}

func (tx *Tx) gate(name string, alone bool) (*Gate, error) {
	g := tx.gates[name]
	if g == nil {
		from, args := "gates WHERE name = $1", []any{name}
		if tx.write && tx.db.pg {
			from, args = "locked_gate($1, $2)", []any{name, alone}
		}
		err := tx.each(`SELECT `+gateColumns+` FROM `+from, args, func(scan func(...any) error) (err error) {
			g, err = scanGate(scan)
			return err
		})
		if err == nil && g == nil {
			err = ErrNotFound
		}
		if err != nil {
			return nil, fmt.Errorf("gate %.80q: %w", name, err)
		}
		if tx.gates == nil {
			tx.gates = map[string]*Gate{}
		}
		tx.gates[name] = g
	}
	c := *g // the caller may write to it
	c.RampKey = slices.Clone(g.RampKey)
	if g.Proposal != nil {
		p := *g.Proposal
		c.Proposal = &p
	}
	return &c, nil
}

// Gates returns all gates by name.
func (tx *Tx) Gates() (all []*Gate, err error) {
	err = tx.each(`SELECT `+gateColumns+` FROM gates ORDER BY name`, nil, func(scan func(...any) error) error {
		g, err := scanGate(scan)
		all = append(all, g)
		return err
	})
	return all, err
}

// PutGate writes a gate: a new one if its Version is 1, or else one that had
// the version before. Otherwise it is ErrExists or ErrConflict. A legal hold
// stays as it is: see [Tx.SetGateHold].
func (tx *Tx) PutGate(g *Gate) error {
	if err := tx.mayWrite(); err != nil {
		return err
	}
	body, err := encodeGate(&g.Gate)
	if err != nil {
		return err
	}
	delete(tx.gates, g.Name)
	if tx.db.pg {
		if _, err := tx.LockGate(g.Name); g.Version != 1 && err != nil {
			return err
		}
		delete(tx.gates, g.Name)
	}
	if g.Version == 1 {
		_, err = tx.change(`INSERT INTO gates (name, version, body, ramp_key, legal_hold) VALUES ($1, $2, $3, $4, $5)`, g.Name, g.Version, string(body), g.RampKey, flag(g.LegalHold))
	} else {
		var n int64
		n, err = tx.change(`UPDATE gates SET version = $1, body = $2, ramp_key = $3 WHERE name = $4 AND version = $5`, g.Version, string(body), g.RampKey, g.Name, g.Version-1)
		if err == nil && n == 0 {
			err = ErrConflict
		}
	}
	if err != nil {
		return fmt.Errorf("gate %.80q: %w", g.Name, err)
	}
	return nil
}

// SetGateHold puts a gate under a legal hold, or takes it off.
func (tx *Tx) SetGateHold(gate string, hold bool) error {
	delete(tx.gates, gate)
	n, err := tx.change(`UPDATE gates SET legal_hold = $1 WHERE name = $2`, flag(hold), gate)
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("gate %.80q: %w", gate, err)
	}
	return nil
}

// AppendGateEvent writes an event of a gate. There is one for each Seq.
func (tx *Tx) AppendGateEvent(e review.GateEvent) error {
	body, err := json.Marshal(&gateEventForm{e.Gate, e.Seq, personForm(e.Actor), personForm(e.Seconded), settingOf(e.From), settingOf(e.To), e.Proposed, e.Cause, at(e.At)})
	if err != nil {
		return err
	}
	_, err = tx.change(`INSERT INTO gate_events (gate, seq, body) VALUES ($1, $2, $3)`, e.Gate, e.Seq, string(body))
	return err
}

// GateEvents returns a gate's events, the first one first.
func (tx *Tx) GateEvents(gate string) (all []review.GateEvent, err error) {
	err = tx.each(`SELECT body FROM gate_events WHERE gate = $1 ORDER BY seq`, []any{gate}, func(scan func(...any) error) error {
		var body []byte
		var f gateEventForm
		if err := scan(&body); err != nil {
			return err
		}
		if err := json.Unmarshal(body, &f); err != nil {
			return fmt.Errorf("an event of gate %s: %w", gate, err)
		}
		all = append(all, review.GateEvent{
			Gate: f.Gate, Seq: f.Seq, Actor: review.Person(f.Actor), Seconded: review.Person(f.Seconded),
			From: f.From.setting(), To: f.To.setting(), Proposed: f.Proposed, Cause: f.Cause, At: f.At.time(),
		})
		return nil
	})
	return all, err
}

const policyColumns = "gate, version, kind, name, digest, engine, source, files, added_by, known, added_at"

// InsertPolicy adds a version of a policy; one that is there is ErrExists.
func (tx *Tx) InsertPolicy(p *Policy) error {
	files, err := json.Marshal(p.Files)
	if err != nil {
		return err
	}
	source := p.Source
	if source == nil {
		source = []byte{}
	}
	_, err = tx.change(`INSERT INTO policies (`+policyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		p.Gate, p.Version, p.Kind, p.Name, p.Digest, p.Engine, source, string(files), p.AddedBy.ID, string(p.AddedBy.Known), us(p.AddedAt))
	if err != nil {
		return fmt.Errorf("policy %d of gate %.80q: %w", p.Version, p.Gate, err)
	}
	return nil
}

func (tx *Tx) policies(rest string, args ...any) (all []*Policy, err error) {
	err = tx.each(`SELECT `+policyColumns+` FROM policies `+rest, args, func(scan func(...any) error) error {
		var p Policy
		var files []byte
		var added int64
		if err := scan(&p.Gate, &p.Version, &p.Kind, &p.Name, &p.Digest, &p.Engine, &p.Source, &files, &p.AddedBy.ID, (*string)(&p.AddedBy.Known), &added); err != nil {
			return err
		}
		p.AddedAt = unus(added)
		all = append(all, &p)
		return json.Unmarshal(files, &p.Files)
	})
	return all, err
}

// Policy returns a version of a gate's policy, or ErrNotFound.
func (tx *Tx) Policy(gate string, version int64) (*Policy, error) {
	all, err := tx.policies(`WHERE gate = $1 AND version = $2`, gate, version)
	if err == nil && len(all) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("policy %d of gate %.80q: %w", version, gate, err)
	}
	return all[0], nil
}

// Policies returns all versions of a gate's policy, the first one first.
func (tx *Tx) Policies(gate string) ([]*Policy, error) {
	return tx.policies(`WHERE gate = $1 ORDER BY version`, gate)
}
