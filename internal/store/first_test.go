package store_test

import (
	"testing"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/internal/testenv"
)

func TestOfSeveralFirstValuesOneCountsForAll(t *testing.T) {
	for name, dsn := range map[string]string{"sqlite": ":memory:", "postgres": ""} {
		t.Run(name, func(t *testing.T) {
			if dsn == "" {
				dsn = testenv.Postgres(t)
			}
			db, err := store.Open(t.Context(), dsn, store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			got := make(chan string, 2)
			for _, v := range []string{"a", "b"} {
				go func() {
					var kept []byte
					err := db.Update(t.Context(), func(tx *store.Tx) (err error) {
						kept, err = tx.FirstMeta("m", []byte(v))
						return err
					})
					if err != nil {
						t.Error(err)
					}
					got <- string(kept)
				}()
			}
			if x, y := <-got, <-got; x != y || x == "" {
				t.Fatalf("one has %q, the other %q", x, y)
			}
		})
	}
}
