package ledger

// Kind says what an [Entry] records. The list is closed: an entry of another
// kind can't be encoded.
type Kind string

// The kinds of entries.
const (
	KindDecision       Kind = "decision"        // a gate decided
	KindFault          Kind = "fault"           // a gate was asked and could not trust the question
	KindEvent          Kind = "event"           // an act on an item under review
	KindPermitGranted  Kind = "permit_granted"  // an executor redeemed it and is about to act
	KindPermitReported Kind = "permit_reported" // the executor said how it ended
	KindPermitVoided   Kind = "permit_voided"   // it can't be redeemed any more
	KindGateState      Kind = "gate_state"      // live, supervised, stopped; shadow and ramp
	KindPolicy         Kind = "policy"          // a policy version was added, activated, rolled back
	KindLabel          Kind = "label"           // what turned out to be right
	KindCertificate    Kind = "certificate"     // a statistical certificate was issued, activated, lapsed
	KindSignIn         Kind = "sign_in"         // somebody signed in
	KindSignInFailed   Kind = "sign_in_failed"  // somebody tried to
	KindUser           Kind = "user"            // an account was made, changed, closed
	KindRole           Kind = "role"            // a role was given or taken
	KindKey            Kind = "key"             // an API key was made or revoked
	KindExport         Kind = "export"          // data left by an export
	KindErasure        Kind = "erasure"         // bodies and their salts were erased
	KindLegalHold      Kind = "legal_hold"      // erasing was forbidden, or allowed again
	KindKeyRotation    Kind = "key_rotation"    // another key signs from here on; see Rotation
	KindStart          Kind = "start"           // a process began to write: its version and configuration
	KindRestore        Kind = "restore"         // the database was put back from a backup
)

// needs lists what an entry of each kind can't do without, as the names in its
// JSON form. A name with a dot is a member of that object. Whatever else an
// entry carries is up to the writer.
var needs = map[Kind][]string{
	KindDecision:       {"gate", "verdict"},
	KindFault:          {"gate", "act"},
	KindEvent:          {"act", "ids.item", "person"},
	KindPermitGranted:  {"ids.item", "ids.permit"},
	KindPermitReported: {"act", "ids.item", "ids.permit"},
	KindPermitVoided:   {"act", "ids.item", "ids.permit"},
	KindGateState:      {"gate", "act", "person"},
	KindPolicy:         {"gate", "act", "digests.policy", "person"},
	KindLabel:          {"ids.item"},
	KindCertificate:    {"gate", "act"},
	KindSignIn:         {"person"},
	KindSignInFailed:   nil,
	KindUser:           {"act", "person"},
	KindRole:           {"act", "person"},
	KindKey:            {"act", "person"},
	KindExport:         {"person"},
	KindErasure:        {"act", "person"},
	KindLegalHold:      {"act", "person"},
	KindKeyRotation:    {"statement"},
	KindStart:          {"digests.config", "versions.engine"},
	KindRestore:        nil,
}

// Valid reports whether k is one of the kinds above.
func (k Kind) Valid() bool {
	_, ok := needs[k]
	return ok
}

// Known says how the person of an [Entry] was known.
type Known string

// The ways in which a person is known.
const (
	KnownOIDC     Known = "oidc"     // signed in at an identity provider
	KnownPassword Known = "password" // signed in here
	KnownKey      Known = "key"      // by a key, which has a human owner
	KnownAsserted Known = "asserted" // a name handed to the library or the command line
)

// Valid reports whether k is one of the four ways.
func (k Known) Valid() bool {
	switch k {
	case KnownOIDC, KnownPassword, KnownKey, KnownAsserted:
		return true
	}
	return false
}
