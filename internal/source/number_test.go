package source_test

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/source"
	"pgregory.net/rapid"
)

func TestParseNumber(t *testing.T) {
	integer := func(i int64) source.Num { return source.Num{IsInt: true, Int: i, Float: float64(i)} }
	fraction := func(f float64) source.Num { return source.Num{Float: f} }
	for _, c := range []struct {
		lit  string
		want source.Num
	}{
		{"0", integer(0)},
		{"-0", integer(0)},
		{"7", integer(7)},
		{"-7", integer(-7)},
		{"999999999999999999", integer(999999999999999999)},
		{"-999999999999999999", integer(-999999999999999999)},
		{"1000000000000000000", integer(1000000000000000000)},
		{"9007199254740991", integer(1<<53 - 1)},
		{"9007199254740992", integer(1 << 53)},
		{"9007199254740993", integer(1<<53 + 1)},
		{"-9007199254740993", integer(-1<<53 - 1)},
		{"9223372036854775807", integer(math.MaxInt64)},
		{"-9223372036854775808", integer(math.MinInt64)},
		{"9223372036854775808", source.Num{IsInt: true, Inexact: true}},
		{"-9223372036854775809", source.Num{IsInt: true, Inexact: true}},
		{strings.Repeat("9", 400), source.Num{IsInt: true, Inexact: true}},

		{"0.5", fraction(0.5)},
		{"1.0", fraction(1)},
		{"1e0", fraction(1)},
		{"1E+2", fraction(100)},
		{"0.1", fraction(0.1)},
		{"9007199254740993.0", fraction(1 << 53)},
		{"9223372036854775808.0", fraction(1 << 63)},
		{"1.7976931348623157e308", fraction(math.MaxFloat64)},
		{"1.7976931348623159e308", source.Num{Inexact: true}},
		{"1e400", source.Num{Inexact: true}},
		{"-1e400", source.Num{Inexact: true}},
		{"1e99999999999999999999", source.Num{Inexact: true}},
		{"5e-324", fraction(5e-324)},
		{"1e-400", fraction(0)},
		{"-1e-99999999999999999999", fraction(0)},
		{"0e99999999999999999999", fraction(0)},
		{"0." + strings.Repeat("3", 2_000), fraction(1.0 / 3)},
		{strings.Repeat("9", 300) + ".5", fraction(1e300)},
	} {
		got := source.ParseNumber([]byte(c.lit))
		if c.want.Inexact {
			got.Int, got.Float = 0, 0 // mean nothing
		}
		if got != c.want {
			t.Errorf("%.30s: %+v, want %+v", c.lit, got, c.want)
		}
	}
	// -0.0 keeps its sign; no comparison can tell.
	if got := source.ParseNumber([]byte("-0.0")); !math.Signbit(got.Float) || got.IsInt {
		t.Errorf("-0.0: %+v", got)
	}
}

func TestParseNumberReadsWhatGoWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.Int64().Draw(t, "i")
		if got := source.ParseNumber(strconv.AppendInt(nil, i, 10)); !got.IsInt || got.Inexact || got.Int != i || got.Float != float64(i) {
			t.Errorf("%d: %+v", i, got)
		}
		f := rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "f")
		if got := source.ParseNumber(strconv.AppendFloat(nil, f, 'e', -1, 64)); got.IsInt || got.Inexact || got.Float != f {
			t.Errorf("%v: %+v", f, got)
		}
	})
}

// checkNumber compares IsNumber with encoding/json.
func checkNumber(t interface{ Errorf(string, ...any) }, s string) {
	// Valid allows white space around a value, and values that are no numbers.
	want := json.Valid([]byte(s)) && strings.TrimSpace(s) == s && strings.ContainsAny(s[:1], "-0123456789")
	if got := source.IsNumber(s); got != want {
		t.Errorf("IsNumber(%q) is %v", s, got)
	}
}

func TestIsNumberIsWhatJSONSays(t *testing.T) {
	for _, s := range []string{
		"", "-", "0", "-0", "00", "01", "-01", "1.", ".1", "1.0", "1e", "1e+", "1e+1", "1E-01", "1e1.5", "0x1", "1_0", "+1", " 1", "1 ", "1\n",
		"NaN", "Infinity", "1e400", "--1", "1-", "١", "1e1e1", "0.0e-0", "null", "true", `"1"`, "[1]",
	} {
		checkNumber(t, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		checkNumber(t, rapid.StringMatching(`-?[0-9]{0,3}\.?[0-9]{0,2}[eE]?[-+]?[0-9_x ]{0,2}`).Draw(t, "s"))
	})
}

func FuzzIsNumber(f *testing.F) {
	for _, s := range []string{"0", "-1.5e+3", "01", "1.", "+1", "1_0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkNumber(t, s)
		if source.IsNumber(s) {
			source.ParseNumber([]byte(s)) // never panics
		}
	})
}
