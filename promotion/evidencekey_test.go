package promotion_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/promotion"
)

// keyPrefix is how the DER form of an Ed25519 public key begins.
const keyPrefix = "302a300506032b6570032100"

func derOf(t testing.TB, prefix string, key []byte) []byte {
	t.Helper()
	head, err := hex.DecodeString(prefix)
	if err != nil {
		t.Fatal(err)
	}
	return append(head, key...)
}

func pemOf(label string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: label, Bytes: der}))
}

// private is the key pair of these tests.
func private() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
}

func public(t testing.TB) ed25519.PublicKey {
	t.Helper()
	key, ok := private().Public().(ed25519.PublicKey)
	if !ok {
		t.Fatal("no public key")
	}
	return key
}

func TestParseKeyReadsWhatOpenSSLWrites(t *testing.T) {
	// openssl pkey -pubout, and openssl pkey -pubout -outform DER | sha256sum.
	const file = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA2K62DY/d3aTgzGMN5VWmgMxF0/WJWzctsE0LrDO4G3I=\n-----END PUBLIC KEY-----\n"
	const id = "0df12bf85ff2f319e7157ed987be4bddc48a426aea87ef1156281bf457642206"
	for name, text := range map[string]string{
		"as it is": file, "CRLF": strings.ReplaceAll(file, "\n", "\r\n"), "no last line break": strings.TrimSuffix(file, "\n"), "blank lines around": "\n\n" + file + "\n\n",
	} {
		key, err := promotion.ParseKey([]byte(text))
		if err != nil || key.ID != id || hex.EncodeToString(key.Public) != "d8aeb60d8fdddda4e0cc630de555a680cc45d3f5895b372db04d0bac33b81b72" {
			t.Errorf("%s: %+v %v", name, key, err)
			continue
		}
		if string(key.PEM()) != file {
			t.Errorf("%s: written as %s", name, key.PEM())
		}
	}
}

func TestParseKeyRefusesWhatIsNoKeyOrMoreThanOne(t *testing.T) {
	key := public(t)
	good := pemOf("PUBLIC KEY", derOf(t, keyPrefix, key))
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "it isn't a public key in PEM"},
		{"text", "hello", "it isn't a public key in PEM"},
		{"a private key", pemOf("PRIVATE KEY", key), "this is a private key"},
		{"a private key of OpenSSH", pemOf("OPENSSH PRIVATE KEY", key), "this is a private key"},
		{"a locked private key", pemOf("ENCRYPTED PRIVATE KEY", key), "this is a private key"},
		{"a private key after a public one", good + pemOf("PRIVATE KEY", key), "this is a private key"},
		{"a private key before a public one", pemOf("PRIVATE KEY", key) + good, "this is a private key"},
		{"a certificate", pemOf("CERTIFICATE", key), "it holds a CERTIFICATE"},
		{"two keys", good + good, "something follows the key"},
		{"text after the key", good + "mine", "something follows the key"},
		{"text before the key", "mine\n" + good, "it isn't a public key in PEM"},
		{"a header", strings.Replace(good, "-----\n", "-----\nComment: mine\n\n", 1), "its PEM has headers"},
		{"a blank in the base64", strings.Replace(good, "MCow", "MC ow", 1), "something stands before or inside of it"},
		{"another line length", strings.Replace(good, "MCow", "MCow\n", 1), "something stands before or inside of it"},
		{"no end", strings.Replace(good, "-----END", "", 1), "it isn't valid PEM"},
		{"an empty block", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n", "it isn't"},
		{"trailing bytes", pemOf("PUBLIC KEY", append(derOf(t, keyPrefix, key), 0)), "something follows the key in its DER form"},
		{"too short", pemOf("PUBLIC KEY", derOf(t, keyPrefix, key[1:])), "it isn't an Ed25519 public key"},
		{"the bare key", pemOf("PUBLIC KEY", key), "it isn't an Ed25519 public key"},
		{"X25519", pemOf("PUBLIC KEY", derOf(t, "302a300506032b656e032100", key)), "it isn't an Ed25519 public key"},
		{"parameters", pemOf("PUBLIC KEY", derOf(t, "302c300706032b65700500032100", key)), "it isn't an Ed25519 public key"},
	} {
		got, err := promotion.ParseKey([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if got.ID != "" || got.Public != nil {
			t.Errorf("%s: a key comes with the error", c.name)
		}
	}
}

// A key of small order is none: this signature, which needs no private key, is
// valid for one in eight messages or more.
func TestParseKeyRefusesKeysForWhichAnybodyCanSign(t *testing.T) {
	forged := make([]byte, ed25519.SignatureSize)
	forged[0] = 1
	forgeable := func(key []byte) bool {
		for i := range 64 {
			if ed25519.Verify(key, []byte{byte(i)}, forged) {
				return true
			}
		}
		return false
	}
	refused := func(key []byte) bool {
		_, err := promotion.ParseKey([]byte(pemOf("PUBLIC KEY", derOf(t, keyPrefix, key))))
		return err != nil && strings.Contains(err.Error(), "weak key")
	}
	weak := 0
	for _, y := range []string{
		strings.Repeat("00", 32), "01" + strings.Repeat("00", 31),
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
		"ec" + strings.Repeat("ff", 30) + "7f", "ed" + strings.Repeat("ff", 30) + "7f", "ee" + strings.Repeat("ff", 30) + "7f",
	} {
		for _, sign := range []byte{0, 0x80} {
			key, err := hex.DecodeString(y)
			if err != nil {
				t.Fatal(err)
			}
			key[31] |= sign
			if forgeable(key) {
				weak++
			}
			if !refused(key) {
				t.Errorf("%x is taken", key)
			}
		}
	}
	if weak < 10 { // some with the sign of x = 0 are no points
		t.Errorf("only %d of the keys are forgeable: the test is blind", weak)
	}
	// Every other small y, and every y near the prime, is either no forgeable
	// key or refused.
	for i := range 32 {
		low, high := make([]byte, 32), bytes.Repeat([]byte{0xff}, 32)
		low[0], high[0], high[31] = byte(i), byte(255-i), 0x7f
		for _, key := range [][]byte{low, high} {
			if forgeable(key) && !refused(key) {
				t.Errorf("%x is forgeable and taken", key)
			}
		}
	}
	if key := public(t); forgeable(key) || refused(key) {
		t.Error("an honest key is refused")
	}
}

func TestKeyOfHoldsACopy(t *testing.T) {
	raw := slices.Clone(public(t))
	key := promotion.KeyOf(raw)
	sum := sha256.Sum256(derOf(t, keyPrefix, raw))
	if want := fmt.Sprintf("%x", sum); key.ID != want {
		t.Errorf("id %s, want %s", key.ID, want)
	}
	raw[0] ^= 1
	if !bytes.Equal(key.Public, public(t)) {
		t.Error("a caller changed the key")
	}
	// What one key's ID is made of must not end up in another's.
	if promotion.KeyOf(raw).ID == key.ID || promotion.KeyOf(public(t)).ID != key.ID {
		t.Error("ids don't tell keys apart")
	}
}

func FuzzParseKey(f *testing.F) {
	f.Add([]byte(pemOf("PUBLIC KEY", derOf(f, keyPrefix, public(f)))))
	f.Add([]byte(pemOf("PRIVATE KEY", []byte("x"))))
	f.Add([]byte("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----"))
	f.Fuzz(func(t *testing.T, src []byte) {
		key, err := promotion.ParseKey(src)
		if err != nil {
			return
		}
		// One key has one text, but for line breaks and blanks around it.
		if want := bytes.TrimSpace(bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))); !bytes.Equal(bytes.TrimSpace(key.PEM()), want) {
			t.Errorf("%q is read as %q", src, key.PEM())
		}
		if again, err := promotion.ParseKey(key.PEM()); err != nil || again.ID != key.ID {
			t.Errorf("%q: %v", key.PEM(), err)
		}
	})
}
