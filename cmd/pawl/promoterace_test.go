package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A skills is a folder with what a promotion needs: a policy, an evidence key
// and a source.
type skills struct {
	t      *testing.T
	folder string
}

func newSkills(t *testing.T) *skills {
	t.Helper()
	s := &skills{t, t.TempDir()}
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	s.write("key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
	if der, err = x509.MarshalPKIXPublicKey(public); err != nil {
		t.Fatal(err)
	}
	s.write("key.pub", string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})))
	s.write("skills.pawl.yaml", "pawl: v1\ngate: skills\nkind: promotion\nevidence_keys: [key.pub]\nenableAutoApply: true\nqueues: {needs_human: review, candidate_only: review}\n")
	return s
}

func (s *skills) path(name string) string { return filepath.Join(s.folder, name) }

func (s *skills) write(name, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(s.path(name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// snapshot returns the digest of a path, empty if it has none.
func (s *skills) snapshot(name string, more ...string) string {
	s.t.Helper()
	var out bytes.Buffer
	code, stderr := run(nil, &out, append([]string{"promote", "snapshot", s.path(name)}, more...)...)
	if code != exitOK && code != exitHuman {
		s.t.Fatalf("snapshot %s: exit code %d, %s", name, code, stderr)
	}
	return strings.TrimSpace(out.String())
}

// sign signs evidence, by which everything holds, about a digest.
func (s *skills) sign(digest, to string) {
	s.t.Helper()
	s.write("statement.json", fmt.Sprintf(`{"_type": "https://in-toto.io/Statement/v1",
 "subject": [{"name": "skill", "digest": {"sha256": %q}}], "predicateType": "https://pawl.dev/promotion-evidence/v1",
 "predicate": {"expires": "2999-12-31T00:00:00Z", "oracle": "out_of_process_isolated", "record": {"gate2Verdict": "present_positive"}, "gate4Armed": true,
  "touchesIrreversibleTool": false, "statisticsPresent": true, "concurringSignals": ["unit_tests", "canary"]}}`, strings.TrimPrefix(digest, "sha256:")))
	if code, stderr := run(nil, &bytes.Buffer{}, "promote", "sign", "--key", s.path("key"), s.path("statement.json"), "--to", s.path(to)); code != exitOK {
		s.t.Fatalf("sign: exit code %d, %s", code, stderr)
	}
}

// swapping turns one version of a folder's files into the next, for as long as
// the test wants, and returns how to stop it and learn how often: by writing
// over them, or by renaming. Neither waits for the disk.
func (s *skills) swapping(name string, inPlace bool, versions ...map[string]string) (stop func() int) {
	for i, version := range versions {
		for file, text := range version {
			s.write(fmt.Sprintf("version%d/%s", i, file), text)
		}
	}
	end, n := make(chan struct{}), 0
	var done sync.WaitGroup
	done.Go(func() {
		for ; ; n++ {
			select {
			case <-end:
				return
			default:
			}
			i := n % len(versions)
			for file, text := range versions[i] {
				to := s.path(name + "/" + file)
				if inPlace {
					if f, err := os.OpenFile(to, os.O_WRONLY, 0); err == nil {
						_, _ = f.WriteString(text)
						_ = f.Truncate(int64(len(text)))
						_ = f.Close()
					}
				} else if os.Link(s.path(fmt.Sprintf("version%d/%s", i, file)), s.path("temp")) == nil {
					_ = os.Rename(s.path("temp"), to)
				}
			}
			time.Sleep(time.Millisecond) // at times it is read between two changes
		}
	})
	return func() int {
		close(end)
		done.Wait()
		return n
	}
}

// A source that changes while it is read changes nothing: evidence for the clean
// version lets no byte of the evil one through, whatever was read, and what is
// applied has the digest that was decided on.
func TestPromotionOfASourceThatChanges(t *testing.T) {
	t.Run("in place", func(t *testing.T) { promoteWhileChanging(t, true) })
	t.Run("by renaming", func(t *testing.T) { promoteWhileChanging(t, false) })
}

func promoteWhileChanging(t *testing.T, inPlace bool) {
	s := newSkills(t)
	const front = "---\nname: skill\ndescription: A skill.\n---\n"
	body := strings.Repeat("Look for notes without a title.\n", 3000)
	// Of the same length, so that a mixture isn't told by its size. Nothing in
	// the evil version is on the denylist: the digest alone keeps it out.
	clean := map[string]string{"SKILL.md": front + body, "a.md": "all is well: 1\n", "b.md": "all is well: 2\n"}
	evil := map[string]string{"SKILL.md": front + strings.ReplaceAll(body, "without a title", "with a password"), "a.md": "all is evil: 1\n", "b.md": "all is evil: 2\n"}
	for file, text := range clean {
		s.write("clean/"+file, text)
		s.write("source/"+file, text)
	}
	good := s.snapshot("clean")
	s.sign(good, "evidence.json")

	stop := s.swapping("source", inPlace, clean, evil)
	tries, promoted, refused, applied := 0, 0, 0, 0
	for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline) || (promoted == 0 || refused == 0 || applied == 0) && tries < 3000; tries++ {
		var out bytes.Buffer
		args := []string{"-p", s.path("skills.pawl.yaml"), "--evidence", s.path("evidence.json")}
		code, stderr := run(nil, &out, append([]string{"promote", "decide", "-o", "json", s.path("source")}, args...)...)
		var answer struct {
			Result struct {
				Terminal string
				Snapshot *string
			}
		}
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
			t.Fatalf("decide: exit code %d, %s, %v", code, stderr, err)
		}
		isGood := answer.Result.Snapshot != nil && *answer.Result.Snapshot == good
		if (code == exitOK) != isGood || (answer.Result.Terminal == "auto_promote") != isGood {
			t.Fatalf("decide: exit code %d, %s", code, out.Bytes())
		}
		if isGood {
			promoted++
		} else {
			refused++
		}

		digest := s.snapshot("source", "--to", s.path("skill.tar"))
		if digest == "" {
			continue
		}
		dest := s.path("live")
		code, stderr = run(nil, &bytes.Buffer{}, append([]string{"promote", "apply", s.path("skill.tar"), dest}, args...)...)
		_, err := os.Lstat(dest)
		if (code == exitOK) != (digest == good) || (err == nil) != (digest == good) {
			t.Fatalf("apply of %s: exit code %d, %s; live: %v", digest, code, stderr, err)
		}
		if err != nil {
			continue
		}
		applied++
		for file, text := range clean {
			if got, err := os.ReadFile(filepath.Join(dest, file)); err != nil || string(got) != text {
				t.Fatalf("what was applied isn't what was decided on: %s, %v", file, err)
			}
		}
		if err := os.RemoveAll(dest); err != nil {
			t.Fatal(err)
		}
	}
	swaps := stop()
	t.Logf("%d tries, %d changes: %d promoted, %d refused, %d applied", tries, swaps, promoted, refused, applied)
	if swaps < 300 || promoted == 0 || refused == 0 || applied == 0 {
		t.Errorf("the race wasn't run: %d tries, %d changes: %d promoted, %d refused, %d applied", tries, swaps, promoted, refused, applied)
	}
}

// A snapshot, its evidence and the policy that change while it is applied give
// the one or the other, never a mixture: nobody signed evil's digest.
func TestApplyOfASnapshotThatChanges(t *testing.T) {
	s := newSkills(t)
	const front = "---\nname: skill\ndescription: A skill.\n---\n"
	s.write("clean/SKILL.md", front+"all is well\n")
	s.write("evil/SKILL.md", front+"all is evil\n")
	good, bad := s.snapshot("clean", "--to", s.path("clean.tar")), s.snapshot("evil", "--to", s.path("evil.tar"))
	s.sign(good, "clean.json")
	s.sign("sha256:"+strings.Repeat("0", 64), "other.json")
	read := func(name string) string {
		b, err := os.ReadFile(s.path(name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	policy := read("skills.pawl.yaml")
	if err := os.Mkdir(s.path("in"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.write("in/key.pub", read("key.pub"))
	versions := []map[string]string{
		{"skill.tar": read("clean.tar"), "evidence.json": read("clean.json"), "skills.pawl.yaml": policy},
		{"skill.tar": read("evil.tar"), "evidence.json": read("clean.json"), "skills.pawl.yaml": policy},
		{"skill.tar": read("clean.tar"), "evidence.json": read("other.json"), "skills.pawl.yaml": policy},
		{"skill.tar": read("evil.tar"), "evidence.json": read("clean.json"), "skills.pawl.yaml": strings.Replace(policy, "enableAutoApply: true\n", "", 1)},
	}
	for file, text := range versions[0] {
		s.write("in/"+file, text)
	}
	stop := s.swapping("in", false, versions...)
	applied, refused := 0, 0
	for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline) || (applied == 0 || refused == 0) && applied+refused < 3000; {
		dest := s.path("live")
		code, stderr := run(nil, &bytes.Buffer{}, "promote", "apply", s.path("in/skill.tar"), dest, "-p", s.path("in/skills.pawl.yaml"), "--evidence", s.path("in/evidence.json"))
		_, err := os.Lstat(dest)
		if (code == exitOK) != (err == nil) {
			t.Fatalf("exit code %d, %s; live: %v", code, stderr, err)
		}
		if err != nil {
			refused++
			continue
		}
		if got := s.snapshot("live"); got != good {
			t.Fatalf("%s was applied (evil is %s)", got, bad)
		}
		applied++
		if err := os.RemoveAll(dest); err != nil {
			t.Fatal(err)
		}
	}
	if swaps := stop(); swaps < 100 || applied == 0 || refused == 0 {
		t.Errorf("the race wasn't run: %d changes, %d applied, %d refused", swaps, applied, refused)
	}
}
