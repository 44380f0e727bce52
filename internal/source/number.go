package source

import "strconv"

// Num is what a JSON number literal stands for.
type Num struct {
	// IsInt says that the literal is an integer: no fraction, no exponent.
	IsInt bool
	Int   int64   // if IsInt
	Float float64 // always, rounded to the nearest float64
	// Inexact says that the number can't be held: an integer literal outside
	// int64, or a number too large for a float64. Int and Float then mean
	// nothing.
	Inexact bool
}

// ParseNumber reads a valid JSON number literal. A number too small for a
// float64 becomes 0.
func ParseNumber(lit []byte) Num {
	if isInteger(lit) {
		if i, ok := smallInt(lit); ok {
			return Num{IsInt: true, Int: i, Float: float64(i)}
		}
		i, err := strconv.ParseInt(string(lit), 10, 64)
		if err != nil {
			return Num{IsInt: true, Inexact: true}
		}
		return Num{IsInt: true, Int: i, Float: float64(i)}
	}
	f, err := strconv.ParseFloat(string(lit), 64)
	if err != nil {
		return Num{Inexact: true}
	}
	return Num{Float: f}
}

func isInteger(lit []byte) bool {
	for _, c := range lit {
		if c == '.' || c == 'e' || c == 'E' {
			return false
		}
	}
	return true
}

// smallInt reads integers of up to 18 digits, which always fit.
func smallInt(lit []byte) (int64, bool) {
	neg := len(lit) > 0 && lit[0] == '-'
	if neg {
		lit = lit[1:]
	}
	if len(lit) == 0 || len(lit) > 18 {
		return 0, false
	}
	var n int64
	for _, c := range lit {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}

// IsNumber reports whether the text is a JSON number literal (RFC 8259,
// section 6): no leading zeros, no plus, no bare point, no underscore, no
// hexadecimal, no NaN, no infinity.
func IsNumber(s string) bool {
	i := 0
	digits := func() bool {
		start := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > start
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return false
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s)
}
