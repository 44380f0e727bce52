package ledger_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This is a second verifier, written from docs/ledger.md and nothing else. It
// is short rather than quick, keeps the whole tree, and says yes or no. It must
// not use the package ledger, tlog or note.

type secondKey struct {
	name        string
	id          []byte
	public      ed25519.PublicKey
	first, last int
}

func secondBase64(s string) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err == nil && base64.StdEncoding.EncodeToString(b) != s {
		err = errors.New("base64 in another form")
	}
	return b, err
}

func secondNumber(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err == nil && strconv.Itoa(n) != s || n < 0 {
		err = errors.New("a number in another form")
	}
	return n, err
}

func secondKeys(text string) ([]secondKey, error) {
	var keys []secondKey
	for line := range strings.Lines(text) {
		var k secondKey
		fields := strings.Fields(line)
		parts := strings.Split(fields[0], "+")
		// A base64 text may hold a plus, too.
		name, id, b64 := parts[0], parts[1], strings.Join(parts[2:], "+")
		public, err := secondBase64(b64)
		if err != nil || len(public) != 33 || public[0] != 1 {
			return nil, errors.New("no key")
		}
		sum := sha256.Sum256([]byte(name + "\n" + string(public)))
		if hex.EncodeToString(sum[:4]) != id {
			return nil, errors.New("another id")
		}
		k = secondKey{name: name, id: sum[:4], public: ed25519.PublicKey(public[1:]), last: 1 << 62}
		if len(fields) > 1 {
			if k.first, err = secondNumber(fields[1]); err != nil {
				return nil, err
			}
		}
		if len(fields) > 2 {
			if k.last, err = secondNumber(fields[2]); err != nil {
				return nil, err
			}
		}
		keys = append(keys, k)
	}
	return keys, nil
}

func secondRoot(hashes [][]byte) []byte {
	switch n := len(hashes); n {
	case 0:
		sum := sha256.Sum256(nil)
		return sum[:]
	case 1:
		return hashes[0]
	default:
		k := 1
		for 2*k < n {
			k *= 2
		}
		sum := sha256.Sum256(bytes.Join([][]byte{{1}, secondRoot(hashes[:k]), secondRoot(hashes[k:])}, nil))
		return sum[:]
	}
}

// secondVerify takes the known checkpoints as roots by size.
func secondVerify(export string, keys []secondKey, known map[int]string) error {
	if export == "" || !strings.HasSuffix(export, "\n") {
		return errors.New("the last line doesn't end")
	}
	var hashes [][]byte
	agree := func() bool {
		root, ok := known[len(hashes)]
		return !ok || root == base64.StdEncoding.EncodeToString(secondRoot(hashes))
	}
	if !agree() {
		return errors.New("not the known root")
	}
	ended := false
	for i, line := range strings.Split(strings.TrimSuffix(export, "\n"), "\n") {
		ended = strings.HasPrefix(line, `{"checkpoint":`)
		if ended {
			if err := secondCheckpoint(line, hashes, keys); err != nil {
				return fmt.Errorf("line %d: %w", i+1, err)
			}
			continue
		}
		at := fmt.Sprintf(`","index":%d,"leaf":`, len(hashes))
		if len(line) < 9+44+len(at)+3 || line[:9] != `{"hash":"` || line[53:53+len(at)] != at || line[len(line)-1] != '}' {
			return fmt.Errorf("line %d: not the leaf %d", i+1, len(hashes))
		}
		sum := sha256.Sum256([]byte("\x00" + line[53+len(at):len(line)-1]))
		if line[9:53] != base64.StdEncoding.EncodeToString(sum[:]) {
			return fmt.Errorf("line %d: another hash", i+1)
		}
		hashes = append(hashes, sum[:])
		if !agree() {
			return errors.New("not the known root")
		}
	}
	if !ended {
		return errors.New("the last line is no checkpoint")
	}
	for size := range known {
		if size > len(hashes) {
			return errors.New("a known checkpoint is larger")
		}
	}
	return nil
}

var (
	secondEscape   = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	secondUnescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n")
)

func secondCheckpoint(line string, hashes [][]byte, keys []secondKey) error {
	text, ok := strings.CutPrefix(line, `{"checkpoint":"`)
	text, ok2 := strings.CutSuffix(text, `"}`)
	signed := secondUnescape.Replace(text)
	if !ok || !ok2 || secondEscape.Replace(signed) != text || !utf8.ValidString(signed) || len(signed) > 131072 {
		return errors.New("no checkpoint")
	}
	for _, r := range signed {
		if r < 0x20 && r != '\n' {
			return errors.New("a control character")
		}
	}
	body, sigs, ok := strings.Cut(signed, "\n\n")
	if !ok || sigs == "" || !strings.HasSuffix(sigs, "\n") {
		return errors.New("no signatures")
	}
	body += "\n"
	lines := strings.Split(body, "\n")
	if len(lines) < 4 || lines[0] == "" || strings.Contains(lines[0], "+") || strings.IndexFunc(lines[0], unicode.IsSpace) >= 0 {
		return errors.New("no origin")
	}
	size, err := secondNumber(lines[1])
	if err != nil || size != len(hashes) {
		return errors.New("another size")
	}
	if lines[2] != base64.StdEncoding.EncodeToString(secondRoot(hashes)) {
		return errors.New("another root")
	}
	if strings.Count(sigs, "\n") > 100 {
		return errors.New("too many signatures")
	}
	by := map[string]bool{}
	for sig := range strings.Lines(sigs) {
		rest, ok := strings.CutPrefix(strings.TrimSuffix(sig, "\n"), "— ")
		name, b64, ok2 := strings.Cut(rest, " ")
		raw, err := secondBase64(b64)
		if !ok || !ok2 || err != nil || len(raw) < 5 || name == "" || strings.Contains(name, "+") || strings.IndexFunc(name, unicode.IsSpace) >= 0 {
			return errors.New("no signature line")
		}
		for _, k := range keys {
			if k.name != lines[0] || name != k.name || !bytes.Equal(raw[:4], k.id) || size < k.first || size > k.last {
				continue
			}
			if !ed25519.Verify(k.public, []byte(body), raw[4:]) {
				return errors.New("a signature doesn't hold")
			}
			if by[string(k.id)] {
				return errors.New("a key signed twice")
			}
			by[string(k.id)] = true
			break // the key may be listed again, with other sizes
		}
	}
	if len(by) == 0 {
		return errors.New("no signature by a known key")
	}
	return nil
}
