package pawl

import (
	"context"
	"io"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/internal/app"
	"github.com/pawlgate/pawl/ledger"
)

// Label records what turned out to be right about an item: any JSON.
func (p *Pawl) Label(ctx context.Context, item string, value []byte, by Actor) error {
	return p.app.Label(ctx, item, value, by)
}

// Erase forgets the bodies of an ended item for good, with their salts. The ledger
// stays as it is, and nothing in it tells what they were. Refused while a permit is
// open or in doubt, and under a legal hold.
func (p *Pawl) Erase(ctx context.Context, item string, by Actor, why string) error {
	return p.app.Erase(ctx, item, by, why)
}

// LegalHold forbids erasing an item, or allows it again.
func (p *Pawl) LegalHold(ctx context.Context, item string, on bool, by Actor, why string) error {
	return p.app.LegalHold(ctx, item, on, by, why)
}

// GateLegalHold forbids erasing any item of a gate, or allows it again.
func (p *Pawl) GateLegalHold(ctx context.Context, gate string, on bool, by Actor, why string) error {
	return p.app.GateLegalHold(ctx, gate, on, by, why)
}

// Sequence gives what was written since the last time its place in the ledger and
// signs a checkpoint. It happens by itself, too, soon after every write.
func (p *Pawl) Sequence(ctx context.Context) (Head, error) {
	return p.app.Sequence(ctx)
}

// Head returns the end of the ledger as it was last signed.
func (p *Pawl) Head(ctx context.Context) (Head, error) {
	return p.app.Head(ctx)
}

// Export writes the whole ledger with its checkpoints: what ledger.Verify reads.
func (p *Pawl) Export(ctx context.Context, w io.Writer) error {
	return p.app.Export(ctx, w)
}

// ProveItem proves that the entry of an item's event is in the ledger, and returns
// the entry.
func (p *Pawl) ProveItem(ctx context.Context, item string, seq int64) (ledger.Proof, []byte, error) {
	return p.app.ProveItem(ctx, item, seq)
}

// ProveIndex proves that an entry is in the ledger, and returns it.
func (p *Pawl) ProveIndex(ctx context.Context, index int64) (ledger.Proof, []byte, error) {
	return p.app.ProveIndex(ctx, index)
}

// ProveConsistency proves that the ledger of one size is the beginning of that of
// another.
func (p *Pawl) ProveConsistency(ctx context.Context, from, to int64) (tlog.TreeProof, error) {
	return p.app.ProveConsistency(ctx, from, to)
}

// PublicKeys returns the list of keys that ledger.ParseKeys reads.
func (p *Pawl) PublicKeys(ctx context.Context) (string, error) {
	return p.app.PublicKeys(ctx)
}

// Backup writes a copy of a SQLite database, with its last checkpoint beside it.
// On Postgres pg_dump does this.
func (p *Pawl) Backup(ctx context.Context, file string) error {
	return p.app.Backup(ctx, file)
}

// Restore puts a backup in place as a SQLite database. It verifies the backup,
// replaces no file, and marks the database: it opens only as Restored, which
// makes every open permit void.
func Restore(ctx context.Context, from, to string) error { return app.Restore(ctx, from, to) }
