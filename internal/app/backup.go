package app

import (
	"context"
	"errors"
)

// Backup writes a copy of a SQLite database, with its last checkpoint beside it.
// On Postgres pg_dump does this.
func (a *App) Backup(_ context.Context, _ string) error { return errors.ErrUnsupported }
