package evidence

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"errors"
	"fmt"
	"time"

	"github.com/pawlgate/pawl/promotion"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

// Open opens an envelope: it counts if one of the keys signed it, and it is
// about the snapshot with that digest, and it hasn't expired. What doesn't
// count says nothing but why. An empty envelope stands for none. now
// is the time at which it must count.
func Open(envelope []byte, keys []promotion.Key, digest string, now time.Time) promotion.Evidence {
	ev, err := open(envelope, keys, digest, now)
	if err != nil {
		return promotion.Evidence{Fault: err.Error(), Malformed: errors.As(err, new(malformedError))}
	}
	return *ev
}

// malformedError is about what isn't evidence at all.
type malformedError struct{ error }

// Unwrap returns what is wrong.
func (e malformedError) Unwrap() error { return e.error }

var (
	errMissing = errors.New("there is no evidence")
	errNoKeys  = errors.New("the policy lists no evidence key, so that nobody can sign any")
	errNoSnap  = errors.New("the artefact has no snapshot digest, so that no evidence can be for it")
)

func open(envelope []byte, keys []promotion.Key, digest string, now time.Time) (*promotion.Evidence, error) {
	if len(bytes.TrimSpace(envelope)) == 0 {
		return nil, errMissing
	}
	if len(keys) == 0 {
		return nil, errNoKeys
	}
	e, err := parse(envelope)
	switch {
	case err != nil:
		return nil, malformedError{fmt.Errorf("the evidence isn't a DSSE envelope: %w", err)}
	case len(e.Signatures) == 0:
		return nil, errors.New("the evidence is unsigned")
	case e.PayloadType != promotion.EvidencePayload:
		return nil, fmt.Errorf("the envelope is no evidence: its payload type is %q, not %q", e.PayloadType, promotion.EvidencePayload)
	}
	key, payload, err := verify(e, keys)
	if err != nil {
		return nil, err
	}
	s, err := promotion.ParseStatement(payload)
	switch {
	case errors.Is(err, promotion.ErrForeignStatement):
		return nil, fmt.Errorf("the signed statement is of another kind: %w", err)
	case err != nil:
		return nil, malformedError{fmt.Errorf("the signed statement is malformed: %w", err)}
	case digest == "":
		return nil, errNoSnap
	case !s.About(digest):
		return nil, fmt.Errorf("the evidence is for another snapshot: for %s, and this one is %s", s.Digests(), digest)
	case !now.Before(s.Expires):
		return nil, fmt.Errorf("the evidence expired at %s", s.Expires.Format(time.RFC3339Nano))
	}
	return &promotion.Evidence{Inputs: s.Inputs, Digest: digest, Key: key, Expires: s.Expires}, nil
}

// verify returns the payload and the ID of the first key that signed it.
func verify(e *dsse.Envelope, keys []promotion.Key) (key string, payload []byte, err error) {
	var verifiers []dsse.Verifier
	seen := map[string]bool{}
	for _, k := range keys {
		if len(k.Public) != ed25519.PublicKeySize || seen[k.ID] { // no key that a policy lists
			continue
		}
		seen[k.ID] = true
		verifiers = append(verifiers, verifier{k})
	}
	v, err := dsse.NewEnvelopeVerifier(verifiers...)
	if err != nil {
		return "", nil, errNoKeys
	}
	accepted, payload, err := v.VerifyAndDecode(context.Background(), e)
	if err != nil || len(accepted) == 0 {
		return "", nil, errors.New("no key that the policy lists has signed the evidence")
	}
	return accepted[0].KeyID, payload, nil
}

// verifier lets the library verify with a key.
type verifier struct{ key promotion.Key }

var errSignature = errors.New("the signature isn't this key's")

// Verify verifies a signature of data.
func (v verifier) Verify(_ context.Context, data, sig []byte) error {
	if !ed25519.Verify(v.key.Public, data, sig) {
		return errSignature
	}
	return nil
}

// KeyID returns the key's ID.
func (v verifier) KeyID() (string, error) { return v.key.ID, nil }

// Public returns the key itself.
func (v verifier) Public() crypto.PublicKey { return v.key.Public }
