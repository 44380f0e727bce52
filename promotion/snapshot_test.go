package promotion

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"
)

// goldenSnapshots are snapshots whose digests testdata/snapshots/digests.py
// computed.
func goldenSnapshots(t testing.TB) (golden []struct {
	Name, Digest string
	Files        []File
},
) {
	t.Helper()
	raw, err := os.ReadFile("testdata/snapshots/digests.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &golden); err != nil || len(golden) == 0 {
		t.Fatal(err)
	}
	return golden
}

func TestDigestIsWhatAnotherProgramComputes(t *testing.T) {
	for _, g := range goldenSnapshots(t) {
		s, err := (&Artefact{Name: g.Name, Files: g.Files}).Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if s.Digest != g.Digest {
			t.Errorf("%s: got %s, want %s", g.Name, s.Digest, g.Digest)
		}
	}
}

// The bytes of the tar are what people keep: a changed form would refuse what
// they have.
func TestTarKeepsItsForm(t *testing.T) {
	want := map[string]string{}
	for _, g := range goldenSnapshots(t) {
		s, err := (&Artefact{Name: g.Name, Files: g.Files}).Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		raw := s.Tar()
		sum := sha256.Sum256(raw)
		want[g.Name] = hex.EncodeToString(sum[:])
		if want[g.Name] != goldenTars[g.Name] {
			t.Errorf("%q: %q,", g.Name, want[g.Name])
		}
		a, again, err := ReadSnapshot(g.Name, raw, DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if again.Digest != g.Digest || !slices.EqualFunc(a.Files, s.Files(), sameContent) {
			t.Errorf("%s: it reads differently", g.Name)
		}
	}
}

func sameContent(f, g File) bool {
	return f.Path == g.Path && f.Exec == g.Exec && bytes.Equal(f.Data, g.Data)
}

func TestNoSnapshot(t *testing.T) {
	ok := File{Path: "SKILL.md"}
	many := make([]Finding, 100)
	for i := range many {
		many[i] = Finding{Kind: KindLink, File: "l", Detail: "a link"}
	}
	for name, tt := range map[string]struct {
		a    Artefact
		want string
	}{
		"nothing":          {Artefact{}, "no files"},
		"a link":           {Artefact{Files: []File{ok}, Findings: many[:1]}, "l: a link (link)"},
		"many":             {Artefact{Files: []File{ok}, Findings: many}, "and 80 more"},
		"about the whole":  {Artefact{Name: "me", Files: []File{ok}, Findings: []Finding{{Kind: KindLimit, Detail: "too much"}}}, "me: too much (limit)"},
		"a path out":       {Artefact{Files: []File{{Path: "../x"}}}, `".."`},
		"twice":            {Artefact{Files: []File{ok, ok}}, "same path"},
		"twice but case":   {Artefact{Files: []File{ok, {Path: "skill.MD"}}}, "same path"},
		"file and folder":  {Artefact{Files: []File{{Path: "a/b"}, {Path: "A"}}}, "same path"},
		"folders but case": {Artefact{Files: []File{{Path: "a/b"}, {Path: "A/c"}}}, "same path"},
		"of .git":          {Artefact{Files: []File{ok, {Path: ".git/config"}}}, "no part"},
	} {
		if _, err := tt.a.Snapshot(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
	a := Artefact{Files: []File{ok}, Findings: []Finding{{Kind: KindExec}, {Kind: KindScanFailed}}}
	if _, err := a.Snapshot(); err != nil {
		t.Errorf("findings of a scan are no reason: %v", err)
	}
}

func TestSnapshotKeepsItsBytes(t *testing.T) {
	a := &Artefact{Files: []File{{Path: "SKILL.md", Data: []byte("good")}}}
	s, err := a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	copy(a.Files[0].Data, "evil")
	s.Files()[0].Path = "evil"
	if got := s.Files()[0]; got.Path != "SKILL.md" || string(got.Data) != "good" || DigestOf(s.Files()) != s.Digest {
		t.Errorf("got %s, %s", got.Path, got.Data)
	}
}

// tarOf writes a tar as others would.
func tarOf(t testing.TB, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		data := make([]byte, h.Size)
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReadSnapshotTakesOneFormOnly(t *testing.T) {
	file := tar.Header{Typeflag: tar.TypeReg, Name: "SKILL.md", Mode: 0o644, Size: 3}
	with := func(change func(h *tar.Header)) tar.Header {
		h := file
		change(&h)
		return h
	}
	good := tarOf(t, file)
	if _, _, err := ReadSnapshot("x", good, DefaultLimits()); err != nil {
		t.Fatal(err)
	}
	other := with(func(h *tar.Header) { h.Name = "a" })
	for name, raw := range map[string][]byte{
		"nothing":          {},
		"no tar":           []byte("hello"),
		"no files":         tarOf(t),
		"a folder":         tarOf(t, tar.Header{Typeflag: tar.TypeDir, Name: "d/", Mode: 0o755}, file),
		"a link":           tarOf(t, file, tar.Header{Typeflag: tar.TypeSymlink, Name: "l", Linkname: "SKILL.md"}),
		"another mode":     tarOf(t, with(func(h *tar.Header) { h.Mode = 0o600 })),
		"an owner":         tarOf(t, with(func(h *tar.Header) { h.Uid = 1000 })),
		"a name of one":    tarOf(t, with(func(h *tar.Header) { h.Uname = "root" })),
		"another form":     tarOf(t, with(func(h *tar.Header) { h.Format = tar.FormatPAX; h.PAXRecords = map[string]string{"comment": "x"} })),
		"another order":    tarOf(t, other, file),
		"twice":            tarOf(t, file, file),
		"a path out":       tarOf(t, with(func(h *tar.Header) { h.Name = "../SKILL.md" })),
		"a .git":           tarOf(t, with(func(h *tar.Header) { h.Name = ".git/config" })),
		"cut off":          good[:len(good)-512],
		"cut off more":     good[:600],
		"more at the end":  append(slices.Clone(good), 0),
		"more blocks":      append(slices.Clone(good), make([]byte, 1024)...),
		"two of them":      append(slices.Clone(good), good...),
		"something before": append(make([]byte, 512), good...),
	} {
		if _, s, err := ReadSnapshot("x", raw, DefaultLimits()); err == nil || s != nil {
			t.Errorf("%s: taken", name)
		}
	}
	for name, lim := range map[string]Limits{
		"files": {1 << 20, 1 << 20, 1}, "bytes": {1 << 20, 5, 10}, "bytes of a file": {2, 1 << 20, 10}, "none": {},
	} {
		if _, _, err := ReadSnapshot("x", tarOf(t, file, other), lim); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestAnyChangedByteChangesTheDigestOrIsRefused(t *testing.T) {
	a := &Artefact{Files: []File{{Path: "SKILL.md", Data: []byte("hello")}, {Path: "é", Exec: true, Data: []byte("x")}}}
	s, err := a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	raw := s.Tar()
	taken := 0
	for i := range raw {
		for _, flip := range []byte{1, 0x20, 0x80} {
			raw[i] ^= flip
			if _, got, err := ReadSnapshot("x", raw, DefaultLimits()); err == nil {
				taken++
				if got.Digest == s.Digest {
					t.Fatalf("byte %d: taken for the same", i)
				}
			}
			raw[i] ^= flip
		}
	}
	if taken == 0 {
		t.Error("not even changed data was taken, so nothing was tried")
	}
}

func TestSnapshotsComeBackFromTheirTars(t *testing.T) {
	name := rapid.StringMatching(`[a-zA-Zé日"~ -]{0,60}[a-z]`)
	rapid.Check(t, func(t *rapid.T) {
		fsys := fstest.MapFS{}
		for range rapid.IntRange(1, 8).Draw(t, "files") {
			path := strings.Join(rapid.SliceOfN(name, 1, 5).Draw(t, "path"), "/")
			mode := rapid.SampledFrom([]os.FileMode{0o644, 0o755, 0o600, 0o100}).Draw(t, "mode")
			fsys[path] = &fstest.MapFile{Data: rapid.SliceOfN(rapid.Byte(), 0, 600).Draw(t, "data"), Mode: mode}
		}
		var s *Snapshot
		a := Read("x", fsys, ".", DefaultLimits())
		s, err := a.Snapshot()
		if err != nil {
			if len(a.Findings) == 0 {
				t.Fatal(err)
			}
			return // two were one path
		}
		raw := s.Tar()
		if !bytes.Equal(raw, s.Tar()) {
			t.Fatal("two tars of one snapshot")
		}
		again, back, err := ReadSnapshot("x", raw, DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if back.Digest != s.Digest || !slices.EqualFunc(again.Files, a.Files, sameContent) {
			t.Fatal("it came back differently")
		}
		// The digest is one of all that counts.
		files := s.Files()
		i := rapid.IntRange(0, len(files)-1).Draw(t, "which")
		switch rapid.IntRange(0, 2).Draw(t, "what") {
		case 0:
			files[i].Exec = !files[i].Exec
		case 1:
			files[i].Path += "x"
		case 2:
			files[i].Data = append(slices.Clone(files[i].Data), 0)
		}
		if DigestOf(files) == s.Digest {
			t.Fatal("the digest doesn't see a change")
		}
	})
}

func FuzzReadSnapshot(f *testing.F) {
	for _, g := range goldenSnapshots(f) {
		s, err := (&Artefact{Files: g.Files}).Snapshot()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(s.Tar())
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, s, err := ReadSnapshot("x", raw, DefaultLimits())
		if err != nil {
			return
		}
		if !bytes.Equal(s.Tar(), raw) || s.Digest != DigestOf(a.Files) || len(a.Findings) > 0 {
			t.Error("taken, though it isn't what Tar writes")
		}
	})
}

// goldenTars are the SHA-256 of the tars of the golden snapshots.
var goldenTars = map[string]string{
	"one file":      "0565ec207bf4eb60c2ef7af51b5cb8a3671b3a5bbbe6155e381754e20b7aaf43",
	"an empty file": "094b6f68e2d07242883789c0bf8541cd74274d463a1c0b34665b6427aac439fe",
	"executable":    "b9b3c605a65a902b1929801f71015b91c930264e9f84000387b0be3f80ef4aca",
	"byte order":    "5a7343107bcc9381bee4e086358e055ef7011e7c87667ae0ff9a8a6a4ba2aa09",
	"beyond ASCII":  "a806cfe6c198d47325f3e590d4c9185edfc7fecef913f9a234e3099f0552d7b6",
	"long paths":    "8c79344cd0009fdd0af067c32025f83a51894ae3ec80712e557a9422061b3472",
}
