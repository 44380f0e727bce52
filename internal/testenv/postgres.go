package testenv

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Postgres returns the address of a new, empty database. One server runs for the
// whole test binary and ends with it.
func Postgres(t testing.TB) string {
	t.Helper()
	bin := installed(t)
	s, err := shared(bin)
	if err != nil {
		t.Fatalf("starting Postgres: %v", err)
	}
	return s.database(t)
}

// OwnPostgres returns a server that only this test uses, so that it may stop and
// start it, and the address of a database on it.
func OwnPostgres(t testing.TB) (*Server, string) {
	t.Helper()
	s, err := create(installed(t))
	if err != nil {
		t.Fatalf("starting Postgres: %v", err)
	}
	t.Cleanup(s.remove)
	return s, s.database(t)
}

// Server is a Postgres in a folder of its own, behind a Unix socket in it.
type Server struct {
	bin, dir string
	life     io.Closer // the folder goes, and the server with it, when this is closed
	gone     chan struct{}
	count    atomic.Int64
}

var shared = func() func(bin string) (*Server, error) {
	var once sync.Once
	var s *Server
	var err error
	return func(bin string) (*Server, error) {
		once.Do(func() { s, err = create(bin) })
		return s, err
	}
}()

// installed returns the folder of the server's programs.
func installed(t testing.TB) string {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err == nil && len(found) > 0 {
		return filepath.Dir(found[len(found)-1])
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		return filepath.Dir(path)
	}
	const advice = "no Postgres here: install it (Debian: apt-get install postgresql), or run make test"
	if os.Getenv("PAWL_REQUIRE") == "1" {
		t.Fatal(advice)
	}
	t.Skip(advice)
	return ""
}

// watch starts the server and waits for the end of the test binary, however it
// ends: then standard input is closed.
const watch = `"$1/pg_ctl" -D "$2/data" -l "$2/log" -w -t 60 -s start && echo ready || { cat "$2/log"; echo failed; }
read -r line
"$1/pg_ctl" -D "$2/data" -m immediate -s stop
rm -rf "$2"`

// create makes a server and starts it.
func create(bin string) (*Server, error) {
	dir, err := os.MkdirTemp("", "pawl-pg-")
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin, dir: dir, gone: make(chan struct{})}
	if err := s.own(); err != nil {
		return nil, err
	}
	// No sync: what these servers lose with the machine nobody misses. What they
	// promise while the machine lives doesn't depend on it.
	if out, err := s.command("initdb", "-D", s.data(), "-U", "pawl", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	conf := "listen_addresses = ''\nunix_socket_directories = '" + dir + "'\nfsync = off\nmax_connections = 200\nshared_buffers = 64MB\n"
	f, err := os.OpenFile(filepath.Join(s.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	if _, err = f.WriteString(conf); err != nil {
		return nil, err
	}
	if err = f.Close(); err != nil {
		return nil, err
	}
	return s, s.begin()
}

func (s *Server) begin() error {
	cmd := exec.Command("sh", "-c", watch, "sh", s.bin, s.dir)
	as(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.life = in
	go func() { _ = cmd.Wait(); close(s.gone) }()
	var said strings.Builder
	buffer := make([]byte, 4096)
	for !strings.Contains(said.String(), "ready\n") {
		n, err := out.Read(buffer)
		said.Write(buffer[:n])
		if err != nil || strings.Contains(said.String(), "failed\n") {
			_ = in.Close()
			return fmt.Errorf("it didn't start: %s", said.String())
		}
	}
	return nil
}

// Stop stops the server at once, as a crash would.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if out, err := s.command("pg_ctl", "-D", s.data(), "-m", "immediate", "-s", "stop").CombinedOutput(); err != nil {
		t.Fatalf("stopping Postgres: %v: %s", err, out)
	}
}

// Start starts it again.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	if out, err := s.command("pg_ctl", "-D", s.data(), "-l", filepath.Join(s.dir, "log"), "-w", "-s", "start").CombinedOutput(); err != nil {
		t.Fatalf("starting Postgres: %v: %s", err, out)
	}
}

func (s *Server) remove() {
	_ = s.life.Close()
	select {
	case <-s.gone:
	case <-time.After(20 * time.Second):
	}
}

func (s *Server) database(t testing.TB) string {
	t.Helper()
	name := "t" + strconv.FormatInt(s.count.Add(1), 10)
	if out, err := s.command("createdb", "-h", s.dir, "-U", "pawl", name).CombinedOutput(); err != nil {
		t.Fatalf("createdb: %v: %s", err, out)
	}
	return "postgres://pawl@/" + name + "?host=" + s.dir
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	as(cmd)
	cmd.Dir = s.dir
	return cmd
}

// own gives the folder to the user as whom the server runs.
func (s *Server) own() error {
	if os.Geteuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return fmt.Errorf("initdb refuses root, and there is no user postgres: %w", err)
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return err
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return err
	}
	owner = &[2]uint32{uint32(uid), uint32(gid)}
	return os.Chown(s.dir, uid, gid)
}

// owner are the ids of the user postgres, if this process is root's.
var owner *[2]uint32
