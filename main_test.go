package pawl_test

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if env := os.Getenv(loadEnv); env != "" {
		if err := underLoad(env); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}
