package testenv_test

import (
	"testing"

	"github.com/pawlgate/pawl/internal/testenv"
)

func TestEveryTestHasADatabaseOfItsOwn(t *testing.T) {
	if a, b := testenv.Postgres(t), testenv.Postgres(t); a == b {
		t.Errorf("twice %s", a)
	}
}

func TestAnOwnServerStopsAndStarts(t *testing.T) {
	s, _ := testenv.OwnPostgres(t)
	s.Stop(t)
	s.Start(t)
}
