package app

import (
	"context"
	"errors"
	"strings"

	"github.com/pawlgate/pawl/internal/store"
)

// logbook keeps the ledger of an open service: its key and its sequencer.
type logbook struct{}

// openLog reads the key, checks the log against the checkpoints that are kept
// elsewhere, and begins to sequence.
func (a *App) openLog(_ context.Context) error { return nil }

// closeLog sequences what is left.
func (a *App) closeLog() error { return nil }

// wrote tells the sequencer that there is something new.
func (a *App) wrote() {}

// recordShadow records a decision beside the caller's own.
func (a *App) recordShadow(_ *store.Tx, _ *submitting) error { return errors.ErrUnsupported }

func isPostgres(dsn string) bool {
	return strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://")
}
