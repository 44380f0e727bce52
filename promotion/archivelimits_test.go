package promotion

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// writeZeros is a stream of zeros, from which bombs are made.
func writeZeros(t testing.TB, w io.Writer, n int64) {
	t.Helper()
	buf := make([]byte, 1<<20)
	for n > 0 {
		m, err := w.Write(buf[:min(n, int64(len(buf)))])
		if err != nil {
			t.Fatal(err)
		}
		n -= int64(m)
	}
}

func TestBombsAreNotUnpacked(t *testing.T) {
	lim := Limits{FileBytes: 1 << 20, ArtefactBytes: 4 << 20, Files: 50}
	const gig = 1 << 30
	bombs := map[string]func(w io.Writer){
		"one file in a zip": func(w io.Writer) {
			z := zip.NewWriter(w)
			f, err := z.Create("SKILL.md")
			if err != nil {
				t.Fatal(err)
			}
			writeZeros(t, f, gig/4)
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
		},
		"many files in a zip": func(w io.Writer) {
			z := zip.NewWriter(w)
			for i := range 200 {
				f, err := z.Create(fmt.Sprint("f", i))
				if err != nil {
					t.Fatal(err)
				}
				writeZeros(t, f, 1<<20)
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
		},
		"a tar that says so": func(w io.Writer) {
			g := gzip.NewWriter(w)
			tw := tar.NewWriter(g)
			if err := tw.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "SKILL.md", Size: gig / 4}); err != nil {
				t.Fatal(err)
			}
			writeZeros(t, tw, gig/4)
			if err := errors.Join(tw.Close(), g.Close()); err != nil {
				t.Fatal(err)
			}
		},
		"zeros behind a tar": func(w io.Writer) {
			g := gzip.NewWriter(w)
			if _, err := g.Write(tarWith(t, member{name: "SKILL.md"})); err != nil {
				t.Fatal(err)
			}
			writeZeros(t, g, gig/4)
			if err := g.Close(); err != nil {
				t.Fatal(err)
			}
		},
		"many folders in a tar": func(w io.Writer) {
			tw := tar.NewWriter(w)
			for i := range 10_000 {
				if err := tw.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: fmt.Sprint("f", i, "/")}); err != nil {
					t.Fatal(err)
				}
			}
			if err := tw.Close(); err != nil {
				t.Fatal(err)
			}
		},
		"many folders in a zip": func(w io.Writer) {
			z := zip.NewWriter(w)
			for i := range 10_000 {
				if _, err := z.Create(fmt.Sprint("f", i, "/")); err != nil {
					t.Fatal(err)
				}
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
		},
		"many findings and skills": func(w io.Writer) {
			tw := tar.NewWriter(w)
			for i := range 300 {
				for _, name := range []string{fmt.Sprint("s", i/2, "/SKILL.md"), "../x"} {
					if err := tw.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name}); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := tw.Close(); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, write := range bombs {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			write(&b)
			raw := b.Bytes()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			readArchive(t, raw, lim)
			runtime.ReadMemStats(&after)
			spent := after.TotalAlloc - before.TotalAlloc
			t.Logf("%d bytes: %d bytes allocated", len(raw), spent)
			if spent > 32<<20 {
				t.Errorf("it takes %d bytes", spent)
			}
			if got := blockedBy(t, raw, lim); !strings.Contains(got, "limit: ") && !strings.Contains(got, "more findings") {
				t.Errorf("got %.300s", got)
			}
		})
	}
}

func TestLimitsOfAnArchive(t *testing.T) {
	members := []member{{name: "SKILL.md", data: "12345"}, {name: "b", data: "1234567890"}, {name: "c", data: "1"}}
	for form, raw := range forms(t, members...) {
		for name, tt := range map[string]struct {
			lim  Limits
			want string
		}{
			"all just fits":   {Limits{10, 16, 3}, "SKILL.md b c ()"},
			"a file too many": {Limits{10, 16, 2}, "SKILL.md b (limit)"},
			"a byte too many": {Limits{10, 15, 3}, "SKILL.md b (limit)"},
			"a file too long": {Limits{9, 100, 3}, "SKILL.md c (limit)"},
			"nothing":         {Limits{}, ""},
			"less":            {Limits{-1, -1, -1}, ""},
			"all there is":    {Limits{1<<63 - 1, 1<<63 - 1, 1<<31 - 1}, "SKILL.md b c ()"},
		} {
			all, _ := readArchive(t, raw, tt.lim)
			got := fmt.Sprintf("%s (%s)", pathsOf(all[0].Files), kindsOf(all[0].Findings))
			if tt.want == "" {
				if _, err := all[0].Snapshot(); err == nil || len(all[0].Findings) == 0 || len(all[0].Files) > 0 {
					t.Errorf("%s, %s: got %s", form, name, got)
				}
			} else if got != tt.want {
				t.Errorf("%s, %s: got %s, want %s", form, name, got, tt.want)
			}
		}
	}
}
