package promotion

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"
)

func readArchive(t testing.TB, raw []byte, lim Limits) ([]*Artefact, int) {
	t.Helper()
	all, outside, err := ReadArchive("x.zip", bytes.NewReader(raw), int64(len(raw)), lim)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("no artefact")
	}
	return all, outside
}

// member is an entry of an archive in a test.
type member struct {
	name string
	mode fs.FileMode // 0: a file with 0644
	data string
}

func zipOf(t testing.TB, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate}
		if m.mode == 0 {
			m.mode = 0o644
		}
		h.SetMode(m.mode)
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, m.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarWith(t testing.TB, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: m.name, Size: int64(len(m.data)), Mode: 0o644}
		switch {
		case m.mode.IsDir():
			h.Typeflag = tar.TypeDir
		case m.mode&fs.ModeSymlink != 0:
			h.Typeflag, h.Linkname, h.Size, m.data = tar.TypeSymlink, m.data, 0, ""
		case m.mode != 0:
			h.Mode = int64(m.mode.Perm())
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, m.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipOf(t testing.TB, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// forms are the archives that the same members make.
func forms(t testing.TB, members ...member) map[string][]byte {
	t.Helper()
	tarred := tarWith(t, members...)
	return map[string][]byte{"zip": zipOf(t, members...), "tar": tarred, "tar.gz": gzipOf(t, tarred)}
}

func TestSkillsOfAnArchive(t *testing.T) {
	for name, tt := range map[string]struct {
		members []member
		want    string // name: files (findings), in the order of names
		outside int
	}{
		"at the top":       {[]member{{name: "SKILL.md"}, {name: "a/b"}, {name: "sub/SKILL.md"}}, "x.zip: SKILL.md a/b sub/SKILL.md ()", 0},
		"in one folder":    {[]member{{name: "my/", mode: fs.ModeDir | 0o755}, {name: "my/SKILL.md"}, {name: "my/a/b"}}, "x.zip/my: SKILL.md a/b ()", 0},
		"after ./":         {[]member{{name: "./", mode: fs.ModeDir | 0o755}, {name: "./SKILL.md"}, {name: "./b"}}, "x.zip: SKILL.md b ()", 0},
		"several":          {[]member{{name: "README"}, {name: "s/b/skill.md"}, {name: "s/b/x"}, {name: "s/a/SKILL.MD"}, {name: "s/y"}}, "x.zip/s/a: SKILL.MD (); x.zip/s/b: skill.md x ()", 2},
		"none":             {[]member{{name: "d/b"}, {name: "a"}}, "x.zip: a d/b ()", 0},
		".git at its top":  {[]member{{name: "my/SKILL.md"}, {name: "my/.git/config"}, {name: "my/.git/l", mode: fs.ModeSymlink | 0o777, data: "/"}, {name: "my/d/.git/x"}}, "x.zip/my: SKILL.md d/.git/x ()", 0},
		"a link":           {[]member{{name: "a/SKILL.md"}, {name: "b/SKILL.md"}, {name: "b/l", mode: fs.ModeSymlink | 0o777, data: "/etc"}}, "x.zip/a: SKILL.md (); x.zip/b: SKILL.md (link)", 0},
		"a link outside":   {[]member{{name: "a/SKILL.md"}, {name: "b/SKILL.md"}, {name: "l", mode: fs.ModeSymlink | 0o777, data: "/etc"}}, "x.zip/a: SKILL.md (link); x.zip/b: SKILL.md (link)", 0},
		"a linked skill":   {[]member{{name: "a/SKILL.md", mode: fs.ModeSymlink | 0o777, data: "/etc"}}, "x.zip/a:  (link)", 0},
		"out of it":        {[]member{{name: "a/SKILL.md"}, {name: "b/SKILL.md"}, {name: "a/../../x"}}, "x.zip/a: SKILL.md (path); x.zip/b: SKILL.md (path)", 0},
		"absolute":         {[]member{{name: "SKILL.md"}, {name: "/etc/cron.d/x"}}, "x.zip: SKILL.md (path)", 0},
		"backslash":        {[]member{{name: "SKILL.md"}, {name: `..\x`}}, "x.zip: SKILL.md (path)", 0},
		"twice":            {[]member{{name: "a/SKILL.md"}, {name: "a/x", data: "1"}, {name: "a/x", data: "2"}}, "x.zip/a: SKILL.md x (path path)", 0},
		"twice but case":   {[]member{{name: "a/SKILL.md"}, {name: "a/skill.md", data: "2"}}, "x.zip/a: SKILL.md (path path)", 0},
		"folders but case": {[]member{{name: "a/SKILL.md"}, {name: "A/SKILL.md", data: "2"}}, "x.zip/a: SKILL.md (path path)", 0},
		"file and folder":  {[]member{{name: "SKILL.md"}, {name: "a"}, {name: "a/b"}}, "x.zip: SKILL.md a (path path)", 0},
		"a top only":       {[]member{{name: "d/", mode: fs.ModeDir | 0o755}}, "x.zip:  ()", 0},
	} {
		for form, raw := range forms(t, tt.members...) {
			all, outside := readArchive(t, raw, DefaultLimits())
			var got []string
			for _, a := range all {
				got = append(got, fmt.Sprintf("%s: %s (%s)", a.Name, pathsOf(a.Files), kindsOf(a.Findings)))
				if strings.Contains(name, ".git") && !slices.Equal(a.LeftOut, []string{".git"}) {
					t.Errorf("%s as %s: left out %q", name, form, a.LeftOut)
				}
			}
			if g := strings.Join(got, "; "); g != tt.want || outside != tt.outside {
				t.Errorf("%s as %s:\n got %s, %d outside\nwant %s, %d", name, form, g, outside, tt.want, tt.outside)
			}
		}
	}
}

// An archive of files is the artefact that the files are.
func TestArchivesReadAsTheirFilesDo(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		fsys := fstest.MapFS{"SKILL.md": {Mode: 0o644}}
		members := []member{{name: "SKILL.md"}}
		for i := range rapid.IntRange(0, 6).Draw(rt, "files") {
			m := member{
				name: fmt.Sprintf("%s%d", rapid.StringMatching(`([a-z]{1,3}/){0,3}[a-zé-]`).Draw(rt, "path"), i),
				mode: rapid.SampledFrom([]fs.FileMode{0o644, 0o755, 0o711}).Draw(rt, "mode"),
				data: strings.Repeat(rapid.String().Draw(rt, "data"), rapid.IntRange(1, 2000).Draw(rt, "times")),
			}
			members = append(members, m)
			fsys[m.name] = &fstest.MapFile{Data: []byte(m.data), Mode: m.mode}
		}
		want, err := Read("x", fsys, ".", DefaultLimits()).Snapshot()
		if err != nil {
			rt.Skip()
		}
		for form, raw := range forms(t, members...) {
			all, _ := readArchive(t, raw, DefaultLimits())
			got, err := all[0].Snapshot()
			if err != nil || got.Digest != want.Digest {
				rt.Fatalf("%s: %v", form, err)
			}
		}
	})
}

func TestNotAnArchive(t *testing.T) {
	for name, raw := range map[string][]byte{
		"nothing": {}, "text": []byte("# hello"), "a byte": {'P'}, "zeros": make([]byte, 10240), "something before a zip": append([]byte("#!"), zipOf(t, member{name: "a"})...),
	} {
		if _, _, err := ReadArchive("x", bytes.NewReader(raw), int64(len(raw)), DefaultLimits()); !errors.Is(err, ErrNotArchive) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := ReadArchive("x", failing{}, 100, DefaultLimits()); !errors.Is(err, errInjected) {
		t.Error(err)
	}
}

type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, errInjected }

// blockedBy reads an archive, and returns the kinds that forbid snapshots of
// all its artefacts.
func blockedBy(t testing.TB, raw []byte, lim Limits) string {
	t.Helper()
	all, _ := readArchive(t, raw, lim)
	var kinds []string
	for _, a := range all {
		if _, err := a.Snapshot(); err == nil {
			t.Errorf("%s has a snapshot", a.Name)
		}
		for _, f := range a.Findings {
			kinds = append(kinds, string(f.Kind)+": "+f.Detail)
		}
	}
	return strings.Join(kinds, "; ")
}

func TestDamagedAndAmbiguousArchives(t *testing.T) {
	skill := []member{{name: "SKILL.md", data: strings.Repeat("skill ", 100)}, {name: "b", data: "bbb"}}
	z, tr := zipOf(t, skill...), tarWith(t, skill...)
	gz := gzipOf(t, tr)
	patch := func(raw []byte, at int, b ...byte) []byte {
		raw = slices.Clone(raw)
		copy(raw[at:], b)
		return raw
	}
	central := bytes.Index(z, []byte("PK\x01\x02"))
	second := central + 46 + len("SKILL.md") + int(binary.LittleEndian.Uint16(z[central+30:]))
	data := zipLocalLen + len("SKILL.md") + int(binary.LittleEndian.Uint16(z[28:]))
	for name, tt := range map[string]struct {
		raw  []byte
		want string
	}{
		"zip cut off":                   {z[:len(z)-1], "unread: "},
		"zip cut in the middle":         {z[:len(z)/2], "unread: "},
		"zip with something behind it":  {append(slices.Clone(z), "x"...), "something behind its end"},
		"two zips":                      {append(slices.Clone(z), z...), "isn't where it says"},
		"zip with a zip in its comment": {commented(z, z), "unread: "},
		"zip called otherwise in front": {patch(z, zipLocalLen, 'E'), "EKILL.md is called SKILL.md"},
		"zip called otherwise behind":   {patch(z, central+46, 'E'), "SKILL.md is called EKILL.md"},
		"zip with another method":       {patch(z, 8, 0), "two ways"},
		"zip encrypted in front only":   {patch(z, 6, z[6]|1), "two ways"},
		"zip encrypted":                 {patch(patch(z, 6, z[6]|1), central+8, z[central+8]|1), "it is encrypted"},
		"zip of an unknown method":      {patch(patch(z, 8, 99), central+10, 99), "method 99"},
		"zip with a broken file":        {patch(z, data, z[data]^0xff), "can't be read"},
		"zip with a hole":               {patch(z, second+42, z[second+42]+1), "something between"},
		"zip with more than its files":  {padded(zipOfRaw(t, &zip.FileHeader{Name: "a"})), "between the files and the directory"},
		"zip with overlapping files":    {patch(z, second+42, 0, 0, 0, 0), "overlap"},
		"zip with a broken checksum":    {badSum(t, z), "can't be read"},
		"zip of two code pages":         {zipOfRaw(t, &zip.FileHeader{Name: "caf\x82"}), "another code page"},
		"zip of UTF-8 that isn't said":  {zipOfRaw(t, &zip.FileHeader{Name: "é", NonUTF8: true}), "another code page"},
		"zip with a second name":        {zipOfRaw(t, &zip.FileHeader{Name: "a", Extra: []byte{0x75, 0x70, 6, 0, 1, 0, 0, 0, 0, 'b'}}), "two names: a and b"},
		"zip with a broken extra field": {zipOfRaw(t, &zip.FileHeader{Name: "a", Extra: []byte{0x75, 0x70, 60, 0, 1}}), "extra field"},
		"tar cut off":                   {tr[:len(tr)-600], "damaged"},
		"tar without an end":            {tr[:len(tr)-1024], "cut off"},
		"tar cut in the middle":         {tr[:700], "unread: "},
		"tar with another behind it":    {append(slices.Clone(tr), tr...), "more behind the end"},
		"tar with a broken header":      {patch(tr, 1536, 'x'), "damaged"},
		"tar and zip in one":            {append(slices.Clone(tr), zipOf(t)...), "it is a zip, too"},
		"gzip cut off":                  {gz[:len(gz)-9], "unread: "},
		"gzip with a broken checksum":   {patch(gz, len(gz)-5, gz[len(gz)-5]^1), "damaged"},
		"gzip with something behind it": {append(slices.Clone(gz), "x"...), "damaged"},
		"gzip of two tars":              {append(slices.Clone(gz), gz...), "more behind the end"},
		"gzip of no tar":                {gzipOf(t, []byte("hello")), "unread: "},
		"gzip with a broken head":       {gz[:5], "can't be decompressed"},
	} {
		if got := blockedBy(t, tt.raw, DefaultLimits()); !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q", name, got)
		}
	}
	// What looks odd and isn't: two members that make one tar.
	half := append(gzipOf(t, tr[:1000]), gzipOf(t, tr[1000:])...)
	if all, _ := readArchive(t, half, DefaultLimits()); kindsOf(all[0].Findings) != "" {
		t.Errorf("gzip of two members: %v", all[0].Findings)
	}
}

// commented puts a comment into a zip.
func commented(z, comment []byte) []byte {
	z = slices.Clone(z)
	binary.LittleEndian.PutUint16(z[len(z)-2:], uint16(len(comment)))
	return append(z, comment...)
}

// padded puts something between a zip's files and its directory.
func padded(z []byte) []byte {
	central := bytes.Index(z, []byte("PK\x01\x02"))
	z = slices.Insert(slices.Clone(z), central, []byte("hidden")...)
	binary.LittleEndian.PutUint32(z[len(z)-6:], uint32(central+len("hidden")))
	return z
}

// zipOfRaw writes a stored entry with a header as it is.
func zipOfRaw(t testing.TB, h *zip.FileHeader) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	if _, err := w.CreateRaw(h); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// badSum changes the checksum of the first file wherever it stands.
func badSum(t testing.TB, z []byte) []byte {
	t.Helper()
	central := bytes.Index(z, []byte("PK\x01\x02"))
	sum := slices.Clone(z[central+16 : central+20])
	bad := bytes.ReplaceAll(z, sum, []byte("evil"))
	if bytes.Equal(bad, z) {
		t.Fatal("nothing was changed")
	}
	return bad
}

// Types that only their attributes tell, whatever system the entry is from.
func TestZipEntriesThatAreNoFiles(t *testing.T) {
	for _, creator := range []uint16{0, 3 << 8, 19 << 8, 10 << 8} {
		for attrs, want := range map[uint32]string{
			0o120777 << 16: "link", 0o010644 << 16: "device", 0o060644 << 16: "device", 0o140644 << 16: "device", 0o040755 << 16: "device",
			0o100644 << 16: "", 0: "",
		} {
			raw := zipOfRaw(t, &zip.FileHeader{Name: "SKILL.md", CreatorVersion: creator, ExternalAttrs: attrs})
			all, _ := readArchive(t, raw, DefaultLimits())
			if got := kindsOf(all[0].Findings); got != want {
				t.Errorf("creator %d, attributes %#o: %q, want %q", creator>>8, attrs, got, want)
			}
		}
		raw := zipOfRaw(t, &zip.FileHeader{Name: "SKILL.md", CreatorVersion: creator, ExternalAttrs: 0o100755 << 16})
		if all, _ := readArchive(t, raw, DefaultLimits()); !all[0].Files[0].Exec {
			t.Errorf("creator %d: not executable", creator>>8)
		}
	}
	raw := zipOfRaw(t, &zip.FileHeader{Name: "d/", CreatorVersion: 3 << 8, ExternalAttrs: 0o100644 << 16})
	if got := blockedBy(t, raw, DefaultLimits()); !strings.Contains(got, "path: ") {
		t.Errorf("a file with a folder's name: %s", got)
	}
}

func TestTarEntriesThatAreNoFiles(t *testing.T) {
	skill := tar.Header{Typeflag: tar.TypeReg, Name: "SKILL.md", Mode: 0o644}
	for name, tt := range map[string]struct {
		h    tar.Header
		want string
	}{
		"link":           {tar.Header{Typeflag: tar.TypeSymlink, Name: "x", Linkname: "/etc"}, "link"},
		"hard link":      {tar.Header{Typeflag: tar.TypeLink, Name: "x", Linkname: "SKILL.md"}, "link"},
		"device":         {tar.Header{Typeflag: tar.TypeChar, Name: "x"}, "device"},
		"block device":   {tar.Header{Typeflag: tar.TypeBlock, Name: "x"}, "device"},
		"FIFO":           {tar.Header{Typeflag: tar.TypeFifo, Name: "x"}, "device"},
		"something else": {tar.Header{Typeflag: 'V', Name: "x"}, "device"},
		"contiguous":     {tar.Header{Typeflag: tar.TypeCont, Name: "x"}, "device"},
		"of git archive": {tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "pax_global_header", PAXRecords: map[string]string{"comment": "0123"}}, ""},
		"global path":    {tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "g", PAXRecords: map[string]string{"path": "evil"}}, "unread"},
		"long name":      {tar.Header{Typeflag: tar.TypeReg, Name: strings.Repeat("d/", 60) + strings.Repeat("n", 100), Mode: 0o644}, ""},
		"longer name":    {tar.Header{Typeflag: tar.TypeReg, Name: strings.Repeat("n", 256), Mode: 0o644}, "path"},
	} {
		all, _ := readArchive(t, tarOf(t, skill, tt.h), DefaultLimits())
		if got := kindsOf(all[0].Findings); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

func FuzzReadArchive(f *testing.F) {
	members := []member{{name: "s/SKILL.md", data: "---\nname: x\n---\n"}, {name: "s/d/run.sh", mode: 0o755, data: "#!"}, {name: "s/é", data: strings.Repeat("x", 2000)}, {name: "t/skill.md"}, {name: "README"}}
	for _, raw := range forms(f, members...) {
		f.Add(raw)
	}
	f.Add(zipOf(f, member{name: "l", mode: fs.ModeSymlink | 0o777, data: "/etc"}))
	f.Add(tarOf(f, tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "g", PAXRecords: map[string]string{"comment": "x"}}, tar.Header{Typeflag: tar.TypeFifo, Name: "f"}))
	lim := Limits{FileBytes: 10_000, ArtefactBytes: 50_000, Files: 20}
	f.Fuzz(func(t *testing.T, raw []byte) {
		all, outside, err := ReadArchive("x", bytes.NewReader(raw), int64(len(raw)), lim)
		if err != nil {
			if !errors.Is(err, ErrNotArchive) {
				t.Fatal(err)
			}
			return
		}
		if len(all) == 0 || outside < 0 {
			t.Fatal("no artefact")
		}
		total := 0
		for _, a := range all {
			if len(a.Files) > lim.Files {
				t.Error("too many files")
			}
			for _, file := range a.Files {
				if total += len(file.Data); len(file.Data) > int(lim.FileBytes) {
					t.Errorf("%s is too large", file.Path)
				}
			}
			s, err := a.Snapshot()
			if err != nil {
				if len(a.Files) > 0 && len(a.Findings) == 0 {
					t.Error(err) // what is wrong must be found when it is read
				}
				continue
			}
			if _, back, err := ReadSnapshot("x", s.Tar(), lim); err != nil || back.Digest != s.Digest {
				t.Error(err)
			}
		}
		if total > int(lim.ArtefactBytes) {
			t.Error("too much")
		}
	})
}

// The same files, as the programs that people use archive them: testdata/archives.
func TestArchivesOfOtherPrograms(t *testing.T) {
	names, err := filepath.Glob("testdata/archives/*.*z*")
	if err != nil || len(names) < 10 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(name)
		want := "SKILL.md ref/a.md run.sh"
		if base == "python-appended.zip" {
			want = "SKILL.md run.sh"
		}
		all, _ := readArchive(t, raw, DefaultLimits())
		if len(all) != 1 || pathsOf(all[0].Files) != want {
			t.Errorf("%s: got %d artefacts, %s", base, len(all), pathsOf(all[0].Files))
			continue
		}
		s, err := all[0].Snapshot()
		if err != nil {
			t.Errorf("%s: %v", base, err)
			continue
		}
		files := s.Files()
		keepsBits := base != "jar.zip" && base != "python-zip64.zip"
		if run := files[len(files)-1]; run.Exec != keepsBits || string(run.Data) != "#!/bin/sh\n" {
			t.Errorf("%s: run.sh is %q, executable: %v", base, run.Data, run.Exec)
		}
	}
}
