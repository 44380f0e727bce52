package bench

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/storage/posix"
	"golang.org/x/mod/sumdb/note"
)

// Tessera adds entries to a log on a POSIX file system, in batches of up to size,
// each of which waits for more no longer than that. An entry is on the disk and
// in the tree once its future is known.
func Tessera(ctx context.Context, dir string, size uint, wait time.Duration, entry func(n int) []byte) (Durable, error) {
	secret, _, err := note.GenerateKey(rand.Reader, "pawl.local/bench")
	if err != nil {
		return Durable{}, err
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		return Durable{}, err
	}
	driver, err := posix.New(ctx, posix.Config{Path: dir})
	if err != nil {
		return Durable{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	log, shutdown, _, err := tessera.NewAppender(ctx, driver, tessera.NewAppendOptions().
		WithCheckpointSigner(signer).WithBatching(size, wait).WithCheckpointInterval(200*time.Millisecond))
	if err != nil {
		cancel()
		return Durable{}, err
	}
	return Durable{"tessera/posix", func(ctx context.Context, _, n int) error {
		_, err := log.Add(ctx, tessera.NewEntry(entry(n)))()
		return err
	}, func() error {
		defer cancel()
		return shutdown(ctx)
	}}, nil
}
