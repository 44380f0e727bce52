package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/ledger"
)

// pause is how long the sequencer waits between two checkpoints while there is
// something new, and retry how long it waits when it failed.
const (
	pause = 200 * time.Millisecond
	retry = time.Second
)

// metaKeys is where the store keeps the ledger's public keys, as
// ledger.ParseKeys reads them: a process with another key must not go on with
// the log.
const metaKeys = "ledger_keys"

// logbook keeps the ledger of an open service: its key and its sequencer.
type logbook struct {
	key    *signKey // nil if the service only reads
	list   string   // public keys
	keys   []ledger.Key
	copies []string // files where checkpoints are kept, too

	mu     sync.Mutex // one at a time in this process; the store's lock is for the others
	copied int64      // size of the last checkpoint that is in all copies

	wake chan struct{}
	stop context.CancelFunc
	done chan struct{}
}

// openLog reads the key, checks the log against the checkpoints that are kept
// elsewhere, and begins to sequence.
func (a *App) openLog(ctx context.Context) error {
	l := &logbook{wake: make(chan struct{}, 1), done: make(chan struct{})}
	head, err := a.db.Head(ctx)
	if err != nil {
		return fmt.Errorf("read the ledger's head: %w", err)
	}
	if err := a.readKeys(ctx, l); err != nil {
		return err
	}
	if !a.cfg.ReadOnly {
		if err := a.takeKey(ctx, l, head); err != nil {
			return err
		}
	}
	if head.Size > 0 {
		if c, err := ledger.Open(head.Checkpoint, l.keys); err != nil {
			return fmt.Errorf("the ledger's last checkpoint isn't by a key of this log: %w", err)
		} else if c.Size != head.Size || c.Root != head.Root {
			return fmt.Errorf("the ledger's last checkpoint is of %d entries, the ledger has %d: the database was changed", c.Size, head.Size)
		}
	}
	for _, to := range a.cfg.CheckpointTo {
		l.copies = append(l.copies, copyFile(to, l.origin()))
	}
	if err := a.checkRestored(ctx, l); err != nil {
		return err
	}
	if a.cfg.ReadOnly {
		close(l.done)
		a.log = l
		return nil
	}
	run, stop := context.WithCancel(context.Background())
	l.stop = stop
	a.log = l
	go a.sequencer(run)
	a.wrote() // another process may have left something
	return nil
}

// readKeys reads the public keys that the store keeps.
func (a *App) readKeys(ctx context.Context, l *logbook) error {
	err := a.db.View(ctx, func(tx *store.Tx) error {
		b, err := tx.Meta(metaKeys)
		if errors.Is(err, store.ErrNotFound) {
			b, err = nil, nil
		}
		l.list = string(b)
		return err
	})
	if err != nil {
		return fmt.Errorf("read the ledger's public keys: %w", err)
	}
	return l.parse()
}

func (l *logbook) parse() (err error) {
	if l.list == "" {
		return nil
	}
	if l.keys, err = ledger.ParseKeys(l.list); err != nil {
		return fmt.Errorf("the ledger's public keys: %w", err)
	}
	return nil
}

func (l *logbook) origin() string {
	if len(l.keys) == 0 {
		return ""
	}
	return l.keys[0].Verifier.Name()
}

// takeKey reads the key that signs, or makes it if the log is new.
func (a *App) takeKey(ctx context.Context, l *logbook, head store.Head) (err error) {
	origin := cmp.Or(a.cfg.Origin, l.origin(), defaultOrigin(a.cfg.DB))
	file := a.cfg.Key
	switch {
	case file == "" && a.cfg.DB == memory:
		var private string
		if private, err = newKey(origin); err != nil {
			return err
		}
		if l.key, err = parseKey(private); err != nil {
			return err
		}
	case file == "" && isPostgres(a.cfg.DB):
		return errors.New("no key file is given: on Postgres the ledger's key is a file of your choice, the same one for every process")
	default:
		file = cmp.Or(file, strings.TrimPrefix(a.cfg.DB, "file:")+".key")
		l.key, err = readKey(file)
		if errors.Is(err, fs.ErrNotExist) {
			if l.list != "" || head.Size > 0 {
				return fmt.Errorf("the ledger's key %s is missing, and the ledger isn't empty: put it back", file)
			}
			for _, to := range a.cfg.CheckpointTo {
				if _, err := os.Stat(copyFile(to, origin)); err == nil {
					return fmt.Errorf("the ledger's key %s is missing, and there is a checkpoint of the ledger in %s: put it back", file, to)
				}
			}
			l.key, err = createKey(file, origin)
		}
		if err != nil {
			return err
		}
	}
	if a.cfg.Origin != "" && l.key.Name() != a.cfg.Origin {
		return fmt.Errorf("the ledger's key is of the log %s, not of %s", l.key.Name(), a.cfg.Origin)
	}
	err = a.db.Update(ctx, func(tx *store.Tx) error {
		// Two processes may begin at once, each with a key: the first one's counts.
		b, err := tx.FirstMeta(metaKeys, []byte(l.key.public+"\n"))
		l.list = string(b)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep the ledger's public key: %w", err)
	}
	if err := l.parse(); err != nil {
		return err
	}
	for _, k := range l.keys {
		if k.Last == 0 && k.Verifier.Name() == l.key.Name() && k.Verifier.KeyHash() == l.key.KeyHash() {
			return nil
		}
	}
	return fmt.Errorf("the key %s isn't the one that signs this ledger", cmp.Or(file, "in memory"))
}

// wrote tells the sequencer that there is something new.
func (a *App) wrote() {
	if a.log == nil {
		return
	}
	select {
	case a.log.wake <- struct{}{}:
	default: // it knows
	}
}

// sequencer works until the service is closed. What fails is tried again, since
// nothing is lost: leaves wait in the store.
func (a *App) sequencer(ctx context.Context) {
	l := a.log
	defer close(l.done)
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		}
		wait := pause
		if _, err := a.Sequence(ctx); err != nil {
			wait = retry
			a.wrote()
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// closeLog ends the sequencer and sequences what is left.
func (a *App) closeLog() error {
	l := a.log
	if l == nil || l.stop == nil {
		return nil
	}
	l.stop()
	<-l.done
	l.stop = nil
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if _, err := a.Sequence(ctx); err != nil {
		return fmt.Errorf("sequence what is left: %w", err)
	}
	return nil
}

// Sequence gives what was written since the last time its place in the ledger and
// signs a checkpoint. It happens by itself, too, soon after every write.
func (a *App) Sequence(ctx context.Context) (Head, error) {
	l := a.log
	if l.key == nil {
		return Head{}, store.ErrReadOnly
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	sign := func(size int64, root tlog.Hash) ([]byte, error) {
		return ledger.Sign(ledger.Checkpoint{Origin: l.key.Name(), Size: size, Root: root}, l.key.Signer)
	}
	head, err := a.db.Head(ctx)
	if err != nil {
		return Head{}, fmt.Errorf("read the ledger's head: %w", err)
	}
	// What is written meanwhile can wait for the next time: there is always
	// something under load.
	for before := head.Size - store.MaxSequence; head.Size-before >= store.MaxSequence; {
		before = head.Size
		if head, err = a.db.Sequence(ctx, sign); err != nil {
			return Head{}, fmt.Errorf("sequence the ledger: %w", err)
		}
	}
	return Head(head), l.copy(head)
}

// copy keeps a checkpoint elsewhere. One that is larger is of another process.
func (l *logbook) copy(h store.Head) error {
	if h.Size <= l.copied {
		return nil
	}
	for _, file := range l.copies {
		if there, err := readCopy(file, l.keys); err == nil && there.Size >= h.Size {
			continue
		}
		if err := replaceFile(file, h.Checkpoint, 0o644); err != nil {
			return fmt.Errorf("keep the checkpoint elsewhere: %w", err)
		}
	}
	l.copied = h.Size
	return nil
}

// copyFile is where the checkpoints of a log are kept: a file, or one in a
// folder that is named after the log.
func copyFile(to, origin string) string {
	info, err := os.Stat(to)
	if (err == nil && info.IsDir()) || strings.HasSuffix(to, "/") {
		return strings.TrimRight(to, "/") + "/" + strings.NewReplacer("/", "_", "\\", "_", ":", "_").Replace(origin) + ".checkpoint"
	}
	return to
}

// readCopy reads a checkpoint that is kept elsewhere. A file that isn't there is
// fs.ErrNotExist.
func readCopy(file string, keys []ledger.Key) (ledger.Checkpoint, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return ledger.Checkpoint{}, err
	}
	c, err := ledger.Open(b, keys)
	if err != nil {
		return c, fmt.Errorf("the checkpoint in %s: %w", file, err)
	}
	return c, nil
}
