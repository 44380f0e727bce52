package promotion

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
)

// Key is a public key that may sign evidence.
type Key struct {
	// ID is the hexadecimal SHA-256 of the key's DER form (SubjectPublicKeyInfo).
	ID     string
	Public ed25519.PublicKey // 32 bytes
}

// spki is how the DER form of every Ed25519 public key begins (RFC 8410,
// section 4); the key's 32 bytes follow and end it. crypto/x509 would read it,
// too, but reaches the network.
var spki = []byte{0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00}

// KeyOf returns the key with its ID. Public must have 32 bytes.
func KeyOf(public ed25519.PublicKey) Key {
	sum := sha256.Sum256(append(slices.Clip(spki), public...))
	return Key{ID: hex.EncodeToString(sum[:]), Public: slices.Clone(public)}
}

// PEM returns the key as the text of a file that [ParseKey] reads.
func (k Key) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: append(slices.Clip(spki), k.Public...)})
}

// ParseKey reads an Ed25519 public key in PEM ("BEGIN PUBLIC KEY"), as `openssl
// pkey -pubout` writes it: exactly one, and nothing beside it.
func ParseKey(src []byte) (Key, error) {
	text := bytes.TrimSpace(src)
	if bytes.Contains(text, []byte("PRIVATE KEY-----")) {
		return Key{}, errors.New("this is a private key: it must never stand beside a policy, nor anywhere else where others read; take another key pair, and put the public key here (openssl pkey -in KEY -pubout)")
	}
	if !bytes.HasPrefix(text, []byte("-----BEGIN ")) {
		return Key{}, errors.New("it isn't a public key in PEM, which begins with -----BEGIN PUBLIC KEY-----")
	}
	block, rest := pem.Decode(text)
	switch {
	case block == nil:
		return Key{}, errors.New("it isn't valid PEM")
	case block.Type != "PUBLIC KEY":
		return Key{}, fmt.Errorf("it holds a %s, not a PUBLIC KEY", block.Type)
	case len(rest) > 0:
		return Key{}, errors.New("something follows the key: a file holds one key and nothing else")
	case len(block.Headers) > 0:
		return Key{}, errors.New("its PEM has headers: a public key has none")
	case !bytes.Equal(unbroken(text), unbroken(pem.EncodeToMemory(block))):
		return Key{}, errors.New("it isn't PEM as it is always written: something stands before or inside of it")
	}
	der := block.Bytes
	switch size := len(spki) + ed25519.PublicKeySize; {
	case bytes.HasPrefix(der, spki) && len(der) > size:
		return Key{}, errors.New("something follows the key in its DER form")
	case !bytes.HasPrefix(der, spki) || len(der) != size:
		return Key{}, errors.New("it isn't an Ed25519 public key, the only kind that signs evidence (openssl genpkey -algorithm ed25519)")
	}
	k := KeyOf(der[len(spki):])
	if k.weak() {
		return Key{}, errors.New("it is a weak key, for which anybody can make signatures")
	}
	return k, nil
}

// unbroken is PEM without its line breaks, which some editors write as CRLF.
func unbroken(text []byte) []byte {
	return bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
}

// weak reports whether the key is a point of small order: whatever is signed,
// one of a few signatures that need no private key is valid.
func (k Key) weak() bool {
	// The y coordinates, little-endian, of all points of an order that divides
	// 8; the last three are also written above the field's prime.
	const (
		zero   = "0000000000000000000000000000000000000000000000000000000000000000"
		one    = "0100000000000000000000000000000000000000000000000000000000000000"
		eight  = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
		eight2 = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
		minus  = "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
		prime  = "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
		prime1 = "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
	)
	y := slices.Clone(k.Public)
	y[31] &= 0x7f // the sign of x
	switch hex.EncodeToString(y) {
	case zero, one, eight, eight2, minus, prime, prime1:
		return true
	default:
		return false
	}
}
