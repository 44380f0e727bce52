package app

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// signKey signs the ledger. It is kept in a file of its own, never in the
// database: who has only the one can't write the history of the other.
type signKey struct {
	note.Signer
	public string // as ledger.ParseKeys reads it
}

// maxKeyFile is more than a key file has.
const maxKeyFile = 4 << 10

// newKey makes a key with the log's origin as its name.
func newKey(origin string) (private string, err error) {
	private, _, err = note.GenerateKey(rand.Reader, origin)
	if err != nil {
		return "", fmt.Errorf("make a key for the ledger: %w", err)
	}
	return private, nil
}

// parseKey reads the text of a private key, as note.GenerateKey makes it.
func parseKey(private string) (*signKey, error) {
	s, err := note.NewSigner(private)
	if err != nil {
		return nil, errors.New("it isn't a private key for signed notes") // an error of note quotes the key
	}
	// PRIVATE+KEY+name+id+data, where data may have a plus, too.
	parts := strings.SplitN(private, "+", 5)
	data, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(data) != 1+ed25519.SeedSize {
		return nil, errors.New("it isn't an Ed25519 key")
	}
	public, _ := ed25519.NewKeyFromSeed(data[1:]).Public().(ed25519.PublicKey)
	v, err := note.NewEd25519VerifierKey(s.Name(), public)
	if err != nil {
		return nil, fmt.Errorf("make the public key: %w", err)
	}
	return &signKey{Signer: s, public: v}, nil
}

// readKey reads a key file, which nobody but its owner may read.
func readKey(file string) (*signKey, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the ledger's key %s isn't a regular file", file)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("others may read the ledger's key %s (mode %04o): take that from them with chmod 600, and make another key if they may have", file, info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, maxKeyFile))
	if err != nil {
		return nil, fmt.Errorf("read the ledger's key %s: %w", file, err)
	}
	k, err := parseKey(string(bytes.TrimSpace(text)))
	if err != nil {
		return nil, fmt.Errorf("the ledger's key %s: %w", file, err)
	}
	return k, nil
}

// createKey makes a key file that isn't there, and its public key beside it. If
// another process made it at the same time, that one's counts.
func createKey(file, origin string) (*signKey, error) {
	private, err := newKey(origin)
	if err != nil {
		return nil, err
	}
	// The whole file appears at once, or not: a link doesn't replace.
	tmp, err := writeBeside(file, []byte(private+"\n"), 0o600)
	if err != nil {
		return nil, fmt.Errorf("keep the ledger's key: %w", err)
	}
	err = os.Link(tmp, file)
	if removed := os.Remove(tmp); err == nil {
		err = removed
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("keep the ledger's key: %w", err)
	}
	if err := syncFolder(filepath.Dir(file)); err != nil {
		return nil, fmt.Errorf("keep the ledger's key: %w", err)
	}
	k, err := readKey(file)
	if err != nil {
		return nil, err
	}
	if err := replaceFile(file+".pub", []byte(k.public+"\n"), 0o644); err != nil {
		return nil, fmt.Errorf("keep the ledger's public key: %w", err)
	}
	return k, nil
}

// replaceFile writes a file so that it is there as a whole, or as before,
// whenever the machine stops.
func replaceFile(file string, data []byte, mode fs.FileMode) error {
	tmp, err := writeBeside(file, data, mode)
	if err != nil {
		return err
	}
	if err := os.Rename(tmp, file); err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	return syncFolder(filepath.Dir(file))
}

// writeBeside writes a new file in the folder of another one, and syncs it.
func writeBeside(file string, data []byte, mode fs.FileMode) (_ string, err error) {
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*") // O_EXCL, 0600
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return f.Name(), errors.Join(err, f.Close())
}

// syncFolder makes the names in a folder durable.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // it can't, and needn't
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// defaultOrigin names the log of a database.
func defaultOrigin(dsn string) string {
	base := filepath.Base(dsn)
	if isPostgres(dsn) {
		base = "postgres"
		if u, err := url.Parse(dsn); err == nil && len(u.Path) > 1 {
			base = path.Base(u.Path)
		}
	}
	if dsn == memory {
		base = "memory"
	}
	return "pawl.local/" + strings.Map(func(r rune) rune {
		if r <= ' ' || r == '+' || r >= 0x7f {
			return '-'
		}
		return r
	}, base)
}

const memory = ":memory:"

func isPostgres(dsn string) bool {
	return strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://")
}
