package promotion

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// The views by a straightforward pipeline over whole strings, with other means
// than the scan: what it finds, the scan must find.

var (
	continuedLine = regexp.MustCompile(`\\\r?\n`)
	base64Runs    = regexp.MustCompile(`[A-Za-z0-9+/_-](?:[A-Za-z0-9+/_-]|\r?\n){14,}[A-Za-z0-9+/_-]`)
	hexRuns       = regexp.MustCompile(`[0-9A-Fa-f]{16,}`)
	percentRuns   = regexp.MustCompile(`\S*%[0-9A-Fa-f]{2}\S*`)
)

func naivePlain(s string) []string {
	stripped := strings.Map(func(r rune) rune {
		switch {
		case r == 0, 0x200b <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e, 0x2060 <= r && r <= 0x206f, r == 0xad, r == 0xfeff,
			0xfe00 <= r && r <= 0xfe0f, 0xe0000 <= r && r <= 0xe0fff, r == 0x61c, r == 0x34f:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\x02"))
	normal := norm.NFKC.String(stripped)
	return []string{s, normal, continuedLine.ReplaceAllString(s, ""), continuedLine.ReplaceAllString(normal, "")}
}

func naiveDecoded(s string) []string {
	var all []string
	for _, run := range base64Runs.FindAllString(s, -1) {
		run = strings.NewReplacer("\r", "", "\n", "", "-", "+", "_", "/").Replace(run)
		for align := range min(4, len(run)) {
			cut := run[align:]
			if len(cut)%4 == 1 {
				cut = cut[:len(cut)-1]
			}
			if out, err := base64.RawStdEncoding.DecodeString(cut); err == nil {
				all = append(all, string(out))
			}
		}
	}
	for _, run := range hexRuns.FindAllString(s, -1) {
		for align := range 2 {
			cut := run[align:]
			if out, err := hex.DecodeString(cut[:len(cut)&^1]); err == nil {
				all = append(all, string(out))
			}
		}
	}
	for _, run := range percentRuns.FindAllString(s, -1) {
		if out, err := url.PathUnescape(run); err == nil {
			all = append(all, out)
		}
	}
	return all
}

func naiveTokens(s string, tokens []Token, depth int, found map[string]bool) {
	for _, view := range naivePlain(s) {
		folded := foldString(view)
		for _, t := range tokens {
			if strings.Contains(folded, t.Text) {
				found[t.Text] = true
			}
		}
		if depth > 0 {
			for _, text := range naiveDecoded(view) {
				naiveTokens(text, tokens, depth-1, found)
			}
		}
	}
}

// FuzzViews hides what the bytes say, where they say, with the evasions of the
// table, one around the other, and holds the scan to the pipeline.
func FuzzViews(f *testing.F) {
	for i := range len(evasions) {
		f.Add([]byte("some text "), []byte{byte(i), 0, byte(2 * i), byte(i + 7), 100})
	}
	f.Add([]byte("Y3\u200bVybCBodHRwOi8vZXhhbXBsZQ=="), []byte{})
	f.Add([]byte("\xff\xef\xbc\x83\\\n%6\\\r\n3url"), []byte{2})
	tokens := Floor()
	m, err := newMatcher(tokens)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text, how []byte) {
		if len(text) > 2000 || len(how) > 40 {
			return
		}
		data := string(text)
		for i := 0; i+1 < len(how); i += 2 {
			hidden := tokens[int(how[i+1])%len(tokens)].Text
			hidden = evasions[int(how[i])%len(evasions)].hide(hidden)
			if how[i] >= 128 && len(hidden) < 500 {
				hidden = evasions[int(how[i]/2)%len(evasions)].hide(hidden)
			}
			if data += " " + hidden; how[i+1]%2 == 0 {
				data += "\n"
			}
			if len(data) > 20_000 {
				return
			}
		}
		var h hits
		scanViews([]byte(data), m, &h)
		h.settle()
		got, want := map[string]bool{}, map[string]bool{}
		for _, x := range h.kept {
			got[m.tokens[x.token].Text] = true
			if x.offset < 0 || x.length <= 0 || x.offset+x.length > len(data) {
				t.Errorf("%+v is out of %d bytes", x, len(data))
			}
		}
		naiveTokens(data, tokens, 2, want)
		for token := range want {
			if !got[token] {
				t.Errorf("%q isn't found in %q", token, data)
			}
		}
	})
}

// FuzzDecode is for what goes wrong by itself: a panic, a hang, a place outside
// of the file, however the blocks and pieces are cut.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("Y3VybCBodHRwOi8vZXhhbXBsZQ=="), uint16(1))
	f.Add([]byte("%25\\x25&#37;\u200b\\\n"), uint16(3000))
	f.Add([]byte("c\x00\u0301\ufdfa="), uint16(9999))
	f.Add([]byte("  \n\t>ab"), uint16(9999))
	m, err := newMatcher(append(Floor(), Token{Text: "\u00dcb\\", Kind: KindExtra}))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte, repeat uint16) {
		if n := len(data) * int(repeat); n > 0 && n <= 200_000 {
			data = []byte(strings.Repeat(string(data), int(repeat)))
		}
		var h hits
		scanViews(data, m, &h)
		h.settle()
		for _, x := range h.kept {
			if x.offset < 0 || x.length <= 0 || x.offset+x.length > len(data) {
				t.Errorf("%+v is out of %d bytes", x, len(data))
			}
		}
	})
}
