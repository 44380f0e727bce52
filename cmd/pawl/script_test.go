package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"pawl": main})
}

// The scripts say what the command line does. Beside testscript's own commands
// they have
//
//	run CODE ARGS…         run pawl and want the exit code
//	keep NAME REGEXP       set a variable to what the regexp's group finds in standard output
//	bytes FILE TEXT N?     append a text to a file (N times), with \n, \xff … as in Go
//
// and find the policy gate.pawl.yaml in their folder, and the repository at $REPO. After a change that is
// meant, -update writes anew what they expect of standard output.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			gate, err := os.ReadFile("testdata/gate.pawl.yaml")
			if err != nil {
				return err
			}
			repo, err := filepath.Abs("../..")
			if err != nil {
				return err
			}
			env.Setenv("REPO", repo)
			return os.WriteFile(filepath.Join(env.WorkDir, "gate.pawl.yaml"), gate, 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"run":   runPawl,
			"bytes": writeBytes,
			"keep":  keepMatch,
		},
	})
}

func runPawl(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: run CODE ARGS…")
	}
	code := 0
	err := ts.Exec("pawl", args[1:]...)
	var exited *exec.ExitError
	switch {
	case errors.As(err, &exited):
		code = exited.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
	if stderr := ts.ReadFile("stderr"); strings.Contains(stderr, "goroutine ") {
		ts.Fatalf("a stack trace")
	}
}

func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: bytes FILE TEXT N?")
	}
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(args[1], `"`, `\"`) + `"`)
	ts.Check(err)
	n := 1
	if len(args) == 3 {
		n, err = strconv.Atoi(args[2])
		ts.Check(err)
	}
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	ts.Check(err)
	for many := 1 << 16; n > 0 && err == nil; n -= many {
		many = min(many, n)
		_, err = f.WriteString(strings.Repeat(text, many))
	}
	ts.Check(errors.Join(err, f.Close()))
}

func keepMatch(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep NAME REGEXP")
	}
	re, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	m := re.FindStringSubmatch(ts.ReadFile("stdout"))
	if len(m) != 2 {
		ts.Fatalf("standard output has no %s", args[1])
	}
	ts.Setenv(args[0], m[1])
}
