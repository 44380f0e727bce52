package evidence

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/pawlgate/pawl/promotion"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

// Sign makes the envelope of a statement, which must be a valid one. The same
// statement and key give the same bytes.
func Sign(statement []byte, private ed25519.PrivateKey) (envelope []byte, err error) {
	if len(private) != ed25519.PrivateKeySize {
		return nil, fmt.Errorf("an Ed25519 private key has %d bytes, not %d", ed25519.PrivateKeySize, len(private))
	}
	if _, err := promotion.ParseStatement(statement); err != nil {
		return nil, err
	}
	s, err := dsse.NewEnvelopeSigner(signer(private))
	if err != nil {
		return nil, err
	}
	e, err := s.SignPayload(context.Background(), promotion.EvidencePayload, statement)
	if err != nil {
		return nil, err
	}
	return appendEnvelope(nil, e), nil
}

// signer lets the library sign with a key.
type signer ed25519.PrivateKey

// Sign signs data.
func (s signer) Sign(_ context.Context, data []byte) ([]byte, error) {
	return ed25519.Sign(ed25519.PrivateKey(s), data), nil
}

// KeyID returns the ID of the public key.
func (s signer) KeyID() (string, error) {
	public, ok := ed25519.PrivateKey(s).Public().(ed25519.PublicKey)
	if !ok {
		return "", errors.New("the key has no public part")
	}
	return promotion.KeyOf(public).ID, nil
}

// ReadPrivateKey reads the text of a private key file, as `openssl genpkey
// -algorithm ed25519` writes it: PKCS#8 in PEM, without a password.
func ReadPrivateKey(text []byte) (ed25519.PrivateKey, error) {
	block, rest := pem.Decode(bytes.TrimSpace(text))
	switch {
	case block == nil:
		return nil, errors.New("it isn't a private key in PEM, which begins with -----BEGIN PRIVATE KEY-----")
	case block.Type == "PUBLIC KEY":
		return nil, errors.New("it is a public key: signing needs the private one")
	case block.Type == "ENCRYPTED PRIVATE KEY":
		return nil, errors.New("it is locked by a password, which isn't supported: openssl pkey -in KEY writes it without")
	case block.Type != "PRIVATE KEY":
		return nil, fmt.Errorf("it holds a %s, not a PRIVATE KEY (openssl genpkey -algorithm ed25519)", block.Type)
	case len(bytes.TrimSpace(rest)) > 0:
		return nil, errors.New("something follows the key: a file holds one key and nothing else")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("it isn't a private key in PKCS#8 form") // what x509 says could quote the key
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("it isn't an Ed25519 private key, the only kind that signs evidence (openssl genpkey -algorithm ed25519)")
	}
	return private, nil
}
