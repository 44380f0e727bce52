package evidence_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"os/exec"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/evidence"
	"github.com/pawlgate/pawl/promotion"
)

// Ed25519 signs the same bytes always the same way, so that we write to the
// byte what testdata/make.sh wrote with openssl.
func TestSignWritesWhatOpenSSLWrote(t *testing.T) {
	private, key := signing(t)
	got, err := evidence.Sign(readFile(t, "statement.json"), private)
	if err != nil {
		t.Fatal(err)
	}
	if want := bytes.TrimSpace(readFile(t, "envelope.json")); !bytes.Equal(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
	if !strings.Contains(string(got), `"keyid":"`+key.ID+`"`) {
		t.Error("the key isn't named")
	}
}

func TestSignRefusesWhatWouldNotCount(t *testing.T) {
	private, _ := signing(t)
	whole := string(readFile(t, "statement.json"))
	for _, c := range []struct{ name, statement, want string }{
		{"nothing", "", "isn't valid JSON"},
		{"another predicate", strings.Replace(whole, "promotion-evidence", "provenance", 1), "predicateType is"},
		{"a tripwire", strings.Replace(whole, `"gate4Armed"`, `"tripwire": {}, "gate4Armed"`, 1), "can't hold a tripwire"},
		{"no expiry", strings.Replace(whole, `"expires"`, `"expired"`, 1), "expires is missing"},
		{"a slip", strings.Replace(whole, `"oracle"`, `"oracel"`, 1), "oracel"},
	} {
		if envelope, err := evidence.Sign([]byte(c.statement), private); err == nil || envelope != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, key := range [][]byte{nil, private[:32], append(bytes.Clone(private), 0)} {
		if _, err := evidence.Sign([]byte(whole), key); err == nil {
			t.Errorf("a key of %d bytes is taken", len(key))
		}
	}
}

func TestReadPrivateKey(t *testing.T) {
	file := string(readFile(t, "rfc8410.pem"))
	public := string(readFile(t, "rfc8410.pub"))
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(curve)
	if err != nil {
		t.Fatal(err)
	}
	block := func(label string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: label, Bytes: der}))
	}
	for _, c := range []struct{ name, text, want string }{
		{"as it is", file, ""},
		{"CRLF", strings.ReplaceAll(file, "\n", "\r\n"), ""},
		{"nothing", "", "it isn't a private key in PEM"},
		{"text", "hello", "it isn't a private key in PEM"},
		{"a public key", public, "it is a public key"},
		{"locked", block("ENCRYPTED PRIVATE KEY", der), "it is locked by a password"},
		{"of OpenSSH", block("OPENSSH PRIVATE KEY", der), "it holds a OPENSSH PRIVATE KEY"},
		{"two", file + file, "something follows the key"},
		{"a broken one", block("PRIVATE KEY", der[1:]), "it isn't a private key in PKCS#8 form"},
		{"another algorithm", block("PRIVATE KEY", der), "it isn't an Ed25519 private key"},
	} {
		key, err := evidence.ReadPrivateKey([]byte(c.text))
		switch {
		case c.want == "" && (err != nil || len(key) != 64):
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || key != nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestReadPrivateKeyReadsWhatOpenSSLMakes(t *testing.T) {
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Log("there is no openssl: the key of RFC 8410 has to do")
		return
	}
	text, err := exec.CommandContext(t.Context(), openssl, "genpkey", "-algorithm", "ed25519").Output()
	if err != nil {
		t.Fatal(err)
	}
	private, err := evidence.ReadPrivateKey(text)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), openssl, "pkey", "-pubout")
	cmd.Stdin = bytes.NewReader(text)
	public, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	key, err := promotion.ParseKey(public)
	if err != nil || !bytes.Equal(key.Public, private[32:]) {
		t.Errorf("%v", err)
	}
}
