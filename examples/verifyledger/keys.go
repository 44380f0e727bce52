package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// key is a public key and the sizes for which it signs.
type key struct {
	name        string
	id          string // four bytes
	public      ed25519.PublicKey
	first, last int64
}

// strictBase64 takes base64 in its one form.
func strictBase64(s string) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err == nil && base64.StdEncoding.EncodeToString(b) != s {
		err = errors.New("base64 in another form")
	}
	return b, err
}

// parseKeys reads a line for each key: name+id+base64, and the sizes, if it has such.
func parseKeys(text string) ([]key, error) {
	var keys []key
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || len(fields) > 3 {
			return nil, fmt.Errorf("no key: %q", line)
		}
		parts := strings.SplitN(fields[0], "+", 3) // base64 may hold a plus, too
		if len(parts) != 3 {
			return nil, fmt.Errorf("no key: %q", fields[0])
		}
		public, err := strictBase64(parts[2])
		if err != nil || len(public) != 33 || public[0] != 1 {
			return nil, fmt.Errorf("no Ed25519 key: %q", fields[0])
		}
		sum := sha256.Sum256([]byte(parts[0] + "\n" + string(public)))
		if hex.EncodeToString(sum[:4]) != parts[1] {
			return nil, fmt.Errorf("the id isn't that of the key: %q", fields[0])
		}
		k := key{name: parts[0], id: string(sum[:4]), public: ed25519.PublicKey(public[1:]), last: math.MaxInt64}
		for i, limit := range []*int64{&k.first, &k.last} {
			if i+1 < len(fields) {
				if *limit, err = strconv.ParseInt(fields[i+1], 10, 64); err != nil || *limit < 0 {
					return nil, fmt.Errorf("no size: %q", fields[i+1])
				}
			}
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return nil, errors.New("no keys")
	}
	return keys, nil
}

// opened checks the signatures of a signed note and returns its body. One key
// that is good for the size must have signed, and each signature by such a key
// must hold; those of others count for nothing.
func opened(signed string, size int64, keys []key) (body string, err error) {
	body, sigs, ok := strings.Cut(signed, "\n\n")
	body += "\n"
	lines := strings.Split(body, "\n")
	if !ok || !utf8.ValidString(signed) || len(lines) < 4 || !strings.HasSuffix(sigs, "\n") || strings.Count(sigs, "\n") > 100 ||
		strings.ContainsFunc(strings.ReplaceAll(signed, "\n", ""), func(r rune) bool { return r < 0x20 }) {
		return "", errors.New("no signed checkpoint")
	}
	by := map[string]bool{}
	for line := range strings.Lines(sigs) {
		rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "— ")
		name, b64, ok2 := strings.Cut(rest, " ")
		raw, err := strictBase64(b64)
		if !ok || !ok2 || err != nil || len(raw) < 5 || badName(name) {
			return "", errors.New("no signature line")
		}
		for _, k := range keys {
			if k.name != lines[0] || name != k.name || string(raw[:4]) != k.id || size < k.first || size > k.last {
				continue
			}
			if !ed25519.Verify(k.public, []byte(body), raw[4:]) {
				return "", errors.New("a signature doesn't hold")
			}
			if by[k.id] {
				return "", errors.New("a key signed twice")
			}
			by[k.id] = true
			break // the key may be listed again, with other sizes
		}
	}
	if len(by) == 0 {
		return "", errors.New("signed by no key that is known and good for this size")
	}
	return body, nil
}

func badName(s string) bool {
	return s == "" || strings.Contains(s, "+") || strings.ContainsFunc(s, unicode.IsSpace)
}
