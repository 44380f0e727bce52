package testenv

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Server is a Postgres of a test binary's own, in a folder below /tmp, with
// durable commits like a real one.
type Server struct {
	bin, dir string
	port     int
	cred     *syscall.Credential // it refuses to run as root

	mu   sync.Mutex
	next int
}

var shared struct {
	once   sync.Once
	server *Server
	err    error
}

// errNotInstalled is why a test skips.
var errNotInstalled = errors.New("postgres isn't installed: apt-get install postgresql")

// Main runs a test binary's tests and stops the shared server after them. Use
// it as TestMain's body: os.Exit(testenv.Main(m)).
func Main(m *testing.M) int {
	code := m.Run()
	if shared.server != nil {
		if err := shared.server.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "stop postgres:", err)
		}
	}
	return code
}

// Postgres returns the URL of an empty database, on a server that all tests of
// the binary share. The binary's TestMain must be [Main].
func Postgres(t testing.TB) string {
	t.Helper()
	shared.once.Do(func() { shared.server, shared.err = Start() })
	if shared.err != nil {
		missing(t, shared.err)
	}
	url, err := shared.server.Create()
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// OwnPostgres returns a server that the test may stop and start.
func OwnPostgres(t testing.TB) *Server {
	t.Helper()
	s, err := Start()
	if err != nil {
		missing(t, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func missing(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, errNotInstalled) && os.Getenv("PAWL_REQUIRE") != "1" {
		t.Skip(err)
	}
	t.Fatal(err)
}

// Start makes a server and starts it.
func Start() (*Server, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return nil, errNotInstalled
	}
	s := &Server{bin: filepath.Dir(found[len(found)-1])}
	if os.Getuid() == 0 {
		u, err := user.Lookup("postgres")
		if err != nil {
			return nil, fmt.Errorf("postgres doesn't run as root: %w", err)
		}
		uid, uerr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gerr := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(uerr, gerr); err != nil {
			return nil, err
		}
		s.cred = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	if s.dir, err = os.MkdirTemp("/tmp", "pawl-postgres-"); err != nil {
		return nil, err
	}
	if s.cred != nil {
		if err := os.Chown(s.dir, int(s.cred.Uid), int(s.cred.Gid)); err != nil {
			return nil, err
		}
	}
	if s.port, err = freePort(); err != nil {
		return nil, err
	}
	if err := s.run("initdb", "-D", s.data(), "-U", "pawl", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.dir))
	}
	if err := s.Resume(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.dir))
	}
	return s, nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	port := l.Addr().(*net.TCPAddr).Port
	return port, l.Close()
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// run runs one of Postgres' programs to its end.
func (s *Server) run(name string, args ...string) error {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir = s.dir
	if s.cred != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.cred}
	}
	out, err := os.CreateTemp("", "pawl-postgres-out-") // the server would hold a pipe open
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(out.Name()) // best effort: err says that it failed
		return fmt.Errorf("%s: %w\n%s", name, err, text)
	}
	return nil
}

// Resume starts a server that was stopped.
func (s *Server) Resume() error {
	return s.run("pg_ctl", "-D", s.data(), "-w", "-t", "60", "-l", filepath.Join(s.dir, "log"),
		"-o", fmt.Sprintf("-p %d -k %s -c listen_addresses=127.0.0.1 -c max_connections=200", s.port, s.dir), "start")
}

// Stop stops the server: politely ("fast"), or at once ("immediate"), as in a
// crash.
func (s *Server) Stop(mode string) error {
	return s.run("pg_ctl", "-D", s.data(), "-w", "-t", "60", "-m", mode, "stop")
}

// Close stops the server and removes it.
func (s *Server) Close() error {
	err := s.Stop("immediate")
	for range 50 {
		if os.RemoveAll(s.dir) == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// URL returns the URL of a database.
func (s *Server) URL(name string) string {
	return fmt.Sprintf("postgres://pawl@127.0.0.1:%d/%s?sslmode=disable", s.port, name)
}

// Create makes an empty database and returns its URL.
func (s *Server) Create() (string, error) {
	s.mu.Lock()
	s.next++
	name := "t" + strconv.Itoa(s.next)
	s.mu.Unlock()
	return s.URL(name), s.SQL("postgres", "CREATE DATABASE "+name)
}

// SQL runs statements with psql.
func (s *Server) SQL(database string, statements ...string) error {
	return s.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", strconv.Itoa(s.port), "-U", "pawl", "-d", database, "-c", strings.Join(statements, ";"))
}
