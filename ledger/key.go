package ledger

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// Key is a public key and the sizes of the log for which it signs. Where a key
// takes over from another one, both are good for the size at which they change.
type Key struct {
	Verifier note.Verifier
	// First and Last bound the sizes of the checkpoints that the key may sign,
	// both included. Last 0 means without end.
	First, Last int64
}

func (k Key) is(name string, id uint32) bool {
	return k.Verifier.Name() == name && k.Verifier.KeyHash() == id
}

func (k Key) covers(size int64) bool {
	return size >= k.First && (k.Last == 0 || size <= k.Last)
}

func (k Key) span() string {
	if k.Last == 0 {
		return fmt.Sprintf("the sizes from %d on", k.First)
	}
	return fmt.Sprintf("the sizes from %d to %d", k.First, k.Last)
}

// ParseKeys reads a list of keys, one on a line: a verifier key of C2SP
// signed-note (origin+id+base64), and after it, if the key isn't good for
// every size, the first and the last size that it signs; without a last one it
// is good from the first on. Empty lines and those that begin with # say
// nothing. All keys must bear one name, the origin of the log.
func ParseKeys(text string) ([]Key, error) {
	var keys []Key
	var errs []error
	for i, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		k, err := parseKey(fields)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("ledger: line %d of the keys: %w", i+1, err))
			continue
		case len(keys) > 0 && k.Verifier.Name() != keys[0].Verifier.Name():
			errs = append(errs, fmt.Errorf("ledger: line %d of the keys: a key of %.80q among those of %.80q: one list is for one log", i+1, k.Verifier.Name(), keys[0].Verifier.Name()))
			continue
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 && len(errs) == 0 {
		errs = append(errs, errors.New("ledger: the list of keys has none"))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return keys, nil
}

func parseKey(fields []string) (Key, error) {
	if len(fields) > 3 {
		return Key{}, errors.New("more than a key and two sizes")
	}
	v, err := note.NewVerifier(fields[0])
	if err != nil {
		return Key{}, fmt.Errorf("%.120q is no Ed25519 verifier key: %w", fields[0], err)
	}
	k := Key{Verifier: v}
	for i, at := range []*int64{&k.First, &k.Last} {
		if len(fields) <= i+1 {
			break
		}
		if *at, err = strconv.ParseInt(fields[i+1], 10, 64); err != nil || *at < 0 {
			return Key{}, fmt.Errorf("%.40q is no size", fields[i+1])
		}
	}
	if len(fields) == 3 && (k.Last == 0 || k.Last < k.First) {
		return Key{}, fmt.Errorf("the last size, %d, isn't above 0 and at least the first, %d", k.Last, k.First)
	}
	return k, nil
}
