package evidence_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"os"
	"testing"
	"time"

	"github.com/pawlgate/pawl/internal/evidence"
	"github.com/pawlgate/pawl/promotion"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

const digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// now is while the statement of testdata hasn't expired.
var now = time.Date(2026, 12, 30, 23, 59, 59, 999_999_999, time.UTC)

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// signing returns the key pair of testdata, that of RFC 8410.
func signing(t testing.TB) (ed25519.PrivateKey, promotion.Key) {
	t.Helper()
	private, err := evidence.ReadPrivateKey(readFile(t, "rfc8410.pem"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := promotion.ParseKey(readFile(t, "rfc8410.pub"))
	if err != nil {
		t.Fatal(err)
	}
	return private, key
}

// another returns a key pair that differs for each n.
func another(n byte) (ed25519.PrivateKey, promotion.Key) {
	seed := make([]byte, ed25519.SeedSize)
	seed[0] = n
	private := ed25519.NewKeyFromSeed(seed)
	return private, promotion.KeyOf(ed25519.PublicKey(private[ed25519.SeedSize:]))
}

// raw puts whatever it is into an envelope, validly signed.
func raw(private ed25519.PrivateKey, payloadType, payload string) string {
	sig := ed25519.Sign(private, dsse.PAE(payloadType, []byte(payload)))
	return `{"payloadType":"` + payloadType + `","payload":"` + base64.StdEncoding.EncodeToString([]byte(payload)) +
		`","signatures":[{"sig":"` + base64.StdEncoding.EncodeToString(sig) + `"}]}`
}
