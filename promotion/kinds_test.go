package promotion_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"github.com/pawlgate/pawl/promotion"
)

func TestKindsThatCountAsOne(t *testing.T) {
	for _, test := range []struct {
		name   string
		labels []string
		want   []string
	}{
		{"the same twice", []string{"canary", "canary"}, []string{"canary"}},
		{"blanks around", []string{"canary", "\t canary\u00a0\n"}, []string{"canary"}},
		{"case", []string{"canary", "Canary", "CANARY"}, []string{"canary"}},
		{"sharp s", []string{"straße", "STRASSE", "Straẞe"}, []string{"strasse"}},
		{"final sigma", []string{"λόγος", "ΛΌΓΟΣ"}, []string{"λόγοσ"}},
		{"the Kelvin sign", []string{"\u212a8s", "k8s"}, []string{"k8s"}},
		{"composed and not", []string{"caf\u00e9", "cafe\u0301", "CAFE\u0301"}, []string{"caf\u00e9"}},
		{"accents in another order", []string{"a\u0323\u0302", "a\u0302\u0323"}, []string{"\u1ead"}},
		{"Turkish dotted I, composed and not", []string{"\u0130d", "I\u0307d", "i\u0307d"}, []string{"i\u0307d"}},
		{"Hangul letters and syllable", []string{"\u1100\u1161", "\uac00"}, []string{"\uac00"}},
		{"Greek with iota below", []string{"\u1f80", "\u1f88", "\u1f00\u0345"}, []string{"\u1f00\u03b9"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := promotion.DistinctKinds(test.labels, nil); !slices.Equal(got, test.want) {
				t.Errorf("%+q, want %+q", got, test.want)
			}
		})
	}
}

// These look different, so they are: two kinds.
func TestKindsThatDiffer(t *testing.T) {
	for _, labels := range [][]string{
		{"canary", "canaries"},
		{"unit tests", "unit_tests"},
		{"unit tests", "unit  tests"},
		{"e", "é"},
		{"i", "İ"},
		{"i", "ı"},
		{"ﬁ", "fl"},
	} {
		if got := promotion.DistinctKinds(labels, nil); len(got) != 2 {
			t.Errorf("%q: %q", labels, got)
		}
	}
}

func TestLabelsThatNameNoKind(t *testing.T) {
	for _, label := range []string{
		"", " ", "\u00a0\u3000", "\u200b", "canary\u200b", "can\u00adary", "\u200dcanary", "canary\ufe0f", "\u034fcanary",
		"can\u0000ary", "can\nary", "can\tary", "canary\u202e", "\ufeffcanary", "canary\U000e0041", "canary\u3164", "canary\u2060",
		"unit\u00a0tests", "unit\u2009tests", "canary\u2800", "canary\xff", "canary\ufffd", "canary\ue000", "canary\u0378",
	} {
		if got := promotion.NormalKind(label); got != "" {
			t.Errorf("%+q names the kind %+q", label, got)
		}
		if got := promotion.DistinctKinds([]string{"canary", label}, nil); !slices.Equal(got, []string{"canary"}) {
			t.Errorf("%+q counts: %+q", label, got)
		}
	}
}

func TestOnlyAllowedKindsCount(t *testing.T) {
	for _, test := range []struct {
		allowed, want []string
	}{
		{nil, []string{"canary", "replay", "review"}},
		{[]string{}, nil},
		{[]string{"", " "}, nil},
		{[]string{" CANARY", "Replay", "other"}, []string{"canary", "replay"}},
	} {
		got := promotion.DistinctKinds([]string{"review", "replay", "Canary", ""}, test.allowed)
		if !slices.Equal(got, test.want) {
			t.Errorf("allowed %q: %q, want %q", test.allowed, got, test.want)
		}
	}
}

// A normal kind stays as it is, and a label is never more than one kind.
func TestNormalKindIsNormal(t *testing.T) {
	letters := rapid.SampledFrom([]rune("abKſẞßİıΑΣςσ\u0345\u0301\u0307\u0323\u212b\u1100\u1161\uac00 \u00a0"))
	rapid.Check(t, func(t *rapid.T) {
		label := rapid.OneOf(rapid.StringOf(letters), rapid.String()).Draw(t, "label")
		kind := promotion.NormalKind(label)
		if again := promotion.NormalKind(kind); again != kind {
			t.Fatalf("%+q is %+q is %+q", label, kind, again)
		}
		for _, same := range []string{" " + label, strings.TrimSpace(label) + "\n"} {
			if other := promotion.NormalKind(same); other != kind {
				t.Fatalf("%+q is %+q, but %+q is %+q", label, kind, same, other)
			}
		}
	})
}

// 10,000 kinds against 10,000 allowed ones: no work for every pair.
func TestManyKindsAreQuick(t *testing.T) {
	labels := make([]string, 10_000)
	for i := range labels {
		labels[i] = fmt.Sprintf("Kind %d", i)
	}
	start := time.Now()
	if n := len(promotion.DistinctKinds(labels, labels)); n != len(labels) {
		t.Errorf("%d kinds", n)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("took %s", took)
	}
}

func TestKindsThatDifferInCaseAreOne(t *testing.T) {
	for r := rune(1); r <= unicode.MaxRune; r++ {
		kind := promotion.NormalKind("a" + string(r))
		if again := promotion.NormalKind(kind); again != kind {
			t.Errorf("%U: %q is %q when read again", r, kind, again)
		}
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			if k := promotion.NormalKind("a" + string(other)); k != kind {
				t.Errorf("%U is %q, %U is %q", r, kind, other, k)
			}
		}
	}
}
