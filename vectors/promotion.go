package vectors

import "encoding/json"

// The corpora of the promotion gate.
const (
	Promotion = "promotion" // what is known of an artefact: how it ends
	Tripwire  = "tripwire"  // the files of an artefact: what must be found in them
	Snapshot  = "snapshot"  // the files of an artefact: its digest, or that it has none
)

// PromotionVector is what is known of an artefact and how its promotion must
// end. Exactly one of Inputs and InputsText is set.
type PromotionVector struct {
	File       string          `json:"-"` // in FS
	Name       string          `json:"name"`
	Inputs     json.RawMessage `json:"inputs"`     // as a JSON value
	InputsText *string         `json:"inputsText"` // as text, well-formed or not
	// Options are what a policy says: advisory and kinds. Nil: the strictest.
	Options json.RawMessage `json:"options"`
	Expect  PromotionExpect `json:"expect"`
}

// PromotionExpect is what must come out.
type PromotionExpect struct {
	Terminal string   `json:"terminal"`
	Guard    *string  `json:"guard"`  // the first that stopped it; nil: null, none did
	Others   []string `json:"others"` // the guards after it, in order
	// What is nil isn't looked at.
	Kinds    []string `json:"kinds"`    // the distinct ones that counted, sorted
	Tripwire *string  `json:"tripwire"` // raised, nothing_found or did_not_run
	// Malformed says that the inputs must be refused: then nothing of them
	// counts.
	Malformed bool `json:"malformed"`
}

// ArtefactFile is one file of an artefact. At most one of Text, Base64, Link
// and Device is set; without any the file is empty.
type ArtefactFile struct {
	Path   string `json:"path"`
	Text   string `json:"text,omitempty"`
	Base64 []byte `json:"base64,omitempty"` // where the bytes aren't UTF-8
	Repeat int    `json:"repeat,omitempty"` // how often the text or the bytes stand there, if not once
	Exec   bool   `json:"exec,omitempty"`   // an executable bit is set
	Link   string `json:"link,omitempty"`   // it is a symlink with this target
	Device bool   `json:"device,omitempty"` // it is neither file nor folder nor link
}

// TripwireVector is an artefact and what a scan must find in it.
type TripwireVector struct {
	File  string         `json:"-"` // in FS
	Name  string         `json:"name"`
	Files []ArtefactFile `json:"files"`
	// Tools is a tool catalogue, Promotable what may be declared at most,
	// ExtraTokens what the caller adds to the floor. Nil: not given.
	Tools       json.RawMessage `json:"tools"`
	Promotable  []string        `json:"promotable"`
	ExtraTokens []string        `json:"extraTokens"`
	Expect      TripwireExpect  `json:"expect"`
}

// TripwireExpect is what must be found.
type TripwireExpect struct {
	Escalate *bool `json:"escalate"` // nil: not looked at
	// Reasons must all be there. There may be others, unless Exact.
	Reasons []Reason `json:"reasons"`
	Exact   bool     `json:"exact"`
	Without []Reason `json:"without"` // none of these may be there
	// Irreversible are the tools that it declares or names and whose effects
	// can't be taken back, sorted. Nil: not looked at.
	Irreversible []string `json:"irreversible"`
	// Invalid says that the extra tokens or the catalogue must be refused: there
	// is no scan, and so an escalation.
	Invalid bool `json:"invalid"`
}

// Reason is a reason to escalate. Of an expected one, only what is set is
// compared.
type Reason struct {
	Kind   string  `json:"kind"`
	Token  *string `json:"token,omitempty"`
	File   *string `json:"file,omitempty"`
	Offset *int    `json:"offset,omitempty"` // of the byte in the file at which it begins
	Via    *string `json:"via,omitempty"`    // behind what it was hidden; "" if it stands there as it is
}

// SnapshotVector is an artefact and its digest.
type SnapshotVector struct {
	File   string         `json:"-"` // in FS
	Name   string         `json:"name"`
	Files  []ArtefactFile `json:"files"`
	Expect SnapshotExpect `json:"expect"`
}

// SnapshotExpect is the digest, nil if there must be none.
type SnapshotExpect struct {
	Digest *string `json:"digest"`
}

// ID names the vector among all corpora.
func (v *PromotionVector) ID() string { return Promotion + "/" + v.Name }

// ID names the vector among all corpora.
func (v *TripwireVector) ID() string { return Tripwire + "/" + v.Name }

// ID names the vector among all corpora.
func (v *SnapshotVector) ID() string { return Snapshot + "/" + v.Name }

// Promotions returns the vectors of the promotion gate's decision, in the order
// of their files.
func Promotions() ([]PromotionVector, error) {
	return readAll("promotion/decide/*.json", func(v *PromotionVector, file string) { v.File = file })
}

// Tripwires returns the vectors of the tripwire, in the order of their files.
func Tripwires() ([]TripwireVector, error) {
	return readAll("promotion/tripwire/*.json", func(v *TripwireVector, file string) { v.File = file })
}

// Snapshots returns the vectors of snapshots, in the order of their files.
func Snapshots() ([]SnapshotVector, error) {
	return readAll("promotion/snapshot/*.json", func(v *SnapshotVector, file string) { v.File = file })
}
