//go:build linux || darwin

package artefact

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pawlgate/pawl/promotion"
)

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
