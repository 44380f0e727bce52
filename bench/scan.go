package bench

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/promotion"
)

// CorpusBytes is how large the Markdown of the scan benchmarks is.
const CorpusBytes = 64 << 20

// Markdown is real text to scan.
type Markdown struct {
	Text []byte // CorpusBytes of it
	Used string // what it was made of, for the report
}

// NewMarkdown puts all Markdown files of the Go module cache one after the
// other, in the order of their paths, again and again until there are
// CorpusBytes. The same cache gives the same text; another machine's has other
// modules, so Used names the number of files and the digest.
func NewMarkdown() (*Markdown, error) {
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOMODCACHE: %w", err)
	}
	root := strings.TrimSpace(string(out))
	var all []byte
	files := 0
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path == filepath.Join(root, "cache"):
			return fs.SkipDir
		case !d.Type().IsRegular() || filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		files++
		all = append(append(all, text...), '\n')
		return err
	})
	if err != nil {
		return nil, err
	}
	if files == 0 {
		return nil, errors.New(root + " has no Markdown: go mod download fills it")
	}
	sum := sha256.Sum256(all)
	used := fmt.Sprintf("%d Markdown files of the module cache, %.1f MB, sha256 %x…", files, float64(len(all))/1e6, sum[:6])
	return &Markdown{repeat(all, CorpusBytes), used}, nil
}

// repeat repeats text up to a length.
func repeat(text []byte, n int) []byte {
	return bytes.Repeat(text, n/len(text)+1)[:n:n]
}

// Split cuts text into files of at most 1 MiB, at line ends, as the gate's
// limits have them.
func Split(text []byte) *promotion.Artefact {
	a := &promotion.Artefact{Name: "corpus"}
	for len(text) > 0 {
		n := min(len(text), 1<<20)
		if end := bytes.LastIndexByte(text[:n], '\n'); end > 0 {
			n = end + 1
		}
		a.Files = append(a.Files, promotion.File{Path: fmt.Sprintf("%04d.md", len(a.Files)), Data: text[:n:n]})
		text = text[n:]
	}
	return a
}

// One is the text as one file, which the gate's limits would refuse.
func One(text []byte) *promotion.Artefact {
	return &promotion.Artefact{Name: "corpus", Files: []promotion.File{{Path: "SKILL.md", Data: text}}}
}

// Adversary is a text that is made to be slow to scan.
type Adversary struct {
	Name string
	Text []byte
}

// Adversaries returns such texts of n bytes each: prefixes of tokens, tokens
// themselves, encoded runs, and characters that every view reads otherwise.
func Adversaries(n int) []Adversary {
	var prefixes, tokens []byte
	for _, t := range promotion.Floor() {
		prefixes = append(prefixes, t.Text[:len(t.Text)-1]...)
		tokens = append(tokens, t.Text...)
	}
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, n)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	letters := func(alphabet string) []byte {
		text := make([]byte, n)
		for i := range text {
			text[i] = alphabet[r.IntN(len(alphabet))]
		}
		return text
	}
	const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	once := base64.StdEncoding.EncodeToString(noise)
	twice := base64.StdEncoding.EncodeToString([]byte(once))
	thrice := base64.StdEncoding.EncodeToString([]byte(twice))
	texts := []Adversary{
		{"prefixes", prefixes},
		{"curl-prefix", []byte("cur")},
		{"tokens", tokens},
		{"curl", []byte("curl")},
		{"noise", noise},
		{"base64-random", letters(base64Alphabet)},
		{"base64-of-noise-3-times", []byte(thrice)},
		{"base64-lines-of-16", []byte(lines(thrice, 16))},
		{"hex-random", letters("0123456789abcdef")},
		{"hex-of-hex", []byte(hex.EncodeToString([]byte(hex.EncodeToString(noise[:n/4]))))},
		{"percent-random", letters("%25")},
		{"percent-twice", []byte("%2563")},
		{"percents", []byte("%25%32%35")},
		{"entities", []byte("&#8203;")},
		{"entity-names", []byte("&a;&amp&shy;")},
		{"escapes", []byte(`\x5c\u005c`)},
		{"zero-width", []byte("c\u200bu")},
		{"tags", []byte("\U000e0063\U000e0075")},
		{"full-width", []byte("\uff43\uff55")},
		{"expanding", []byte("\ufdfa")},
		{"marks", []byte("e\u0301\u0323")},
		{"continued", []byte("c\\\n")},
		{"continued-hidden", []byte("\\\u200b\n")},
		{"NUL", []byte("c\x00")},
		{"everything", []byte("\u200b\\\n%25&#37;\\x25Y3Vy\x00")},
		{"blanks", []byte(" ")},
		{"blanks-lines", []byte("  \n\t>")},
		{"short-runs", []byte("abcdefghijklmno.")},
		{"runs-of-16", []byte("abcdefghijklmnop.")},
		{"words-on-lines", []byte("abc\n")},
	}
	for i := range texts {
		texts[i].Text = repeat(texts[i].Text, n)
	}
	return texts
}

func lines(s string, width int) string {
	var b strings.Builder
	for part := range slices.Chunk([]byte(s), width) {
		b.Write(part)
		b.WriteByte('\n')
	}
	return b.String()
}

// ContainsLoop is the scan by hand: a copy in lower case, and bytes.Contains for
// each token. It says which tokens are there, but not where, and sees no view
// but the text as it stands.
func ContainsLoop(a *promotion.Artefact, tokens []promotion.Token) (found int) {
	for _, f := range a.Files {
		text := bytes.ToLower(f.Data)
		for _, t := range tokens {
			if bytes.Contains(text, []byte(t.Text)) {
				found++
			}
		}
	}
	return found
}
