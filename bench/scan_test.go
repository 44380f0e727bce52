package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawlgate/pawl/promotion"
)

var markdown = sync.OnceValues(NewMarkdown)

func scanner(tb testing.TB) *promotion.Scanner {
	s, err := promotion.NewScanner(promotion.ScanOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// oneCore leaves the garbage collector no core of its own until the returned
// function is called.
func oneCore() func() {
	old := runtime.GOMAXPROCS(1)
	return func() { runtime.GOMAXPROCS(old) }
}

// BenchmarkScan is the whole scan of real Markdown, as files of up to 1 MiB and
// as one, beside tools that look for the same tokens in the text as it stands.
func BenchmarkScan(b *testing.B) {
	md, err := markdown()
	if err != nil {
		b.Fatal(err)
	}
	b.Log(md.Used)
	defer oneCore()()
	scan := func(a *promotion.Artefact) func(*testing.B) {
		return func(b *testing.B) {
			s := scanner(b)
			b.SetBytes(int64(len(md.Text)))
			for b.Loop() {
				if r := s.Scan(a); !r.Tripwire.Escalate {
					b.Fatal("nothing found")
				}
			}
		}
	}
	b.Run("pawl/files", scan(Split(md.Text)))
	b.Run("pawl/one-file", scan(One(md.Text)))
	b.Run("ripgrep", func(b *testing.B) { ripgrep(b, md.Text) })
	b.Run("contains", func(b *testing.B) {
		// It is so slow that an eighth of the text must do.
		text := md.Text[:CorpusBytes/8]
		a, tokens := Split(text), promotion.Floor()
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if ContainsLoop(a, tokens) == 0 {
				b.Fatal("nothing found")
			}
		}
	})
}

// ripgrep looks for the tokens in the text as one file, its start included.
func ripgrep(b *testing.B, text []byte) {
	program, err := exec.LookPath("rg")
	if err != nil {
		b.Skip("rg isn't installed (apt-get install ripgrep): not measured")
	}
	dir := b.TempDir()
	var tokens strings.Builder
	for _, t := range promotion.Floor() {
		fmt.Fprintln(&tokens, t.Text)
	}
	tokenFile, textFile := filepath.Join(dir, "tokens"), filepath.Join(dir, "corpus.md")
	for name, data := range map[string][]byte{tokenFile: []byte(tokens.String()), textFile: text} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if err := exec.Command(program, "--no-config", "-F", "-i", "-a", "-j1", "-f", tokenFile, textFile).Run(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkScanAdversary is the whole scan of 1 MiB of text that is made to be
// slow, and of 8 MiB: the speed must not fall.
func BenchmarkScanAdversary(b *testing.B) {
	defer oneCore()()
	for _, size := range []int{1 << 20, 8 << 20} {
		for _, adversary := range Adversaries(size) {
			b.Run(fmt.Sprintf("%s/%dMiB", adversary.Name, size>>20), func(b *testing.B) {
				s, a := scanner(b), One(adversary.Text)
				b.SetBytes(int64(size))
				for b.Loop() {
					s.Scan(a)
				}
			})
		}
	}
}

// BenchmarkScanByte is the whole scan of 1 MiB of one byte, for each of the 256
// in turn; slowest-bytes/s is the speed of the worst of them.
func BenchmarkScanByte(b *testing.B) {
	defer oneCore()()
	s := scanner(b)
	const size = 1 << 20
	var best [256]time.Duration
	b.SetBytes(256 * size)
	for b.Loop() {
		for c := range best {
			a := One(bytes.Repeat([]byte{byte(c)}, size))
			start := time.Now()
			s.Scan(a)
			if took := time.Since(start); best[c] == 0 || took < best[c] {
				best[c] = took
			}
		}
	}
	worst := 0
	for c, took := range best {
		if took > best[worst] {
			worst = c
		}
	}
	b.ReportMetric(size/best[worst].Seconds(), "slowest-bytes/s")
	b.ReportMetric(float64(worst), "slowest-byte")
}
