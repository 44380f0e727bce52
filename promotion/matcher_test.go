package promotion

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// occurrence is a token, by its text, and where it was found.
type occurrence struct {
	offset int
	token  string
}

// naive finds all occurrences, one token after the other.
func naive(data []byte, tokens []Token) []occurrence {
	var all []occurrence
	text := make([]byte, len(data))
	for i, b := range data {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		text[i] = b
	}
	for _, t := range tokens {
		for from := 0; ; {
			n := bytes.Index(text[from:], []byte(t.Text))
			if n < 0 {
				break
			}
			all = append(all, occurrence{from + n, t.Text})
			from += n + 1
		}
	}
	sortOccurrences(all)
	return all
}

func sortOccurrences(o []occurrence) {
	slices.SortFunc(o, func(a, b occurrence) int {
		if a.offset != b.offset {
			return a.offset - b.offset
		}
		return bytes.Compare([]byte(a.token), []byte(b.token))
	})
}

func matched(t testing.TB, m *matcher, data []byte) []occurrence {
	var all []occurrence
	var window []byte
	m.each(data, &window, func(token, start, end int) {
		if end-start != len(m.tokens[token].Text) {
			t.Errorf("%q at %d ends at %d", m.tokens[token].Text, start, end)
		}
		all = append(all, occurrence{start, m.tokens[token].Text})
	})
	sortOccurrences(all)
	return all
}

// FuzzMatcherEqualsNaive holds the matcher to a loop over bytes.Index. The text
// is what is given, and as often as repeat says tokens of the floor and of the
// given one, cut and glued as the bytes of the text say.
func FuzzMatcherEqualsNaive(f *testing.F) {
	f.Add([]byte("curl CURL cuRl"), []byte("url"), uint8(0))
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaaaaaaaaa"), []byte("aaa"), uint8(1))
	f.Add([]byte("\x00\x17\x33\x81rm -rf /"), []byte("-rf /"), uint8(3))
	f.Add([]byte("xxab"), []byte("ab"), uint8(200))
	floor := Floor()
	plain, err := newMatcher(floor)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data, extra []byte, repeat uint8) {
		m, tokens := plain, floor
		if e := string(extra); unusable(e) == "" {
			tokens = append(slices.Clone(floor), Token{Text: foldString(e), Kind: KindExtra})
			if m, err = newMatcher(tokens); err != nil {
				t.Fatal(err)
			}
			if len(patternForms(foldString(e))) > 1 {
				return // found in other forms, too
			}
			tokens = m.tokens
		}
		data = spread(data, tokens, int(repeat))
		got, want := matched(t, m, data), naive(data, tokens)
		if !slices.Equal(got, want) {
			t.Errorf("in %q:\n got %v\nwant %v", data, got, want)
		}
	})
}

// spread turns bytes into a text that is full of tokens and parts of them.
func spread(data []byte, tokens []Token, repeat int) []byte {
	out := slices.Clone(data)
	for n := range repeat {
		for i := 0; i+1 < len(data) && len(out) < 1<<16; i += 2 {
			text := tokens[(int(data[i])+n*37)%len(tokens)].Text
			out = append(out, text[:len(text)-int(data[i+1])%len(text)]...)
		}
	}
	return out
}

func TestMatcherFindsEachTokenAnywhere(t *testing.T) {
	m, err := newMatcher(Floor())
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range m.tokens {
		for pad := range 40 {
			for _, after := range []string{"", "x", "                    "} {
				data := fmt.Appendf(bytes.Repeat([]byte{'z'}, pad), "%s%s", token.Text, after)
				if !slices.Contains(matched(t, m, data), occurrence{pad, token.Text}) {
					t.Fatalf("%q isn't found in %q", token.Text, data)
				}
				if !slices.Equal(matched(t, m, data), naive(data, m.tokens)) {
					t.Fatalf("%q: %v", data, matched(t, m, data))
				}
			}
		}
	}
}
