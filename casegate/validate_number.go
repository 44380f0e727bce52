package casegate

import (
	"cmp"
	"strconv"
	"strings"
)

// jsonNumber is a number as a JSON literal writes it, whatever its size:
// 0.digits times ten to the power of point. The zero value is 0.
type jsonNumber struct {
	negative bool
	digits   string // without zeros at either end; empty is 0
	point    int64
}

var (
	numberOne  = parseJSONNumber("1")
	numberHalf = parseJSONNumber("0.5")
)

// farPoint bounds exponents. A text that source.ReadJSON takes has far fewer
// digits, so what is cut off there stays beyond any number of ordinary size.
const farPoint = 1 << 40

// parseJSONNumber reads a JSON number literal.
func parseJSONNumber(lit string) jsonNumber {
	var d jsonNumber
	if d.negative = strings.HasPrefix(lit, "-"); d.negative {
		lit = lit[1:]
	}
	exponent := int64(0)
	if i := strings.IndexAny(lit, "eE"); i >= 0 {
		exponent, _ = strconv.ParseInt(lit[i+1:], 10, 64) // out of range: the nearest int64
		lit = lit[:i]
	}
	whole, fraction, _ := strings.Cut(lit, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	d.point = int64(len(whole)) - int64(len(whole)+len(fraction)-len(digits)) + max(-farPoint, min(exponent, farPoint))
	d.digits = strings.TrimRight(digits, "0")
	if d.digits == "" {
		return jsonNumber{} // -0 is 0
	}
	return d
}

// floatNumber is the shortest decimal that means a finite float64, which is
// what somebody wrote for it: 0.9, and not 0.90000000000000002220….
func floatNumber(f float64) jsonNumber {
	return parseJSONNumber(strconv.FormatFloat(f, 'g', -1, 64))
}

// compare returns -1, 0 or 1: how a stands to b, exactly.
func (a jsonNumber) compare(b jsonNumber) int {
	if a.sign() != b.sign() || a.sign() == 0 {
		return cmp.Compare(a.sign(), b.sign())
	}
	return a.sign() * cmp.Or(cmp.Compare(a.point, b.point), cmp.Compare(a.digits, b.digits))
}

func (a jsonNumber) sign() int {
	switch {
	case a.digits == "":
		return 0
	case a.negative:
		return -1
	default:
		return 1
	}
}
