//go:build linux || darwin

package artefact

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
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

// All that isn't a file or a folder, and what is too much, is found without
// being opened, followed or read.
func TestReadOddFiles(t *testing.T) {
	tests := map[string]struct {
		make func(path string) error
		kind promotion.Kind
	}{
		"FIFO":                 {func(p string) error { return unix.Mkfifo(p, 0o644) }, promotion.KindDevice},
		"socket":               {listen, promotion.KindDevice},
		"link to a folder":     {func(p string) error { return os.Symlink("/etc", p) }, promotion.KindLink},
		"link to a file":       {func(p string) error { return os.Symlink("SKILL.md", p) }, promotion.KindLink},
		"link to itself":       {func(p string) error { return os.Symlink("odd", p) }, promotion.KindLink},
		"link to its folder":   {func(p string) error { return os.Symlink(".", p) }, promotion.KindLink},
		"link to a FIFO":       {func(p string) error { return errors.Join(unix.Mkfifo(p+"f", 0o644), os.Symlink("oddf", p)) }, promotion.KindLink},
		"10 GB and sparse":     {func(p string) error { return sparse(p, 10<<30) }, promotion.KindLimit},
		"a byte too much":      {func(p string) error { return sparse(p, 1<<20+1) }, promotion.KindLimit},
		"a name not in UTF-8":  {func(p string) error { return os.WriteFile(p+"\xff", nil, 0o644) }, promotion.KindEscape},
		"a name with a return": {func(p string) error { return os.WriteFile(p+"\n", nil, 0o644) }, promotion.KindEscape},
		"a name with \\":       {func(p string) error { return os.WriteFile(p+`\x`, nil, 0o644) }, promotion.KindEscape},
	}
	if os.Getuid() == 0 {
		tests["device"] = struct {
			make func(path string) error
			kind promotion.Kind
		}{func(p string) error { return unix.Mknod(p, unix.S_IFCHR|0o644, int(unix.Mkdev(1, 5))) }, promotion.KindDevice}
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := openTemp(t) // short, for the socket
			must(t, os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte("x"), 0o644))
			must(t, tt.make(filepath.Join(dir, "odd")))
			f, err := openFolder(dir)
			must(t, err)
			defer f.Close()
			a := promotion.Read("x", f, ".", promotion.DefaultLimits())
			if !slices.ContainsFunc(a.Findings, func(f promotion.Finding) bool { return f.Kind == tt.kind && strings.HasPrefix(f.File, "odd") }) {
				t.Errorf("found %v", a.Findings)
			}
			if len(a.Files) != 1 || a.Files[0].Path != "SKILL.md" {
				t.Errorf("read %d files", len(a.Files))
			}
			if _, err := a.Snapshot(); err == nil {
				t.Error("it has a snapshot")
			}
		})
	}
}

func listen(path string) error {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return err
	}
	l.SetUnlinkOnClose(false)
	return l.Close()
}

func sparse(path string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(size), f.Close())
}

// Even where it isn't looked at first, a FIFO holds nobody up, and a link leads
// nowhere out.
func TestOpenNeverWaitsNorEscapes(t *testing.T) {
	dir := t.TempDir()
	must(t, unix.Mkfifo(filepath.Join(dir, "fifo"), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("s"), 0o644))
	must(t, os.Mkdir(filepath.Join(dir, "in"), 0o755))
	must(t, unix.Mkfifo(filepath.Join(dir, "in", "fifo"), 0o644))
	must(t, os.Symlink("../secret", filepath.Join(dir, "in", "out")))
	must(t, os.Symlink(filepath.Join(dir, "secret"), filepath.Join(dir, "in", "abs")))
	f, err := openFolder(filepath.Join(dir, "in"))
	must(t, err)
	defer f.Close()
	fifo, err := f.Open("fifo")
	must(t, err)
	must(t, fifo.Close())
	for _, name := range []string{"out", "abs", "../secret", "/etc/passwd", ""} {
		if _, err := f.Open(name); err == nil {
			t.Errorf("%s was opened", name)
		}
	}
	if _, err := openFolder(filepath.Join(dir, "fifo")); err == nil || !strings.Contains(err.Error(), "neither") {
		t.Errorf("a FIFO as an artefact: %v", err)
	}
	if _, err := openFolder("/dev/zero"); err == nil {
		t.Error("a device as an artefact")
	}
}

// A file that may not be read, and a folder, are found by who isn't root.
func TestReadWithoutPermission(t *testing.T) {
	dir := openTemp(t)
	for name, mode := range map[string]fs.FileMode{"SKILL.md": 0o644, "locked": 0} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644))
		must(t, os.Chmod(filepath.Join(dir, name), mode))
	}
	must(t, os.Mkdir(filepath.Join(dir, "shut"), 0o700))
	must(t, os.Chmod(filepath.Join(dir, "shut"), 0))
	cmd := helper(t, "read", dir)
	asNobody(cmd)
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "unread locked\nunread shut\ndone\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestReadOfManyFilesEndsAtTheLimit(t *testing.T) {
	dir := t.TempDir()
	files := 100_000
	if testing.Short() {
		files = 10_000
	}
	must(t, os.Mkdir(filepath.Join(dir, "many"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "SKILL.md"), nil, 0o644))
	for i := range files {
		must(t, unix.Mknod(filepath.Join(dir, "many", strconv.Itoa(i)), unix.S_IFREG|0o644, 0))
	}
	f, err := openFolder(dir)
	must(t, err)
	defer f.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a := promotion.Read("x", f, ".", promotion.DefaultLimits())
	runtime.ReadMemStats(&after)
	spent := after.TotalAlloc - before.TotalAlloc
	if len(a.Files) != 1 || len(a.Findings) != 1 || a.Findings[0].Kind != promotion.KindLimit {
		t.Errorf("%d files, %v", len(a.Files), a.Findings)
	}
	if spent > 4<<20 {
		t.Errorf("it takes %d bytes", spent)
	}
	if got := promotion.FindSkills(f, "many"); len(got.Findings) != 0 || !slices.Equal(got.Roots, []string{"many"}) {
		t.Errorf("skills: %v %v", got.Roots, got.Findings)
	}
}

// swapping does something to the files just when one has been looked at.
type swapping struct {
	*folder
	name string
	do   func()
	done bool
}

func (s *swapping) Lstat(name string) (fs.FileInfo, error) {
	info, err := s.folder.Lstat(name)
	if name == s.name && !s.done {
		s.done = true
		s.do()
	}
	return info, err
}

// What is put in a file's place between the look and the opening is never read for
// it, and holds nobody up.
func TestReadOfFilesThatAreSwapped(t *testing.T) {
	for name, swap := range map[string]func(path string) error{
		"gone":                 os.Remove,
		"grown":                func(p string) error { return appendTo(p, "more") },
		"grown beyond limits":  func(p string) error { return sparse(p, 10<<30) },
		"cut":                  func(p string) error { return os.Truncate(p, 1) },
		"executable":           func(p string) error { return os.Chmod(p, 0o755) },
		"a link out":           func(p string) error { return errors.Join(os.Remove(p), os.Symlink("/etc/passwd", p)) },
		"a link within":        func(p string) error { return errors.Join(os.Remove(p), os.Symlink("SKILL.md", p)) },
		"a FIFO":               func(p string) error { return errors.Join(os.Remove(p), unix.Mkfifo(p, 0o644)) },
		"a folder":             func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o755)) },
		"the folder elsewhere": func(p string) error { return os.Rename(filepath.Dir(p), filepath.Dir(p)+"-moved") },
		"the folder is a link": func(p string) error {
			return errors.Join(os.Rename(filepath.Dir(p), filepath.Dir(p)+"-moved"), os.Symlink("/etc", filepath.Dir(p)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "skill")
			must(t, os.MkdirAll(filepath.Join(dir, "in"), 0o755))
			must(t, appendTo(filepath.Join(dir, "SKILL.md"), "skill"))
			must(t, appendTo(filepath.Join(dir, "in", "x"), "12345"))
			f, err := openFolder(dir)
			must(t, err)
			defer f.Close()
			s := &swapping{folder: f, name: "in/x", do: func() { must(t, swap(filepath.Join(dir, "in", "x"))) }}
			a := promotion.Read("x", s, ".", promotion.DefaultLimits())
			if !s.done {
				t.Fatal("nothing was swapped")
			}
			if _, err := a.Snapshot(); err == nil {
				t.Errorf("it has a snapshot of %d files", len(a.Files))
			}
			if !slices.ContainsFunc(a.Findings, func(f promotion.Finding) bool { return f.Kind == promotion.KindUnread }) {
				t.Errorf("found %v", a.Findings)
			}
		})
	}
}

func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
