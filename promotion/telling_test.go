package promotion

import (
	"encoding/base64"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestWhatIsNotDecodedShowsNothing compares what is found with what is found
// where everything is decoded.
func TestWhatIsNotDecodedShowsNothing(t *testing.T) {
	some, err := newMatcher([]Token{
		{"|sh", KindExec, ""}, {"curl", KindEgress, ""}, {"wget", KindEgress, ""}, {"a b", KindExec, ""}, {"os.environ", KindCredentials, ""},
	})
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := newMatcher([]Token{{"é!x", KindExec, ""}, {`ab\`, KindExec, ""}, {"ﬁx-me", KindExec, ""}})
	if err != nil {
		t.Fatal(err)
	}
	word := rapid.SampledFrom([]string{
		"curl", "CuRL", "cu", "rl", "|s", "h", "|SH", "wget", "os.en", "viron", "a b", "A ", "B", "é!x", "e\u0301!x", "ab\\", "fix-me", "ﬁx", "-me", "a", "zz", "(", " ",
		"\x00", "\\\n", "\\\r\n", "\u200b", "\u00ad", "\U000e0063", "ｃｕ", "ｒｌ", "￨", "\ufdfa", "ﬁ", "℡", "\\\u200b\n", "%63", "%7c", "&#99;", "&#x63", "&vert;", "&lt;", `\x63`, `\143`, `\u{63}`, `\u0063`,
		"63 75 72 6c 0a 41", "6375726c63757268", "0x63,0x75,0x72,0x6c", "Y3VybCBodHRwOi8v", "fHNo", "Y3Vy", "bA", "\n", "\xff", "\x01", "\x80", "\xc2", "\xe2", "é", "~",
	})
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom([]*matcher{some, foreign}).Draw(t, "tokens")
		text := strings.Join(rapid.SliceOfN(word, 1, 12).Draw(t, "words"), "")
		code := base64.RawStdEncoding.EncodeToString([]byte(text))
		if rapid.Bool().Draw(t, "twice") {
			code = base64.RawStdEncoding.EncodeToString([]byte(code))
		}
		code = strings.Repeat("z", rapid.IntRange(0, 15).Draw(t, "before")) + code + strings.Repeat("x", rapid.IntRange(0, 15).Draw(t, "after"))
		all := *m
		all.telling = nil
		var got, want hits
		scanViews([]byte(code), m, &got)
		scanViews([]byte(code), &all, &want)
		if g, w := got.all(), want.all(); !slices.Equal(g, w) {
			t.Fatalf("%q as %s: got %v, want %v", text, code, g, w)
		}
	})
}

func TestChangingHasWhatIsReadOtherwise(t *testing.T) {
	for r := rune(0x80); r <= 0x10ffff; r++ {
		if _, class := plainOf(r); class != runeHidden && class != runeMapped {
			continue
		}
		if s := string(r); strings.IndexByte(changing[s[0]], s[1]) < 0 {
			t.Errorf("U+%04X isn't among those that change", r)
		}
	}
}

// TestMostOfTextIsNotDecoded would fail if telling asked for much more than it
// needs.
func TestMostOfTextIsNotDecoded(t *testing.T) {
	s, err := NewScanner(ScanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	words := []string{
		"github/com/pawlgate/pawl/promotion", "documentation-of-the-command", "acknowledgements", "//////////////////////",
		"continuous_integration_settings", "---------------------------", "________________",
	}
	decoded := 0
	for _, w := range words {
		var code []byte
		for _, b := range []byte(w) {
			code = append(code, sextetOf[b])
		}
		decoded += bits.OnesCount8(s.denylist.telling.alignments(code))
	}
	if most := len(words); decoded > most { // of four times as many
		t.Errorf("%d alignments are decoded, more than %d", decoded, most)
	}
}
