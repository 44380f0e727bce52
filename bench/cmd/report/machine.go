package main

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
)

// peers are the modules whose versions the report names.
var peers = []string{
	"cel.dev/cel-go",
	"github.com/expr-lang/expr",
	"github.com/cedar-policy/cedar-go",
	"github.com/open-policy-agent/opa",
	"github.com/riverqueue/river",
	"github.com/transparency-dev/tessera",
}

// writeMachine writes where the results come from, as configuration lines of
// Go's benchmark format. The processor's name is among those of go test.
func writeMachine(w io.Writer) error {
	lines := []string{
		"go: " + runtime.Version(),
		"goos: " + runtime.GOOS,
		"goarch: " + runtime.GOARCH,
		fmt.Sprintf("cores: %d", runtime.NumCPU()),
	}
	// The commit is for whoever compares two files; outside git there is none.
	if commit, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output(); err == nil {
		lines = append(lines, "commit: "+strings.TrimSpace(string(commit)))
	}
	list, err := exec.Command("go", append([]string{"list", "-m", "-f", "{{.Path}} {{.Version}}"}, peers...)...).Output()
	if err != nil {
		return fmt.Errorf("versions of the peers: %w", err)
	}
	lines = append(lines, "peers: "+strings.Join(strings.Split(strings.TrimSpace(string(list)), "\n"), ", "))
	_, err = fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}
