//go:build linux || darwin

package artefact

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pawlgate/pawl/promotion"
)

// helperEnv makes the test binary do something else, in a process of its own.
const helperEnv = "PAWL_ARTEFACT_HELPER"

func TestMain(m *testing.M) {
	what := os.Getenv(helperEnv)
	if what == "" {
		os.Exit(m.Run())
	}
	if err := helpers[what](os.Args[1:]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("done")
}

var helpers = map[string]func(args []string) error{
	// Places the new and the old snapshot in turns, and says each step.
	"turns": func(args []string) error {
		was, is := oldSnap(nil), newSnap(nil)
		p := placer{renameNew: renameNew, exchange: exchange}
		p.at = func(s step) error {
			fmt.Println(s)
			return nil
		}
		for {
			for _, turn := range [][2]*promotion.Snapshot{{was, is}, {is, was}} {
				p := p
				if err := p.place(turn[1], args[0], turn[0].Digest); err != nil {
					return err
				}
			}
		}
	},
	// Places with files of at most so many bytes, as on a disk that fills.
	"full": func(args []string) error {
		signal.Ignore(unix.SIGXFSZ)
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 1000, Max: 1000}); err != nil {
			return err
		}
		return Place(newSnap(nil), args[0], args[1])
	},
	"place": func(args []string) error { return Place(newSnap(nil), args[0], args[1]) },
	"read": func(args []string) error {
		f, err := openFolder(args[0])
		if err != nil {
			return err
		}
		a := promotion.Read("x", f, ".", promotion.DefaultLimits())
		for _, found := range a.Findings {
			fmt.Println(found.Kind, found.File)
		}
		if _, err := a.Snapshot(); err == nil {
			return errors.New("it has a snapshot")
		}
		return nil
	},
}

func helper(t *testing.T, what string, args ...string) *exec.Cmd {
	t.Helper()
	exe := "/proc/self/exe" // whoever runs it may not be able to reach it by its path
	if _, err := os.Stat(exe); err != nil {
		if exe, err = os.Executable(); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Env = append(os.Environ(), helperEnv+"="+what)
	return cmd
}

// asNobody runs a command without root's rights, if the test has them.
func asNobody(cmd *exec.Cmd) {
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
}

// openTemp is a temporary folder that everybody can reach.
func openTemp(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "pawl-artefact-test-")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	must(t, os.Chmod(dir, 0o777))
	return dir
}

// Killed at any moment, the destination is the old folder or the new one, whole,
// and placing goes on from there.
func TestPlaceKilled(t *testing.T) {
	was, is := oldSnap(t), newSnap(t)
	seen := map[string]int{}
	leftOver := 0
	rounds := 60
	if testing.Short() {
		rounds = 20
	}
	for n := range rounds {
		dir := t.TempDir()
		dest := filepath.Join(dir, "skill")
		must(t, Place(was, dest, ""))
		cmd := helper(t, "turns", dest)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for i := 0; i <= n && lines.Scan(); i++ {
			if strings.Contains(lines.Text(), " ") {
				t.Fatal(lines.Text())
			}
		}
		must(t, cmd.Process.Kill())
		for lines.Scan() { // until it is dead
			continue
		}
		if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Fatal(err)
		}
		got := digestOf(t, dest)
		if got != was.Digest && got != is.Digest {
			t.Fatalf("round %d: %s", n, got)
		}
		seen[got]++
		for _, name := range names(t, dir) {
			if name == "skill" {
				continue
			}
			leftOver++
			if !strings.HasPrefix(name, ".skill.pawl-") {
				t.Errorf("left over: %s", name)
			}
		}
		if err := Place(is, dest, got); err != nil {
			t.Fatalf("round %d: it can't be placed again: %v", n, err)
		}
	}
	t.Logf("killed %d times: the old one was there %d times, the new one %d times; %d folders left over", rounds, seen[was.Digest], seen[is.Digest], leftOver)
	if len(seen) < 2 || leftOver == 0 {
		t.Error("it was never killed in the middle")
	}
}

func TestPlaceOnAFullDisk(t *testing.T) {
	was := oldSnap(t)
	for _, expect := range []string{"none", was.Digest} {
		dir := t.TempDir()
		dest := filepath.Join(dir, "skill")
		if expect != "none" {
			must(t, Place(was, dest, ""))
		}
		before := tree(t, dir)
		out, err := helper(t, "full", dest, expect).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "file too large") {
			t.Fatalf("%v\n%s", err, out)
		}
		if after := tree(t, dir); len(after) != len(before) || digestOf(t, dest) != expect {
			t.Errorf("it left %v", after)
		}
	}
}

func TestPlaceWhereItMayNotWrite(t *testing.T) {
	dir := openTemp(t)
	above := filepath.Join(dir, "above")
	must(t, os.Mkdir(above, 0o755))
	dest := filepath.Join(above, "skill")
	must(t, Place(oldSnap(t), dest, ""))
	must(t, os.Chmod(above, 0o555))
	t.Cleanup(func() { must(t, os.Chmod(above, 0o755)) })
	for name, expect := range map[string]string{"skill": oldSnap(t).Digest, "another": "none"} {
		cmd := helper(t, "place", filepath.Join(above, name), expect)
		asNobody(cmd)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "permission denied") {
			t.Errorf("%v\n%s", err, out)
		}
	}
	if got := names(t, above); !slices.Equal(got, []string{"skill"}) || digestOf(t, dest) != oldSnap(t).Digest {
		t.Errorf("left %q", got)
	}
}

func TestPlaceSetsModesWhateverTheUmask(t *testing.T) {
	is := newSnap(t)
	for _, mask := range []int{0, 0o022, 0o077, 0o777} {
		dir := t.TempDir()
		dest := filepath.Join(dir, "skill")
		old := syscall.Umask(mask)
		p := placer{renameNew: renameNew, exchange: exchange, at: func(s step) error {
			list, err := filepath.Glob(filepath.Join(dir, ".skill.pawl-*"))
			if s == stepWriting && err == nil {
				info, err := os.Stat(list[0])
				if err != nil || info.Mode().Perm() != 0o700 {
					return fmt.Errorf("others may enter while it is written: %v, %w", info, err)
				}
			}
			return err
		}}
		err := p.place(is, dest, "none")
		syscall.Umask(old)
		must(t, err)
		must(t, filepath.WalkDir(dest, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			want := fs.FileMode(0o644)
			if e.IsDir() || filepath.Base(path) == "run.sh" {
				want = 0o755
			}
			if info.Mode().Perm() != want {
				t.Errorf("umask %03o: %s is %v", mask, path, info.Mode())
			}
			return nil
		}))
	}
}
